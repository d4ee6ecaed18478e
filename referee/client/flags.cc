#include "referee/client/flags.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "referee/base/address.h"
#include "referee/base/errors.h"
#include "referee/base/text.h"
#include "referee/replay/replay.h"

namespace referee::client {
namespace {

// The ends of the first lines of PEM files.
constexpr char kCertificate[] = "CERTIFICATE-----";
constexpr char kPrivateKey[] = "PRIVATE KEY-----";

// Reports a bad file as InvalidArgument, since the command line or environment that names it is
// wrong.
absl::Status AtFile(absl::string_view where, const absl::Status& status) {
  return absl::InvalidArgumentError(At(where, status).message());
}

// A file, and the environment variable that names it; empty: the flag names it.
struct FileIn {
  const char* variable;
  std::string path;
};

// Reads a PEM file, if one is named; one line of it must end in `label_end`.
absl::Status ReadPem(absl::string_view flag, const FileIn& file, absl::string_view label_end,
                     std::string* pem) {
  if (file.path.empty()) return absl::OkStatus();
  const absl::string_view where = *file.variable == '\0' ? flag : file.variable;
  absl::StatusOr<std::string> text = replay::ReadTextFile(file.path);
  if (!text.ok()) return AtFile(where, text.status());
  // Checks here, because gRPC does not say what is wrong with a file.
  if (!absl::StrContains(*text, label_end)) {
    return absl::InvalidArgumentError(
        absl::StrCat(where, ": ", Quoted(file.path),
                     " is not the PEM file that it should be: no line in it ends in ", label_end));
  }
  *pem = *std::move(text);
  return absl::OkStatus();
}

// The address from the flag, otherwise from the environment, otherwise the default.
absl::StatusOr<std::string> AddressOf(const std::string& flag) {
  const std::string variable = EnvironmentVariable("REFEREE_ADDRESS");
  if (flag.empty() && variable.empty()) return std::string(kDefaultAddress);
  const absl::StatusOr<Address> address = ReadAddress(flag.empty() ? variable : flag);
  if (address.ok()) return address->text;
  return flag.empty() ? At("REFEREE_ADDRESS", address.status()) : address.status();
}

// The token from the file, otherwise from the environment; empty if neither exists.
absl::StatusOr<std::string> TokenOf(const std::string& file) {
  if (!file.empty()) {
    const absl::StatusOr<std::string> bytes = replay::ReadFile(file);
    if (!bytes.ok()) return AtFile("--token-file", bytes.status());
    absl::StatusOr<std::string> token = ReadToken(*bytes, TokenSource::kFile);
    return token.ok() ? token : At(absl::StrCat("--token-file ", Quoted(file)), token.status());
  }
  const std::string variable = EnvironmentVariable("REFEREE_TOKEN");
  if (variable.empty()) return variable;
  absl::StatusOr<std::string> token = ReadToken(variable, TokenSource::kVariable);
  return token.ok() ? token : At("REFEREE_TOKEN", token.status());
}

absl::StatusOr<absl::Duration> ReadWait(const std::string& text, absl::string_view address) {
  if (text.empty()) {
    const absl::StatusOr<Address> read = ReadAddress(address);
    return read.ok() && read->local ? kLocalWait : absl::ZeroDuration();
  }
  absl::Duration wait;
  if (!absl::ParseDuration(text, &wait) || wait < absl::ZeroDuration()) {
    return BadValue("--wait", text, "a duration such as 10s");
  }
  return wait;
}

}  // namespace

void AddClientFlags(CLI::App* command, ClientFlags* flags, const std::string& address_names) {
  command->add_option(address_names, flags->address, "Where the referee is")
      ->type_name("HOST:PORT|unix:PATH");
  command
      ->add_option("--token-file", flags->token_file,
                   "A file with the token of who calls (default: REFEREE_TOKEN)")
      ->type_name("FILE");
  command->add_flag("--tls", flags->tls, "Uses TLS on this machine, too");
  command
      ->add_option("--tls-ca", flags->tls_ca_file,
                   "The certificates to trust, PEM (default: REFEREE_TLS_CA, else the system's)")
      ->type_name("FILE");
  command
      ->add_option("--tls-cert", flags->tls_cert_file,
                   "A certificate of your own, PEM, for a referee that asks for one (default:\n"
                   "REFEREE_TLS_CERT)")
      ->type_name("FILE");
  command
      ->add_option("--tls-key", flags->tls_key_file,
                   "Its private key, PEM (default: REFEREE_TLS_KEY)")
      ->type_name("FILE");
  command
      ->add_option("--wait", flags->wait,
                   "How long to wait for a referee that does not answer yet (default: 2s on this "
                   "machine, else 0)")
      ->type_name("DURATION");
  command->add_flag("--insecure", flags->insecure,
                    "Sends the token in the clear to other machines");
}

absl::StatusOr<ClientOptions> ReadClientFlags(const ClientFlags& flags) {
  ClientOptions options;
  options.tls = flags.tls;
  options.insecure = flags.insecure;
  absl::StatusOr<std::string> address = AddressOf(flags.address);
  if (!address.ok()) return address.status();
  options.address = *std::move(address);
  absl::StatusOr<std::string> token = TokenOf(flags.token_file);
  if (!token.ok()) return token.status();
  options.token = *std::move(token);
  // --insecure asks for plain text, whatever the environment names.
  const auto file_of = [&flags](const std::string& flag, const char* name) {
    return flag.empty() && !flags.insecure ? FileIn{name, EnvironmentVariable(name)}
                                           : FileIn{"", flag};
  };
  const FileIn ca = file_of(flags.tls_ca_file, "REFEREE_TLS_CA");
  const FileIn cert = file_of(flags.tls_cert_file, "REFEREE_TLS_CERT");
  const FileIn key = file_of(flags.tls_key_file, "REFEREE_TLS_KEY");
  absl::Status read = ReadPem("--tls-ca", ca, kCertificate, &options.tls_ca);
  read.Update(ReadPem("--tls-cert", cert, kCertificate, &options.tls_cert));
  read.Update(ReadPem("--tls-key", key, kPrivateKey, &options.tls_key));
  if (!read.ok()) return read;
  return options;
}

absl::StatusOr<Connection> Connect(const ClientFlags& flags, int max_message_bytes) {
  absl::StatusOr<ClientOptions> options = ReadClientFlags(flags);
  if (!options.ok()) return options.status();
  options->max_message_bytes = max_message_bytes;
  const absl::StatusOr<absl::Duration> wait = ReadWait(flags.wait, options->address);
  if (!wait.ok()) return wait.status();
  absl::StatusOr<Connection> connection = Connection::Make(*std::move(options));
  if (connection.ok()) connection->Await(*wait);
  return connection;
}

}  // namespace referee::client
