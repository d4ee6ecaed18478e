// Isolates a bot from the machine and from other bots, with bubblewrap (bwrap(1)).
//
// The bot runs in its own namespaces for processes, network and mounts, with resource limits. It
// sees read-only the system, its own folder and the language runtimes that it needs. It has empty
// folders of its own for /tmp and the home folder, its own processes, and one socket. README.md
// describes the remaining risks.
#ifndef REFEREE_LAUNCH_ISOLATION_H_
#define REFEREE_LAUNCH_ISOLATION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "referee/launch/visible_paths.h"

namespace referee::launch {

// Immutable.
class Isolation {
 public:
  struct Options {
    std::string command;  // of the bot
    std::string socket;   // the path of the socket that the bot dials
    // Further readable files and folders, as absolute paths.
    std::vector<std::string> readable;
    // Files and folders that the bot may not read, even inside a readable folder.
    std::vector<std::string> hidden;
    // The limit on private memory of each process (RLIMIT_DATA). Shared memory is not limited.
    // RLIMIT_AS would count it, but it stops programs that reserve address space (Node, Go, Java).
    uint64_t memory_bytes = kDefaultMemory;
  };
  static constexpr uint64_t kDefaultMemory = uint64_t{2} << 30;
  // Processes and threads per bot.
  static constexpr int kMaxProcesses = 512;
  // The size of each writable folder; these folders are in memory.
  static constexpr uint64_t kScratchBytes = uint64_t{64} << 20;

  // Returns NotFound that says what to install if bwrap is not in PATH.
  static absl::StatusOr<Isolation> Make(const Options& options, const Surroundings& where);

  // The command line that runs `arguments` in isolation.
  std::vector<std::string> Wrap(std::vector<std::string> arguments) const;
  // The variables of `environment`, as NAME=value, that the bot gets.
  std::vector<std::string> Filter(const std::vector<std::string>& environment) const;

 private:
  Isolation() = default;

  std::vector<std::string> wrapper_;  // the command line of bwrap, up to the bot's arguments
};

}  // namespace referee::launch

#endif  // REFEREE_LAUNCH_ISOLATION_H_
