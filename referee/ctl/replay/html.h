// refctl replay html: matches as one page for a browser.
#ifndef REFEREE_CTL_REPLAY_HTML_H_
#define REFEREE_CTL_REPLAY_HTML_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "referee/ctl/command.h"
#include "referee/ctl/replay/export_file.h"
#include "referee/ctl/replay/source.h"

namespace referee::ctl {

struct ReplayHtmlFlags {
  std::vector<std::string> replays;
  SourceFlags source;
  OutputFlags output;
  bool json = false;
};

// Goes on after a replay that it cannot read, and says at the end which those were; fails if it can
// read none, and then leaves the file as it was.
absl::StatusOr<Exit> WriteReplayHtml(const ReplayHtmlFlags& flags, const Output& output);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_REPLAY_HTML_H_
