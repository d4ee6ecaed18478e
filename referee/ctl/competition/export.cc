#include "referee/ctl/competition/export.h"

#include <cmath>
#include <cstdlib>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/time/time.h"
#include "nlohmann/json.hpp"
#include "referee/ctl/competition/blocks_text.h"
#include "referee/ctl/competition/text.h"
#include "referee/ctl/terminal/print.h"

namespace referee::ctl {
namespace {

using Json = nlohmann::ordered_json;

// The shortest text that reads back as the same number.
std::string Number(double value) {
  for (const int digits : {6, 9, 15, 16}) {
    std::string text = absl::StrFormat("%.*g", digits, value);
    if (std::strtod(text.c_str(), nullptr) == value) return text;
  }
  return absl::StrFormat("%.17g", value);
}

// `fields` as they are to stand in the file.
std::string CsvLine(const std::vector<std::string>& fields) {
  return absl::StrCat(absl::StrJoin(fields, ","), "\r\n");
}

// JSON has no infinity.
Json Finite(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

std::string FiniteText(double value) { return std::isfinite(value) ? Number(value) : ""; }

std::string ExactTime(const google::protobuf::Timestamp& time) {
  return absl::FormatTime("%Y-%m-%dT%H:%M:%E6SZ",
                          absl::FromUnixSeconds(time.seconds()) + absl::Nanoseconds(time.nanos()),
                          absl::UTCTimeZone());
}

// "buchholz_cut_1"
std::string TieBreakKey(const v1::TieBreakValue& value) {
  return absl::StrReplaceAll(TieBreakText(value.tie_break()), {{"-", "_"}});
}

std::string StandingCsv(const v1::Standing& line) {
  std::vector<std::string> fields = {absl::StrCat(line.rank()),
                                     CsvField(line.bot()),
                                     absl::StrCat(line.blocks()),
                                     absl::StrCat(line.wins()),
                                     absl::StrCat(line.draws()),
                                     absl::StrCat(line.losses()),
                                     absl::StrCat(line.forfeits()),
                                     Number(line.points()),
                                     Number(line.tie_break()),
                                     FiniteText(line.elo()),
                                     FiniteText(line.elo_error()),
                                     line.has_superiority() ? Number(line.superiority()) : "",
                                     line.connected() ? "true" : "false",
                                     CsvField(line.remark())};
  for (const v1::TieBreakValue& value : line.tie_breaks()) {
    fields.push_back(value.has_value() ? Number(value.value()) : "");
  }
  fields.push_back(line.has_share() ? Number(line.share()) : "");
  fields.push_back(line.annulled() ? "true" : "false");
  fields.push_back(absl::StrCat(line.forfeited_blocks()));
  fields.push_back(absl::StrCat(line.walkovers()));
  fields.push_back(line.provisional() ? "true" : "false");
  fields.push_back(CsvField(line.version()));
  fields.push_back(absl::StrCat(line.season()));
  fields.push_back(line.succeeded() ? "true" : "false");
  fields.push_back(absl::StrCat(line.byes()));
  fields.push_back(FiniteText(line.elo() - line.elo_error()));
  fields.push_back(FiniteText(line.elo() + line.elo_error()));
  return CsvLine(fields);
}

Json TieBreaksJson(const v1::Standing& line) {
  Json json = Json::object();
  for (const v1::TieBreakValue& value : line.tie_breaks()) {
    json[TieBreakKey(value)] = value.has_value() ? Json(value.value()) : Json(nullptr);
  }
  return json;
}

std::string StandingJson(const v1::Standing& line) {
  return JsonLine(
      {{"rank", line.rank()},
       {"bot", line.bot()},
       {"blocks", line.blocks()},
       {"wins", line.wins()},
       {"draws", line.draws()},
       {"losses", line.losses()},
       {"forfeits", line.forfeits()},
       {"points", line.points()},
       {"tie_break", line.tie_break()},
       {"elo", Finite(line.elo())},
       {"elo_error", Finite(line.elo_error())},
       {"superiority", line.has_superiority() ? Json(line.superiority()) : Json(nullptr)},
       {"connected", line.connected()},
       {"remark", line.remark()},
       {"tie_breaks", TieBreaksJson(line)},
       {"share", line.has_share() ? Json(line.share()) : Json(nullptr)},
       {"annulled", line.annulled()},
       {"forfeited_blocks", line.forfeited_blocks()},
       {"walkovers", line.walkovers()},
       {"provisional", line.provisional()},
       {"version", line.version()},
       {"season", line.season()},
       {"succeeded", line.succeeded()},
       {"byes", line.byes()},
       {"elo_low", Finite(line.elo() - line.elo_error())},
       {"elo_high", Finite(line.elo() + line.elo_error())}});
}

std::string VersionOf(const v1::Block& block, int place) {
  return place < block.bot_versions_size() ? block.bot_versions(place) : "";
}

std::string VersionAt(const v1::Block& block, const v1::BlockMatch& match, int seat) {
  return VersionOf(block, PlaceAt(block, match, seat));
}

std::string ResultCsv(const v1::Block& block, const v1::BlockMatch& match) {
  std::vector<std::string> fields = {
      absl::StrCat(block.number()),       absl::StrCat(match.rotation()),
      absl::StrCat(block.replayed() + 1), match.match_id(),
      ExactTime(block.begin_time()),      ExactTime(block.end_time())};
  for (int seat = 0; seat < block.bots_size(); ++seat) {
    const bool scored = seat < match.ranks_size() && seat < match.scores_size();
    fields.push_back(CsvField(BotAt(block, match, seat)));
    fields.push_back(scored ? absl::StrCat(match.ranks(seat)) : "");
    fields.push_back(scored ? absl::StrCat(match.scores(seat)) : "");
    fields.push_back(ForfeitAt(match, seat));
  }
  fields.push_back(absl::StrCat(block.season()));
  for (int seat = 0; seat < block.bots_size(); ++seat) {
    fields.push_back(CsvField(VersionAt(block, match, seat)));
  }
  return CsvLine(fields);
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

// The columns of a block that come before those of its bots.
std::vector<std::string> BlockFields(const v1::Block& block) {
  return {absl::StrCat(block.number()), StateText(block.state()),
          absl::StrCat(block.replayed() + 1), ExactTime(block.begin_time()),
          block.has_end_time() ? ExactTime(block.end_time()) : ""};
}

std::string BlockCsv(const v1::Block& block) {
  std::vector<std::string> fields = BlockFields(block);
  const absl::optional<std::vector<double>> points = PointsOf(block);
  for (int place = 0; place < block.bots_size(); ++place) {
    fields.push_back(CsvField(block.bots(place)));
    fields.push_back(points ? Number((*points)[static_cast<size_t>(place)]) : "");
    fields.push_back(points ? absl::StrCat(ScoreOf(block, place)) : "");
    fields.push_back(absl::StrCat(ForfeitsOf(block, place)));
  }
  fields.push_back(CsvField(block.reason()));
  return CsvLine(fields);
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
  const bool over = block.has_end_time();
  return JsonLine({{"block", block.number()},
                   {"state", StateText(block.state())},
                   {"attempt", block.replayed() + 1},
                   {"begin_time", ExactTime(block.begin_time())},
                   {"end_time", over ? Json(ExactTime(block.end_time())) : Json()},
                   {"bots", bots},
                   {"reason", block.reason()}});
}

}  // namespace

std::string CsvField(absl::string_view text) {
  const bool plain = text.find_first_of(",\"\r\n") == absl::string_view::npos;
  const bool bare =
      text.empty() ||
      (plain && absl::string_view("=+-@ ").find(text.front()) == absl::string_view::npos &&
       text.back() != ' ');
  if (bare) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted.push_back('"');
    quoted.push_back(c);
  }
  quoted.push_back('"');
  return quoted;
}

std::string ExportStandings(const google::protobuf::RepeatedPtrField<v1::Standing>& standings,
                            ExportFormat format) {
  const bool csv = format == ExportFormat::kCsv;
  std::string out;
  if (csv) {
    std::vector<std::string> names = {"rank",      "bot",         "blocks",    "wins",      "draws",
                                      "losses",    "forfeits",    "points",    "tie_break", "elo",
                                      "elo_error", "superiority", "connected", "remark"};
    if (!standings.empty()) {
      for (const v1::TieBreakValue& value : standings[0].tie_breaks()) {
        names.push_back("tie_break_" + TieBreakKey(value));
      }
    }
    names.insert(names.end(), {"share", "annulled", "forfeited_blocks", "walkovers", "provisional",
                               "version", "season", "succeeded", "byes", "elo_low", "elo_high"});
    out = CsvLine(names);
  }
  for (const v1::Standing& line : standings) {
    absl::StrAppend(&out, csv ? StandingCsv(line) : StandingJson(line));
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
