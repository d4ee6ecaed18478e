#include "referee/ctl/competition/export.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/time/time.h"
#include "referee/ctl/competition/blocks_text.h"
#include "referee/ctl/competition/text.h"
#include "referee/ctl/terminal/print.h"

namespace referee::ctl {
namespace {

using v1::Block;
using v1::BlockMatch;
using v1::Standing;

// With microseconds.
std::string ExactTime(const google::protobuf::Timestamp& time) {
  return absl::FormatTime("%Y-%m-%dT%H:%M:%E6SZ",
                          absl::FromUnixSeconds(time.seconds()) + absl::Nanoseconds(time.nanos()),
                          absl::UTCTimeZone());
}

// "buchholz_cut_1"
std::string TieBreakKey(const v1::TieBreakValue& value) {
  return absl::StrReplaceAll(TieBreakText(value.tie_break()), {{"-", "_"}});
}

Cell ValueOf(const v1::TieBreakValue& value) {
  return value.has_value() ? Cell(value.value()) : Cell();
}

Json TieBreaksJson(const Standing& line) {
  Json json = Json::object();
  for (const v1::TieBreakValue& value : line.tie_breaks()) {
    json[TieBreakKey(value)] = ValueOf(value).value;
  }
  return json;
}

std::string VersionOf(const Block& block, int place) {
  return place < block.bot_versions_size() ? block.bot_versions(place) : "";
}

Cell VersionAt(const MatchOfBlock& of, int seat) {
  return VersionOf(*of.block, PlaceAt(*of.block, *of.match, seat));
}

Cell RankAt(const MatchOfBlock& of, int seat) {
  return seat < of.match->ranks_size() ? Cell(of.match->ranks(seat)) : Cell();
}

Cell ScoreAt(const MatchOfBlock& of, int seat) {
  return seat < of.match->scores_size() ? Cell(of.match->scores(seat)) : Cell();
}

Cell CauseAt(const MatchOfBlock& of, int seat) {
  const std::string cause = ForfeitAt(*of.match, seat);
  return cause.empty() ? Cell() : Cell(cause);
}

Json SeatsJson(const MatchOfBlock& of) {
  Json seats = Json::array();
  for (int seat = 0; seat < of.block->bots_size(); ++seat) {
    seats.push_back({{"bot", BotAt(*of.block, *of.match, seat)},
                     {"version", VersionAt(of, seat).value},
                     {"rank", RankAt(of, seat).value},
                     {"score", ScoreAt(of, seat).value},
                     {"forfeit", CauseAt(of, seat).value}});
  }
  return seats;
}

Cell PointsAt(const Block& block, int place) {
  const absl::optional<std::vector<double>> points = PointsOf(block);
  return points ? Cell((*points)[static_cast<size_t>(place)]) : Cell();
}

Cell ScoreIn(const Block& block, int place) {
  return PointsOf(block) ? Cell(ScoreOf(block, place)) : Cell();
}

Json BotsJson(const Block& block) {
  Json bots = Json::array();
  for (int place = 0; place < block.bots_size(); ++place) {
    bots.push_back({{"bot", block.bots(place)},
                    {"version", VersionOf(block, place)},
                    {"points", PointsAt(block, place).value},
                    {"score", ScoreIn(block, place).value},
                    {"forfeits", ForfeitsOf(block, place)}});
  }
  return bots;
}

}  // namespace

Columns<Standing> StandingsExport(const google::protobuf::RepeatedPtrField<Standing>& standings) {
  Columns<Standing> columns = {
      {"rank", kData, &Standing::rank},
      {"bot", kData, &Standing::bot},
      {"blocks", kData, &Standing::blocks},
      {"wins", kData, &Standing::wins},
      {"draws", kData, &Standing::draws},
      {"losses", kData, &Standing::losses},
      {"forfeits", kData, &Standing::forfeits},
      {"points", kData, &Standing::points},
      {"tie_break", kData, &Standing::tie_break},
      {"elo", kData, &Standing::elo},
      {"elo_error", kData, &Standing::elo_error},
      {"superiority", kData,
       [](const Standing& s) { return s.has_superiority() ? Cell(s.superiority()) : Cell(); }},
      {"connected", kData, &Standing::connected},
      {"remark", kData, &Standing::remark},
      {"tie_breaks", kJson, TieBreaksJson}};
  for (int i = 0; i < (standings.empty() ? 0 : standings[0].tie_breaks_size()); ++i) {
    columns.push_back(
        {"tie_break_" + TieBreakKey(standings[0].tie_breaks(i)), kCsv, [i](const Standing& s) {
           return i < s.tie_breaks_size() ? ValueOf(s.tie_breaks(i)) : Cell();
         }});
  }
  const Columns<Standing> more = {
      {"share", kData, [](const Standing& s) { return s.has_share() ? Cell(s.share()) : Cell(); }},
      {"annulled", kData, &Standing::annulled},
      {"forfeited_blocks", kData, &Standing::forfeited_blocks},
      {"walkovers", kData, &Standing::walkovers},
      {"provisional", kData, &Standing::provisional},
      {"version", kData, &Standing::version},
      {"season", kData, &Standing::season},
      {"succeeded", kData, &Standing::succeeded},
      {"byes", kData, &Standing::byes},
      {"elo_low", kData, [](const Standing& s) { return s.elo() - s.elo_error(); }},
      {"elo_high", kData, [](const Standing& s) { return s.elo() + s.elo_error(); }}};
  columns.insert(columns.end(), more.begin(), more.end());
  return columns;
}

Columns<MatchOfBlock> ResultsExport(int seats) {
  using Of = MatchOfBlock;
  Columns<Of> columns = {
      {"block", kData, [](const Of& of) { return of.block->number(); }},
      {"rotation", kData, [](const Of& of) { return of.match->rotation(); }},
      {"attempt", kData, [](const Of& of) { return of.block->replayed() + 1; }},
      {"match_id", kData, [](const Of& of) { return of.match->match_id(); }},
      {"begin_time", kData, [](const Of& of) { return ExactTime(of.block->begin_time()); }},
      {"end_time", kData, [](const Of& of) { return ExactTime(of.block->end_time()); }},
      {"seats", kJson, SeatsJson}};
  const auto add = [&](const std::string& name, int seat, Cell (*read)(const Of&, int)) {
    columns.push_back(
        {absl::StrCat(name, std::string(1, static_cast<char>('a' + seat))), kCsv,
         [=](const Of& of) { return seat < of.block->bots_size() ? read(of, seat) : Cell(); }});
  };
  for (int seat = 0; seat < seats; ++seat) {
    add("bot_", seat, [](const Of& of, int s) -> Cell { return BotAt(*of.block, *of.match, s); });
    add("rank_", seat, RankAt);
    add("score_", seat, ScoreAt);
    add("forfeit_", seat, CauseAt);
  }
  columns.push_back({"season", kData, [](const Of& of) { return of.block->season(); }});
  for (int seat = 0; seat < seats; ++seat) add("version_", seat, VersionAt);
  return columns;
}

Columns<Block> BlocksExport(int seats) {
  Columns<Block> columns = {
      {"block", kData, &Block::number},
      {"state", kData, [](const Block& block) { return StateText(block.state()); }},
      {"attempt", kData, [](const Block& block) { return block.replayed() + 1; }},
      {"begin_time", kData, [](const Block& block) { return ExactTime(block.begin_time()); }},
      {"end_time", kData,
       [](const Block& block) {
         return block.has_end_time() ? Cell(ExactTime(block.end_time())) : Cell();
       }},
      {"bots", kJson, BotsJson}};
  const auto add = [&](const std::string& name, int place, Cell (*read)(const Block&, int)) {
    columns.push_back({absl::StrCat(name, place + 1), kCsv, [=](const Block& block) {
                         return place < block.bots_size() ? read(block, place) : Cell();
                       }});
  };
  for (int place = 0; place < seats; ++place) {
    add("bot_", place, [](const Block& block, int at) -> Cell { return block.bots(at); });
    add("points_", place, PointsAt);
    add("score_", place, ScoreIn);
    add("forfeits_", place,
        [](const Block& block, int at) -> Cell { return ForfeitsOf(block, at); });
  }
  columns.push_back({"reason", kData, &Block::reason});
  return columns;
}

}  // namespace referee::ctl
