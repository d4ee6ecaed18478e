// Keeps a bot apart from the machine and from other bots, by bubblewrap (bwrap(1)): namespaces of
// its own for processes, network and mounts, and limits on what it takes.
//
// An isolated bot sees the system, its own folder and the languages that it needs, read-only; empty
// folders of its own for /tmp and the home folder; its own processes; and one socket. README.md
// says what that leaves to it.
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
    std::string socket;   // the path that it dials
    // What it may read beside that: absolute paths of files and folders.
    std::vector<std::string> readable;
    // What it may not read even where it is in a folder that the bot may read.
    std::vector<std::string> hidden;
    // The most private memory that one of its processes may have (RLIMIT_DATA). Shared memory is
    // not limited: RLIMIT_AS counts it, but stops programs that reserve addresses (Node, Go, Java).
    uint64_t memory_bytes = kDefaultMemory;
  };
  static constexpr uint64_t kDefaultMemory = uint64_t{2} << 30;
  // Processes and threads of one bot.
  static constexpr int kMaxProcesses = 512;
  // What it may write to each of its folders, which are in memory.
  static constexpr uint64_t kScratchBytes = uint64_t{64} << 20;

  // Returns NotFound that says what to install if bwrap is not in PATH.
  static absl::StatusOr<Isolation> Make(const Options& options, const Surroundings& where);

  // The arguments of a program that runs `arguments` in isolation.
  std::vector<std::string> Wrap(std::vector<std::string> arguments) const;
  // Of an environment, as NAME=value: what the bot gets.
  std::vector<std::string> Filter(const std::vector<std::string>& environment) const;

 private:
  Isolation() = default;

  std::vector<std::string> wrapper_;  // the program and its arguments, up to the bot's
};

}  // namespace referee::launch

#endif  // REFEREE_LAUNCH_ISOLATION_H_
