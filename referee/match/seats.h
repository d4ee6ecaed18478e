// The state of the seats of a match: their links, their forfeits and their forgiven faults.
//
// Three small classes; thread-compatible.
#ifndef REFEREE_MATCH_SEATS_H_
#define REFEREE_MATCH_SEATS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/base/ids.h"
#include "referee/games/game.h"
#include "referee/match/record.h"

namespace referee::match {

// The links of the seats, and the wait for them after a restart of the referee.
class Links {
 public:
  explicit Links(size_t seats)
      : lost_(seats, Instant::InfiniteFuture()), entry_gone_(seats, Instant::InfiniteFuture()) {}

  bool linked(Seat seat) const {
    return lost(seat) == Instant::InfiniteFuture() && !waits_for_entry(seat);
  }
  // When the bot lost its link; InfiniteFuture while it has one, or while its entry is lost.
  Instant lost(Seat seat) const { return lost_[static_cast<size_t>(seat.index())]; }
  // When the bot's entry was lost; InfiniteFuture unless the bot has not been back since.
  Instant entry_gone(Seat seat) const { return entry_gone_[static_cast<size_t>(seat.index())]; }
  bool waits_for_entry(Seat seat) const { return entry_gone(seat) < Instant::InfiniteFuture(); }
  bool AnyLinked() const {
    for (size_t i = 0; i < lost_.size(); ++i) {
      if (linked(Seat(static_cast<int>(i)))) return true;
    }
    return false;
  }
  // Whether every seat that has not forfeited has a link.
  bool EveryPlayerLinked(const games::State& state) const {
    for (size_t i = 0; i < lost_.size(); ++i) {
      const Seat seat(static_cast<int>(i));
      if (!linked(seat) && !state.forfeited(seat)) return false;
    }
    return true;
  }
  void Lose(Seat seat, Instant when) {
    if (linked(seat)) lost_[static_cast<size_t>(seat.index())] = when;
  }
  void LoseEntry(Seat seat, Instant when) {
    Instant& gone = entry_gone_[static_cast<size_t>(seat.index())];
    gone = std::min(gone, when);
    lost_[static_cast<size_t>(seat.index())] = Instant::InfiniteFuture();
  }
  void LoseAll(Instant when) { lost_.assign(lost_.size(), when); }
  void Regain(Seat seat) {
    lost_[static_cast<size_t>(seat.index())] = Instant::InfiniteFuture();
    entry_gone_[static_cast<size_t>(seat.index())] = Instant::InfiniteFuture();
  }

  // Waits for links from `now` on, for `limit`. No clock runs meanwhile.
  void Await(Instant now, absl::Duration limit) {
    deadline_ = now + limit;
    limit_ = limit;
  }
  void StopAwaiting() { deadline_ = Instant::InfiniteFuture(); }
  bool awaited() const { return deadline_ < Instant::InfiniteFuture(); }
  Instant deadline() const { return deadline_; }
  absl::Duration limit() const { return limit_; }

 private:
  std::vector<Instant> lost_;
  std::vector<Instant> entry_gone_;
  Instant deadline_ = Instant::InfiniteFuture();
  absl::Duration limit_;
};

// The seats that were taken out, and the seats to take out as soon as there is a position.
class Forfeits {
 public:
  struct Due {
    Seat seat;
    Cause cause;
    std::string detail;  // empty: the seat resigned; the turn number is still to be added
  };

  explicit Forfeits(size_t seats) : resigned_(seats) {}

  const std::vector<Forfeited>& all() const { return all_; }
  void Add(Forfeited forfeited) { all_.push_back(std::move(forfeited)); }
  // How many forfeits have changed the position of that turn.
  uint32_t CountIn(uint32_t turn) const {
    return static_cast<uint32_t>(
        std::count_if(all_.begin(), all_.end(), [=](const auto& f) { return f.number == turn; }));
  }

  bool resigned(Seat seat) const { return reason(seat).has_value(); }
  void Resign(Seat seat, std::string why) {
    resigned_[static_cast<size_t>(seat.index())] = std::move(why);
  }
  // "resigned in turn 3: KeyError: 'x'"; `when` is "in turn 3".
  std::string ResignedText(Seat seat, absl::string_view when) const {
    const std::string& why = *reason(seat);
    return absl::StrCat("resigned ", when, why.empty() ? "" : ": ", why);
  }

  void QueueFirst(Due due) { due_.push_back(std::move(due)); }
  void QueueLast(Due due) { due_.insert(due_.begin(), std::move(due)); }
  absl::optional<Due> TakeNext() {
    if (due_.empty()) return absl::nullopt;
    Due next = std::move(due_.back());
    due_.pop_back();
    return next;
  }

  // Makes all seats forfeit in turn: the match time was used up when `mover` was to move.
  void SetAtCap(Seat mover) { at_cap_ = mover; }
  Seat at_cap() const { return at_cap_; }

 private:
  const absl::optional<std::string>& reason(Seat seat) const {
    return resigned_[static_cast<size_t>(seat.index())];
  }

  std::vector<Forfeited> all_;
  std::vector<absl::optional<std::string>> resigned_;  // by seat, the reason that the bot gave
  std::vector<Due> due_;                               // in reverse order
  Seat at_cap_;
};

// Counts the forgiven faults, and applies the policies to the next fault.
class Faults {
 public:
  explicit Faults(const Setup& setup) : policies_(setup.policies), seats_(setup.bots.size()) {}

  const FaultPolicy& policy(Cause cause) const {
    return cause == Cause::kIllegal ? policies_.on_illegal : policies_.on_timeout;
  }
  // Returns what the next fault of the seat costs in the due turn.
  FaultPolicy::Action ActionFor(Seat seat, Cause cause) const {
    const FaultPolicy& terms = policy(cause);
    const Forgiven& forgiven = seats_[static_cast<size_t>(seat.index())];
    const int strikes = cause == Cause::kIllegal ? forgiven.illegal_moves : forgiven.timeouts;
    const bool may_retry = cause == Cause::kIllegal && tries_ + 1 < terms.max_tries;
    const bool forgives = terms.action == FaultPolicy::Action::kSubstitute
                              ? strikes < terms.max_strikes
                              : terms.action == FaultPolicy::Action::kRetry && may_retry;
    return forgives ? terms.action : FaultPolicy::Action::kForfeit;
  }
  void CountTry() { ++tries_; }
  int tries_left() const { return policies_.on_illegal.max_tries - tries_; }
  void Count(const Played& played) {
    if (!played.timing) return;  // a pass
    Forgiven& seat = seats_[static_cast<size_t>(played.seat.index())];
    if (played.substituted == Cause::kTimeout) ++seat.timeouts;
    if (played.substituted == Cause::kIllegal) ++seat.illegal_moves;
    tries_ = 0;
  }
  void Count(const Forfeited& forfeited, Seat mover) {
    if (forfeited.seat == mover) tries_ = 0;
  }

 private:
  struct Forgiven {
    int timeouts = 0;
    int illegal_moves = 0;
  };

  const Policies& policies_;
  std::vector<Forgiven> seats_;
  int tries_ = 0;  // illegal moves in the due turn
};

}  // namespace referee::match

#endif  // REFEREE_MATCH_SEATS_H_
