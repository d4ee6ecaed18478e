#include "referee/view/ledger.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"

namespace referee::view {
namespace {

// Reads the records and tracks the state that determines a turn's limit.
class TurnReader {
 public:
  explicit TurnReader(const match::Setup& setup) : time_control_(setup.time_control) {
    seats_.assign(setup.bots.size(), {time_control_.bank, false});
  }

  std::vector<TurnTimes> Read(const std::vector<match::Record>& records) {
    for (const match::Record& record : records) {
      std::visit([this](const auto& known) { Take(known); }, record);
    }
    return std::move(turns_);
  }

 private:
  struct SeatState {
    absl::Duration bank;
    bool moved;
  };

  void Take(const match::Started&) {}
  void Take(const match::Drawn&) {}
  void Take(const match::Ended&) {}
  void Take(const match::Played& played) {
    TurnTimes& row = Add(played.number, played.seat, played.used);
    row.timing = played.timing;
    row.stepped = true;
    if (!played.timing) row.mark = "pass";
    if (played.substituted) {
      row.mark = absl::StrCat("played for, ", match::CauseName(*played.substituted));
    }
    used_ += played.used;
    SeatState& seat = seats_[static_cast<size_t>(played.seat.index())];
    lengthened_ = false;
    seat.bank = played.bank_left;
    if (played.timing) seat.moved = true;
  }
  void Take(const match::Faulted& fault) {
    const bool time = fault.cause == match::Cause::kTimeout;
    // An illegal move is not charged here: its time counts with the move that is accepted.
    TurnTimes& row = Add(fault.number, fault.seat, time ? fault.used : absl::ZeroDuration());
    row.mark = time ? "the match's time is used up"
                    : absl::StrCat("illegal after ", absl::FormatDuration(fault.used));
    if (!time) row.detail = fault.detail;
    row.timing = fault.timing;
    used_ += row.charged;
  }
  void Take(const match::Forfeited& forfeit) {
    TurnTimes& row = Add(forfeit.number, forfeit.seat, forfeit.used);
    row.timing = forfeit.timing;
    row.stepped = true;
    row.mark = absl::StrCat("forfeit, ", match::CauseName(forfeit.cause));
    row.detail = forfeit.detail;
    lengthened_ = !forfeit.timing && (lengthened_ || forfeit.interrupts_turn);
    used_ += forfeit.used;
  }
  void Take(const match::NoContest& no_contest) {
    TurnTimes& row = Add(no_contest.number, no_contest.seat, no_contest.used);
    row.timing = no_contest.timing;
    row.mark = absl::StrCat("no contest, the referee stood still for ",
                            absl::FormatDuration(no_contest.stall));
  }
  void Take(const match::Resumed& resumed) {
    lengthened_ = false;
    turns_.emplace_back();
    turns_.back().mark =
        absl::StrCat("the referee was started again at ",
                     absl::FormatTime("%Y-%m-%d %H:%M:%S UTC", resumed.time, absl::UTCTimeZone()));
  }

  TurnTimes& Add(uint32_t turn, Seat seat, absl::Duration charged) {
    TurnTimes row;
    row.turn = turn;
    row.seat = seat;
    row.charged = charged;
    const SeatState& state = seats_[static_cast<size_t>(seat.index())];
    const absl::Duration first = state.moved ? absl::ZeroDuration() : time_control_.first_move;
    row.limit =
        std::min(std::min(time_control_.per_move * (lengthened_ ? 2 : 1), state.bank) + first,
                 std::max(absl::ZeroDuration(), time_control_.match - used_));
    turns_.push_back(std::move(row));
    return turns_.back();
  }

  const match::TimeControl time_control_;
  std::vector<SeatState> seats_;
  absl::Duration used_;
  bool lengthened_ =
      false;  // a forfeit of another seat interrupted the current turn, and doubled its limit
  std::vector<TurnTimes> turns_;
};

}  // namespace

TimeSplit Split(const match::Timing& timing) {
  const absl::Duration ran =
      std::max(absl::ZeroDuration(), timing.read - timing.started - timing.paused - timing.stalled);
  TimeSplit split;
  split.network = std::min(ran, timing.round_trip);
  split.bot = ran - split.network;
  split.paused = timing.paused;
  split.referee = timing.started + timing.stalled + timing.own_delay();
  return split;
}

std::vector<TurnTimes> TimesOfTurns(const replay::Replay& replay) {
  return TurnReader(replay.setup).Read(replay.records);
}

}  // namespace referee::view
