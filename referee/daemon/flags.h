// The flags of refereed, read from its command line and its config file.
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
  node::NodeOptions node;  // the options of the referee itself
  std::string tls_cert;
  std::string tls_key;
  std::string tls_client_ca;
  std::string peer_tls_ca;
  // For connections and calls together, in bytes; see limits::kMemoryLimit.
  size_t memory_limit = limits::kMemoryLimit;
  absl::Duration drain_timeout = absl::Seconds(30);
  log::LogWriter::Options log;
  bool check = false;   // only report what a start would do (--check)
  bool json = false;    // report as JSON
  std::string metrics;  // the address that serves metrics; empty: none
};

// Parses the command line. Returns true if the program is to continue. Otherwise prints the help,
// the version or an error, sets `exit_status`, and returns false. With --parse-only it prints
// nothing and returns false.
bool ReadFlags(int argc, char** argv, Flags* flags, int* exit_status);

}  // namespace referee::daemon

#endif  // REFEREE_DAEMON_FLAGS_H_
