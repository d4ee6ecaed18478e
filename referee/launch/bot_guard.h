// The guard of a bot: a small process that starts the bot and adopts what it leaves behind.
//
// It kills all of them on request, or when the program that started the guard has ended.
//
// All processes of a bot descend from its guard as long as the guard lives, also those that have
// moved to other groups or sessions, or have lost their parents.
#ifndef REFEREE_LAUNCH_BOT_GUARD_H_
#define REFEREE_LAUNCH_BOT_GUARD_H_

#include <sched.h>
#include <sys/types.h>

#include <vector>

#include "absl/types/optional.h"

namespace referee::launch {

// What a process needs to become the bot, made before it exists: between fork and exec only what is
// async-signal-safe may be called.
struct BotLaunch {
  int log_fd = -1;  // its stdout and stderr
  int null_fd = -1;
  std::vector<char*> arguments;  // the first is the path of the program; the last is null
  std::vector<char*> environment;
  absl::optional<cpu_set_t> cpus;  // where it may run; none: anywhere
  bool ignores_terminate = false;  // it ignores SIGTERM, until a program that it starts does not
};

// What the program asks of the guard, a byte each. The end of its socket is a request to kill.
enum class GuardRequest : char { kTerminate = 'T', kKill = 'K' };

// What the guard tells the program: first the number of the bot's process, which is that of its
// process group; and once it has ended, its status, as waitpid(2) has it.
struct GuardReport {
  enum class Kind { kStarted, kEnded } kind;
  int value;  // negative for a bot that could not be started: the errno
};

// Runs the guard in a process that was just forked, and ends it. `control_fd` is a socket of kind
// SOCK_SEQPACKET.
[[noreturn]] void RunGuard(const BotLaunch& launch, int control_fd);

}  // namespace referee::launch

#endif  // REFEREE_LAUNCH_BOT_GUARD_H_
