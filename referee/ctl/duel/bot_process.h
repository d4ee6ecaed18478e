// A bot's process, with all processes that it starts, in a process group of its own. The group is
// killed when this is destroyed, or when the program that started it dies, by whatever signal: a
// small process of its own, the guard, waits for that.
#ifndef REFEREE_CTL_DUEL_BOT_PROCESS_H_
#define REFEREE_CTL_DUEL_BOT_PROCESS_H_

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
#include "referee/ctl/duel/bot_output.h"

namespace referee::ctl {

// Thread-safe, but for the destructor.
class BotProcess {
 public:
  struct Options {
    std::string command;  // for /bin/sh
    // Added to the environment, in place of what has the same name there.
    std::vector<std::pair<std::string, std::string>> environment;
    // Where its stdout and stderr go; may be shared with processes before and after it.
    std::shared_ptr<BotOutput> output;
    // Called once, on a thread of its own, when the process has ended by itself or was ended. Must
    // not call back into the process. May be null.
    std::function<void()> on_exit;
  };

  // Starts the bot. The thread that calls this must outlive the bot: the system kills the bot when
  // that thread ends. Returns an error that says why no process could be made. A bad command is no
  // error here: /bin/sh writes it to the output and exits. REQUIRES: an output.
  static absl::StatusOr<std::unique_ptr<BotProcess>> Start(const Options& options);

  // Kills what is left of the process group.
  ~BotProcess();
  BotProcess(const BotProcess&) = delete;
  BotProcess& operator=(const BotProcess&) = delete;

  pid_t pid() const { return pid_; }

  // How it ended, such as "exited with status 3" or "was killed by signal 11 (Segmentation fault)";
  // none while it runs.
  absl::optional<std::string> ending() const;

  // Asks the whole group to end (SIGTERM).
  void Terminate();
  // Waits until the bot has ended, for `limit` at most, and then kills the whole group.
  void KillAfter(absl::Duration limit);

  // The last `lines` lines of what the bot wrote, each indented and fit to be shown; empty if it
  // wrote nothing.
  std::string LogTail(int lines) const;

 private:
  // What kills the group when this program is gone: it reads a pipe that the bot tells its number,
  // before it is a bot, and that only this program has open after that.
  struct Guard {
    pid_t pid;
    int pipe_fd;
  };

  BotProcess(pid_t pid, Guard guard, std::shared_ptr<BotOutput> output,
             std::function<void()> on_exit);

  void AwaitExit(const std::function<void()>& on_exit);

  const pid_t pid_;  // of the process group, too; a zombie at least as long as this lives
  const Guard guard_;
  const std::shared_ptr<BotOutput> output_;
  mutable Mutex mutex_;
  CondVar ended_;
  absl::optional<std::string> ending_ ABSL_GUARDED_BY(mutex_);
  std::thread waiter_;
};

// The last `lines` lines of an untrusted text, each indented by "  | ", with what a terminal would
// obey escaped and long lines cut.
std::string ShownTail(absl::string_view text, int lines);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_DUEL_BOT_PROCESS_H_
