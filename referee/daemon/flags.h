// The flags of refereed, from its command line and its config file.
#ifndef REFEREE_DAEMON_FLAGS_H_
#define REFEREE_DAEMON_FLAGS_H_

#include <cstddef>
#include <string>

#include "absl/time/time.h"
#include "referee/base/limits.h"
#include "referee/log/log_writer.h"
#include "referee/node/node.h"

namespace referee::daemon {

struct Flags {
  node::NodeOptions node;  // what flags say of the referee itself
  std::string tls_cert;
  std::string tls_key;
  std::string tls_client_ca;
  std::string peer_tls_ca;
  // Of connections and calls together, in bytes: see limits::kMemoryLimit.
  size_t memory_limit = limits::kMemoryLimit;
  absl::Duration drain_timeout = absl::Seconds(30);
  log::LogWriter::Options log;
  bool check = false;   // only tell what a start would do
  bool json = false;    // as JSON
  std::string metrics;  // where they are served; empty: nowhere
};

// Reads the command line. Returns true to go on; false when the program must end with
// `exit_status`; the help, the version or the error is printed then, or nothing was asked for but
// to read it (--parse-only).
bool ReadFlags(int argc, char** argv, Flags* flags, int* exit_status);

}  // namespace referee::daemon

#endif  // REFEREE_DAEMON_FLAGS_H_
