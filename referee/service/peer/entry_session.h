// The entry's side of a stream between two referees: tells the owner of the bots that are connected
// here, and passes on what owner and bots say of the owner's matches (PEERS.md).
//
// Slots: the host has them. A session remembers which of them are the owner's, and gives up those
// of matches that have ended while the bot was away.
//
// Capacity: the owner hears how many slots other referees have of a bot when the bot comes, when
// what it takes changes, and with a beat. In between the host decides (ReserveSlots).
#ifndef REFEREE_SERVICE_PEER_ENTRY_SESSION_H_
#define REFEREE_SERVICE_PEER_ENTRY_SESSION_H_

#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/btree_map.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "proto/referee/peer/v1/peer_service.pb.h"
#include "referee/base/clock.h"
#include "referee/base/mutex.h"
#include "referee/host/bot.h"
#include "referee/host/link.h"
#include "referee/host/relay.h"
#include "referee/host/timers.h"
#include "referee/service/peer/owner_session.h"
#include "referee/service/peer/peer_transport.h"
#include "referee/service/peer/peer_writer.h"

namespace referee::service {

// Thread-safe, except that the transport makes its calls one at a time. Is the host::Relay of all
// matches of the owner.
class EntrySession : public host::Relay, public std::enable_shared_from_this<EntrySession> {
 public:
  EntrySession(const PeerEnvironment* environment,
               PeerTransport<peer::v1::AttachRequest>* transport);
  ~EntrySession() override;

  // Says hello, and tells of all bots that are connected here. To be called first, once. REQUIRES:
  // a shared_ptr holds this.
  void Begin();
  // A message has come. One that makes no sense ends the stream.
  void OnRead(const peer::v1::AttachResponse& response, Instant when);
  void OnWriteDone(bool ok);
  // The stream is lost or has ended. The last call; the transport is not used afterwards. Matches
  // of the owner stay with the bots for limits::kEntryPatience; what the owner has not taken up
  // again by then, on another stream, is void: the bots are told its end.
  void OnDone();

  // The bot of this name has come, has gone, or takes more or less than before: the host's
  // on_connection. A bot whose link is relayed is none of this referee's.
  void BotChanged(absl::string_view bot);
  // Something that the bot sent was refused.
  void BotRefused(absl::string_view bot);

  // --- host::Relay ---
  void Said(absl::string_view bot, std::string item, const host::Measured& measured) override;
  void Flush() override;

 private:
  // A match of the owner for which the bot has a slot.
  struct Held {
    bool begun = false;  // the bot was told of it
    // Since when the bot has been back without being told that it goes on; InfiniteFuture: it was,
    // or has not been away.
    Instant unconfirmed = Instant::InfiniteFuture();
  };
  // A bot that is connected here, or has slots of the owner's matches.
  struct Guest {
    std::shared_ptr<host::Bot> bot;
    uint64_t stream = 0;  // 0: it is not connected
    std::shared_ptr<host::Link> link;
    // What the owner was told of it.
    int max_matches = 0;
    int parallel_turns = 0;
    absl::optional<int> taken_elsewhere;  // none: it is to be told
    absl::optional<Instant> answered;
    // Until then the owner has some of its slots kept, or SlotsFree is to come; should the owner
    // have missed that, it hears again how many are taken.
    Instant settled_from;
    absl::btree_map<std::string, Held> held;  // by match id
  };
  // The bot that an item of the owner is about.
  struct Target {
    uint64_t stream = 0;
    std::shared_ptr<host::Bot> bot;
    std::shared_ptr<host::Link> link;  // null: it is about none
  };
  // A Reserve that was refused: SlotsFree never overtakes the answer. Guarded by mutex_.
  struct Refusal {
    bool answered = false;
    absl::optional<int> slots;  // that came to be free before
  };

  // The items, by kind. An error ends the stream.
  absl::Status Take(const peer::v1::OwnerItem& item);
  absl::Status Take(const Target& target, const peer::v1::Told& told);
  absl::Status Take(const Target& target, const peer::v1::Reserve& reserve);
  absl::Status Take(const Target& target, const peer::v1::Release& release);
  void Take(const Target& target, const peer::v1::AskElapsed& ask);
  void TakePing(const Target& target);

  // Notes that the owner's match goes on with the bot, and that its slot is free.
  absl::Status Hold(const Target& target, const std::string& match_id);
  void Free(const host::Bot& bot, const std::string& match_id);
  // Slots that the owner was refused are free now, and kept.
  void SlotsFree(uint64_t stream, Refusal* refusal, int slots);
  // Says that this referee is there, and what has changed; ends a stream of which nothing was
  // heard.
  void Beat();
  void SayWhatChanged(Instant now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The owner has not come back: its matches are void.
  void GiveUp();
  // The stream is over.
  void End(const absl::Status& status);

  // Adds an item about `stream`, made by `fill(peer::v1::EntryItem*)`; none about one that has
  // ended.
  template <typename Fill>
  void Add(uint64_t stream, Fill fill) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void AddSlotsFree(uint64_t stream, Guest* guest, int slots) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void AddIfAnswered(Guest* guest) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Tell what the owner does not know of the bot yet. Returns a link that it has no more, which the
  // caller is to let go without the lock.
  std::shared_ptr<host::Link> TellOf(const std::shared_ptr<host::Bot>& bot)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void TellCame(const host::Bot::Presence& presence, Guest* guest)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  std::shared_ptr<host::Link> TellWent(Guest* guest) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // How many of its slots are not the owner's.
  static int TakenElsewhere(const Guest& guest);
  // What the bot takes, as the owner is told it; notes that.
  static void FillCapacity(int max_matches, int parallel_turns, Guest* guest,
                           peer::v1::BotCapacity* out);
  // What the owner has of the bot; made if there is nothing.
  Guest& GuestOf(const std::shared_ptr<host::Bot>& bot) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void ForgetIfGone(const std::string& bot) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The bot of this name if it is connected here; else null.
  Guest* FindHere(absl::string_view bot) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const PeerEnvironment& environment_;
  PeerTransport<peer::v1::AttachRequest>& transport_;
  PeerWriter<peer::v1::AttachRequest, NoNote> writer_;
  bool greeted_ = false;  // by the owner; touched only by OnRead

  // Links call Said with a lock of theirs, so none of theirs is taken with this one.
  Mutex mutex_;
  bool begun_ ABSL_GUARDED_BY(mutex_) = false;
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
  bool overfull_ ABSL_GUARDED_BY(mutex_) = false;  // too much waits for the owner to read it
  CondVar finished_;
  std::thread::id finishing_ ABSL_GUARDED_BY(mutex_);  // is in Finish of the transport
  Instant heard_ ABSL_GUARDED_BY(mutex_);              // something of the owner, when last
  // In which nothing was heard: a referee that stood still itself has had none of them.
  int silent_beats_ ABSL_GUARDED_BY(mutex_) = 0;
  uint64_t last_stream_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::btree_map<std::string, Guest> guests_ ABSL_GUARDED_BY(mutex_);  // by name
  // Names by the numbers of the streams that go on.
  absl::flat_hash_map<uint64_t, std::string> streams_ ABSL_GUARDED_BY(mutex_);

  // The last members, as their calls use the others.
  host::Timer beat_;
  host::Timer patience_;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_PEER_ENTRY_SESSION_H_
