// Passes on the bytes of connections to another address, as slowly as it is told to, and cuts them
// when it is told to: a bad network between a bot and a scripted referee.
#ifndef REFEREE_CONFORMANCE_RELAY_H_
#define REFEREE_CONFORMANCE_RELAY_H_

#include <poll.h>
#include <sys/types.h>

#include <deque>
#include <list>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "referee/base/clock.h"
#include "referee/base/mutex.h"

namespace referee::conformance {

// Thread-safe, but for the destructor.
class Relay {
 public:
  // How slow it is, each way.
  struct Speed {
    absl::Duration delay = absl::ZeroDuration();
    double bytes_per_second = 1e9;
  };

  // Listens at "unix:path" or "host:port" of this machine, and connects to the unix socket
  // `target_path` for each connection that it takes. Returns an error that names the address.
  static absl::StatusOr<std::unique_ptr<Relay>> Start(const std::string& address,
                                                      const std::string& target_path);
  ~Relay();

  // What to dial: the port is the real one.
  const std::string& address() const { return address_; }
  // For bytes that come from now on.
  void SetSpeed(const Speed& speed);
  // Ends all connections, in the middle of whatever is said; new ones are taken.
  void Cut();
  // The process that opened the connection that was taken last; 0 if it is not known, as over TCP.
  pid_t peer() const;

 private:
  // Bytes that wait, and when the first of them is to go.
  struct Chunk {
    Instant due;
    std::string bytes;
  };
  struct Way {
    int from = -1;
    int to = -1;
    Instant free;  // when what was taken before has gone
    std::deque<Chunk> waiting;
    bool ended = false;  // no more comes
  };
  // A connection of a bot, both ways.
  struct Line {
    Way up;
    Way down;
  };

  Relay(std::string address, std::string target_path, int listen_fd, int wake_fd);

  void Loop();
  void Accept();
  bool Pass(Way* way);
  bool Take(Way* way);
  static void Hang(const Line& line);
  // What is waited for: the wake-up, new connections, and of each line four; `wait` is shortened to
  // when bytes are due.
  std::vector<pollfd> Polled(absl::Duration* wait) const;
  void Serve(const std::vector<pollfd>& polled);
  void Wake() const;

  const std::string address_;
  const std::string target_path_;
  const int listen_fd_;
  const int wake_fd_;  // written to: all connections are to be cut
  const SystemClock clock_;
  mutable Mutex mutex_;
  Speed speed_ ABSL_GUARDED_BY(mutex_);
  bool stopped_ ABSL_GUARDED_BY(mutex_) = false;
  pid_t peer_ ABSL_GUARDED_BY(mutex_) = 0;
  std::list<Line> lines_;  // of the loop's thread
  std::thread loop_;
};

}  // namespace referee::conformance

#endif  // REFEREE_CONFORMANCE_RELAY_H_
