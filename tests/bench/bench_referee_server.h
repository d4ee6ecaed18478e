// The servers that are measured, each in a process of its own: the referee, as refereed has it, an
// echo over each of gRPC's server APIs, a relay, and a referee of nothing but rules and messages.
#ifndef REFEREE_TESTS_BENCH_BENCH_REFEREE_SERVER_H_
#define REFEREE_TESTS_BENCH_BENCH_REFEREE_SERVER_H_

#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "referee/replay/durability.h"
#include "tests/bench/bench_referee_histogram.h"

namespace referee::bench {

inline constexpr char kReferee[] = "referee";
inline constexpr char kEchoCallback[] = "echo-callback";
inline constexpr char kEchoQueue[] = "echo-cq";
inline constexpr char kEchoSync[] = "echo-sync";
inline constexpr char kRelay[] = "relay";
inline constexpr char kBare[] = "bare";
// No server, but one of the bots that play there.
inline constexpr char kBot[] = "bot";

struct ServerSettings {
  std::string kind;    // one of the above
  std::string listen;  // "127.0.0.1:0" or "unix:path"; of a bot, what it dials
  // Of the referee.
  std::string data_dir;
  // Of both referees.
  int matches = 1;        // at once
  bool two_bots = false;  // all matches between b0 and b1; else match i between b<2i> and b<2i+1>
  // Of the referee.
  int idle_bots = 0;  // more bots that it knows, and that play nothing
  replay::Durability durability = replay::Durability::kNone;
  bool flood = false;  // one match more, between the two bots after all these
  bool log = false;    // it writes its log as JSON, to a file beside data_dir
  int bot = 0;         // of a bot: which it is
  // Of an echo or relay: the size of its answers on the wire, at least 4.
  int response_bytes = 128;
};

// The token of the bot called b<index>.
std::string TokenOf(int index);
// How many bots play.
inline int Players(int matches, bool two_bots) { return two_bots ? 2 : 2 * matches; }

// A server that runs. Destroying it ends all calls.
class Server {
 public:
  virtual ~Server() = default;
  // What clients dial.
  virtual std::string address() const = 0;
  // The own time of each turn, of a referee or bare referee; null for others.
  virtual Histogram* own_times() { return nullptr; }
};

// One that is nothing but a service of gRPC's.
class GrpcServer : public Server {
 public:
  // `listen` as in ServerSettings.
  explicit GrpcServer(std::string listen) : listen_(std::move(listen)) {}
  virtual absl::Status Start() = 0;
  std::string address() const override { return address_; }

 protected:
  // Serves `service` from then on.
  absl::Status Listen(grpc::Service* service, grpc::ServerBuilder* builder);
  // Ends all calls. To be called by each destructor, while what they use is there.
  void Shutdown();
  // For a server that must go before what it serves from. REQUIRES: shut down.
  void Destroy() { server_ = nullptr; }

 private:
  const std::string listen_;
  std::string address_;
  std::unique_ptr<grpc::Server> server_;
};

// Each returns an error if the server cannot be started.
absl::StatusOr<std::unique_ptr<Server>> StartReferee(const ServerSettings& settings);
absl::StatusOr<std::unique_ptr<Server>> StartBare(const ServerSettings& settings);
absl::StatusOr<std::unique_ptr<Server>> StartEcho(const ServerSettings& settings);

// The main function of a server's process. Writes the address to stdout, a line; then answers each
// line on stdin, "sample", by a line of seven numbers: CPU time since the start in us; resident
// memory in bytes; instructions since the start, 0 if unknown; then, since the last sample, turns
// whose own time is known, and the 50th, 99th and 99.9th percentile of that in ns. Returns at the
// end of stdin.
int Serve(const ServerSettings& settings);

}  // namespace referee::bench

#endif  // REFEREE_TESTS_BENCH_BENCH_REFEREE_SERVER_H_
