// refctl replay export: matches as text or JSON, for people and programs.
#ifndef REFEREE_CTL_REPLAY_EXPORT_H_
#define REFEREE_CTL_REPLAY_EXPORT_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "referee/ctl/replay/export_file.h"
#include "referee/ctl/replay/source.h"
#include "referee/ctl/terminal/output.h"

namespace referee::ctl {

struct ReplayExportFlags {
  std::vector<std::string> replays;
  SourceFlags source;
  std::string format = "text";  // or "json", "jsonl"
  OutputFlags output;
  bool positions = false;
};

// Writes one match after another. A replay that cannot be read does not keep the others from being
// written: what is wrong is said at the end, and the result is Exit::kUsage.
absl::StatusOr<Exit> ExportReplays(const ReplayExportFlags& flags, const Output& output);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_REPLAY_EXPORT_H_
