// The commands of 'refctl archive' that have files of their own.
#ifndef REFEREE_CTL_ARCHIVE_COMMANDS_H_
#define REFEREE_CTL_ARCHIVE_COMMANDS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "CLI/App.hpp"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "referee/ctl/command.h"
#include "referee/replay/archive_query.h"

namespace referee::ctl {

void AddArchiveAudit(CLI::App* archive, Chosen* chosen);
void AddArchiveExport(CLI::App* archive, Chosen* chosen);
void AddArchiveGet(CLI::App* archive, Chosen* chosen);
void AddArchiveList(CLI::App* archive, Chosen* chosen);
void AddArchiveStats(CLI::App* archive, Chosen* chosen);

// Returns NotFound that names the flag unless there are replays of a referee in the directory.
absl::Status CheckArchiveIn(const std::string& data_dir);
// Looks what there is of the archive. Says on stderr which replays of the directory are left out.
absl::StatusOr<replay::WholeIndex> LookIntoArchive(const std::string& data_dir,
                                                   const Output& output);
// What to end with after an answer about `found` replays: kUsage if not all could be read;
// kNegative if there are none, and says on stderr that no replay is as the filter says, or which of
// its names is in none.
absl::StatusOr<Exit> ExitOf(const replay::WholeIndex& whole, const replay::ReplayFilter& filter,
                            size_t found, const Output& output);
// Says on stderr what of an archive could not be read; returns kUsage if anything could not.
Exit ReportProblems(const std::vector<absl::Status>& problems, const Output& output);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_ARCHIVE_COMMANDS_H_
