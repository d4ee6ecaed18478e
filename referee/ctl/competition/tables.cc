#include "referee/ctl/competition/tables.h"

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/rotation.h"
#include "referee/ctl/competition/text.h"
#include "referee/ctl/terminal/print.h"
#include "referee/ctl/terminal/table.h"

namespace referee::ctl {
namespace {

constexpr char kNoResult[] = "-";

// The seat of the block's bot `place` in the match.
int SeatOf(const v1::Block& block, const v1::BlockMatch& match, int place) {
  const int seats = block.bots_size();
  return SeatOfPlace(place, static_cast<int>(match.rotation() % static_cast<uint32_t>(seats)),
                     seats);
}

// Points of a seat: 1 for each seat ranked below, 1/2 for each other seat of the same rank.
double PointsInMatch(const v1::BlockMatch& match, int seat) {
  double points = -0.5;  // excludes the seat itself
  for (const uint32_t rank : match.ranks()) {
    if (rank > match.ranks(seat)) points += 1;
    if (rank == match.ranks(seat)) points += 0.5;
  }
  return points;
}

// The points of the block's bots, in order, in the unit of v1::Standing.points. Unset unless the
// block counts.
absl::optional<std::vector<double>> PointsOf(const v1::Block& block) {
  if (block.state() != v1::BLOCK_STATE_PLAYED) return absl::nullopt;
  std::vector<double> points(static_cast<size_t>(block.bots_size()), 0);
  for (const v1::BlockMatch& match : block.matches()) {
    if (match.ranks_size() != block.bots_size()) return absl::nullopt;
    for (int place = 0; place < block.bots_size(); ++place) {
      points[static_cast<size_t>(place)] += PointsInMatch(match, SeatOf(block, match, place));
    }
  }
  return points;
}

// The sum of the scores of the block's bot `place`.
int64_t ScoreOf(const v1::Block& block, int place) {
  int64_t score = 0;
  for (const v1::BlockMatch& match : block.matches()) {
    const int seat = SeatOf(block, match, place);
    if (seat < match.scores_size()) score += match.scores(seat);
  }
  return score;
}

// The index in the block's pairing of the bot in `seat` of the match.
int PlaceAt(const v1::Block& block, const v1::BlockMatch& match, int seat) {
  const auto rotation =
      static_cast<int>(match.rotation() % static_cast<uint32_t>(block.bots_size()));
  return PlaceOfSeat(seat, rotation, block.bots_size());
}

const std::string& BotAt(const v1::Block& block, const v1::BlockMatch& match, int seat) {
  return block.bots(PlaceAt(block, match, seat));
}

// Returns "TIMEOUT", "ILLEGAL", "DISCONNECTED" or "RESIGNED"; empty if the seat did not forfeit.
std::string ForfeitAt(const v1::BlockMatch& match, int seat) {
  for (const v1::SeatForfeit& forfeit : match.forfeits()) {
    if (static_cast<int>(forfeit.seat()) != seat) continue;
    return std::string(absl::StripPrefix(v1::ForfeitCause_Name(forfeit.cause()), "FORFEIT_CAUSE_"));
  }
  return "";
}

// The number of matches of the block that its bot `place` forfeited.
int ForfeitsOf(const v1::Block& block, int place) {
  int forfeits = 0;
  for (const v1::BlockMatch& match : block.matches()) {
    forfeits += ForfeitAt(match, SeatOf(block, match, place)).empty() ? 0 : 1;
  }
  return forfeits;
}

// The bot `place` of the block's pairing, with its version.
std::string BotOf(const v1::Block& block, int place) {
  const bool known = place < block.bot_versions_size();
  return BotText(block.bots(place), known ? block.bot_versions(place) : "");
}

// Returns "forfeited by carol", "void: 4 attempts came to nothing, ..." or "played, attempt 2".
std::string BlockStateText(const v1::Block& block) {
  std::string text = StateText(block.state());
  if (block.forfeited_by_size() > 0) {
    std::vector<std::string> bots;
    for (const std::string& bot : block.forfeited_by()) bots.push_back(Shown(bot));
    text = absl::StrCat("forfeited by ", absl::StrJoin(bots, ", "));
  } else if (!block.reason().empty()) {
    absl::StrAppend(&text, ": ", Shown(block.reason()));
  }
  if (block.replayed() > 0) absl::StrAppend(&text, ", attempt ", block.replayed() + 1);
  return text;
}

// The score of a seat, with the cause if it forfeited: "-3!TIMEOUT".
std::string ScoreText(const v1::BlockMatch& match, int seat) {
  const std::string cause = ForfeitAt(match, seat);
  return absl::StrCat(match.scores(seat), cause.empty() ? "" : absl::StrCat("!", cause));
}

std::string ScoresBySeat(const v1::BlockMatch& match) {
  std::vector<std::string> scores;
  for (int seat = 0; seat < match.scores_size(); ++seat) scores.push_back(ScoreText(match, seat));
  return scores.empty() ? kNoResult : absl::StrJoin(scores, " ");
}

std::string ScoresByBot(const v1::Block& block, const v1::BlockMatch& match) {
  if (match.scores_size() != block.bots_size()) return kNoResult;
  std::vector<std::string> scores;
  for (int place = 0; place < block.bots_size(); ++place) {
    scores.push_back(ScoreText(match, SeatOf(block, match, place)));
  }
  return absl::StrJoin(scores, " ");
}

std::string PointsByBot(const v1::Block& block) {
  const absl::optional<std::vector<double>> points = PointsOf(block);
  if (!points.has_value()) return kNoResult;
  return absl::StrJoin(
      *points, " ", [](std::string* out, double one) { absl::StrAppendFormat(out, "%.1f", one); });
}

std::string BotsText(const v1::Block& block) {
  std::vector<std::string> bots;
  for (int place = 0; place < block.bots_size(); ++place) bots.push_back(BotOf(block, place));
  return absl::StrJoin(bots, ", ");
}

std::string BotsBySeat(const MatchOfBlock& of) {
  std::vector<std::string> bots;
  for (int seat = 0; seat < of.block->bots_size(); ++seat) {
    bots.push_back(BotOf(*of.block, PlaceAt(*of.block, *of.match, seat)));
  }
  return absl::StrJoin(bots, ", ");
}

std::string ScoresByMatch(const v1::Block& block) {
  return absl::StrJoin(block.matches(), " | ", [&](std::string* out, const v1::BlockMatch& match) {
    out->append(ScoresByBot(block, match));
  });
}

using v1::Block;
using v1::BlockMatch;
using v1::Standing;

// A time with microseconds.
std::string ExactTime(const google::protobuf::Timestamp& time) {
  return absl::FormatTime("%Y-%m-%dT%H:%M:%E6SZ",
                          absl::FromUnixSeconds(time.seconds()) + absl::Nanoseconds(time.nanos()),
                          absl::UTCTimeZone());
}

// Returns "buchholz_cut_1".
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

std::vector<MatchOfBlock> MatchesOf(const google::protobuf::RepeatedPtrField<v1::Block>& blocks,
                                    bool only_played) {
  std::vector<MatchOfBlock> matches;
  for (const v1::Block& block : blocks) {
    if (only_played && block.state() != v1::BLOCK_STATE_PLAYED) continue;
    for (const v1::BlockMatch& match : block.matches()) matches.push_back({&block, &match});
  }
  return matches;
}

const Columns<v1::Block>& BlocksTable() {
  static const auto* const columns = new Columns<v1::Block>{
      {"block", kRight, &v1::Block::number},
      {"state", kLeft, BlockStateText},
      {"begun", kLeft, [](const v1::Block& block) { return TimeText(block.begin_time()); }},
      {"bots", kLeft, BotsText},
      {"points", kLeft, PointsByBot},
      {"scores, match by match", kLeft, ScoresByMatch}};
  return *columns;
}

const Columns<MatchOfBlock>& MatchesTable() {
  using Of = MatchOfBlock;
  static const auto* const columns = new Columns<Of>{
      {"block", kRight, [](const Of& of) { return of.block->number(); }},
      {"rotation", kRight, [](const Of& of) { return of.match->rotation(); }},
      {"match", kLeft, [](const Of& of) { return of.match->match_id(); }},
      {"ranks", kLeft,
       [](const Of& of) {
         return of.match->ranks().empty() ? Cell() : Cell(absl::StrJoin(of.match->ranks(), " "));
       }},
      {"scores", kLeft, [](const Of& of) { return ScoresBySeat(*of.match); }},
      {"bots by seat", kLeft, BotsBySeat}};
  return *columns;
}

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
