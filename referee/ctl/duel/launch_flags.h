// The flags for running the bots of a duel: --isolate, --readable, --bot-memory, --cpus,
// --any-process.
#ifndef REFEREE_CTL_DUEL_LAUNCH_FLAGS_H_
#define REFEREE_CTL_DUEL_LAUNCH_FLAGS_H_

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "referee/ctl/command.h"
#include "referee/ctl/duel/duel.h"
#include "referee/launch/isolation.h"

namespace referee::ctl {

// The values of the flags.
struct LaunchFlags {
  Launching launching;  // the fields that are copied from flags
  std::string cpus;
  const CLI::Option* memory_given = nullptr;
  const CLI::Option* cpus_given = nullptr;
};

// Adds the flags. `flags` must outlive the parsing.
void AddLaunchFlags(CLI::App* command, LaunchFlags* flags);

// Returns InvalidArgument that names the flag, or NotFound for a path that does not exist.
absl::StatusOr<Launching> ReadLaunching(const LaunchFlags& flags, size_t bots);

// Parses the CPUs of each bot, in order, from a text such as "0,1", "0-1,2-3" or "0+2,1+3".
// `usable` are the CPUs that this program may use. Returns InvalidArgument if there are fewer sets
// than bots, or if a CPU is not usable or is repeated.
absl::StatusOr<std::vector<std::vector<int>>> ParseCpus(const std::string& text, size_t bots,
                                                        const std::set<int>& usable);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_DUEL_LAUNCH_FLAGS_H_
