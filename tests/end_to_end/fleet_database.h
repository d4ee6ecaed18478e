// Runs a PostgreSQL primary with a synchronous standby, for tests of a fleet.
//
// A test can restart the primary, or kill it and promote the standby; both have all that was
// committed. The databases are in a temporary folder, listen on Unix sockets there and on the
// addresses of a network, and do not wait for the disk.
#ifndef REFEREE_TESTS_END_TO_END_FLEET_DATABASE_H_
#define REFEREE_TESTS_END_TO_END_FLEET_DATABASE_H_

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tests/end_to_end/fleet_network.h"

namespace referee::end_to_end {

// For one thread at a time. All calls but url() and the destructor return what PostgreSQL's
// programs said, when they failed.
class FleetDatabase {
 public:
  // Returns NotFound where PostgreSQL is not installed. `network` may be null, and must outlive it.
  static absl::StatusOr<std::unique_ptr<FleetDatabase>> Start(const FleetNetwork* network);
  // Kills both servers, and removes the folder.
  ~FleetDatabase();
  FleetDatabase(const FleetDatabase&) = delete;
  FleetDatabase& operator=(const FleetDatabase&) = delete;

  // Names both servers; clients find the one that takes writes.
  std::string url() const;
  // The same for a referee in its namespace. REQUIRES: there is a network.
  std::string UrlFor(int referee) const;

  // Ends the primary's sessions, stops it in order, and starts it again.
  absl::Status Restart();
  // Kills the primary with SIGKILL, and promotes the standby. There is no standby from then on.
  absl::Status FailOver();
  // Makes a new standby from a copy of the primary. Returns when it takes part in each commit.
  absl::Status AddStandby();

 private:
  explicit FleetDatabase(const FleetNetwork* network) : network_(network) {}

  absl::Status MakePrimary();
  absl::Status StartServer(int server);
  void KillServer(int server);
  // Runs one of PostgreSQL's programs to its end, as the user that it is to run as.
  absl::Status Run(std::vector<std::string> command) const;
  pid_t Spawn(std::vector<std::string> command) const;
  // Sockets are in the folder of a server, its data below.
  std::string Folder(int server) const;
  std::string Data(int server) const { return Folder(server) + "/data"; }

  const FleetNetwork* const network_;
  std::string programs_;
  std::string folder_;
  pid_t servers_[2] = {0, 0};  // 0: it does not run
  int primary_ = 0;
};

}  // namespace referee::end_to_end

#endif  // REFEREE_TESTS_END_TO_END_FLEET_DATABASE_H_
