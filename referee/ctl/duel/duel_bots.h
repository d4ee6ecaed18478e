// The bots of a duel: their processes, what they print, and which process may speak for which bot.
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

// A token that nobody can guess.
std::string NewToken();
// The end of what a bot wrote, as lines to be shown after a message; `log` may be empty.
std::string LogEnd(absl::string_view log);

// CheckPeer is thread-safe; the rest is for one thread.
class DuelBots {
 public:
  struct Options {
    const DuelPlan* plan = nullptr;  // outlives this
    std::string folder;              // the duel's own, with the sockets
    std::string logs;                // a folder for what the bots print
    std::function<void()> on_exit;   // as in BotProcess::Options
  };
  explicit DuelBots(Options options);

  const std::string& token(size_t bot) const { return tokens_[bot]; }

  // Starts a bot, or starts it again after its end. Returns an error that names the bot.
  absl::Status Start(size_t bot, const std::string& address);
  // How the bot has ended; none while it runs, or before it was started.
  absl::optional<std::string> EndingOf(size_t bot) const;
  // The end of what it wrote: for people, or as so many lines of plain text.
  std::string Tail(size_t bot) const;
  std::vector<std::string> LastLines(size_t bot, int lines) const;
  // Asks all bots to end, and kills those that have not within two seconds.
  void Stop();

  // Whether a process may use the socket of a bot: one that the bot's command has started, or one
  // of root where this program is not. Returns PermissionDenied that says what the process is.
  absl::Status CheckPeer(size_t bot, const ucred& process);
  // What CheckPeer refused, a line for each kind.
  std::vector<std::string> Refusals() const;

 private:
  // Makes sure that the bot's isolation works on this machine.
  absl::Status TryIsolation(const launch::Isolation& isolation) const;
  absl::StatusOr<launch::Isolation> IsolationOf(size_t bot, const std::string& address) const;
  absl::Status Refuse(size_t bot, const ucred& process) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Options options_;
  const DuelPlan& plan_;
  std::vector<std::string> tokens_;  // by bot, as are the next
  std::vector<absl::optional<launch::Isolation>> isolations_;
  std::vector<std::shared_ptr<launch::BotOutput>> outputs_;
  // Held while a bot is started, so that its first connection finds it here.
  mutable Mutex mutex_;
  std::vector<std::unique_ptr<launch::BotProcess>> processes_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, int> refusals_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace referee::ctl

#endif  // REFEREE_CTL_DUEL_DUEL_BOTS_H_
