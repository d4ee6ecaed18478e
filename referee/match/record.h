// What happens in a match, as plain values: what a journal holds, what a verifier checks, and what
// bots and observers are told. See replay/FORMAT.md for how they lie in a file.
#ifndef REFEREE_MATCH_RECORD_H_
#define REFEREE_MATCH_RECORD_H_

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "referee/base/ids.h"
#include "referee/dice/dice.h"
#include "referee/games/game.h"
#include "referee/match/time_control.h"

namespace referee::match {

// Where the dice come from: neither set is committed, the default; at most one is set.
struct DiceSource {
  absl::optional<uint64_t> pinned_number;
  absl::optional<dice::Seed> pinned_seed;
  bool pinned() const { return pinned_number.has_value() || pinned_seed.has_value(); }
};

// What is settled before a match.
struct Setup {
  MatchId id;
  absl::Time create_time;
  std::shared_ptr<const games::Game> game;
  std::vector<std::string> bots;  // names, by seat
  TimeControl time_control;
  DiceSource dice_source;
  dice::Commitment commitment{};
  std::string referee;  // software and version
};

enum class Cause { kTimeout, kIllegal, kDisconnected, kResigned };
// "TIMEOUT", "ILLEGAL", "DISCONNECTED", "RESIGNED".
absl::string_view CauseName(Cause cause);

enum class Ending {
  kFinished,   // under the rules: there is a result
  kVoid,       // through a fault that was no bot's
  kCancelled,  // because somebody said so
};

// Up to two dice, 1 to 6 each, as rolled.
class Roll {
 public:
  Roll() = default;
  explicit Roll(absl::Span<const int> dice) {
    for (int die : dice) dice_[size_++] = static_cast<int8_t>(die);
  }
  int size() const { return size_; }
  int operator[](int i) const { return dice_[i]; }
  friend bool operator==(const Roll& a, const Roll& b) {
    return a.size_ == b.size_ && a.dice_ == b.dice_;
  }

 private:
  std::array<int8_t, games::kMaxChanceCount> dice_{};
  int8_t size_ = 0;
};

// All bots are ready, or their time to be is over; the key of the dice is settled.
struct Started {
  absl::Time time;
  std::vector<std::string> nonces;  // by seat; none in a pinned match
};

// A draw before the first turn.
struct Drawn {
  games::Chance::Kind kind = games::Chance::Kind::kSetupRoll;
  int round = 0;  // of a setup roll
  Seat seat;      // who rolled; of kFirstPlayer, who won
  Roll roll;      // empty for kFirstPlayer
};

// A turn that was played.
struct Played {
  uint32_t number = 0;  // from 1
  Seat seat;
  Roll roll;
  games::Move move;
  uint32_t legal_count = 0;
  uint64_t digest = 0;       // of the position after the turn, with the next dice rolled in
  absl::Duration used;       // charged; zero for a pass
  absl::Duration bank_left;  // after the turn, increment added; infinite without a bank
};

// A seat was taken out.
struct Forfeited {
  Seat seat;
  Cause cause = Cause::kTimeout;
  uint32_t number = 0;  // of the turn that was due; not used up
  uint64_t digest = 0;  // of the position after
  absl::Duration used;  // on the seat's clock in that turn; zero if it was not to move
  std::string detail;   // one sentence for people, with the figures that decided it
};

// The match is over.
struct Ended {
  Ending ending = Ending::kFinished;
  std::string reason;       // the game's, or one sentence for people
  std::vector<int> scores;  // by seat; only with a result
  std::vector<int> ranks;   // by seat; only with a result
  dice::Seed seed;          // revealed
  absl::Time time;
};

// Started is preceded by the Setup and the secret seed, which a journal writes when it is opened.
using Record = std::variant<Started, Drawn, Played, Forfeited, Ended>;

}  // namespace referee::match

#endif  // REFEREE_MATCH_RECORD_H_
