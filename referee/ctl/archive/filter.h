// The flags that select replays of an archive.
#ifndef REFEREE_CTL_ARCHIVE_FILTER_H_
#define REFEREE_CTL_ARCHIVE_FILTER_H_

#include <cstdint>
#include <string>

#include "CLI/App.hpp"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "referee/replay/archive_query.h"

namespace referee::ctl {

struct FilterFlags {
  std::string bot;
  std::string opponent;
  std::string seat;
  std::string game;
  std::string competition;
  std::string store;  // the URL of the store with the competitions; empty: in the data directory
  std::string ending;
  std::string forfeit;
  absl::optional<uint64_t> min_turns;
  absl::optional<uint64_t> max_turns;
  std::string from;
  std::string until;
};

// `flags` must outlive the parsing.
void AddFilterFlags(CLI::App* command, FilterFlags* flags);

// Converts the flags to a filter; looks up a competition by its name in the store. Returns an error
// that names the flag.
absl::StatusOr<replay::ReplayFilter> ReadFilter(const FilterFlags& flags,
                                                const std::string& data_dir);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_ARCHIVE_FILTER_H_
