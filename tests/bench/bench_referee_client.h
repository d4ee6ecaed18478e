// The clients that load a server: one kind of stream for the referee and for the echoes, so that
// what they cost is the same for both. A client answers each message with one message, at once or
// when its pace says, and has one write under way at most.
#ifndef REFEREE_TESTS_BENCH_BENCH_REFEREE_CLIENT_H_
#define REFEREE_TESTS_BENCH_BENCH_REFEREE_CLIENT_H_

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/client_callback.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "referee/base/mutex.h"
#include "tests/bench/bench_referee_games.h"

namespace referee::bench {

// What has gone through one or more clients, from the start on.
struct Traffic {
  int64_t turns = 0;  // asked and answered; for an echo, messages
  int64_t messages_in = 0;
  int64_t bytes_in = 0;
  int64_t messages_out = 0;
  int64_t bytes_out = 0;

  Traffic& operator+=(const Traffic& other);
  friend Traffic operator-(const Traffic& a, const Traffic& b);
};

// What a client says. Calls come one at a time.
class Script {
 public:
  virtual ~Script() = default;
  // What is said first.
  virtual std::string Opening() = 0;
  // Appends the answer to a message, if any, and returns how many turns it answers, or an error if
  // this is not what a healthy server says.
  virtual absl::StatusOr<int> Answer(absl::string_view message, std::string* answer) = 0;
};

// Says the same, of `bytes` bytes on the wire (at least 4), whatever it hears.
std::unique_ptr<Script> MakeEchoScript(size_t bytes);
// A bot that plays prepared games, `max_matches` at once. `games` must outlive it.
std::unique_ptr<Script> MakeBotScript(std::string token, int max_matches,
                                      const PreparedGames* games);

// What bots call.
inline constexpr char kPlayMethod[] = "/referee.v1.BotService/Play";

class Client;

// Lets clients think: each says what it has to say only so long after it was to be said.
class Pace {
 public:
  explicit Pace(absl::Duration think)
      : think_(absl::ToChronoNanoseconds(think)), thread_([this] { Run(); }) {}
  ~Pace() { Stop(); }
  // From then on nothing is said any more, and clients may go.
  void Stop();

 private:
  friend class Client;
  // Has `client` write when it has thought. Threads: any.
  void WriteLater(Client* client);
  void Run();

  const std::chrono::nanoseconds think_;
  Mutex mutex_;
  CondVar changed_;
  // In the order of their times, since all think equally long.
  std::deque<std::pair<std::chrono::steady_clock::time_point, Client*>> thinking_
      ABSL_GUARDED_BY(mutex_);
  bool stopped_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

// One stream. Thread-safe.
class Client final : public grpc::ClientBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer> {
 public:
  // Opens the stream and says the opening. `pace` may be null: it answers at once; else it must be
  // stopped before this is destroyed.
  Client(std::shared_ptr<grpc::Channel> channel, const std::string& method,
         std::unique_ptr<Script> script, Pace* pace);
  // Ends the stream.
  ~Client() override;

  Traffic traffic() const;
  // Why the stream has ended before its client; OK while it has not.
  absl::Status failure() const;

 private:
  friend class Pace;
  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override;
  void OnDone(const grpc::Status& status) override;

  void Fail(const absl::Status& failure);
  // Hands over what is to be said, if the transport can take it.
  void Write();

  grpc::GenericStub stub_;
  grpc::ClientContext context_;
  const std::unique_ptr<Script> script_;
  Pace* const pace_;
  grpc::ByteBuffer read_;
  grpc::ByteBuffer written_;

  std::atomic<int64_t> turns_{0};
  std::atomic<int64_t> messages_in_{0};
  std::atomic<int64_t> bytes_in_{0};
  std::atomic<int64_t> messages_out_{0};
  std::atomic<int64_t> bytes_out_{0};

  mutable Mutex mutex_;
  CondVar changed_;
  std::string to_say_ ABSL_GUARDED_BY(mutex_);
  bool writing_ ABSL_GUARDED_BY(mutex_) = false;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  bool done_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Status failure_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace referee::bench

#endif  // REFEREE_TESTS_BENCH_BENCH_REFEREE_CLIENT_H_
