// Tracks bots that block progress: absent bots, suspended bots and bots that return. Pure.
//
// COMPETITION.md, "Silent and offline bots", has the rules.
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

// A bot to remove from the competition.
struct Removal {
  int bot = 0;
  store::Presence out = store::Presence::kWithdrawn;
  std::string reason;
  absl::optional<store::Suspension> suspension = {};  // if set, the bot returns by itself
};

// Returns the bots that open blocks wait for, and the bots that the schedule needs. With
// `only_away`, leaves out bots that the schedule needs and that are present.
std::set<int> WaitedFor(const CompetitionNow& now, const OpenBlocks& open,
                        const schedule::Schedule& schedule, bool only_away);

// Thread-compatible.
class Absences {
 public:
  // Records which of the `waited_for` bots are away. Returns the bots whose absence has exceeded
  // its limit.
  std::vector<Removal> Update(const CompetitionNow& now, const std::set<int>& waited_for);
  // Returns the places of the bots for which the block does not wait. These are bots that are out.
  // Where the competition does not rely on the block, they include bots absent for too long as of
  // the last Update.
  std::vector<int> GonePlaces(const CompetitionNow& now, const rating::Pairing& pairing) const;
  // Returns when the next absence reaches its limit; InfiniteFuture if none will.
  Instant NextLimit(const CompetitionNow& now) const;

 private:
  struct Absence {
    Instant since;
    // Since when it is offline; InfiniteFuture: it is online, but takes no matches.
    Instant gone_since;
  };

  static Instant LimitOf(const CompetitionNow& now, const Absence& absence);
  bool TooLongAway(const CompetitionNow& now, int bot) const;

  std::map<int, Absence> by_bot_;
};

// --- Suspension, and the return from it ---
//
// A suspension in a ladder lasts one minute, and twice as long if it is repeated. When it ends, the
// referee pings the bot; the bot is readmitted as soon as it answers.

inline constexpr absl::Duration kFirstSuspension = absl::Minutes(1);
inline constexpr absl::Duration kLastSuspension = absl::Hours(1);
// A bot that is suspended again within this time after its last suspension is out twice as long.
inline constexpr absl::Duration kSuspensionMemory = absl::Hours(1);

// Returns the suspension of a silent bot, from `now` on. Not set for formats other than the ladder:
// their bots do not return.
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

// Bots whose late replies made attempts void, because the referee stalled. Covers the time since
// the process started. Thread-compatible.
class LateBots {
 public:
  // Call when an attempt is over. One stall can make several simultaneous attempts void; of those
  // only the first counts against the bot.
  void Note(const OpenBlock& open, Instant now);
  void Forget(int bot) { by_bot_.erase(bot); }
  std::vector<Removal> Removals(const CompetitionNow& now) const;

 private:
  struct Lateness {
    std::vector<bool> attempts;  // the last attempts, latest last: true if the bot was late
    Instant until;               // the end of the last attempt in which it was late
    std::string last;            // the block of that attempt; for people
  };

  std::map<int, Lateness> by_bot_;
};

// Returns the bots of blocks for which no bot was ready in several attempts in a row.
std::vector<Removal> RemovalsOfUnready(const CompetitionNow& now, const OpenBlocks& blocks);

// The suspended bots of a ladder, at the referee that owns it. Thread-compatible.
class SuspendedBots {
 public:
  // Finds connected bots whose suspension has ended. Call when a step begins.
  void Update(const CompetitionNow& now);
  // The names of the bots to ping.
  const std::vector<std::string>& to_ping() const { return to_ping_; }
  // The bots that have answered and are to be readmitted.
  const std::vector<int>& answered() const { return answered_; }
  // Call when the bot has been readmitted.
  void Returned(int bot) { pinged_.erase(bot); }
  // Returns when to call Update next because of time; InfiniteFuture if no bot is suspended.
  Instant NextLook(const CompetitionNow& now) const;

 private:
  std::map<int, Instant> pinged_;  // by entrant: when its pings began
  std::vector<std::string> to_ping_;
  std::vector<int> answered_;
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_ABSENCES_H_
