// A bot as the host knows it: its name, its link while it is connected, and its seats in running
// matches, each of which takes one of its slots; a bot says how many slots it has.
#ifndef REFEREE_HOST_BOT_H_
#define REFEREE_HOST_BOT_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/base/ids.h"
#include "referee/base/mutex.h"
#include "referee/host/link.h"

namespace referee::host {

class MatchRunner;

// What a bot says of itself when it connects.
struct Hello {
  std::string software;
  std::vector<std::string> games;  // empty: all
  int max_matches = 1;             // 0: it takes no new ones for now
  // How many turns it thinks about at once; 0: max_matches. See Bot::free_slots.
  int parallel_turns = 0;
  // If the bot has a link already: true keeps that link, false replaces it by the new one.
  bool keeps_existing = false;
  // What it was told as it was welcomed, and when that was.
  Referral referral = {};
  Instant referred_at = {};
};

// The state of a bot's connection between two changes.
struct Connection {
  uint64_t version = 0;        // counts the changes
  std::shared_ptr<Link> link;  // null: not connected
};

// Thread-safe.
class Bot {
 public:
  // A seat in a running match.
  struct Slot {
    std::shared_ptr<MatchRunner> runner;  // null: there is no such slot
    Seat seat;
  };

  // So many of the notices that were told last on a link are not told again on it.
  static constexpr size_t kRememberedNotices = 1024;

  explicit Bot(std::string name) : name_(std::move(name)) {}

  const std::string& name() const { return name_; }
  std::shared_ptr<Link> link() const;
  bool plays(absl::string_view game) const;
  // How many more matches it can take, of those that come `at_once` together; 0 without a link. A
  // bot that thinks about fewer turns at once than it takes matches takes only so many, or else
  // what comes together and nothing beside: time runs for each turn that it is asked for.
  int free_slots(int at_once = 1) const;
  // How many matches it takes at once, by what it said last; 0 without a link.
  int max_matches() const;

  // How often it has connected, in all.
  int64_t connects() const;
  // How the bot is connected now.
  Connection connection() const;
  // Connects the bot by `link`. Returns the new connection, and the one before it.
  std::pair<Connection, Connection> SetLink(std::shared_ptr<Link> link, Hello hello);
  // Notes how much the bot takes on `link` from now on, as in Hello. Returns whether `link` is the
  // bot's link still; if not, nothing is changed.
  bool SetCapacity(const Link* link, int max_matches, int parallel_turns);
  // Notes that `link` is lost. Returns the new connection; none if `link` is not, or no longer, the
  // bot's link.
  absl::optional<Connection> ClearLink(const Link* link);

  // Notes that something that the bot sent was refused, and says whether that is so short ago that
  // matches that begin now charge the referee's stalls to it.
  void NoteRefused(Instant when);
  bool WasRefused(Instant now) const;

  // Refers the bot elsewhere, unless that is what it was told last, or it has no link.
  void Refer(const Referral& referral, Instant now);
  // Since when it has been referred elsewhere, though it has not said since it connected how it
  // divides what it takes. None if it has, takes nothing, or is wanted here too.
  absl::optional<Instant> ReferredInVainSince() const;

  // Tells the bot a notice, unless it is one of those that it was told last on this link, or it has
  // none.
  void TellNotice(absl::string_view text);

  void AddSlot(absl::string_view match_id, Slot slot);
  // Returns false if there is none.
  bool RemoveSlot(absl::string_view match_id);
  // The bot's slot in the match. None once the end of the match was told, although the slot stays
  // taken until RemoveSlot.
  Slot FindSlot(absl::string_view match_id) const;
  // Oldest match first.
  std::vector<Slot> slots() const;

 private:
  const std::string name_;
  mutable Mutex mutex_;
  Connection connection_ ABSL_GUARDED_BY(mutex_);
  int64_t connects_ ABSL_GUARDED_BY(mutex_) = 0;
  Hello hello_ ABSL_GUARDED_BY(mutex_);  // with the referral that was told last
  bool divides_ ABSL_GUARDED_BY(mutex_) = false;
  absl::optional<Instant> refused_ ABSL_GUARDED_BY(mutex_);  // when last
  // Hashes of the notices that were told last on this link, the latest last, and the same to look
  // in.
  std::deque<size_t> noticed_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_set<size_t> is_noticed_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<std::string, Slot> slots_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace referee::host

#endif  // REFEREE_HOST_BOT_H_
