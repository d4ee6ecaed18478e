// A bot under check: its process, its stream, and the scripted referee that it dials.
//
// The process is started here, or elsewhere by the user. The connection goes through a relay.
#ifndef REFEREE_CONFORMANCE_TRIED_BOT_H_
#define REFEREE_CONFORMANCE_TRIED_BOT_H_

#include <poll.h>
#include <sys/types.h>

#include <deque>
#include <list>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "referee/base/clock.h"
#include "referee/base/mutex.h"
#include "referee/conformance/scripted_referee.h"
#include "referee/launch/bot_process.h"
#include "referee/launch/temp_dir.h"

namespace referee::conformance {

// Simulates a bad network between a bot and a scripted referee. It forwards the bytes of each
// connection with a given delay and bandwidth, and cuts connections on request. Thread-safe, except
// for the destructor.
class Relay {
 public:
  // In each direction.
  struct Speed {
    absl::Duration delay = absl::ZeroDuration();
    double bytes_per_second = 1e9;
  };

  // Listens at "unix:path" or "host:port" of this machine. Connects each accepted connection to the
  // Unix socket `target_path`. Returns an error that names the address.
  static absl::StatusOr<std::unique_ptr<Relay>> Start(const std::string& address,
                                                      const std::string& target_path);
  ~Relay();

  // The address to dial, with the actual port.
  const std::string& address() const { return address_; }
  // Applies to bytes that arrive from now on.
  void SetSpeed(const Speed& speed);
  // Closes all connections at once. New ones are accepted.
  void Cut();
  // The process that opened the latest connection; 0 if unknown, as over TCP.
  pid_t peer() const;

 private:
  // Delayed bytes, and when to send the first of them.
  struct Chunk {
    Instant due;
    std::string bytes;
  };
  struct Way {
    int from = -1;
    int to = -1;
    Instant free;  // when the earlier bytes are sent
    std::deque<Chunk> waiting;
    bool ended = false;  // no more bytes come
  };
  // A connection of a bot, both directions.
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
  // The descriptors to poll: the wake-up, the listening socket, and four per connection. Reduces
  // `wait` to the time until bytes are due.
  std::vector<pollfd> Polled(absl::Duration* wait) const;
  void Serve(const std::vector<pollfd>& polled);
  void Wake() const;

  const std::string address_;
  const std::string target_path_;
  const int listen_fd_;
  const int wake_fd_;  // a write interrupts the poll, to cut connections
  const SystemClock clock_;
  mutable Mutex mutex_;
  Speed speed_ ABSL_GUARDED_BY(mutex_);
  bool stopped_ ABSL_GUARDED_BY(mutex_) = false;
  pid_t peer_ ABSL_GUARDED_BY(mutex_) = 0;
  std::list<Line> lines_;  // used by the loop's thread only
  std::thread loop_;
};

// Thread-compatible.
class TriedBot {
 public:
  // The bot's name in Welcome.
  static constexpr char kName[] = "tried";

  struct Options {
    std::string command;  // for /bin/sh; empty: the user starts the bot, at `listen`
    std::string listen;   // empty: a Unix socket in a private folder
    absl::Duration start_timeout = absl::Seconds(10);
  };

  // Listens, but does not start the bot. Returns the errors of TempDir, ScriptedReferee and Relay.
  static absl::StatusOr<std::unique_ptr<TriedBot>> Make(const Options& options);
  // Ends the process as a duel does: SIGTERM, and SIGKILL two seconds later.
  ~TriedBot();

  // The address and the token for the bot.
  const std::string& address() const { return relay_->address(); }
  static std::string Token();
  const Options& options() const { return options_; }
  // Whether this object starts the bot's process.
  bool started_here() const { return !options_.command.empty(); }

  // Restarts the process, ending the previous one. Does nothing if the user starts the bot.
  absl::Status Launch();
  // Kills the process, if it was started here, and drops the stream, so that a fresh bot follows.
  void Discard();
  // Waits up to `limit` for the bot's next stream, which replaces the current one. The stream has
  // had no Welcome. Null if the bot opens none.
  BotStream* Await(absl::Duration limit);
  BotStream* current() const { return stream_.get(); }
  // Receives Hello on the current stream and sends Welcome. Returns an error if the first item is
  // not Hello, or if the bot takes no matches.
  absl::Status Greet();
  // An open stream after Welcome, without unread items: the current one, or a new one, for which
  // the process is started again if necessary. Returns why there is none.
  absl::StatusOr<BotStream*> Stream();
  // Ends the stream with `status`, then returns the result of Stream for the next one.
  absl::StatusOr<BotStream*> Reconnect(const absl::Status& status);

  const v1::Hello& hello() const { return hello_; }
  // The numbers of matches and of parallel turns in the bot's Hello.
  int max_matches() const;
  int parallel_turns() const;

  Relay& relay() { return *relay_; }
  launch::BotProcess* process() { return process_.get(); }  // null unless started here
  // Waits up to `limit` for the end of the process. Returns how it ended; empty if it still runs or
  // was not started here.
  std::string AwaitExit(absl::Duration limit);
  // A suffix for messages: "; the end of its log:" and its last lines; empty if the log is empty.
  std::string LogEnd() const;

 private:
  TriedBot(Options options, launch::TempDir folder);

  const Options options_;
  const launch::TempDir folder_;
  std::shared_ptr<launch::BotOutput> output_;
  std::unique_ptr<ScriptedReferee> referee_;
  std::unique_ptr<Relay> relay_;
  std::unique_ptr<launch::BotProcess> process_;
  std::shared_ptr<BotStream> stream_;
  bool greeted_ = false;
  v1::Hello hello_;
};

}  // namespace referee::conformance

#endif  // REFEREE_CONFORMANCE_TRIED_BOT_H_
