// Bots that something waits for and that are away, are set aside, or return. Pure.
#ifndef REFEREE_COMPETITION_ABSENCES_H_
#define REFEREE_COMPETITION_ABSENCES_H_

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/competition/competition_now.h"
#include "referee/rating/block.h"
#include "referee/schedule/schedule.h"
#include "referee/schedule/spec.h"
#include "referee/store/store.h"

namespace referee::competition {

// A bot to take out of the competition.
struct Removal {
  int bot = 0;
  store::Presence out = store::Presence::kWithdrawn;
  std::string reason;
  absl::optional<store::Suspension> suspension = {};  // it comes back by itself
};

// Returns the bots that open blocks wait for, and those that the schedule needs; with `only_away`,
// only those of the latter that are away.
std::set<int> WaitedFor(const CompetitionNow& now, const OpenBlocks& open,
                        const schedule::Schedule& schedule, bool only_away);

// Thread-compatible.
class Absences {
 public:
  // Notes which of these bots are away. Returns those that have been away for too long.
  std::vector<Removal> Update(const CompetitionNow& now, const std::set<int>& waited_for);
  // Returns the places of bots for which a block does not wait: they are out, or have been away for
  // too long as of the last Update.
  std::vector<int> GonePlaces(const CompetitionNow& now, const rating::Pairing& pairing) const;
  // Returns when the next bot has been away for too long; InfiniteFuture if none will.
  Instant NextLimit(const CompetitionNow& now) const;

 private:
  struct Absence {
    Instant since;
    Instant gone_since;  // InfiniteFuture: it is there, and takes no matches
  };

  static Instant LimitOf(const CompetitionNow& now, const Absence& absence);
  bool TooLongAway(const CompetitionNow& now, int bot) const;

  std::map<int, Absence> by_bot_;
};

// --- Bots that are set aside for attempts at blocks that came to nothing, and how they return: a
// suspension lasts a minute, then twice as long each time. When it is over the referee pings the
// bot, which is in again as soon as it answers.

inline constexpr absl::Duration kFirstSuspension = absl::Minutes(1);
inline constexpr absl::Duration kLastSuspension = absl::Hours(1);
// A bot that is suspended again within this time after its last suspension is out twice as long.
inline constexpr absl::Duration kSuspensionMemory = absl::Hours(1);

// The suspension of a bot that did not answer, from `now` on. None where a bot that is out cannot
// come back: in all formats but the ladder.
inline absl::optional<store::Suspension> NextSuspension(schedule::Format format,
                                                        const store::Entrant& entrant,
                                                        absl::Time now) {
  if (format != schedule::Format::kLadder) return absl::nullopt;
  const absl::optional<store::Suspension>& last = entrant.suspension;
  const bool again = last.has_value() && now - last->until < kSuspensionMemory;
  const absl::Duration length =
      again ? std::min(2 * last->length, kLastSuspension) : kFirstSuspension;
  return store::Suspension{now + length, length};
}

// Bots that were late again and again while the referee stood still, so that attempts were void. It
// knows what happened since the process started. Thread-compatible.
class LateBots {
 public:
  // Call when an attempt is over. One stall may make attempts void that went on at the same time:
  // of those that a bot was late in, only the first counts against it.
  void Note(const OpenBlock& open, Instant now);
  void Forget(int bot) { by_bot_.erase(bot); }
  std::vector<Removal> Removals(const CompetitionNow& now) const;

 private:
  struct Lateness {
    std::vector<bool> attempts;  // its last ones, the latest last: whether it was
    Instant until;               // when the last that it was late in came to an end
    std::string last;            // the block of that one; for people
  };

  std::map<int, Lateness> by_bot_;
};

// Returns the bots of blocks for which no bot was ready, again and again.
std::vector<Removal> RemovalsOfUnready(const CompetitionNow& now, const OpenBlocks& blocks);

// The suspended bots of a ladder, at its home. Thread-compatible.
class SuspendedBots {
 public:
  // Finds the bots whose suspension is over and that are connected. Call when a step begins.
  void Update(const CompetitionNow& now);
  // Which of them to ping, by name.
  const std::vector<std::string>& to_ping() const { return to_ping_; }
  // Which of them have answered, and are to be brought back.
  const std::vector<int>& answered() const { return answered_; }
  // Call when the bot was brought back.
  void Returned(int bot) { pinged_.erase(bot); }
  // Returns when to look at the next suspended bot; InfiniteFuture if there is none.
  Instant NextLook(const CompetitionNow& now) const;

 private:
  std::map<int, Instant> pinged_;  // by entrant: since when
  std::vector<std::string> to_ping_;
  std::vector<int> answered_;
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_ABSENCES_H_
