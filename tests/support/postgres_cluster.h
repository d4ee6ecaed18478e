// A private PostgreSQL server of a test program.
//
// It runs in a temporary folder, listens on a Unix socket there, and never waits for the disk. Get
// starts the server on first use for all tests of the program. The server and its folder disappear
// when the program ends, however it ends.
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
  // Starts a server. Returns NotFound if PostgreSQL is not installed; Internal, with the server's
  // output, if it does not start.
  static absl::StatusOr<std::unique_ptr<PostgresCluster>> Start();
  // The server that all tests of this program share. The first call starts it, with the errors of
  // Start. Thread-safe.
  static absl::StatusOr<const PostgresCluster*> Get();

  // The folder of PostgreSQL's programs, of the newest version. Returns NotFound if there is none.
  static absl::StatusOr<std::string> Programs();

  // Waits until the server and its folder are gone.
  ~PostgresCluster();
  PostgresCluster(const PostgresCluster&) = delete;
  PostgresCluster& operator=(const PostgresCluster&) = delete;

  // The connection string of a superuser for the database "postgres".
  std::string conninfo() const;
  // The connection URL of a superuser for `database`.
  std::string url(absl::string_view database) const;
  // The folder of the socket.
  const std::string& folder() const { return folder_; }

 private:
  PostgresCluster() = default;
  // Starts the keeper, and waits for its report.
  absl::Status StartKeeper(absl::string_view programs);

  std::string folder_;
  int alive_ = -1;   // closing it stops the server
  int report_ = -1;  // the output of the keeper
};

}  // namespace referee::testing

#endif  // REFEREE_TESTS_SUPPORT_POSTGRES_CLUSTER_H_
