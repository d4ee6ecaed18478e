// A test driver for a Match: steps events at given times, and returns the effects as text.
//
// A test then reads as a dialogue. Times count from an origin.
//
//   Table table(rules);
//   table.BeginReady();
//   EXPECT_EQ(table.Reply(Milliseconds(10), Seat(0), 1, 2), "played 1 a 2; ask b");
#ifndef REFEREE_TESTS_UNIT_MATCH_TABLE_H_
#define REFEREE_TESTS_UNIT_MATCH_TABLE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "referee/match/match.h"
#include "tests/support/counting_game.h"

namespace referee::match {

inline constexpr Seat kA = Seat(0);
inline constexpr Seat kB = Seat(1);
inline constexpr Seat kC = Seat(2);

inline constexpr absl::Duration kMs = absl::Milliseconds(1);
inline constexpr absl::Duration kNs = absl::Nanoseconds(1);

// Rules with this many seats.
inline testing::CountingRules Seats(int seats) {
  testing::CountingRules rules;
  rules.seats = seats;
  return rules;
}
// The same, for a match that no test plays to its end.
inline testing::CountingRules Long(int seats = 2) {
  testing::CountingRules rules = Seats(seats);
  rules.target = 100;
  return rules;
}

// Describes an effect: "start a", "nonce? a", "ask a", "fault a 3", "replaced a 3", "started",
// "drawn first b", "drawn 0 a 35", "played 1 a 2", "played 1 a 2 !TIMEOUT", "faulted a ILLEGAL 3",
// "forfeit a TIMEOUT 3", "no contest a 3", "resumed", "finished COUNTED", "void <reason>",
// "cancelled <reason>". What a match of a block waits for: "nonces", "nonces, decided", "roll 7",
// "block".
std::string Describe(const Effect& effect);

class Table {
 public:
  explicit Table(const testing::CountingRules& rules, const TimeControl& time_control = {},
                 const DiceSource& dice_source = {7, {}});
  Table(const testing::CountingRules& rules, const TimeControl& time_control,
        const Policies& policies);
  Table(std::shared_ptr<const games::Game> game, const TimeControl& time_control,
        const DiceSource& dice_source, const Policies& policies = {});

  Match& match() { return match_; }
  const dice::Seed& seed() const { return seed_; }

  // All methods that step return the described effects, joined by "; ". `stall`: the only stall of
  // the Reading.
  std::string Step(absl::Duration at, const Event& event, absl::Duration stall = {}) {
    return Step(at, event, Stalls{stall, stall});
  }
  std::string Step(absl::Duration at, const Event& event, const Stalls& stalls);
  std::string Reply(absl::Duration at, Seat seat, uint32_t turn, uint64_t move) {
    return ReplyTo(match_.request(), at, seat, turn, move);
  }
  // Replies to any request, not only to the current one.
  std::string ReplyTo(uint32_t request, absl::Duration at, Seat seat, uint32_t turn,
                      uint64_t move) {
    return Step(at, Replied{seat, turn, games::Move(move), Instant::InfiniteFuture(), request});
  }
  std::string Sent(absl::Duration at, Seat seat, uint32_t turn) {
    return Step(at, RequestSent{seat, turn, {}, match_.request()});
  }
  // The request was offered to its link, which has not taken it.
  std::string Offered(absl::Duration at, Seat seat, uint32_t turn) {
    return Step(at, RequestOffered{seat, turn, match_.request()});
  }
  std::string TickAt(absl::Duration at) { return Step(at, Tick{}); }
  // The seat is ready with the hash of `nonce`.
  std::string Ready(Seat seat, absl::string_view nonce) {
    return Step({}, ReadyReceived{seat, dice::HashNonce(nonce)});
  }
  std::string Reveal(Seat seat, std::string nonce) {
    return Step({}, NonceReceived{seat, std::move(nonce)});
  }
  // Begins the match and makes every seat ready, at time zero, with empty nonces if the dice use
  // nonces. Returns the effects of the last step.
  std::string BeginReady();

  // When the next Tick is due, since the origin.
  absl::Duration next_deadline() const { return match_.next_deadline() - Time({}); }

  // All records so far, and the messages of all faults.
  const std::vector<Record>& records() const { return records_; }
  const std::vector<std::string>& faults() const { return faults_; }
  template <typename R>
  std::vector<R> All() const {
    std::vector<R> all;
    for (const Record& record : records_) {
      if (const R* r = std::get_if<R>(&record)) all.push_back(*r);
    }
    return all;
  }

  static Instant Time(absl::Duration at) { return Instant::FromNanos(1'000'000'000) + at; }
  static Reading ReadingAt(absl::Duration at, const Stalls& stalls = {}) {
    return {Time(at), WallTime(at), stalls};
  }
  static absl::Time WallTime(absl::Duration at) {
    return absl::FromUnixSeconds(1'700'000'000) + at;
  }

 private:
  const dice::Seed seed_;
  Match match_;
  std::vector<Record> records_;
  std::vector<std::string> faults_;
};

}  // namespace referee::match

#endif  // REFEREE_TESTS_UNIT_MATCH_TABLE_H_
