// The flags of every program and command that calls a referee.
#ifndef REFEREE_CLIENT_FLAGS_H_
#define REFEREE_CLIENT_FLAGS_H_

#include <string>

#include "CLI/App.hpp"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "referee/client/connection.h"

namespace referee::client {

// How long to wait by default for a referee on this machine that does not answer yet.
inline constexpr absl::Duration kLocalWait = absl::Seconds(2);

struct ClientFlags {
  std::string address;
  std::string token_file;
  std::string tls_ca_file;
  std::string tls_cert_file;
  std::string tls_key_file;
  bool tls = false;
  bool insecure = false;
  std::string wait;  // empty: kLocalWait on this machine, zero for another
};

// Adds the flags to `command`. `flags` must outlive the parsing of the command line.
// `address_names` are the names of the address flag.
void AddClientFlags(CLI::App* command, ClientFlags* flags,
                    const std::string& address_names = "--address");

// Reads the flags. For missing ones it reads the environment: REFEREE_ADDRESS, REFEREE_TOKEN and
// the files REFEREE_TLS_CA, REFEREE_TLS_CERT and REFEREE_TLS_KEY. Returns an error that names the
// flag whose file cannot be read or is malformed.
absl::StatusOr<ClientOptions> ReadClientFlags(const ClientFlags& flags);
// Makes the connection, and waits a moment for a referee that is starting. `max_message_bytes` is
// as in ClientOptions. Returns the errors of ReadClientFlags and Connection::Make. Whether a
// referee answers shows only in calls.
absl::StatusOr<Connection> Connect(const ClientFlags& flags, int max_message_bytes = 0);

}  // namespace referee::client

#endif  // REFEREE_CLIENT_FLAGS_H_
