// Keeps a stream to one referee: opens it again whenever it is lost, until there is no point, or to
// another that takes its place. A link runs on a thread of its own, which opens and cancels the
// streams, and sends what others leave to it.
#ifndef REFEREE_SDK_SRC_LINK_H_
#define REFEREE_SDK_SRC_LINK_H_

#include <grpcpp/security/credentials.h>
#include <grpcpp/support/status.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "proto/referee/v1/bot_service.pb.h"
#include "referee/base/mutex.h"
#include "sdk/cpp/src/holding.h"
#include "sdk/cpp/src/options.h"
#include "sdk/cpp/src/places.h"
#include "sdk/cpp/src/stream.h"

namespace referee::sdk {

class Link final : public Stream::Listener {
 public:
  // What has the links. Calls marked "locked" come with the mutex that all links share.
  class Owner {
   public:
    virtual ~Owner() = default;
    // The Hello of a stream on which `share` is promised.
    virtual v1::Hello Hello(const Share& share) const = 0;
    virtual void Hear(Link* link, std::shared_ptr<const Batch> batch) = 0;
    // How long to wait before the attempt with this number.
    virtual absl::Duration Backoff(int attempt) = 0;
    // Locked: the number of the next stream.
    virtual uint64_t NextStream() = 0;
    // Locked: a stream is there, and is there no more.
    virtual void Opened(Link* link, const std::shared_ptr<Stream>& stream) = 0;
    virtual void Closed(uint64_t stream) = 0;
    // Locked: these matches are over.
    virtual void Forget(const std::vector<std::string>& match_ids) = 0;
    // Locked: divides the places anew.
    virtual void Review() = 0;
    // Locked: whether no home is connected.
    virtual bool Alone() const = 0;
    // Locked: how to reach the referee to dial after the one that `link` has been dialling; nothing
    // if there is no other.
    virtual absl::optional<SettledOptions> Next(const Link& link) const = 0;
  };

  // `options`: those of the bot, with the address and the TLS of this referee. `owner`, `mutex` and
  // `log` must outlive the link.
  Link(Owner* owner, Mutex* mutex, SettledOptions options, bool is_home, const Logger* log);

  // Change between two streams of a link that is not a home's.
  const SettledOptions& options() const { return options_; }
  const std::string& address() const { return options_.address; }
  bool is_home() const { return is_home_; }

  // Returns why there is no point in going on; of a home only what ends the bot. Call it once.
  absl::Status Run();

  // --- With the mutex ---

  Holding& holding() { return holding_; }
  // Whether it is to have places.
  bool wants() const { return !leaving_ && !draining_ && !over_; }
  bool welcomed() const { return welcomed_; }
  bool leaving() const { return leaving_; }
  // Run has returned, or will at once.
  bool over() const { return over_; }
  void SetWelcomed();
  void SetDraining(bool will_return);
  // For how long a referee that is gone is given to come back while matches are played on it.
  void SetPatience(absl::Duration patience) { patience_ = patience; }
  // Whether it ends once its matches are over. One that is not left any more dials at once.
  void SetLeaving(bool leaving);
  // Promises that much from now on; ends the stream of a home that is done with.
  void Offer(const Share& share);
  // Has what was said on the current stream sent soon.
  void SendSoon();
  // Makes Run return soon.
  void Stop();

  // Stream::Listener.
  void OnBatch(std::shared_ptr<const Batch> batch) override;
  void OnClosed(const grpc::Status& status) override;

 private:
  // How one stream came to its end.
  struct Closed {
    grpc::Status status;
    bool welcomed = false;
  };
  // What the thread is to do for the open stream.
  enum class Task { kSend, kCancel, kNone };

  // Whether nothing is left to be done at a home.
  bool IsDone() const { return leaving_ && holding_.matches() == 0; }
  // Whether there is something to open a stream for, whatever is played.
  bool HasReason() const { return !leaving_ && (!is_home_ || share_.places > 0); }

  absl::Status KeepConnected();
  // Returns false when there never will be something to open a stream for.
  bool WaitForReason();
  // Opens a stream and returns when it is closed.
  Closed Serve();
  // What there is no point in going on after; OK if there is one.
  absl::Status WhyFinal(const Closed& closed) const;
  // Whether it was stopped, or its referee has ended for good.
  bool IsAtEnd() const;
  // Whether the bot has been without a referee for as long as it was told to try.
  bool GivesUp() const;
  // How long it still waits for the referee of the matches that it plays; infinite if it plays
  // none.
  absl::Duration PatienceLeft() const;
  // How long the matches of a lost stream are waited for.
  absl::Duration Patience() const;
  // Dials another referee from now on if this one is gone or has ended, or refuses the bot, which
  // is what `final` says. Returns whether it does.
  bool Move(const absl::Status& final);
  // Waits for a task; kNone: the stream is closed. `waits`: whether for the matches of an earlier
  // stream, as long as they are waited for.
  Task NextTask(uint64_t stream, bool* waits);
  void Wait(absl::Duration delay);
  std::string WhyLost(const Closed& closed) const;

  Owner* const owner_;
  Mutex* const mutex_;
  SettledOptions options_;
  const std::string first_address_;
  const bool is_home_;
  const Logger& log_;

  // Of the thread.
  std::shared_ptr<grpc::ChannelCredentials> credentials_;
  int attempt_ = 0;            // dials since it was welcomed last
  bool was_welcomed_ = false;  // at this address

  // Guarded by *mutex_.
  CondVar changed_;
  Holding holding_;
  Share share_;  // what may be promised now
  std::shared_ptr<Stream> stream_;
  absl::optional<grpc::Status> closed_;  // of the current stream
  bool welcomed_ = false;                // on the current stream
  absl::Time welcomed_at_;               // when it was
  bool draining_ = false;                // so is its referee
  bool ends_ = false;                    // once the referee closes the stream
  bool leaving_ = false;
  bool stays_ = false;  // it was left, and is not any more: it is not to wait longer
  bool over_ = false;
  bool stopped_ = false;
  bool to_send_ = false;    // soon, on the current stream
  bool cancelled_ = false;  // the current stream
  absl::Time lost_;
  absl::Duration patience_ = absl::ZeroDuration();
};

}  // namespace referee::sdk

#endif  // REFEREE_SDK_SRC_LINK_H_
