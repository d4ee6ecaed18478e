// Runs a bot's process and kills it, with all its descendants, on destruction.
//
// The same happens when the program dies, by whatever signal. A guard ensures this: a small process
// that starts the bot and adopts orphans. While the guard lives, all processes of a bot descend
// from it, even those that changed their group or session or lost their parents.
#ifndef REFEREE_LAUNCH_BOT_PROCESS_H_
#define REFEREE_LAUNCH_BOT_PROCESS_H_

#include <sys/types.h>

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/mutex.h"
#include "referee/launch/bot_output.h"
#include "referee/launch/isolation.h"

namespace referee::launch {

// The environment variables by which a bot finds its referee, as names and values. The connection
// is in plain text, whatever variables for other referees say.
std::vector<std::pair<std::string, std::string>> BotEnvironment(const std::string& address,
                                                                const std::string& token);

enum class GuardRequest : char;

// Thread-safe, except for the destructor.
class BotProcess {
 public:
  struct Options {
    std::string command;  // for /bin/sh
    // Added to the environment; replaces variables of the same names.
    std::vector<std::pair<std::string, std::string>> environment;
    // The CPUs that the bot may use; empty: all.
    std::vector<int> cpus;
    // The bot's view of this machine; unset: that of this program.
    absl::optional<Isolation> isolation;
    // Receives stdout and stderr; may be shared with earlier and later processes.
    std::shared_ptr<BotOutput> output;
    // Called once, on a thread of its own, when the process has ended, by itself or by a kill. Must
    // not call back into the process. May be null.
    std::function<void()> on_exit;
  };

  // Starts the bot. Returns an error that says why no process could be made, or that of
  // CheckScript. A command that the shell cannot run is no error here: /bin/sh writes the problem
  // to the output and exits. From then on, other processes of the same user, such as the bot,
  // cannot inspect this program. REQUIRES: options.output is set.
  static absl::StatusOr<std::unique_ptr<BotProcess>> Start(const Options& options);

  // Kills the bot and all its descendants.
  ~BotProcess();
  BotProcess(const BotProcess&) = delete;
  BotProcess& operator=(const BotProcess&) = delete;

  // The id of the bot's process, and of its process group.
  pid_t pid() const { return pid_; }

  // Whether `process` is the bot or one of its descendants.
  bool Owns(pid_t process) const;

  // How the bot ended, such as "exited with status 3" or "was killed by signal 11 (Segmentation
  // fault)"; unset while it runs.
  absl::optional<std::string> ending() const { return AwaitEnding(absl::ZeroDuration()); }
  // Waits up to `limit` for the end of the bot; then returns ending().
  absl::optional<std::string> AwaitEnding(absl::Duration limit) const;

  // Sends SIGTERM to the bot's process group.
  void Terminate();
  // Waits up to `limit` for the end of the bot; then kills all remaining processes.
  void KillAfter(absl::Duration limit);

  // The last `lines` lines of the bot's output, indented and escaped for display; empty if the bot
  // wrote nothing.
  std::string LogTail(int lines) const;

 private:
  struct Guard {
    pid_t pid;
    int control_fd;
  };

  BotProcess(pid_t pid, Guard guard, const Options& options);

  void AwaitExit(const std::function<void()>& on_exit);
  void Ask(GuardRequest request) const;

  const pid_t pid_;
  const Guard guard_;
  const std::shared_ptr<BotOutput> output_;
  const bool isolated_;
  mutable Mutex mutex_;
  mutable CondVar ended_;
  absl::optional<std::string> ending_ ABSL_GUARDED_BY(mutex_);
  std::thread waiter_;
};

// The last `lines` lines of an untrusted text. Escapes everything that is not plain text, and cuts
// long lines.
std::vector<std::string> LastLines(absl::string_view text, int lines);
// Joins such lines for display, each with the prefix "  | ".
std::string ShownLines(const std::vector<std::string>& lines);

}  // namespace referee::launch

#endif  // REFEREE_LAUNCH_BOT_PROCESS_H_
