#include "referee/ctl/competition/export.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/time/time.h"
#include "nlohmann/json.hpp"
#include "referee/ctl/competition/blocks_text.h"
#include "referee/ctl/competition/text.h"
#include "referee/ctl/terminal/print.h"

namespace referee::ctl {
namespace {

using Json = nlohmann::ordered_json;

std::string ExactTime(const google::protobuf::Timestamp& time) {
  return absl::FormatTime("%Y-%m-%dT%H:%M:%E6SZ",
                          absl::FromUnixSeconds(time.seconds()) + absl::Nanoseconds(time.nanos()),
                          absl::UTCTimeZone());
}

// "buchholz_cut_1"
std::string TieBreakKey(const v1::TieBreakValue& value) {
  return absl::StrReplaceAll(TieBreakText(value.tie_break()), {{"-", "_"}});
}

Json TieBreaksJson(const v1::Standing& line) {
  Json json = Json::object();
  for (const v1::TieBreakValue& value : line.tie_breaks()) {
    json[TieBreakKey(value)] = value.has_value() ? Json(value.value()) : Json();
  }
  return json;
}

Json StandingRow(const v1::Standing& line, ExportFormat format) {
  Json row = {{"rank", line.rank()},
              {"bot", line.bot()},
              {"blocks", line.blocks()},
              {"wins", line.wins()},
              {"draws", line.draws()},
              {"losses", line.losses()},
              {"forfeits", line.forfeits()},
              {"points", line.points()},
              {"tie_break", line.tie_break()},
              {"elo", line.elo()},
              {"elo_error", line.elo_error()},
              {"superiority", line.has_superiority() ? Json(line.superiority()) : Json()},
              {"connected", line.connected()},
              {"remark", line.remark()}};
  const Json tie_breaks = TieBreaksJson(line);
  if (format == ExportFormat::kJson) row["tie_breaks"] = tie_breaks;
  if (format == ExportFormat::kCsv) {
    for (const auto& one : tie_breaks.items()) row["tie_break_" + one.key()] = one.value();
  }
  row.update({{"share", line.has_share() ? Json(line.share()) : Json()},
              {"annulled", line.annulled()},
              {"forfeited_blocks", line.forfeited_blocks()},
              {"walkovers", line.walkovers()},
              {"provisional", line.provisional()},
              {"version", line.version()},
              {"season", line.season()},
              {"succeeded", line.succeeded()},
              {"byes", line.byes()},
              {"elo_low", line.elo() - line.elo_error()},
              {"elo_high", line.elo() + line.elo_error()}});
  return row;
}

std::string VersionOf(const v1::Block& block, int place) {
  return place < block.bot_versions_size() ? block.bot_versions(place) : "";
}

std::string VersionAt(const v1::Block& block, const v1::BlockMatch& match, int seat) {
  return VersionOf(block, PlaceAt(block, match, seat));
}

std::string ResultCsv(const v1::Block& block, const v1::BlockMatch& match) {
  Json row = {block.number(),
              match.rotation(),
              block.replayed() + 1,
              match.match_id(),
              ExactTime(block.begin_time()),
              ExactTime(block.end_time())};
  for (int seat = 0; seat < block.bots_size(); ++seat) {
    const bool scored = seat < match.ranks_size() && seat < match.scores_size();
    row.push_back(BotAt(block, match, seat));
    row.push_back(scored ? Json(match.ranks(seat)) : Json());
    row.push_back(scored ? Json(match.scores(seat)) : Json());
    row.push_back(ForfeitAt(match, seat));
  }
  row.push_back(block.season());
  for (int seat = 0; seat < block.bots_size(); ++seat) {
    row.push_back(VersionAt(block, match, seat));
  }
  return CsvLine(row);
}

std::string ResultJson(const v1::Block& block, const v1::BlockMatch& match) {
  Json seats = Json::array();
  for (int seat = 0; seat < block.bots_size(); ++seat) {
    Json json = {{"bot", BotAt(block, match, seat)}, {"version", VersionAt(block, match, seat)}};
    if (seat < match.ranks_size()) json["rank"] = match.ranks(seat);
    if (seat < match.scores_size()) json["score"] = match.scores(seat);
    const std::string cause = ForfeitAt(match, seat);
    json["forfeit"] = cause.empty() ? Json(nullptr) : Json(cause);
    seats.push_back(std::move(json));
  }
  return JsonLine({{"block", block.number()},
                   {"rotation", match.rotation()},
                   {"attempt", block.replayed() + 1},
                   {"match_id", match.match_id()},
                   {"begin_time", ExactTime(block.begin_time())},
                   {"end_time", ExactTime(block.end_time())},
                   {"seats", seats},
                   {"season", block.season()}});
}

Json EndTime(const v1::Block& block) {
  return block.has_end_time() ? Json(ExactTime(block.end_time())) : Json();
}

std::string BlockCsv(const v1::Block& block) {
  Json row = {block.number(), StateText(block.state()), block.replayed() + 1,
              ExactTime(block.begin_time()), EndTime(block)};
  const absl::optional<std::vector<double>> points = PointsOf(block);
  for (int place = 0; place < block.bots_size(); ++place) {
    row.push_back(block.bots(place));
    row.push_back(points ? Json((*points)[static_cast<size_t>(place)]) : Json());
    row.push_back(points ? Json(ScoreOf(block, place)) : Json());
    row.push_back(ForfeitsOf(block, place));
  }
  row.push_back(block.reason());
  return CsvLine(row);
}

std::string BlockJson(const v1::Block& block) {
  const absl::optional<std::vector<double>> points = PointsOf(block);
  Json bots = Json::array();
  for (int place = 0; place < block.bots_size(); ++place) {
    bots.push_back({{"bot", block.bots(place)},
                    {"version", VersionOf(block, place)},
                    {"points", points ? Json((*points)[static_cast<size_t>(place)]) : Json()},
                    {"score", points ? Json(ScoreOf(block, place)) : Json()},
                    {"forfeits", ForfeitsOf(block, place)}});
  }
  return JsonLine({{"block", block.number()},
                   {"state", StateText(block.state())},
                   {"attempt", block.replayed() + 1},
                   {"begin_time", ExactTime(block.begin_time())},
                   {"end_time", EndTime(block)},
                   {"bots", bots},
                   {"reason", block.reason()}});
}

}  // namespace

std::string ExportStandings(const google::protobuf::RepeatedPtrField<v1::Standing>& standings,
                            ExportFormat format) {
  const bool csv = format == ExportFormat::kCsv;
  std::string out;
  if (csv) out = CsvHeader(StandingRow(standings.empty() ? v1::Standing() : standings[0], format));
  for (const v1::Standing& line : standings) {
    const Json row = StandingRow(line, format);
    out += csv ? CsvLine(row) : JsonLine(row);
  }
  return out;
}

std::string ResultsHeader(int seats, ExportFormat format) {
  if (format == ExportFormat::kJson) return "";
  std::vector<std::string> names = {"block",    "rotation",   "attempt",
                                    "match_id", "begin_time", "end_time"};
  for (int seat = 0; seat < seats; ++seat) {
    const std::string letter(1, static_cast<char>('a' + seat));
    for (const char* column : {"bot_", "rank_", "score_", "forfeit_"}) {
      names.push_back(column + letter);
    }
  }
  names.push_back("season");
  for (int seat = 0; seat < seats; ++seat) {
    names.push_back(std::string("version_") + static_cast<char>('a' + seat));
  }
  return CsvLine(names);
}

std::string BlocksHeader(int seats, ExportFormat format) {
  if (format == ExportFormat::kJson) return "";
  std::vector<std::string> names = {"block", "state", "attempt", "begin_time", "end_time"};
  for (int bot = 1; bot <= seats; ++bot) {
    for (const char* column : {"bot_", "points_", "score_", "forfeits_"}) {
      names.push_back(absl::StrCat(column, bot));
    }
  }
  names.emplace_back("reason");
  return CsvLine(names);
}

std::string ExportBlock(const v1::Block& block, ExportFormat format) {
  return format == ExportFormat::kCsv ? BlockCsv(block) : BlockJson(block);
}

std::string ExportResults(const v1::Block& block, ExportFormat format) {
  if (block.state() != v1::BLOCK_STATE_PLAYED) return "";
  std::string out;
  for (const v1::BlockMatch& match : block.matches()) {
    absl::StrAppend(
        &out, format == ExportFormat::kCsv ? ResultCsv(block, match) : ResultJson(block, match));
  }
  return out;
}

}  // namespace referee::ctl
