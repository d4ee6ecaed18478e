// Network namespaces that referees run in, to cut them off from their database as a cable that is
// pulled does: packets are lost, and nobody is told. Bots reach referees by Unix sockets, which no
// namespace divides. Addresses are of 198.18.0.0/15, which is for tests of networks (RFC 2544).
#ifndef REFEREE_TESTS_END_TO_END_FLEET_NETWORK_H_
#define REFEREE_TESTS_END_TO_END_FLEET_NETWORK_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace referee::end_to_end {

// For one thread at a time.
class FleetNetwork {
 public:
  // Returns Unavailable where that cannot be had: iproute2 is not installed, or this process is not
  // root's.
  static absl::StatusOr<std::unique_ptr<FleetNetwork>> Make(int referees);
  // Removes the namespaces. What still runs in one is cut off.
  ~FleetNetwork();
  FleetNetwork(const FleetNetwork&) = delete;
  FleetNetwork& operator=(const FleetNetwork&) = delete;

  // Where the referee reaches a server of the database, 0 or 1, which listens there.
  std::string ServerAddress(int referee, int server) const;
  // Where that server listens, to be reached by all referees.
  std::vector<std::string> ServerAddresses(int server) const;
  // What a command begins with that runs in the namespace of the referee.
  std::vector<std::string> Entry(int referee) const;

  absl::Status Cut(int referee);
  absl::Status Mend(int referee);

 private:
  explicit FleetNetwork(int referees) : referees_(referees) {}

  absl::Status Add(int referee) const;
  static std::string Namespace(int referee);
  static std::string Device(int referee);  // the end of the cable that is out here

  const int referees_;
};

}  // namespace referee::end_to_end

#endif  // REFEREE_TESTS_END_TO_END_FLEET_NETWORK_H_
