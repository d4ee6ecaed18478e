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
#include "absl/time/time.h"
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
  // Counts the bot's connections to the referees of a fleet: a link does not replace one of a
  // greater number. 0: it is the next.
  int64_t connection = 0;
  // How the legal moves are wanted, as in v1::Hello: for the owner of a match of another referee.
  bool wants_legal_moves = false;
  bool wants_notations = false;
};

// The state of a bot's connection between two changes.
struct Connection {
  uint64_t version = 0;        // counts the changes
  std::shared_ptr<Link> link;  // null: not connected
  // When the entry of the link was heard last, if that is gone, and not the bot. Of a connection
  // with a link: the same of the time just before it. InfiniteFuture: no entry is, or was.
  Instant entry_gone = Instant::InfiniteFuture();
};

// Thread-safe.
class Bot {
 public:
  // A seat in a running match: of this host, or of another referee's.
  struct Slot {
    std::shared_ptr<MatchRunner> runner;  // null: it is not this host's
    Seat seat;
    std::shared_ptr<Relay> relay = nullptr;  // the owner; null: it is this host's, or there is none
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
  // Notes that so many of the bot's slots are taken by matches of other referees, as the entry of
  // its link says. Returns false, and does nothing, if `link` is not the bot's link still.
  bool SetTakenElsewhere(const Link* link, int slots);

  // Notes that so many slots more, or fewer, are kept for matches of another referee that are to
  // begin.
  void KeepSlots(int more);

  // Its link, with what it has said of itself there, and how much it takes now.
  struct Presence {
    std::shared_ptr<Link> link;  // null: not connected
    Hello hello;
  };
  Presence presence() const;

  // How often it has connected, in all.
  int64_t connects() const;
  // How the bot is connected now.
  Connection connection() const;
  // As Hello::connection, of the link that it has; 0 without one.
  int64_t connection_number() const;
  // Connects the bot by `link`. Returns the new connection, and the one before it. `now` gives
  // connections their numbers, where hello has none.
  std::pair<Connection, Connection> SetLink(std::shared_ptr<Link> link, Hello hello,
                                            absl::Time now = absl::InfinitePast());
  // Notes how much the bot takes on `link` from now on, as in Hello. Returns whether `link` is the
  // bot's link still; if not, nothing is changed.
  bool SetCapacity(const Link* link, int max_matches, int parallel_turns);
  // Notes that `link` is lost; `entry_gone` as in Connection. Returns the new connection; none if
  // `link` is not, or no longer, the bot's link.
  absl::optional<Connection> ClearLink(const Link* link,
                                       Instant entry_gone = Instant::InfiniteFuture());

  // Notes that something that the bot sent was refused, and says whether that is so short ago that
  // matches that begin now charge the referee's stalls to it.
  void NoteRefused(Instant when);
  bool WasRefused(Instant now) const;

  // Tells the bot a notice, unless it is one of those that it was told last on this link, or it has
  // none.
  void TellNotice(absl::string_view text);

  void AddSlot(absl::string_view match_id, Slot slot);
  // Returns false if there is none.
  bool RemoveSlot(absl::string_view match_id);
  // Removes all slots in matches of this owner, or, if it is null, of any other referee. Returns
  // the matches.
  std::vector<std::string> RemoveSlotsOf(const Relay* relay);
  // The bot's slot in the match. None once the end of the match was told, although the slot stays
  // taken until RemoveSlot.
  Slot FindSlot(absl::string_view match_id) const;
  // Those in matches of this host, oldest match first.
  std::vector<Slot> slots() const;
  // How many slots are taken, by matches of whichever referee, as far as this one has granted them.
  int taken_slots() const;
  // Whether matches of other referees take or keep some of its slots.
  bool plays_elsewhere() const;
  // Whether it has a seat in a match that is not over, of whichever referee.
  bool plays_any() const;

 private:
  const std::string name_;
  mutable Mutex mutex_;
  Connection connection_ ABSL_GUARDED_BY(mutex_);
  int64_t connects_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t latest_ ABSL_GUARDED_BY(mutex_) = 0;  // the greatest number of a connection so far
  Hello hello_ ABSL_GUARDED_BY(mutex_);
  int taken_elsewhere_ ABSL_GUARDED_BY(mutex_) = 0;
  int kept_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::optional<Instant> refused_ ABSL_GUARDED_BY(mutex_);  // when last
  // Hashes of the notices that were told last on this link, the latest last, and the same to look
  // in.
  std::deque<size_t> noticed_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_set<size_t> is_noticed_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<std::string, Slot> slots_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace referee::host

#endif  // REFEREE_HOST_BOT_H_
