// The entry's side of a stream between two referees (PEERS.md).
//
// It reports the bots that are connected here to the owner, and relays items between these bots and
// the owner's matches.
//
// Slots: the host keeps them. A session remembers the owner's slots, and frees those of matches
// that ended while the bot was offline.
//
// Capacity: the session reports how many of a bot's slots are not the owner's on connection, on
// changes of capacity, and with a beat. In between the host decides (ReserveSlots).
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

// Thread-safe, but the transport must make its calls one at a time. It is the host::Relay of all
// matches of the owner.
class EntrySession : public host::Relay, public std::enable_shared_from_this<EntrySession> {
 public:
  EntrySession(const PeerEnvironment* environment,
               PeerTransport<peer::v1::AttachRequest>* transport);
  ~EntrySession() override;

  // Sends the hello, and reports all bots that are connected here. Call first, once. REQUIRES: a
  // shared_ptr holds this.
  void Begin();
  // Handles a message. An invalid one ends the stream.
  void OnRead(const peer::v1::AttachResponse& response, Instant when);
  void OnWriteDone(bool ok);
  // The stream is lost or has ended. The last call; the transport is not used afterwards. The bots
  // keep their matches of the owner for limits::kEntryPatience. If the owner does not resume them
  // by then on another stream, they are void, and the bots get their end.
  void OnDone();
  // After OnDone: the owner has answered on another stream, and resumes there what goes on. Matches
  // that it has not resumed within limits::kPeerSilence have ended meanwhile.
  void OwnerIsBack();

  // The host's on_connection: the bot has connected, disconnected, or changed its capacity. Ignores
  // bots with a relayed link, which are connected to another referee.
  void BotChanged(absl::string_view bot);
  // Reports that input of the bot was refused.
  void BotRefused(absl::string_view bot);

  // --- host::Relay ---
  void Said(absl::string_view bot, std::string item, const host::Measured& measured) override;
  void Flush() override;

 private:
  // A match of the owner for which the bot has a slot.
  struct Held {
    bool begun = false;  // the bot has received its start
    // Since when the bot has been back without a message that the match goes on. InfiniteFuture:
    // such a message came, or the bot was not offline.
    Instant unconfirmed = Instant::InfiniteFuture();
  };
  // A bot that is connected here, or has slots of the owner's matches.
  struct Guest {
    std::shared_ptr<host::Bot> bot;
    uint64_t stream = 0;  // 0: not connected
    std::shared_ptr<host::Link> link;
    // What the owner was told last.
    int max_matches = 0;
    int parallel_turns = 0;
    absl::optional<int> taken_elsewhere;  // nullopt: must be reported
    absl::optional<Instant> answered;
    // Until then the owner has reserved slots, or waits for SlotsFree, so taken_elsewhere is not
    // reported. After that it is, in case the owner missed SlotsFree.
    Instant settled_from;
    absl::btree_map<std::string, Held> held;  // by match id
  };
  // The bot to which an owner's item refers.
  struct Target {
    uint64_t stream = 0;
    std::shared_ptr<host::Bot> bot;
    std::shared_ptr<host::Link> link;  // null: no bot
  };
  // A refused Reserve: ensures that SlotsFree never overtakes the answer. Guarded by mutex_.
  struct Refusal {
    bool answered = false;
    absl::optional<int> slots;  // set if they became free before the answer
  };

  // Handle an item, by kind. An error ends the stream.
  absl::Status Take(const peer::v1::OwnerItem& item);
  absl::Status Take(const Target& target, const peer::v1::Told& told);
  absl::Status Take(const Target& target, const peer::v1::Reserve& reserve);
  absl::Status Take(const Target& target, const peer::v1::Release& release);
  void Take(const Target& target, const peer::v1::AskElapsed& ask);
  void TakePing(const Target& target);

  // Note that the owner's match goes on with the bot, and that its slot is free.
  absl::Status Hold(const Target& target, const std::string& match_id);
  void Free(const host::Bot& bot, const std::string& match_id);
  // Reports slots that are now reserved for the owner, which it was refused before.
  void SlotsFree(uint64_t stream, Refusal* refusal, int slots);
  // The periodic beat: reports that this referee is alive and what has changed. Ends a silent
  // stream.
  void Beat();
  void SayWhatChanged(Instant now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Gives up the owner's matches that it has not resumed on another stream.
  void GiveUp();
  // Ends the stream.
  void End(const absl::Status& status);

  // Adds an item about `stream`, filled by `fill(peer::v1::EntryItem*)`. Adds none if the stream
  // has ended.
  template <typename Fill>
  void Add(uint64_t stream, Fill fill) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void AddSlotsFree(uint64_t stream, Guest* guest, int slots) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void AddIfAnswered(Guest* guest) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Report the changes of a bot to the owner. Return the link that the bot lost, if any, which the
  // caller must release without the lock.
  std::shared_ptr<host::Link> TellOf(const std::shared_ptr<host::Bot>& bot)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void TellCame(const host::Bot::Presence& presence, Guest* guest)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  std::shared_ptr<host::Link> TellWent(Guest* guest) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // How many of the bot's slots are not the owner's.
  static int TakenElsewhere(const Guest& guest);
  // Fills in the bot's capacity, and notes it as reported.
  static void FillCapacity(int max_matches, int parallel_turns, Guest* guest,
                           peer::v1::BotCapacity* out);
  // Returns the bot's entry in guests_, created if necessary.
  Guest& GuestOf(const std::shared_ptr<host::Bot>& bot) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void ForgetIfGone(const std::string& bot) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The bot of this name if it is connected here, otherwise null.
  Guest* FindHere(absl::string_view bot) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const PeerEnvironment& environment_;
  PeerTransport<peer::v1::AttachRequest>& transport_;
  PeerWriter<peer::v1::AttachRequest, NoNote> writer_;
  bool greeted_ = false;  // by the owner; used only in OnRead

  // Links call Said with their lock held. So never call a link that locks while holding mutex_.
  Mutex mutex_;
  bool begun_ ABSL_GUARDED_BY(mutex_) = false;
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
  bool owner_is_back_ ABSL_GUARDED_BY(mutex_) = false;  // on another stream
  bool overfull_ ABSL_GUARDED_BY(mutex_) = false;       // too many bytes wait for the owner to read
  CondVar finished_;
  std::thread::id finishing_ ABSL_GUARDED_BY(mutex_);  // is in Finish of the transport
  Instant heard_ ABSL_GUARDED_BY(mutex_);              // when the last message of the owner came
  // Beats without a message. Counting beats instead of time ignores periods when this referee stood
  // still.
  int silent_beats_ ABSL_GUARDED_BY(mutex_) = 0;
  uint64_t last_stream_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::btree_map<std::string, Guest> guests_ ABSL_GUARDED_BY(mutex_);  // by name
  // Names by the numbers of open streams.
  absl::flat_hash_map<uint64_t, std::string> streams_ ABSL_GUARDED_BY(mutex_);

  // The last members: their callbacks use the others.
  host::Timer beat_;
  host::Timer patience_;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_PEER_ENTRY_SESSION_H_
