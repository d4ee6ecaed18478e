// A PostgreSQL server of a test program's own: in a temporary folder, on a Unix socket there, and
// without any waiting for the disk. It is started when it is first asked for, serves all tests of
// the program, and is gone with its folder once the program has ended, however that ended.
#ifndef REFEREE_TESTS_SUPPORT_POSTGRES_CLUSTER_H_
#define REFEREE_TESTS_SUPPORT_POSTGRES_CLUSTER_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace referee::testing {

class PostgresCluster {
 public:
  // Starts one. Returns NotFound where PostgreSQL is not installed; Internal, with what the server
  // said, where it did not start.
  static absl::StatusOr<std::unique_ptr<PostgresCluster>> Start();
  // The one that all tests of this program share, which the first call starts. Returns as Start.
  // Thread-safe.
  static absl::StatusOr<const PostgresCluster*> Get();

  // The folder of PostgreSQL's programs, of the newest version. Returns NotFound as Start.
  static absl::StatusOr<std::string> Programs();

  // Waits until server and folder are gone.
  ~PostgresCluster();
  PostgresCluster(const PostgresCluster&) = delete;
  PostgresCluster& operator=(const PostgresCluster&) = delete;

  // How a superuser connects to its database "postgres".
  std::string conninfo() const;
  // The same as a URL, of this database.
  std::string url(absl::string_view database) const;
  // The folder of the socket.
  const std::string& folder() const { return folder_; }

 private:
  PostgresCluster() = default;
  // Starts its keeper, and waits for what that says.
  absl::Status StartKeeper(absl::string_view programs);

  std::string folder_;
  int alive_ = -1;   // the server goes when this is closed
  int report_ = -1;  // what its keeper says
};

}  // namespace referee::testing

#endif  // REFEREE_TESTS_SUPPORT_POSTGRES_CLUSTER_H_
