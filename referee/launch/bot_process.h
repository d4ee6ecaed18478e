// A bot's process, with all processes that it starts. All of them are killed when this is
// destroyed, or when the program that started it dies, by whatever signal.
//
// A guard sees to that: a small process that starts the bot and adopts what it leaves behind. All
// processes of a bot descend from its guard as long as that lives, also those that have moved to
// other groups or sessions, or have lost their parents.
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

// What a bot finds its referee by, in plain text whatever other referees want: names and values.
std::vector<std::pair<std::string, std::string>> BotEnvironment(const std::string& address,
                                                                const std::string& token);

enum class GuardRequest : char;

// Thread-safe, but for the destructor.
class BotProcess {
 public:
  struct Options {
    std::string command;  // for /bin/sh
    // Added to the environment, in place of what has the same name there.
    std::vector<std::pair<std::string, std::string>> environment;
    // Where it may run; empty: anywhere.
    std::vector<int> cpus;
    // What it sees of this machine; none: all that this program sees.
    absl::optional<Isolation> isolation;
    // Where its stdout and stderr go; may be shared with processes before and after it.
    std::shared_ptr<BotOutput> output;
    // Called once, on a thread of its own, when the process has ended by itself or was ended. Must
    // not call back into the process. May be null.
    std::function<void()> on_exit;
  };

  // Starts the bot. Returns an error that says why no process could be made. A bad command is no
  // error here: /bin/sh writes it to the output and exits. From here on this program cannot be
  // looked into by other processes of the same user, such as the bot. REQUIRES: an output.
  static absl::StatusOr<std::unique_ptr<BotProcess>> Start(const Options& options);

  // Kills the bot and all that it has started.
  ~BotProcess();
  BotProcess(const BotProcess&) = delete;
  BotProcess& operator=(const BotProcess&) = delete;

  // Of the bot itself, and of its process group.
  pid_t pid() const { return pid_; }

  // Whether `process` is the bot, or was started by it, directly or through others.
  bool Owns(pid_t process) const;

  // How it ended, such as "exited with status 3" or "was killed by signal 11 (Segmentation fault)";
  // none while it runs.
  absl::optional<std::string> ending() const { return AwaitEnding(absl::ZeroDuration()); }
  // The same, waited for, `limit` at most.
  absl::optional<std::string> AwaitEnding(absl::Duration limit) const;

  // Asks the whole group to end (SIGTERM).
  void Terminate();
  // Waits until the bot has ended, for `limit` at most, and then kills all that is left.
  void KillAfter(absl::Duration limit);

  // The last `lines` lines of what the bot wrote, each indented and fit to be shown; empty if it
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

// The last `lines` lines of an untrusted text, with what plain text excludes escaped, and long
// lines cut.
std::vector<std::string> LastLines(absl::string_view text, int lines);
// Such lines for people, each indented by "  | ".
std::string ShownLines(const std::vector<std::string>& lines);

}  // namespace referee::launch

#endif  // REFEREE_LAUNCH_BOT_PROCESS_H_
