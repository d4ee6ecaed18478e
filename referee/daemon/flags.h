// The flags of refereed, from its command line and its config file.
#ifndef REFEREE_DAEMON_FLAGS_H_
#define REFEREE_DAEMON_FLAGS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "referee/base/endpoint.h"
#include "referee/base/limits.h"
#include "referee/daemon/fault_point.h"
#include "referee/log/log_writer.h"
#include "referee/replay/durability.h"
#include "referee/replay/log_memory.h"
#include "referee/replay/retention.h"
#include "referee/service/access/access.h"
#include "referee/service/access/call_admission.h"
#include "referee/service/play/admission.h"

namespace referee::daemon {

struct Flags {
  std::string listen = "127.0.0.1:7450";
  std::string data_dir;
  std::string tls_cert;
  std::string tls_key;
  std::string tls_client_ca;
  service::Readers readers = service::Readers::kEverybody;
  bool insecure = false;
  size_t max_connections = 0;              // 0: as many as the limit on descriptors allows
  size_t max_connections_per_address = 0;  // 0: a share of all
  std::vector<IpRange> trusted_proxies;
  int max_running = 4096;
  // Of connections and calls together, in bytes: see limits::kMemoryLimit.
  size_t memory_limit = limits::kMemoryLimit;
  service::CallLimits call_limits;
  service::StreamLimits stream_limits;
  absl::Duration drain_timeout = absl::Seconds(30);
  absl::Duration resume_timeout = absl::Minutes(1);
  absl::Duration max_stall = absl::Milliseconds(50);
  replay::Durability durability = replay::Durability::kNone;
  std::string log_memory = replay::kSharedMemory;
  uint64_t min_free = uint64_t{1} << 30;
  replay::Retention retention;
  std::string shelf;      // empty: there is none
  std::string store;      // the URL of its database; empty: it is in data_dir
  std::string advertise;  // where bots dial it; empty: as `listen` says
  absl::Duration lease = limits::kBlockLease;
  bool set_aside_unknown = false;
  log::LogWriter::Options log;
  bool check = false;      // only tell what a start would do
  bool json = false;       // as JSON
  std::string metrics;     // where they are served; empty: nowhere
  FaultPoint fault_point;  // for tests
};

// Reads the command line. Returns true to go on; false when the program must end with
// `exit_status`; the help, the version or the error is printed then, or nothing was asked for but
// to read it (--parse-only).
bool ReadFlags(int argc, char** argv, Flags* flags, int* exit_status);

}  // namespace referee::daemon

#endif  // REFEREE_DAEMON_FLAGS_H_
