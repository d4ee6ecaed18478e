// The flags of every command that calls a referee.
#ifndef REFEREE_CTL_CLIENT_FLAGS_H_
#define REFEREE_CTL_CLIENT_FLAGS_H_

#include <string>

#include "CLI/App.hpp"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "referee/ctl/connection.h"
#include "referee/ctl/terminal/output.h"

namespace referee::ctl {

// How long a referee on this machine is waited for that does not answer yet, by default.
inline constexpr absl::Duration kLocalWait = absl::Seconds(2);

// The footer of the help of commands about competitions.
inline constexpr char kOrganiserFooter[] =
    "The referee is found at --address, else at REFEREE_ADDRESS, else at 127.0.0.1:7450. What\n"
    "changes something takes an organiser's token, as soon as the referee knows an organiser.";

struct ClientFlags {
  std::string address;
  std::string token_file;
  std::string tls_ca_file;
  std::string tls_cert_file;
  std::string tls_key_file;
  bool tls = false;
  bool insecure = false;
  std::string wait;  // empty: kLocalWait on this machine, and none elsewhere
};

// `flags` must outlive the parsing of the command line.
void AddClientFlags(CLI::App* command, ClientFlags* flags);

// Reads the flags and, for what they leave out, the environment: REFEREE_ADDRESS, REFEREE_TOKEN and
// the files REFEREE_TLS_CA, REFEREE_TLS_CERT and REFEREE_TLS_KEY. Returns an error that names
// the flag whose file cannot be read or is malformed.
absl::StatusOr<ClientOptions> ReadClientFlags(const ClientFlags& flags);
// Makes the connection that they ask for, and waits a moment for a referee that is starting.
// Returns the errors of ReadClientFlags and Connection::Make; whether a referee answers, calls say.
absl::StatusOr<Connection> Connect(const ClientFlags& flags);

// Ends a command with the referee's error: Exit::kNegative when it is about the thing asked for
// (not found, over, exists already), else the error itself.
absl::StatusOr<Exit> Refused(const absl::Status& status, const Output& output);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_CLIENT_FLAGS_H_
