// A referee that sends what a script tells it, to check bots in any language.
//
// It serves BotService at a Unix socket, without rules, clocks or matches. It can send what a real
// referee never would, in any order. It records each item from the bot, and its time.
//
//   auto referee = ScriptedReferee::Start("/tmp/x/socket");
//   std::shared_ptr<BotStream> stream = (*referee)->Next(absl::Seconds(10));
//   const absl::optional<Heard> hello = stream->Hear(absl::Seconds(1));
//   stream->Say({WelcomeItem()});
//   stream->End(absl::UnavailableError("try again"));
#ifndef REFEREE_CONFORMANCE_SCRIPTED_REFEREE_H_
#define REFEREE_CONFORMANCE_SCRIPTED_REFEREE_H_

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "proto/referee/v1/bot_service.pb.h"
#include "referee/base/clock.h"
#include "referee/base/mutex.h"

namespace referee::conformance {

// An item from the bot.
struct Heard {
  v1::BotItem item;
  Instant at;  // when its message left the transport
};

// A stream of a bot. Thread-safe.
class BotStream {
 public:
  // Sends the items as one message, after earlier ones. Does nothing once the stream is closed.
  void Say(const std::vector<v1::RefereeItem>& items);
  // Ends the stream with this status, after all messages.
  void End(const absl::Status& status);
  // Waits up to `limit` for the next item; unset if none came or none will come.
  absl::optional<Heard> Hear(absl::Duration limit);
  // Whether the stream is open at the bot's side and End was not called.
  bool open() const;

 private:
  friend class ScriptedReferee;
  class Reactor;
  struct Order {
    v1::PlayResponse message;
    absl::optional<absl::Status> end;
  };

  void Obey() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void ForgetMessages() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Close();

  const SystemClock clock_{};
  mutable Mutex mutex_;
  CondVar changed_;
  Reactor* reactor_ ABSL_GUARDED_BY(mutex_) = nullptr;  // null once gRPC may have deleted it
  bool writing_ ABSL_GUARDED_BY(mutex_) = false;
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  std::deque<Order> orders_ ABSL_GUARDED_BY(mutex_);
  std::deque<Heard> heard_ ABSL_GUARDED_BY(mutex_);
};

// Thread-safe, except for the destructor.
class ScriptedReferee {
 public:
  // Listens at the path of a Unix socket. Returns Unavailable on failure.
  static absl::StatusOr<std::unique_ptr<ScriptedReferee>> Start(const std::string& path);
  // Cancels open streams.
  ~ScriptedReferee();

  // Waits up to `limit` for the next new stream, in the order of opening; null if none.
  std::shared_ptr<BotStream> Next(absl::Duration limit);

 private:
  class Service;
  ScriptedReferee();
  void Add(std::shared_ptr<BotStream> stream);

  std::unique_ptr<Service> service_;
  Mutex mutex_;
  CondVar opened_;
  std::deque<std::shared_ptr<BotStream>> streams_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace referee::conformance

#endif  // REFEREE_CONFORMANCE_SCRIPTED_REFEREE_H_
