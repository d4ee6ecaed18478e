// refctl replay verify: plays matches again, and says of each, or of folders in sum, whether they
// are true.
#ifndef REFEREE_CTL_REPLAY_VERIFY_H_
#define REFEREE_CTL_REPLAY_VERIFY_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "referee/ctl/replay/source.h"
#include "referee/ctl/terminal/output.h"

namespace referee::ctl {

struct VerifyFlags {
  std::vector<std::string> replays;
  SourceFlags source;
  std::string key_file;  // empty: anybody's signature counts
  bool verbose = false;  // a line for each replay, also of those found in folders
  bool json = false;
};

// Verifies on all cores and prints in order. Goes on after what cannot be read. Returns
// Exit::kUsage if something could not be read, else kNegative if a replay is bad, else kInPart if
// one could be verified in part only.
absl::StatusOr<Exit> VerifyReplays(const VerifyFlags& flags, const Output& output);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_REPLAY_VERIFY_H_
