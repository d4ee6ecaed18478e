// Admission control and rate limits of bot streams.
//
// Applies the limits of base/limits.h for all streams together, and for all streams of a bot. A
// refused stream is cheap: nothing is read, allocated or remembered for it.
//
//   Admission admission(limits);
//   StatusOr<uint64_t> ticket = admission.Enter(stream, peer);      // a stream begins
//   auto allowance = admission.Greet(*ticket, "alice", now);        // it says Hello
//   if (Status s = (*allowance)->TakeMessage(bytes, now); !s.ok())  // it sends a message
//   ...
//   admission.Leave(*ticket);                                       // it has ended
#ifndef REFEREE_SERVICE_PLAY_ADMISSION_H_
#define REFEREE_SERVICE_PLAY_ADMISSION_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "referee/base/clock.h"
#include "referee/base/limits.h"
#include "referee/base/mutex.h"
#include "referee/host/link.h"
#include "referee/service/play/token_bucket.h"

namespace referee::service {

// The limits of bot streams, from base/limits.h. Tests use smaller ones.
struct StreamLimits {
  absl::Duration hello = limits::kHelloLimit;  // from the start of a stream
  limits::Rate messages = limits::kMessages;
  limits::Rate bytes = limits::kBytes;
  limits::Rate unasked = limits::kUnaskedItems;
  limits::Rate faults = limits::kFaults;
  limits::Rate hellos = limits::kHellos;
  limits::Rate bad_tokens = limits::kBadTokens;
  size_t bad_addresses = limits::kMaxBadAddresses;
  limits::Rate looked_up_tokens = limits::kLookedUpTokens;
  size_t queued_items = limits::kMaxQueuedItems;
  size_t queued_bytes = limits::kMaxQueuedBytes;
  size_t queued_bytes_per_match = limits::kMaxQueuedBytesPerMatch;
  size_t queued_bytes_of_all = limits::kMaxQueuedBytesOfAll;
  int streams = limits::kMaxStreams;
  int silent_streams = limits::kMaxSilentStreams;
  int streams_per_bot = limits::kMaxStreamsPerBot;
};

// The remaining rate of a bot, over all its streams, so that reconnecting does not restore it. Each
// call returns ResourceExhausted, which ends the stream, if nothing remains. Thread-safe.
class Allowance {
 public:
  explicit Allowance(const StreamLimits& limits);

  // Charges a message of `bytes` bytes.
  absl::Status TakeMessage(size_t bytes, Instant now);
  // Charges `items` items that the referee did not ask for.
  absl::Status TakeUnasked(int items, Instant now);
  // Charges a fault that the referee reports to the bot.
  absl::Status TakeFault(Instant now);

 private:
  friend class Admission;

  const StreamLimits& limits_;
  Mutex mutex_;
  TokenBucket messages_ ABSL_GUARDED_BY(mutex_);
  TokenBucket bytes_ ABSL_GUARDED_BY(mutex_);
  TokenBucket unasked_ ABSL_GUARDED_BY(mutex_);
  TokenBucket faults_ ABSL_GUARDED_BY(mutex_);
  // Guarded by the mutex of the Admission.
  TokenBucket hellos_;
  int streams_ = 0;
};

// Thread-safe.
class Admission {
 public:
  // `limits` must outlive this and all allowances.
  explicit Admission(const StreamLimits& limits)
      : limits_(limits), look_ups_(limits.looked_up_tokens) {}

  // Admits a stream from `peer`, as gRPC writes it. Returns its ticket, or ResourceExhausted if
  // there are too many. If too many have not said Hello, closes the one that has been silent
  // longest. Bad tokens do not block an address: each Hello is looked up, so guessing does not
  // delay valid bots.
  absl::StatusOr<uint64_t> Enter(std::weak_ptr<host::Link> stream, absl::string_view peer);
  // Charges an unknown token to the stream's address. Returns ResourceExhausted with the time to
  // retry if too many came from the address. That error replaces the explanation of the bad token.
  absl::Status TakeBadToken(uint64_t ticket, Instant now);
  // Assigns the stream to `bot`, whose token its Hello brought. Returns ResourceExhausted if the
  // bot connects too often or has too many streams.
  absl::StatusOr<std::shared_ptr<Allowance>> Greet(uint64_t ticket, absl::string_view bot,
                                                   Instant now);
  // Whether the lookup of a bad token is within the rate that is free for its address.
  bool TakeLookUp(Instant now);
  // Charges a version change before Greet, at the price of a Hello. Returns ResourceExhausted if it
  // comes too often.
  absl::Status TakeVersion(absl::string_view bot, Instant now);
  // Sets the bytes queued for a stream that has said Hello. If all queues together are too large,
  // returns the stream with the largest one; otherwise null. The caller closes it with
  // ResourceExhausted, without holding a lock.
  std::shared_ptr<host::Link> NoteQueued(uint64_t ticket, size_t bytes);
  // Removes a stream that has ended. Does nothing if it never entered or has left already.
  void Leave(uint64_t ticket);

 private:
  struct Silent {
    std::weak_ptr<host::Link> stream;
    std::string address;
  };
  struct Greeted {
    std::shared_ptr<Allowance> allowance;
    std::weak_ptr<host::Link> stream;
    size_t queued = 0;    // bytes waiting to be sent
    bool closed = false;  // chosen by NoteQueued
  };

  // Returns the allowance of `bot`, created if necessary.
  std::shared_ptr<Allowance>& AllowanceOf(absl::string_view bot)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status TakeHello(absl::string_view bot, Allowance* allowance, Instant now)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // If there are too many addresses, forgets those with a full budget.
  void ForgetAddresses(Instant now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const StreamLimits& limits_;
  Mutex mutex_;
  uint64_t last_ticket_ ABSL_GUARDED_BY(mutex_) = 0;
  // Streams by ticket: the silent ones, oldest first, and those that have said Hello.
  std::map<uint64_t, Silent> silent_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<uint64_t, Greeted> greeted_ ABSL_GUARDED_BY(mutex_);
  TokenBucket look_ups_ ABSL_GUARDED_BY(mutex_);
  // The budget of bad tokens, by address.
  absl::flat_hash_map<std::string, TokenBucket> bad_tokens_ ABSL_GUARDED_BY(mutex_);
  // All bots that ever connected: at most one for each account.
  absl::flat_hash_map<std::string, std::shared_ptr<Allowance>> bots_ ABSL_GUARDED_BY(mutex_);
  int streams_ ABSL_GUARDED_BY(mutex_) = 0;    // entered and not left
  size_t queued_ ABSL_GUARDED_BY(mutex_) = 0;  // of all greeted streams
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_PLAY_ADMISSION_H_
