// The flags of every command that calls a referee.
#ifndef REFEREE_CTL_CLIENT_FLAGS_H_
#define REFEREE_CTL_CLIENT_FLAGS_H_

#include <string>

#include "CLI/App.hpp"
#include "absl/status/statusor.h"
#include "referee/ctl/connection.h"

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
// the flag whose file cannot be read.
absl::StatusOr<ClientOptions> ReadClientFlags(const ClientFlags& flags);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_CLIENT_FLAGS_H_
