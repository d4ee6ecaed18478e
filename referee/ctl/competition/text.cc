#include "referee/ctl/competition/text.h"
#include "referee/base/duration_text.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "referee/ctl/terminal/print.h"
#include "referee/ctl/terminal/table.h"
#include "referee/match/policies.h"
#include "referee/match/time_control.h"
#include "referee/rating/shown_interval.h"
#include "referee/rating/sprt.h"
#include "referee/replay/terms_wire.h"
#include "referee/service/convert/competition.h"
#include "referee/service/convert/convert.h"

namespace referee::ctl {
namespace {

using Standings = google::protobuf::RepeatedPtrField<v1::Standing>;

constexpr char kNone[] = "-";
constexpr size_t kMostEntrantsShown = 20;

// A duration in two units: "3h20m", "2m5s".
std::string RoughTime(absl::Duration time) {
  const absl::Duration unit = time < absl::Hours(1)    ? absl::Seconds(1)
                              : time < absl::Hours(48) ? absl::Minutes(1)
                                                       : absl::Hours(1);
  return absl::FormatDuration(absl::Ceil(time, unit));
}

// The recent pace in blocks per minute; 0 if none was played.
double Pace(const v1::Competition& competition) {
  const double minutes = absl::ToDoubleMinutes(replay::KnownFromWire(competition.lately()));
  return minutes > 0 ? competition.blocks_lately() / minutes : 0;
}

std::string GameText(const v1::Competition& competition) {
  const std::string name = service::GameName(competition.spec().options());
  return name.empty() ? "game unknown" : name;
}

// One line for each option, if this program knows the game.
std::string OptionLines(const v1::CompetitionSpec& spec) {
  const auto game = service::FromWire(spec.options(), static_cast<int>(spec.seats()), "seats");
  if (!game.ok()) return "";
  std::string text;
  for (const games::Option& option : (*game)->options()) {
    absl::StrAppend(&text, "option ", option.name, "=", option.value, "\n");
  }
  return text;
}

std::string JudgingLines(const v1::CompetitionSpec& spec) {
  const auto time = service::FromWire(spec.time_control());
  const auto policies = service::FromWire(spec.policies());
  if (!time.ok() || !policies.ok()) return "";
  return absl::StrCat("time ", match::TimeControlText(*time), "\non timeout ",
                      match::FaultPolicyText(policies->on_timeout), ", on illegal ",
                      match::FaultPolicyText(policies->on_illegal), ", on lost link ",
                      match::LinkPolicyText(policies->link_grace), ", lag compensation ",
                      match::LagCompensationText(policies->lag), "\n");
}

std::string LengthLine(const v1::CompetitionSpec& spec) {
  std::vector<std::string> parts = {absl::StrCat("seats ", spec.seats())};
  const auto add = [&parts](bool is_so, const auto&... text) {
    if (is_so) parts.push_back(absl::StrCat(text...));
  };
  const auto duration = [](const google::protobuf::Duration& wire) {
    return absl::FormatDuration(replay::KnownFromWire(wire));
  };
  add(spec.rounds() > 0, "rounds ", spec.rounds());
  add(spec.best_of() > 0, "best of ", spec.best_of());
  add(spec.has_extra_blocks(), "level ties go on for ", spec.extra_blocks(), " blocks at most");
  add(spec.provisional_width() > 0, "bots are provisional until their intervals are narrower than ",
      spec.provisional_width(), " Elo");
  add(spec.pace() > 0, "at most ", spec.pace(), " blocks a minute of each bot");
  add(spec.goal_width() > 0, "rests when all intervals are narrower than ", spec.goal_width(),
      " Elo");
  add(spec.max_running() > 0, "at most ", spec.max_running(), " blocks at once");
  add(spec.has_absence_limit(), "absent bots are withdrawn after ", duration(spec.absence_limit()));
  const bool silence = spec.has_silence_limit();
  add(silence && spec.silence_limit() == 0, "no bot is set aside for silence");
  add(silence && spec.silence_limit() > 0 && spec.silence_limit() != limits::kSilencesToSetAside,
      "a bot is set aside when it does not answer in ", spec.silence_limit(), " matches in a row");
  add(spec.has_watch_delay(), "onlookers are told ", duration(spec.watch_delay()), " later");
  add(spec.homes() > 1, "played on up to ", spec.homes(),
      " referees, or on all that share its store if they are fewer");
  add(spec.keep_replays(), "all replays are kept");
  add(spec.priority() != 0, "priority ", spec.priority());
  add(true, spec.pinned() ? "dice pinned by the organiser" : "dice committed");
  return absl::StrCat(absl::StrJoin(parts, ", "), "\n");
}

// The seeds and commitments of the dice, as far as they are published.
std::string DiceLines(const v1::Competition& competition) {
  std::string text;
  const auto add = [&text](absl::string_view what, const std::string& bytes) {
    if (!bytes.empty()) absl::StrAppend(&text, what, absl::BytesToHexString(bytes), "\n");
  };
  add("dice commitment ", competition.dice_commitment());
  add("dice seed ", competition.dice_seed());
  for (const std::string& life : competition.dice_lives()) {
    absl::StrAppend(&text, "dice and lots of another life of the store: ", life, "\n");
  }
  add("lot commitment ", competition.lot_commitment());
  add("lot seed ", competition.lot_seed());
  return text;
}

std::string EntrantsLine(const v1::Competition& competition) {
  const v1::CompetitionSpec& spec = competition.spec();
  std::vector<std::string> names;
  for (int i = 0; i < spec.entrants_size(); ++i) {
    if (names.size() == kMostEntrantsShown) break;
    const bool known = i < competition.entrant_versions_size();
    names.push_back(BotText(spec.entrants(i), known ? competition.entrant_versions(i) : ""));
  }
  const size_t more = static_cast<size_t>(spec.entrants_size()) - names.size();
  return absl::StrCat("entrants ", spec.entrants_size(), names.empty() ? "" : ": ",
                      absl::StrJoin(names, ", "),
                      more > 0 ? absl::StrCat(" and ", more, " more") : "", "\n");
}

// The season, for a ladder that has had several.
std::string SeasonLine(const v1::Competition& competition) {
  if (!competition.has_season_start_time()) return "";
  return absl::StrCat("season ", competition.season(), ", since ",
                      TimeText(competition.season_start_time()), "\n");
}

std::string TimesText(uint32_t least, uint32_t most) {
  if (least < most) return absl::StrCat(least, " to ", most, " times");
  return least == 1 ? "once" : absl::StrCat(least, " times");
}

// How unevenly bots meet and sit; empty if they do so evenly, or need not.
std::string UnevenLine(const v1::Competition& competition) {
  const v1::Evenness& even = competition.evenness();
  if (even.least_meetings() == even.most_meetings() && even.least_after() == even.most_after()) {
    return "";
  }
  const bool over = competition.state() == v1::COMPETITION_STATE_FINISHING ||
                    competition.state() == v1::COMPETITION_STATE_FINISHED;
  const bool gauntlet = competition.spec().format() == v1::COMPETITION_FORMAT_GAUNTLET;
  std::string line = absl::StrCat(over ? "uneven: " : "uneven as planned: ",
                                  gauntlet ? "the first entrant and another" : "two bots",
                                  over ? " met " : " meet ",
                                  TimesText(even.least_meetings(), even.most_meetings()));
  if (competition.spec().seats() > 2) {
    absl::StrAppend(&line, over ? ", one sat" : ", one sits", " right after the other ",
                    TimesText(even.least_after(), even.most_after()));
  }
  return line + "\n";
}

std::string SuperiorityText(const v1::Standing& standing) {
  if (!standing.has_superiority()) return "";
  // 100 % would claim certainty.
  const double percent = 100 * standing.superiority();
  return percent > 99.9 ? ">99.9%" : absl::StrFormat("%.1f%%", percent);
}

std::string RemarkText(const v1::Competition& competition, const v1::Standing& standing) {
  const bool over = competition.state() == v1::COMPETITION_STATE_FINISHED;
  std::vector<std::string> parts;
  if (standing.provisional()) parts.push_back("provisional");
  if (!standing.remark().empty()) parts.push_back(Shown(standing.remark()));
  if (standing.forfeits() > 0) {
    parts.push_back(absl::StrCat("forfeited ", standing.forfeits(),
                                 standing.forfeits() == 1 ? " match" : " matches"));
  }
  if (!over && !standing.connected()) parts.push_back("offline");
  return absl::StrJoin(parts, "; ");
}

// How far to trust the Elo column of a Swiss: rating/RATING.md, "After a Swiss".
std::string SwissRatingLines(const Standings& standings) {
  const auto fitted = [](const v1::Standing& line) { return std::isfinite(line.elo_error()); };
  if (std::none_of(standings.begin(), standings.end(), fitted)) return "";
  return "elo: too far apart, with intervals that are too narrow, as results choose who meets whom "
         "in "
         "a Swiss\n(in simulations they held in 49 to 95 % of cases, not in 95 %); so does "
         "superiority claim too much\n";
}

// Explains one-sided bounds in the Elo column, if there are any.
std::string EloBoundLine(const Standings& standings) {
  const auto has_one = [](const v1::Standing& line) {
    return line.has_elo_at_least() != line.has_elo_at_most();
  };
  if (std::none_of(standings.begin(), standings.end(), has_one)) return "";
  return absl::StrFormat(
      "elo: \"at least\" and \"at most\" are one bound of a 95 %% interval that is wider than "
      "%.0f: too few\nblocks, or nearly all won or lost\n",
      rating::kWidestShownElo);
}

// The table, with the remarks as its last column if that fits in `width` (0: always), else below
// it.
std::string WithRemarks(Columns<v1::Standing> columns, const Standings& standings, size_t width) {
  std::string text = Printed(columns, standings, Form::kTable);
  bool fits = true;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    fits = fits && (width == 0 || TextWidth(line) <= width);
  }
  if (fits) return text;
  const Column<v1::Standing> remark = columns.back();
  columns.pop_back();
  text = Printed(columns, standings, Form::kTable);
  for (const v1::Standing& line : standings) {
    const std::string remarks = remark.cell(line).text;
    if (remarks.empty()) continue;
    absl::StrAppend(&text, Wrapped(absl::StrCat(Shown(line.bot()), ": ", remarks), width));
  }
  return text;
}

// Returns ", season 2" for a ladder that has had several; the table's season.
std::string SeasonText(const v1::Competition& competition, const Standings& standings) {
  if (competition.season() <= 1) return "";
  const uint32_t season = standings.empty() ? competition.season() : standings[0].season();
  return absl::StrCat(", season ", season, season < competition.season() ? " (over)" : "");
}

// Whether bots have different numbers of blocks, so that points alone do not rank them.
bool NumbersOfBlocksDiffer(const Standings& standings) {
  absl::optional<uint64_t> blocks;
  for (const v1::Standing& line : standings) {
    if (!line.has_share() || line.rank() == 0) continue;
    const uint64_t counted = line.blocks() + line.walkovers() + line.forfeited_blocks();
    if (blocks.value_or(counted) != counted || line.walkovers() > 0) return true;
    blocks = counted;
  }
  return false;
}

Cell ShareOfPoints(const v1::Standing& standing) {
  if (!standing.has_share()) return Cell();
  return absl::StrFormat("%.1f%%", 100 * standing.share());
}

Cell TieBreakCell(const v1::TieBreakValue& value) {
  const bool whole = value.tie_break() == v1::TIE_BREAK_WINS;
  return value.has_value() ? Fixed(value.value(), whole ? 0 : 1) : Cell();
}

Columns<v1::Standing> ConductColumns() {
  using Line = v1::Standing;
  return {{"void (late)", kRight,
           [](const Line& line) {
             return absl::StrCat(line.conduct().voids(), " (", line.conduct().late_voids(), ")");
           }},
          {"given back", kRight,
           [](const Line& line) {
             return RoundedText(replay::KnownFromWire(line.conduct().given_back()));
           }},
          {"time losses", kRight, [](const Line& line) { return line.conduct().time_losses(); }},
          {"lost links", kRight, [](const Line& line) { return line.conduct().lost_links(); }}};
}

Columns<v1::Standing> StandingColumns(const v1::Competition& competition,
                                      const Standings& standings, const StandingsStyle& style) {
  using Line = v1::Standing;
  Columns<Line> columns = {{"rank", kRight, RankText}, {"bot", kLeft, &Line::bot}};
  const auto has_version = [](const Line& line) { return !line.version().empty(); };
  if (std::any_of(standings.begin(), standings.end(), has_version)) {
    columns.push_back({"version", kLeft, [=](const Line& line) {
                         return has_version(line) ? Cell(line.version()) : Cell();
                       }});
  }
  columns.push_back({"blocks", kRight, &Line::blocks});
  columns.push_back({"won-drawn-lost", kRight, [](const Line& line) {
                       return absl::StrCat(line.wins(), "-", line.draws(), "-", line.losses());
                     }});
  columns.push_back({"points", kRight, [](const Line& line) { return Fixed(line.points()); }});
  if (NumbersOfBlocksDiffer(standings)) columns.push_back({"share", kRight, ShareOfPoints});
  // All lines have the same tie-breaks.
  for (int i = 0; i < (standings.empty() ? 0 : standings[0].tie_breaks_size()); ++i) {
    columns.push_back(
        {TieBreakText(standings[0].tie_breaks(i).tie_break()), kRight, [i](const Line& line) {
           return i < line.tie_breaks_size() ? TieBreakCell(line.tie_breaks(i)) : Cell();
         }});
  }
  columns.push_back(
      {"elo", kRight, [&](const Line& line) { return EloText(line, style.anchored); }});
  columns.push_back({"superiority", kRight, SuperiorityText});
  if (style.wide) {
    for (Column<Line>& column : ConductColumns()) columns.push_back(std::move(column));
  }
  columns.push_back(
      {"remark", kLeft, [&](const Line& line) { return RemarkText(competition, line); }});
  return columns;
}

std::string TieBreaksLine(const v1::CompetitionSpec& spec) {
  if (spec.tie_breaks().empty()) return "";
  std::vector<std::string> names;
  for (const int tie_break : spec.tie_breaks()) {
    names.push_back(TieBreakText(static_cast<v1::TieBreak>(tie_break)));
  }
  return absl::StrCat("tie-breaks ", absl::StrJoin(names, ", "), "\n");
}

}  // namespace

std::string StateText(v1::CompetitionState state) {
  return EnumText(v1::CompetitionState_Name(state), "COMPETITION_STATE_");
}

std::string StateText(v1::BlockState state) {
  return EnumText(v1::BlockState_Name(state), "BLOCK_STATE_");
}

std::string FormatText(v1::CompetitionFormat format) {
  return EnumText(v1::CompetitionFormat_Name(format), "COMPETITION_FORMAT_");
}

std::string PositionsLine(const v1::Competition& competition) {
  const uint32_t count = competition.position_count();
  if (count == 0) return "";
  return absl::StrCat("blocks start from ", count, count == 1 ? " position" : " positions",
                      count == 1 ? "\n" : ", from each once before any comes again\n");
}

std::string TieBreakText(v1::TieBreak tie_break) {
  return EnumText(v1::TieBreak_Name(tie_break), "TIE_BREAK_");
}

absl::optional<absl::Duration> TimeLeft(const v1::Competition& competition) {
  const double pace = Pace(competition);
  const bool goes_on = competition.state() == v1::COMPETITION_STATE_RUNNING;
  if (!goes_on || !competition.has_blocks_left() || pace == 0) return absl::nullopt;
  // A test ends when it is decided, and the wait for a bot has no known length.
  if (competition.has_test() || !competition.waits_for().empty()) return absl::nullopt;
  const uint64_t blocks = competition.blocks_left() + competition.blocks_running();
  if (blocks == 0) return absl::nullopt;
  return absl::Minutes(static_cast<double>(blocks) / pace);
}

std::string ProgressText(const v1::Competition& competition) {
  std::string text = absl::StrCat(StateText(competition.state()), ", ",
                                  competition.blocks_counted(), " blocks counted");
  if (competition.state() == v1::COMPETITION_STATE_FINISHED) return text;
  absl::StrAppend(&text, ", ", competition.blocks_running(), " running");
  if (competition.has_blocks_left()) {
    absl::StrAppend(&text, competition.has_test() ? ", at most " : ", ", competition.blocks_left(),
                    " to come");
  }
  if (Pace(competition) > 0) absl::StrAppendFormat(&text, ", %.1f a minute", Pace(competition));
  if (const auto left = TimeLeft(competition)) {
    absl::StrAppend(&text, ", about ", RoughTime(*left), " left");
  }
  if (!competition.waits_for().empty()) {
    absl::StrAppend(&text, "; waits: ", Shown(competition.waits_for()));
  }
  return text;
}

std::string BotText(const std::string& bot, const std::string& version) {
  return version.empty() ? Shown(bot) : absl::StrCat(Shown(bot), " ", Shown(version));
}

std::string CompetitionLine(const v1::Competition& competition) {
  return absl::StrFormat("%s  %-9s  %s  %s  %d blocks  %s\n", Shown(competition.spec().name()),
                         StateText(competition.state()), FormatText(competition.spec().format()),
                         GameText(competition), competition.blocks_counted(),
                         TimeText(competition.create_time()));
}

std::string CompetitionText(const v1::Competition& competition) {
  const v1::CompetitionSpec& spec = competition.spec();
  std::string text = absl::StrCat("competition ", Shown(spec.name()), "\n");
  if (!spec.description().empty()) absl::StrAppend(&text, Shown(spec.description()), "\n");
  absl::StrAppend(&text, "created ", TimeText(competition.create_time()), "\n");
  if (competition.has_start_time()) {
    absl::StrAppend(&text, "started ", TimeText(competition.start_time()), "\n");
  }
  if (competition.has_finish_time()) {
    absl::StrAppend(&text, "finished ", TimeText(competition.finish_time()), "\n");
  }
  if (spec.has_sprt()) {
    absl::StrAppend(&text, "SPRT ", rating::SprtTermsText(service::FromWire(spec.sprt())),
                    "; see 'refctl test show'\n");
  }
  absl::StrAppend(&text, "format ", FormatText(spec.format()), "\ngame ", GameText(competition),
                  "\n", OptionLines(spec), PositionsLine(competition), LengthLine(spec),
                  TieBreaksLine(spec), JudgingLines(spec), EntrantsLine(competition),
                  SeasonLine(competition), "state ", ProgressText(competition), "\n",
                  UnevenLine(competition));
  absl::StrAppend(&text, DiceLines(competition));
  if (competition.blocks_replayed() > 0) {
    absl::StrAppend(&text, "void attempts played again ", competition.blocks_replayed(), "\n");
  }
  return text;
}

std::string RankText(const v1::Standing& standing) {
  return standing.rank() == 0 ? kNone : absl::StrCat(standing.rank());
}

std::string EloText(const v1::Standing& standing, bool anchored) {
  const auto number = [anchored](double elo) {
    return anchored ? absl::StrFormat("%.0f", elo) : absl::StrFormat("%+.0f", elo);
  };
  if (standing.has_elo_at_least() && standing.has_elo_at_most()) {
    return absl::StrFormat("%s ±%.0f", number(standing.elo()), standing.elo_error());
  }
  if (standing.has_elo_at_least()) {
    return absl::StrCat("at least ", number(standing.elo_at_least()));
  }
  if (standing.has_elo_at_most()) return absl::StrCat("at most ", number(standing.elo_at_most()));
  return kNone;
}

std::string StandingsText(const v1::Competition& competition, const Standings& standings,
                          const StandingsStyle& style) {
  const bool swiss = competition.spec().format() == v1::COMPETITION_FORMAT_SWISS;
  return absl::StrCat(
      Shown(competition.spec().name()), SeasonText(competition, standings), ": ",
      ProgressText(competition), "\n",
      WithRemarks(StandingColumns(competition, standings, style), standings, style.width),
      UnevenLine(competition), EloBoundLine(standings), swiss ? SwissRatingLines(standings) : "");
}

}  // namespace referee::ctl
