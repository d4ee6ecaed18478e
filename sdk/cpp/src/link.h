// Keeps one stream to a referee of a fleet: opens it again whenever it is lost, to the same referee
// or to the next of the circle, until there is no point. Run opens and cancels the streams, and
// sends what other threads leave to it. Thread-safe, but for Run.
#ifndef REFEREE_SDK_SRC_LINK_H_
#define REFEREE_SDK_SRC_LINK_H_

#include <grpcpp/security/credentials.h>
#include <grpcpp/support/status.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "google/protobuf/repeated_field.h"
#include "proto/referee/v1/bot_service.pb.h"
#include "referee/base/mutex.h"
#include "referee/sdk/log.h"
#include "sdk/cpp/src/batch.h"
#include "sdk/cpp/src/channel.h"
#include "sdk/cpp/src/fleet.h"
#include "sdk/cpp/src/options.h"
#include "sdk/cpp/src/stream.h"

namespace referee::sdk {

// How long a link waits for a referee.
struct LinkLimits {
  // From opening a stream to its Welcome: doubled with each failed dial in a row, up to the
  // longest.
  absl::Duration dial = absl::Seconds(3);
  absl::Duration longest_dial = absl::Seconds(30);
  Keepalive keepalive;
  // After its Welcome a referee tells again of the matches that go on. It does so at once, unless
  // it is busy.
  absl::Duration retelling = absl::Seconds(5);
};

class Link final : public Stream::Listener {
 public:
  // What has the link. The calls come without a lock.
  class Owner {
   public:
    virtual ~Owner() = default;
    virtual v1::Hello Hello() const = 0;
    // Receives the referee's messages, on the stream's thread.
    virtual void Hear(const std::shared_ptr<const Batch>& batch) = 0;
    // The matches that were not told on the stream with that number are over.
    virtual void ForgetAllBut(uint64_t stream) = 0;
  };

  // `options`: those of the bot; REQUIRES: with a backoff. `owner` and `log` must outlive the link.
  Link(Owner* owner, SettledOptions options, const Logger* log, LinkLimits limits = {});

  // Returns why there is no point in going on: OK after Stop, or when the only referee has ended.
  // Call it once.
  absl::Status Run();
  // Makes Run return soon.
  void Stop();

  // Queues an item, and moves from it, if the stream with that number is still there.
  void Say(uint64_t stream, v1::BotItem* item);
  // Sends what was said on that stream.
  void Send(uint64_t stream);
  // Has Run send it soon.
  void SendSoon(uint64_t stream);

  // Stream::Listener.
  void OnBatch(std::shared_ptr<const Batch> batch) override;
  void OnClosed(const grpc::Status& status) override;

 private:
  // How one stream came to its end.
  struct Closed {
    grpc::Status status;
    bool welcomed = false;
    bool draining = false;  // the referee had said so
    bool ends = false;      // and that it will not return
    bool silent = false;    // until it was given up
    bool stopped = false;
  };
  // What the thread is to do for the open stream.
  enum class Task { kSend, kCancel, kForget, kNone };

  void Hear(const v1::Welcome& welcome);
  void Hear(const v1::Draining& draining);
  void Know(const google::protobuf::RepeatedPtrField<std::string>& others);
  std::shared_ptr<Stream> Current(uint64_t stream);

  // Opens a stream and returns when it is closed.
  Closed Serve();
  // Waits for a task; kNone: the stream is closed.
  Task NextTask();
  // Why there is no point in going on at this address; OK if there is one.
  absl::Status WhyFinal(const Closed& closed) const;
  std::string WhyLost(const Closed& closed) const;
  // Goes on to that referee. Returns false, and stays, if its certificates cannot be read.
  bool MoveTo(SettledOptions next);
  void Wait(absl::Duration delay);

  Owner* const owner_;
  const SettledOptions given_;
  const Logger& log_;
  const LinkLimits limits_;

  // Of the thread of Run; the stream's thread reads options_ while a stream is open.
  SettledOptions options_;  // given_, with the address and the TLS of the current referee
  std::shared_ptr<grpc::ChannelCredentials> credentials_;
  int attempt_ = 0;            // dials since the last Welcome, for the backoff
  int failed_ = 0;             // failed dials in a row
  bool was_welcomed_ = false;  // anywhere
  absl::Time lost_;            // when the last welcomed stream was
  uint64_t last_stream_ = 0;

  Fleet fleet_;  // of the stream's thread

  Mutex mutex_;
  CondVar changed_;
  std::vector<SettledOptions> circle_ ABSL_GUARDED_BY(mutex_);
  bool stopped_ ABSL_GUARDED_BY(mutex_) = false;
  // Of the current stream.
  std::shared_ptr<Stream> stream_ ABSL_GUARDED_BY(mutex_);
  Closed closing_ ABSL_GUARDED_BY(mutex_);  // as far as is known yet
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  bool to_send_ ABSL_GUARDED_BY(mutex_) = false;  // soon
  bool cancelled_ ABSL_GUARDED_BY(mutex_) = false;
  // When it is given up if it is not welcomed, or else when matches are forgotten; unless done.
  absl::optional<std::chrono::steady_clock::time_point> due_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace referee::sdk

#endif  // REFEREE_SDK_SRC_LINK_H_
