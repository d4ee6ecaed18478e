// Keeps one stream open to a referee of a fleet.
//
// Reopens a lost stream, to the same referee or to the next of the circle, until retrying is
// pointless. The thread in Run opens and cancels the streams, and sends what SendSoon leaves to it.
// Thread-safe, except for Run.
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
  // From opening a stream to its Welcome. Doubles with each consecutive failed dial, up to
  // longest_dial.
  absl::Duration dial = absl::Seconds(3);
  absl::Duration longest_dial = absl::Seconds(30);
  Keepalive keepalive;
  // After its Welcome, a referee announces the running matches again. It does so at once, unless it
  // is busy.
  absl::Duration retelling = absl::Seconds(5);
};

class Link final : public Stream::Listener {
 public:
  // The receiver of the link's events. The link holds no lock during a call.
  class Owner {
   public:
    virtual ~Owner() = default;
    virtual v1::Hello Hello() const = 0;
    // Receives the referee's messages, on the stream's thread.
    virtual void Hear(const std::shared_ptr<const Batch>& batch) = 0;
    // The matches that were not announced on the stream with this number are over.
    virtual void ForgetAllBut(uint64_t stream) = 0;
  };

  // `options` are the bot's options. REQUIRES: options.backoff is set. `owner` and `log` must
  // outlive the link.
  Link(Owner* owner, SettledOptions options, const Logger* log, LinkLimits limits = {});

  // Returns why retrying is pointless. OK after Stop, or after the only known referee has shut down
  // for good. Call it once.
  absl::Status Run();
  // Makes Run return soon.
  void Stop();

  // Queues an item, and moves from it, if the stream with this number is still open.
  void Say(uint64_t stream, v1::BotItem* item);
  // Sends the queued items of the stream.
  void Send(uint64_t stream);
  // Makes the thread in Run send them soon.
  void SendSoon(uint64_t stream);

  // Stream::Listener.
  void OnBatch(std::shared_ptr<const Batch> batch) override;
  void OnClosed(const grpc::Status& status) override;

 private:
  // How a stream ended.
  struct Closed {
    grpc::Status status;
    bool welcomed = false;
    bool draining = false;  // the referee had announced its shutdown
    bool ends = false;      // and that it will not return
    bool silent = false;    // given up because no Welcome came in time
    bool stopped = false;
  };
  // The next task of the thread in Run for the open stream.
  enum class Task { kSend, kCancel, kForget, kNone };

  void Hear(const v1::Welcome& welcome);
  void Hear(const v1::Draining& draining);
  void Know(const google::protobuf::RepeatedPtrField<std::string>& others);
  std::shared_ptr<Stream> Current(uint64_t stream);

  // Opens a stream. Returns when it is closed.
  Closed Serve();
  // Waits for a task. kNone: the stream is closed.
  Task NextTask();
  // Why retrying at this address is pointless; OK if it is not.
  absl::Status WhyFinal(const Closed& closed) const;
  std::string WhyLost(const Closed& closed) const;
  // Switches to the given referee. Returns false, and stays, if its credentials cannot be made.
  bool MoveTo(SettledOptions next);
  void Wait(absl::Duration delay);

  Owner* const owner_;
  const SettledOptions given_;
  const Logger& log_;
  const LinkLimits limits_;

  // Used by the thread in Run. While a stream is open, its thread reads options_.
  SettledOptions options_;  // given_, with the address and TLS of the current referee
  std::shared_ptr<grpc::ChannelCredentials> credentials_;
  int attempt_ = 0;            // dials since the last Welcome, for the backoff
  int failed_ = 0;             // failed dials in a row
  bool was_welcomed_ = false;  // by any referee
  absl::Time lost_;            // when the last welcomed stream was lost, or the start
  uint64_t last_stream_ = 0;

  Fleet fleet_;  // used by the stream's thread

  Mutex mutex_;
  CondVar changed_;
  std::vector<SettledOptions> circle_ ABSL_GUARDED_BY(mutex_);
  bool stopped_ ABSL_GUARDED_BY(mutex_) = false;
  // State of the current stream.
  std::shared_ptr<Stream> stream_ ABSL_GUARDED_BY(mutex_);
  Closed closing_ ABSL_GUARDED_BY(mutex_);  // as far as known yet
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  bool to_send_ ABSL_GUARDED_BY(mutex_) = false;  // a SendSoon is pending
  bool cancelled_ ABSL_GUARDED_BY(mutex_) = false;
  // Without a Welcome: when the stream is given up. After it: when old matches are forgotten. Empty
  // once done.
  absl::optional<std::chrono::steady_clock::time_point> due_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace referee::sdk

#endif  // REFEREE_SDK_SRC_LINK_H_
