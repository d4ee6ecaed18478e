// Admission control and rate limits for streams of bots: the limits of base/limits.h that hold for
// all streams together, or for all streams of a bot. Refusing is cheap: nothing is read, made or
// remembered for a refused stream.
//
//   Admission admission(limits, &clock);
//   StatusOr<uint64_t> ticket = admission.Enter(stream, peer);      // a stream begins
//   auto allowance = admission.Greet(*ticket, "alice", now);        // it says Hello
//   if (Status s = (*allowance)->TakeMessage(bytes, now); !s.ok())  // and goes on
//   ...
//   admission.Leave(*ticket);                                       // it is done with
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

// The limits of streams of bots. See base/limits.h; a test takes smaller ones.
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

// What a bot may still send, over all its streams: reconnecting does not restore it. Each call
// returns ResourceExhausted, which ends the stream, when nothing is left. Thread-safe.
class Allowance {
 public:
  explicit Allowance(const StreamLimits& limits);

  // A message has come, of `bytes` bytes.
  absl::Status TakeMessage(size_t bytes, Instant now);
  // `items` items have come that nobody asked for.
  absl::Status TakeUnasked(int items, Instant now);
  // A fault is to be answered.
  absl::Status TakeFault(Instant now);

 private:
  friend class Admission;

  const StreamLimits& limits_;
  Mutex mutex_;
  TokenBucket messages_ ABSL_GUARDED_BY(mutex_);
  TokenBucket bytes_ ABSL_GUARDED_BY(mutex_);
  TokenBucket unasked_ ABSL_GUARDED_BY(mutex_);
  TokenBucket faults_ ABSL_GUARDED_BY(mutex_);
  // The admission's, under its mutex.
  TokenBucket hellos_;
  int streams_ = 0;
};

// Thread-safe.
class Admission {
 public:
  // `limits` must outlive this and all allowances.
  explicit Admission(const StreamLimits& limits)
      : limits_(limits), look_ups_(limits.looked_up_tokens) {}

  // A stream has begun, from `peer`, as gRPC writes it. Returns its ticket, or ResourceExhausted
  // when there are too many. When too many have not said Hello, the one that has been silent
  // longest is closed for it. Bad tokens keep no stream out: a look-up tells a right one, so nobody
  // who brings one waits for those who guess.
  absl::StatusOr<uint64_t> Enter(std::weak_ptr<host::Link> stream, absl::string_view peer);
  // The stream has said Hello with a token that nobody has. Returns ResourceExhausted, which says
  // when to come again, in place of what is wrong with the token, when too many such tokens came
  // from its address.
  absl::Status TakeBadToken(uint64_t ticket, Instant now);
  // The stream has said Hello, and its token is that of `bot`. Returns ResourceExhausted when the
  // bot connects too often, or has too many streams.
  absl::StatusOr<std::shared_ptr<Allowance>> Greet(uint64_t ticket, absl::string_view bot,
                                                   Instant now);
  // Whether a look-up of a bad token is cheap still, so that its address pays nothing for it.
  bool TakeLookUp(Instant now);
  // The bot tells another version before it is greeted, which costs as much as a Hello. Returns
  // ResourceExhausted when it does so too often.
  absl::Status TakeVersion(absl::string_view bot, Instant now);
  // So many bytes wait now for a stream that has said Hello. Returns a stream that the caller is to
  // close with ResourceExhausted, without holding a lock; null: none. It is the one for which most
  // waits, when too much waits for all together.
  std::shared_ptr<host::Link> NoteQueued(uint64_t ticket, size_t bytes);
  // The stream is done with. Does nothing for one that did not enter, or has left.
  void Leave(uint64_t ticket);

 private:
  struct Silent {
    std::weak_ptr<host::Link> stream;
    std::string address;
  };
  struct Greeted {
    std::shared_ptr<Allowance> allowance;
    std::weak_ptr<host::Link> stream;
    size_t queued = 0;    // bytes that wait for it
    bool closed = false;  // as too many did
  };

  // What the bot may still send.
  std::shared_ptr<Allowance>& AllowanceOf(absl::string_view bot)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status TakeHello(absl::string_view bot, Allowance* allowance, Instant now)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Forgets addresses from which nothing bad has come for a while, if there are too many.
  void ForgetAddresses(Instant now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const StreamLimits& limits_;
  Mutex mutex_;
  uint64_t last_ticket_ ABSL_GUARDED_BY(mutex_) = 0;
  // Streams by ticket: those that have not said Hello, oldest first, and whose the others are.
  std::map<uint64_t, Silent> silent_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<uint64_t, Greeted> greeted_ ABSL_GUARDED_BY(mutex_);
  TokenBucket look_ups_ ABSL_GUARDED_BY(mutex_);
  // By address: what bad tokens may still come.
  absl::flat_hash_map<std::string, TokenBucket> bad_tokens_ ABSL_GUARDED_BY(mutex_);
  // Of all bots that ever connected: at most one for each account.
  absl::flat_hash_map<std::string, std::shared_ptr<Allowance>> bots_ ABSL_GUARDED_BY(mutex_);
  int streams_ ABSL_GUARDED_BY(mutex_) = 0;    // entered and not left
  size_t queued_ ABSL_GUARDED_BY(mutex_) = 0;  // of the greeted ones together
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_PLAY_ADMISSION_H_
