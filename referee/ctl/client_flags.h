// The flags of every command that calls a referee.
#ifndef REFEREE_CTL_CLIENT_FLAGS_H_
#define REFEREE_CTL_CLIENT_FLAGS_H_

#include <string>

#include "CLI/App.hpp"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "referee/ctl/connection.h"
#include "referee/ctl/terminal/output.h"

namespace referee::ctl {

// How a command that uses them says where the referee is found.
inline constexpr char kAddressFooter[] =
    "The referee is found at --address, else at REFEREE_ADDRESS, else at 127.0.0.1:7450.";

struct ClientFlags {
  std::string address;
  std::string token_file;
  std::string tls_ca_file;
  std::string tls_cert_file;
  std::string tls_key_file;
  bool tls = false;
  bool insecure = false;
};

// `flags` must outlive the parsing of the command line.
void AddClientFlags(CLI::App* command, ClientFlags* flags);

// What they and the environment (REFEREE_ADDRESS, REFEREE_TOKEN) say. Returns an error that names
// the flag whose file cannot be read, or is not what it should be.
absl::StatusOr<ClientOptions> ReadClientFlags(const ClientFlags& flags);
// The connection that they ask for, which does not connect yet. Fails as Connection::Make does,
// too.
absl::StatusOr<Connection> Connect(const ClientFlags& flags);

// Ends a command with what the referee said: a negative answer when that is about what was asked
// for (it is not there, it is over, it is there already), else the error itself.
absl::StatusOr<Exit> Refused(const absl::Status& status, const Output& output);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_CLIENT_FLAGS_H_
