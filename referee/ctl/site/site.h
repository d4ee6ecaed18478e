// refctl site: the competitions of a referee as pages for any web server, or none.
#ifndef REFEREE_CTL_SITE_SITE_H_
#define REFEREE_CTL_SITE_SITE_H_

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"
#include "referee/ctl/client_flags.h"
#include "referee/ctl/terminal/output.h"

namespace referee::ctl {

struct SiteFlags {
  ClientFlags client;
  std::string folder;
  std::string title;
  std::string replays = "100";  // a number, or "all"
  bool json = false;
};

// Fetches all competitions and writes what differs. Goes on after a replay that cannot be shown,
// and fails at the end.
absl::StatusOr<Exit> WriteSite(const SiteFlags& flags, const Output& output);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_SITE_SITE_H_
