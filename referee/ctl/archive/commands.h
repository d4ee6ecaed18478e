// Declares the commands of 'refctl archive' that have their own files, and shared functions.
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

// Returns NotFound that names the flag if the directory has no replays of a referee.
absl::Status CheckArchiveIn(const std::string& data_dir);
// Opens the index of the archive for reading. Reports skipped replays on stderr.
absl::StatusOr<replay::WholeIndex> LookIntoArchive(const std::string& data_dir,
                                                   const Output& output);
// The exit status of an answer with `found` replays. kUsage: some could not be read. kNegative:
// none were found. In this case it reports on stderr that no replay matches the filter, or which
// name in the filter is unknown.
absl::StatusOr<Exit> ExitOf(const replay::WholeIndex& whole, const replay::ReplayFilter& filter,
                            size_t found, const Output& output);
// Reports on stderr the parts of an archive that could not be read. Returns kUsage if there are
// any, else kOk.
Exit ReportProblems(const std::vector<absl::Status>& problems, const Output& output);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_ARCHIVE_COMMANDS_H_
