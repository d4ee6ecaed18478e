// refgate --export: writes the competitions of a referee as static pages.
#ifndef REFEREE_GATE_EXPORT_H_
#define REFEREE_GATE_EXPORT_H_

#include <string>

#include "absl/status/statusor.h"
#include "referee/client/flags.h"

namespace referee::gate {

struct ExportFlags {
  std::string folder;  // empty: refgate serves the pages
  std::string title;
  std::string replays = "100";  // a number, or "all"
  bool json = false;
};

// Reads all competitions as an observer and writes the pages that differ. Continues after a replay
// that cannot be shown, and fails at the end. Returns the exit status of the program: 1 if the
// referee refuses the request, otherwise 0.
absl::StatusOr<int> Export(const ExportFlags& flags, const client::ClientFlags& client);

}  // namespace referee::gate

#endif  // REFEREE_GATE_EXPORT_H_
