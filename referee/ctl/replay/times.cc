// refctl replay times: shows the use of time in a match, by turn and by seat.
#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "referee/ctl/command.h"
#include "referee/ctl/replay/commands.h"
#include "referee/ctl/replay/source.h"
#include "referee/ctl/terminal/print.h"
#include "referee/ctl/terminal/table.h"
#include "referee/view/ledger.h"

namespace referee::ctl {
namespace {

using view::TimesOfTurns;
using view::TurnTimes;

// The least value that `percent` percent of the values do not exceed; zero without values.
absl::Duration Percentile(std::vector<absl::Duration> values, size_t percent) {
  if (values.empty()) return absl::ZeroDuration();
  std::sort(values.begin(), values.end());
  const size_t rank = (values.size() * percent + 99) / 100;
  return values[std::max<size_t>(rank, 1) - 1];
}

std::string Ms(absl::Duration duration) {
  if (duration == absl::InfiniteDuration()) return "-";
  return absl::StrFormat("%.3f", absl::ToDoubleMilliseconds(duration));
}

void AppendTurn(const TurnTimes& row, std::string* out) {
  if (row.turn == 0) {
    absl::StrAppend(out, "      ", row.mark, "\n");
    return;
  }
  std::string line = absl::StrFormat("%5d %s %10s %10s", row.turn, row.seat.text(), Ms(row.limit),
                                     Ms(row.charged));
  if (row.timing) {
    const match::Timing& timing = *row.timing;
    absl::StrAppendFormat(&line, " %9s %9s %10s %8s %8s %9s %9s %9s", Ms(timing.started),
                          Ms(timing.written), Ms(timing.read), Ms(row.timing->own_delay()),
                          timing.round_trip == absl::ZeroDuration() ? "-" : Ms(timing.round_trip),
                          Ms(timing.paused), Ms(timing.credit), Ms(timing.stalled));
  }
  absl::StrAppend(out, line, row.mark.empty() ? "" : "  ", row.mark, row.detail.empty() ? "" : ": ",
                  Printable(row.detail), "\n");
}

Json TurnJson(const TurnTimes& row) {
  if (row.turn == 0) return {{"mark", row.mark}};
  Json json = {{"turn", row.turn}, {"seat", row.seat.text()}};
  if (row.limit < absl::InfiniteDuration()) {
    json["limit_ns"] = absl::ToInt64Nanoseconds(row.limit);
  }
  json["charged_ns"] = absl::ToInt64Nanoseconds(row.charged);
  if (row.timing) {
    json["started_ns"] = absl::ToInt64Nanoseconds(row.timing->started);
    if (row.timing->written < absl::InfiniteDuration()) {
      json["written_ns"] = absl::ToInt64Nanoseconds(row.timing->written);
    }
    json["read_ns"] = absl::ToInt64Nanoseconds(row.timing->read);
    json["own_ns"] = absl::ToInt64Nanoseconds(row.timing->own_delay());
    json["round_trip_ns"] = absl::ToInt64Nanoseconds(row.timing->round_trip);
    json["paused_ns"] = absl::ToInt64Nanoseconds(row.timing->paused);
    json["credited_ns"] = absl::ToInt64Nanoseconds(row.timing->credit);
    json["given_back_ns"] = absl::ToInt64Nanoseconds(row.timing->stalled);
  }
  if (!row.mark.empty()) json["mark"] = row.mark;
  if (!row.detail.empty()) json["detail"] = row.detail;
  return json;
}

// The totals of a seat.
struct SeatTimes {
  std::string seat;
  std::string bot;
  int turns = 0;  // requested from the bot, answered or not
  absl::Duration total;
  absl::Duration median;
  absl::Duration max;
  absl::Duration own_median;  // the referee's own time in its turns
  absl::Duration own_p99;
  absl::Duration own_max;
  absl::Duration credited;
  absl::Duration paused;
  absl::Duration given_back;  // stalls of the referee
};

std::vector<SeatTimes> TimesOfSeats(const replay::Replay& replay,
                                    const std::vector<TurnTimes>& turns) {
  std::vector<SeatTimes> seats(replay.setup.bots.size());
  for (size_t i = 0; i < seats.size(); ++i) {
    SeatTimes& seat = seats[i];
    seat.seat = Seat(static_cast<int>(i)).text();
    seat.bot = replay.setup.bots[i];
    std::vector<absl::Duration> charged;
    std::vector<absl::Duration> own;
    for (const TurnTimes& row : turns) {
      if (row.turn == 0 || row.seat != Seat(static_cast<int>(i))) continue;
      seat.total += row.charged;
      if (!row.timing) continue;
      charged.push_back(row.charged);
      own.push_back(row.timing->own_delay());
      seat.credited += row.timing->credit;
      seat.paused += row.timing->paused;
      seat.given_back += row.timing->stalled;
    }
    seat.turns = static_cast<int>(charged.size());
    seat.median = Percentile(charged, 50);
    seat.max = Percentile(charged, 100);
    seat.own_median = Percentile(own, 50);
    seat.own_p99 = Percentile(own, 99);
    seat.own_max = Percentile(own, 100);
  }
  return seats;
}

const Columns<SeatTimes>& SeatColumns() {
  const auto time = [](absl::Duration SeatTimes::*which) {
    return [which](const SeatTimes& seat) {
      return Cell(Ms(seat.*which), absl::ToInt64Nanoseconds(seat.*which));
    };
  };
  static const auto* const columns = new Columns<SeatTimes>{
      {"s", "seat", kLeft | kJson, &SeatTimes::seat},
      {"turns", kRight | kJson, &SeatTimes::turns},
      {"total", "total_ns", kRight | kJson, time(&SeatTimes::total)},
      {"median", "median_ns", kRight | kJson, time(&SeatTimes::median)},
      {"max", "max_ns", kRight | kJson, time(&SeatTimes::max)},
      {"own p50", "own_median_ns", kRight | kJson, time(&SeatTimes::own_median)},
      {"own p99", "own_p99_ns", kRight | kJson, time(&SeatTimes::own_p99)},
      {"own max", "own_max_ns", kRight | kJson, time(&SeatTimes::own_max)},
      {"paused", "paused_ns", kRight | kJson, time(&SeatTimes::paused)},
      {"credited", "credited_ns", kRight | kJson, time(&SeatTimes::credited)},
      {"given", "given_back_ns", kRight | kJson, time(&SeatTimes::given_back)},
      {"bot", kLeft | kJson, &SeatTimes::bot}};
  return *columns;
}

// The times as lines, in milliseconds.
std::string TimesText(const replay::Replay& replay) {
  const match::Setup& setup = replay.setup;
  const std::vector<TurnTimes> turns = TimesOfTurns(replay);
  std::string out =
      absl::StrCat("match ", setup.id.text(), ", time ", match::TimeControlText(setup.time_control),
                   "; milliseconds, moments since the turn came to be due; own: the referee's "
                   "delay; given: back, of its "
                   "stalls\n\n");
  absl::StrAppendFormat(&out, "%5s %s %10s %10s %9s %9s %10s %8s %8s %9s %9s %9s\n", "turn", "s",
                        "limit", "charged", "started", "written", "read", "own", "trip", "paused",
                        "credited", "given");
  for (const TurnTimes& row : turns) AppendTurn(row, &out);
  absl::StrAppend(&out, "\n", Printed(SeatColumns(), TimesOfSeats(replay, turns), Form::kTable));
  return out;
}

// The times as a JSON object with a line end, in nanoseconds.
std::string TimesJson(const replay::Replay& replay) {
  const match::Setup& setup = replay.setup;
  const std::vector<TurnTimes> turns = TimesOfTurns(replay);
  Json json = {{"match_id", setup.id.text()},
               {"time_control", match::TimeControlText(setup.time_control)}};
  json["turns"] = Json::array();
  for (const TurnTimes& row : turns) json["turns"].push_back(TurnJson(row));
  json["seats"] = Json::array();
  for (const SeatTimes& seat : TimesOfSeats(replay, turns)) {
    json["seats"].push_back(JsonOf(SeatColumns(), seat));
  }
  return json.dump(2, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace) + "\n";
}

struct TimesFlags {
  std::string replay;
  SourceFlags source;
  bool json = false;
};

absl::StatusOr<Exit> PrintTimes(const TimesFlags& flags, const Output& output) {
  const absl::StatusOr<replay::Replay> replay = ReplaySource(flags.source).Load(flags.replay);
  if (!replay.ok()) return replay.status();
  output.out() << (flags.json ? TimesJson(*replay) : TimesText(*replay));
  return Exit::kOk;
}

}  // namespace

void AddReplayTimes(CLI::App* replay, Chosen* chosen) {
  const auto [times, flags] = AddSubcommand(
      replay, chosen, "times",
      "Prints where the time of a match went, turn by turn and seat by seat\n\n"
      "For each turn: what it could take and was charged; when the clock started, the request was "
      "written, and the reply read; the referee's own delay until it was taken up; the link's "
      "round trip; how long the clock stood still for a lost link; network time that was not "
      "charged. It prints what the file says; whether that is true, 'replay verify' tells.",
      PrintTimes);
  AddOption(times, "REPLAY", "", &flags->replay, kReplayHelp)->required();
  times->add_flag("--json", flags->json, "Print a JSON object, with times in nanoseconds");
  AddSourceFlags(times, &flags->source);
}

}  // namespace referee::ctl
