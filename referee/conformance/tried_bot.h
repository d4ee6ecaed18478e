// A bot that is tried by a script: its process, if it is started here, the scripted referee that it
// dials, through a relay, and the stream that it has open.
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

// A bad network between a bot and a scripted referee: passes on the bytes of connections to another
// address, as slowly as it is told to, and cuts them when it is told to. Thread-safe, but for the
// destructor.
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

// Thread-compatible.
class TriedBot {
 public:
  // The name that Welcome gives it.
  static constexpr char kName[] = "tried";

  struct Options {
    std::string command;  // for /bin/sh; empty: somebody else starts the bot, at `listen`
    std::string listen;   // empty: a unix socket in a folder of its own
    absl::Duration start_timeout = absl::Seconds(10);
  };

  // Listens; starts no bot yet. Returns the errors of TempDir, ScriptedReferee and Relay.
  static absl::StatusOr<std::unique_ptr<TriedBot>> Make(const Options& options);
  // Ends the process as a duel does: SIGTERM, and SIGKILL two seconds later.
  ~TriedBot();

  // What the bot dials, and the token that it is given.
  const std::string& address() const { return relay_->address(); }
  static std::string Token();
  const Options& options() const { return options_; }
  // Whether its process is ours.
  bool started_here() const { return !options_.command.empty(); }

  // Starts the process anew, after the end of the one before. Nothing, if it is not ours.
  absl::Status Launch();
  // Kills the process, if it is ours, and forgets the stream: what comes next is a bot anew.
  void Discard();
  // The next stream that it opens, not greeted, in the place of the one before, which is gone then;
  // null if it opens none within `limit`.
  BotStream* Await(absl::Duration limit);
  BotStream* current() const { return stream_.get(); }
  // Hears Hello on that stream, and says Welcome. Returns why there was no Hello first, or that the
  // bot takes no matches.
  absl::Status Greet();
  // An open stream that was greeted, and on which nothing waits to be heard: the one there is, or
  // one that it opens now, if need be as a new process. Returns why there is none.
  absl::StatusOr<BotStream*> Stream();
  // Ends the stream with `status`, and has Stream's answer of the next that the bot opens.
  absl::StatusOr<BotStream*> Reconnect(const absl::Status& status);

  const v1::Hello& hello() const { return hello_; }
  // How many matches it plays, and thinks about, at once.
  int max_matches() const;
  int parallel_turns() const;

  Relay& relay() { return *relay_; }
  launch::BotProcess* process() { return process_.get(); }  // null unless the check started it
  // Waits until the process has ended; returns how it has, empty if it runs still after `limit`.
  std::string AwaitExit(absl::Duration limit);
  // For the end of a message: "; the end of its log:" and its last lines; empty if it wrote
  // nothing.
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
