#include "tests/end_to_end/fleet_network.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace referee::end_to_end {
namespace {

constexpr char kIp[] = "/usr/sbin/ip";

// Runs iproute2's program to its end.
absl::Status Ip(std::vector<std::string> arguments) {
  const std::string line = absl::StrJoin(arguments, " ");
  arguments.insert(arguments.begin(), kIp);
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  const pid_t pid = fork();
  if (pid == 0) {
    execv(argv.front(), argv.data());
    _exit(127);
  }
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (status == 0) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat("ip ", line, " failed"));
}

// Two programs of these tests may run at once.
std::string Subnet(int referee) {
  constexpr int kReferees = 4;
  const int number = static_cast<int>(getpid() % (256 / kReferees)) * kReferees + referee;
  return absl::StrCat("198.18.", number, ".");
}

}  // namespace

absl::StatusOr<std::unique_ptr<FleetNetwork>> FleetNetwork::Make(int referees) {
  if (access(kIp, X_OK) != 0) return absl::UnavailableError("iproute2 is not installed");
  if (geteuid() != 0) return absl::UnavailableError("only root makes network namespaces");
  std::unique_ptr<FleetNetwork> network(new FleetNetwork(referees));
  for (int referee = 0; referee < referees; ++referee) {
    if (absl::Status added = network->Add(referee); !added.ok()) return added;
  }
  return network;
}

FleetNetwork::~FleetNetwork() {
  // The devices go with them.
  for (int referee = 0; referee < referees_; ++referee) {
    Ip({"netns", "delete", Namespace(referee)}).IgnoreError();
  }
}

std::string FleetNetwork::ServerAddress(int referee, int server) const {
  return absl::StrCat(Subnet(referee), 1 + server);
}

std::vector<std::string> FleetNetwork::ServerAddresses(int server) const {
  std::vector<std::string> addresses;
  for (int referee = 0; referee < referees_; ++referee) {
    addresses.push_back(ServerAddress(referee, server));
  }
  return addresses;
}

std::vector<std::string> FleetNetwork::Entry(int referee) const {
  return {kIp, "netns", "exec", Namespace(referee)};
}

absl::Status FleetNetwork::Cut(int referee) { return Ip({"link", "set", Device(referee), "down"}); }
absl::Status FleetNetwork::Mend(int referee) { return Ip({"link", "set", Device(referee), "up"}); }

absl::Status FleetNetwork::Add(int referee) const {
  const std::string space = Namespace(referee);
  const std::string device = Device(referee);
  const auto address = [&](int host) { return absl::StrCat(Subnet(referee), host, "/24"); };
  const std::vector<std::string> commands[] = {
      {"netns", "add", space},
      {"link", "add", device, "type", "veth", "peer", "name", "eth0", "netns", space},
      {"address", "add", address(1), "dev", device},
      {"address", "add", address(2), "dev", device},
      {"link", "set", device, "up"},
      {"-n", space, "address", "add", address(3), "dev", "eth0"},
      {"-n", space, "link", "set", "eth0", "up"},
  };
  for (const std::vector<std::string>& command : commands) {
    if (absl::Status done = Ip(command); !done.ok()) return done;
  }
  return absl::OkStatus();
}

std::string FleetNetwork::Namespace(int referee) {
  return absl::StrCat("referee-", getpid(), "-", referee);
}

std::string FleetNetwork::Device(int referee) { return absl::StrCat("rf", getpid(), "-", referee); }

}  // namespace referee::end_to_end
