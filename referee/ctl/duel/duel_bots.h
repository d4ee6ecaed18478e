// The bots of a duel: their processes and output, and which process may act as which bot.
#ifndef REFEREE_CTL_DUEL_DUEL_BOTS_H_
#define REFEREE_CTL_DUEL_DUEL_BOTS_H_

#include <sys/socket.h>

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "referee/base/mutex.h"
#include "referee/ctl/duel/duel.h"
#include "referee/launch/bot_output.h"
#include "referee/launch/bot_process.h"

namespace referee::ctl {

// A random token.
std::string NewToken();
// The end of a bot's output, as lines to follow a message; `log` may be empty.
std::string LogEnd(absl::string_view log);

// CheckPeer is thread-safe; use the rest from one thread.
class DuelBots {
 public:
  struct Options {
    const DuelPlan* plan = nullptr;  // must outlive this object
    std::string folder;              // private to the duel; has the sockets
    std::string logs;                // the folder for the bots' output
    std::function<void()> on_exit;   // as in BotProcess::Options
  };
  explicit DuelBots(Options options);

  const std::string& token(size_t bot) const { return tokens_[bot]; }

  // Starts a bot, or restarts it after its end. Returns an error that names the bot.
  absl::Status Start(size_t bot, const std::string& address);
  // How the bot ended; unset while it runs, and before its first start.
  absl::optional<std::string> EndingOf(size_t bot) const;
  // The end of the bot's output: for people, or as `lines` lines of plain text.
  std::string Tail(size_t bot) const;
  std::vector<std::string> LastLines(size_t bot, int lines) const;
  // Sends SIGTERM to all bots, and kills those that still run two seconds later.
  void Stop();

  // Whether a process may use the socket of a bot. Descendants of the bot's command may. Processes
  // of root may too, unless this program runs as root. Returns PermissionDenied that describes the
  // process.
  absl::Status CheckPeer(size_t bot, const ucred& process);
  // The refusals of CheckPeer, one line for each kind.
  std::vector<std::string> Refusals() const;

 private:
  // Checks that the bot's isolation works on this machine.
  absl::Status TryIsolation(const launch::Isolation& isolation) const;
  absl::StatusOr<launch::Isolation> IsolationOf(size_t bot, const std::string& address) const;
  absl::Status Refuse(size_t bot, const ucred& process) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Options options_;
  const DuelPlan& plan_;
  std::vector<std::string> tokens_;  // by bot, like the next members
  std::vector<absl::optional<launch::Isolation>> isolations_;
  std::vector<std::shared_ptr<launch::BotOutput>> outputs_;
  // Held while a bot is started, so that CheckPeer sees its process at its first connection.
  mutable Mutex mutex_;
  std::vector<std::unique_ptr<launch::BotProcess>> processes_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, int> refusals_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace referee::ctl

#endif  // REFEREE_CTL_DUEL_DUEL_BOTS_H_
