// A bot as the host knows it: its name, its link, and its slots for matches.
//
// A bot says how many slots it has. Each seat in a running match takes one.
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
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/base/ids.h"
#include "referee/base/mutex.h"
#include "referee/host/link.h"

namespace referee::host {

class MatchRunner;

// What a bot declares when it connects.
struct Hello {
  std::string software;
  std::vector<std::string> games;  // that it plays; empty: all
  int max_matches = 1;             // 0: it takes no new ones for now
  // How many turns it thinks about at once; 0: max_matches. See Bot::free_slots.
  int parallel_turns = 0;
  // If the bot has a link already: true keeps that link, false replaces it with the new one.
  bool keeps_existing = false;
  // Numbers the bot's connections to the referees of a fleet. A link does not replace a link with a
  // greater number. 0: the host assigns the next number.
  int64_t connection = 0;
  // How the bot wants legal moves, as in v1::Hello. For the owner of a match at another referee.
  bool wants_legal_moves = false;
  bool wants_notations = false;
};

// The state of a bot's connection between two changes.
struct Connection {
  uint64_t version = 0;        // increases with each change
  std::shared_ptr<Link> link;  // null: not connected
  // If the entry of the link was lost, not the bot: when this referee last heard from the entry. If
  // the bot has a link again: the value of the connection before. InfiniteFuture: no entry was
  // lost.
  Instant entry_gone = Instant::InfiniteFuture();
};

// Thread-safe.
class Bot {
 public:
  // A seat in a running match of this host or of another referee.
  struct Slot {
    std::shared_ptr<MatchRunner> runner;  // null: another referee hosts the match
    Seat seat;
    std::shared_ptr<Relay> relay = nullptr;  // the owner, if that is another referee; else null
  };

  // A notice is not repeated on a link while it is among so many latest notices there.
  static constexpr size_t kRememberedNotices = 1024;

  explicit Bot(std::string name) : name_(std::move(name)) {}

  const std::string& name() const { return name_; }
  std::shared_ptr<Link> link() const;
  bool plays(absl::string_view game) const;
  // How many more matches the bot can take, of matches that come `at_once` together; 0 without a
  // link. A bot whose parallel_turns is below max_matches takes only parallel_turns matches, since
  // each pending turn costs it time. As an exception it takes one group of up to max_matches
  // matches while it plays nothing else.
  int free_slots(int at_once = 1) const;
  // How many matches the bot takes at once, by its latest declaration; 0 without a link.
  int max_matches() const;
  // Notes how many of the bot's slots matches of other referees take, as reported by the entry of
  // its link. Returns false, and does nothing, if `link` is not the bot's current link.
  bool SetTakenElsewhere(const Link* link, int slots);

  // Reserves slots for matches that another referee is about to begin. `more` may be negative.
  void KeepSlots(int more);

  // The bot's link, and its declaration there, with the latest capacity.
  struct Presence {
    std::shared_ptr<Link> link;  // null: not connected
    Hello hello;
  };
  Presence presence() const;

  // How often the bot has connected, in all.
  int64_t connects() const;
  Connection connection() const;
  // The number of the bot's link, as in Hello::connection; 0 without a link.
  int64_t connection_number() const;
  // Connects the bot by `link`. Returns the new connection, and the previous one. If `hello` has no
  // connection number, the number comes from `now`.
  std::pair<Connection, Connection> SetLink(std::shared_ptr<Link> link, Hello hello,
                                            absl::Time now = absl::InfinitePast());
  // Notes how much the bot takes on `link` from now on, as in Hello. Returns false, and changes
  // nothing, if `link` is not the bot's current link.
  bool SetCapacity(const Link* link, int max_matches, int parallel_turns);
  // Notes that `link` was lost; `entry_gone` as in Connection. Returns the new connection; none if
  // `link` is not the bot's current link.
  absl::optional<Connection> ClearLink(const Link* link,
                                       Instant entry_gone = Instant::InfiniteFuture());

  // Notes that a message of the bot was refused. WasRefused returns whether that is recent
  // (limits::kRefusalMemory), so that matches which begin now charge the referee's stalls to the
  // bot.
  void NoteRefused(Instant when);
  bool WasRefused(Instant now) const;

  // Sends the bot a notice, unless the bot has no link, or got the same notice recently on this
  // link (kRememberedNotices).
  void TellNotice(absl::string_view text);

  void AddSlot(absl::string_view match_id, Slot slot);
  // Returns false if the bot has no slot in the match.
  bool RemoveSlot(absl::string_view match_id);
  // Removes all slots in matches of this owner; null: of all other referees. Returns the ids of the
  // matches.
  std::vector<std::string> RemoveSlotsOf(const Relay* relay);
  // The bot's slot in the match. Empty once the end of the match was sent, although the slot stays
  // taken until RemoveSlot.
  Slot FindSlot(absl::string_view match_id) const;
  // The slots in unfinished matches of this host, oldest match first.
  std::vector<Slot> slots() const;
  // How many slots are taken, by matches of any referee, as far as this host has granted them.
  int taken_slots() const;
  // Whether matches of other referees take or reserve some of the bot's slots.
  bool plays_elsewhere() const;
  // Whether the bot has a seat in a match that is not over, of any referee.
  bool plays_any() const;

 private:
  const std::string name_;
  mutable Mutex mutex_;
  Connection connection_ ABSL_GUARDED_BY(mutex_);
  int64_t connects_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t latest_ ABSL_GUARDED_BY(mutex_) = 0;  // the greatest connection number so far
  Hello hello_ ABSL_GUARDED_BY(mutex_);
  int taken_elsewhere_ ABSL_GUARDED_BY(mutex_) = 0;
  int kept_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::optional<Instant> refused_ ABSL_GUARDED_BY(mutex_);  // the last time
  // Hashes of the latest notices on this link, oldest first, and the same hashes as a set.
  std::deque<size_t> noticed_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_set<size_t> is_noticed_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<std::string, Slot> slots_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace referee::host

#endif  // REFEREE_HOST_BOT_H_
