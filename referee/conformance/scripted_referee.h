// A referee that says what a script tells it to, to try a bot of any language: BotService at a unix
// socket, without rules, clocks or matches behind it. It can say what a real referee
// never would, in any order, and hears item by item what the bot says, and when.
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

// One item that a bot has said.
struct Heard {
  v1::BotItem item;
  Instant at;  // when its message came out of the transport
};

// One stream of a bot. Thread-safe.
class BotStream {
 public:
  // Puts the items into one message, to be sent after those before it. Nothing once it is closed.
  void Say(const std::vector<v1::RefereeItem>& items);
  // Ends the stream with this status, after what was said.
  void End(const absl::Status& status);
  // The next item, waited for `limit` at most; none if none came, or none will come any more.
  absl::optional<Heard> Hear(absl::Duration limit);
  // Whether the bot has the stream open still, and it was not told to end.
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
  Reactor* reactor_ ABSL_GUARDED_BY(mutex_) = nullptr;  // null once it may not be used any more
  bool writing_ ABSL_GUARDED_BY(mutex_) = false;
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  std::deque<Order> orders_ ABSL_GUARDED_BY(mutex_);
  std::deque<Heard> heard_ ABSL_GUARDED_BY(mutex_);
};

// Thread-safe, but for the destructor.
class ScriptedReferee {
 public:
  // Listens at the path of a unix socket. Returns Unavailable if that fails.
  static absl::StatusOr<std::unique_ptr<ScriptedReferee>> Start(const std::string& path);
  // Cuts the streams that are open.
  ~ScriptedReferee();

  // The next stream that was opened, in order, waited for `limit` at most; null if there is none.
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
