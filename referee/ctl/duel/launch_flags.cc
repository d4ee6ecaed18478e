#include "referee/ctl/duel/launch_flags.h"

#include <sched.h>

#include <filesystem>
#include <system_error>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "referee/base/command_line.h"
#include "referee/base/errors.h"

namespace referee::ctl {
namespace {

constexpr uint64_t kLeastMemory = uint64_t{64} << 20;
constexpr char kCpusExpected[] =
    "processors, one for each bot, such as 0,1; or sets of them, such as 0-1,2-3 or 0+2,1+3";

std::set<int> UsableCpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::set<int> usable;
  if (sched_getaffinity(0, sizeof(set), &set) != 0) return usable;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &set)) usable.insert(cpu);
  }
  return usable;
}

bool ReadCpu(absl::string_view text, int* cpu) {
  return absl::SimpleAtoi(text, cpu) && *cpu >= 0 && *cpu < CPU_SETSIZE;
}

// Parses "2", "0-1", "0+2" or "0-1+4". Returns an empty set for anything else.
std::vector<int> ReadCpuSet(absl::string_view text) {
  std::vector<int> cpus;
  for (const absl::string_view part : absl::StrSplit(text, '+')) {
    const std::vector<absl::string_view> ends = absl::StrSplit(part, absl::MaxSplits('-', 1));
    int first = 0;
    int last = 0;
    if (!ReadCpu(ends.front(), &first) || !ReadCpu(ends.back(), &last) || last < first) return {};
    for (int cpu = first; cpu <= last; ++cpu) cpus.push_back(cpu);
  }
  return cpus;
}

absl::Status OnlyWithIsolate(absl::string_view flag) {
  return absl::InvalidArgumentError(
      absl::StrCat(flag, ": is for isolated bots; add --isolate, or leave it out"));
}

absl::StatusOr<std::vector<std::string>> AbsolutePaths(const std::vector<std::string>& paths) {
  std::vector<std::string> absolute;
  for (const std::string& path : paths) {
    std::error_code error;
    const std::filesystem::path real = std::filesystem::canonical(path, error);
    if (error) return At("--readable", FileError("cannot find", path, error.value()));
    absolute.push_back(std::filesystem::absolute(path).lexically_normal().string());
    while (absolute.back().size() > 1 && absolute.back().back() == '/') absolute.back().pop_back();
    if (real.string() != absolute.back()) absolute.push_back(real.string());
  }
  return absolute;
}

}  // namespace

absl::StatusOr<std::vector<std::vector<int>>> ParseCpus(const std::string& text, size_t bots,
                                                        const std::set<int>& usable) {
  std::vector<std::vector<int>> sets;
  std::set<int> taken;
  for (const absl::string_view part : absl::StrSplit(text, ',')) {
    sets.push_back(ReadCpuSet(part));
    if (sets.back().empty()) return BadValue("--cpus", text, kCpusExpected);
    for (const int cpu : sets.back()) {
      if (usable.count(cpu) == 0)
        return absl::InvalidArgumentError(absl::StrCat(
            "--cpus: processor ", cpu,
            " is not one that this program may use; these are: ", absl::StrJoin(usable, ", ")));
      if (!taken.insert(cpu).second)
        return absl::InvalidArgumentError(absl::StrCat(
            "--cpus: processor ", cpu, " is there twice; give each bot processors of its own"));
    }
  }
  if (sets.size() < bots)
    return absl::InvalidArgumentError(absl::StrCat("--cpus: has processors for ", sets.size(),
                                                   " of ", bots,
                                                   " bots; give each bot processors of its own"));
  return sets;
}

absl::StatusOr<Launching> ReadLaunching(const LaunchFlags& flags, size_t bots) {
  Launching launching = flags.launching;
  if (!launching.isolate && !launching.readable.empty()) return OnlyWithIsolate("--readable");
  if (!launching.isolate && flags.memory_given->count() > 0) return OnlyWithIsolate("--bot-memory");
  absl::StatusOr<std::vector<std::string>> readable = AbsolutePaths(launching.readable);
  if (!readable.ok()) return readable.status();
  launching.readable = *std::move(readable);
  if (flags.cpus_given->count() == 0) return launching;
  absl::StatusOr<std::vector<std::vector<int>>> cpus = ParseCpus(flags.cpus, bots, UsableCpus());
  if (!cpus.ok()) return cpus.status();
  launching.cpus = *std::move(cpus);
  return launching;
}

void AddLaunchFlags(CLI::App* command, LaunchFlags* flags) {
  constexpr char kGroup[] = "Bots of strangers";
  command
      ->add_flag("--isolate", flags->launching.isolate,
                 "Runs each bot under bubblewrap: without the network, your files, or the other\n"
                 "bots; see sdk/README.md, 'Bots of strangers'")
      ->group(kGroup);
  AddOption(command, "--readable", "PATH", &flags->launching.readable,
            "With --isolate: a file or folder that the bots may read beside the system and\n"
            "their own folders; may be repeated")
      ->allow_extra_args(false)
      ->group(kGroup);
  flags->memory_given =
      AddOption(command, "--bot-memory", "SIZE", &flags->launching.memory_bytes,
                "With --isolate: the most private memory of each process of a bot, such as\n"
                "512MB; shared memory is not limited")
          ->transform(Size(kLeastMemory))
          ->default_str("2GB")
          ->group(kGroup);
  flags->cpus_given =
      AddOption(command, "--cpus", "SETS", &flags->cpus,
                "Runs each bot on processors of its own, in the order of the bots: 0,1 or\n"
                "0-1,2-3 or 0+2,1+3 (default: anywhere)")
          ->group(kGroup);
  command
      ->add_flag("--any-process", flags->launching.any_process,
                 "Takes a bot's token from any process, for bots that a service starts (docker)\n"
                 "or a debugger; else only from the processes that the bot's command started")
      ->group(kGroup);
}

}  // namespace referee::ctl
