// A bot that is tried by a script: its process, if it is started here, the scripted referee that it
// dials, through a relay, and the stream that it has open. Thread-compatible.
#ifndef REFEREE_CONFORMANCE_TRIED_BOT_H_
#define REFEREE_CONFORMANCE_TRIED_BOT_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "referee/conformance/relay.h"
#include "referee/conformance/scripted_referee.h"
#include "referee/launch/bot_process.h"
#include "referee/launch/temp_dir.h"

namespace referee::conformance {

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
  // Waits until a bot that takes no matches for now says how many it takes.
  absl::Status AwaitCapacity();
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
