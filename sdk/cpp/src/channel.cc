#include "sdk/cpp/src/channel.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/support/channel_arguments.h>
#include <string.h>

#include <cerrno>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "referee/base/address.h"
#include "referee/base/text.h"

namespace referee::sdk {
namespace {

// The PEM content that a file must have.
struct Pem {
  absl::string_view what;
  absl::string_view label_end;  // the end of the PEM's first line
};
constexpr Pem kCertificate = {"certificate", "CERTIFICATE-----"};
constexpr Pem kPrivateKey = {"private key", "PRIVATE KEY-----"};

// Reads the file that an option names, if it names one.
absl::Status ReadPem(absl::string_view flag, const std::string& path, Pem expected,
                     std::string* pem) {
  if (path.empty()) return absl::OkStatus();
  const std::string where = absl::StrCat(flag, " \"", path, "\": ");
  std::ifstream file(path, std::ios::binary);
  // A file that opens but cannot be read, such as a directory, fails at the first byte.
  if (file.peek() == EOF && file.eof()) {
    return absl::InvalidArgumentError(absl::StrCat(where, "the file is empty"));
  }
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) {
    return absl::InvalidArgumentError(absl::StrCat(where, "cannot be read: ", strerror(errno)));
  }
  const std::string bytes = text.str();
  const absl::StatusOr<absl::string_view> pem_text = TextOfFile(bytes);
  if (!pem_text.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(where, pem_text.status().message()));
  }
  *pem = std::string(*pem_text);
  // gRPC does not report what is wrong with a file: the client would retry for ever.
  if (!absl::StrContains(*pem, expected.label_end)) {
    return absl::InvalidArgumentError(absl::StrCat(where, "no PEM with a ", expected.what));
  }
  return absl::OkStatus();
}

bool AsksForTls(const Options& options) {
  return options.tls || !options.tls_ca.empty() || !options.tls_cert.empty();
}

}  // namespace

bool IsPlain(const Options& options) {
  return options.insecure || (IsLocal(options.address) && !AsksForTls(options));
}

bool IsLocal(absl::string_view address) {
  const absl::StatusOr<Address> read = ReadAddress(address);
  return read.ok() && read->local;
}

absl::StatusOr<std::shared_ptr<grpc::ChannelCredentials>> CredentialsFor(const Options& options) {
  if (options.tls_cert.empty() != options.tls_key.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        options.tls_cert.empty() ? "--tls-key without --tls-cert" : "--tls-cert without --tls-key",
        ": a certificate of your own and its private key go together"));
  }
  if (options.insecure && AsksForTls(options)) {
    return absl::InvalidArgumentError(
        "--insecure asks for plain text, and --tls, --tls-ca and --tls-cert for TLS: choose one");
  }
  if (IsPlain(options)) return grpc::InsecureChannelCredentials();
  grpc::SslCredentialsOptions ssl;
  absl::Status read = ReadPem("--tls-ca", options.tls_ca, kCertificate, &ssl.pem_root_certs);
  read.Update(ReadPem("--tls-cert", options.tls_cert, kCertificate, &ssl.pem_cert_chain));
  read.Update(ReadPem("--tls-key", options.tls_key, kPrivateKey, &ssl.pem_private_key));
  if (!read.ok()) return read;
  return grpc::SslCredentials(ssl);
}

std::string TlsAdvice(const Options& options, absl::string_view message) {
  const bool tls = !IsPlain(options);
  const bool hung_up = absl::StrContains(message, "Socket closed") ||
                       absl::StrContains(message, "Connection reset by peer") ||
                       absl::StrContains(message, "Broken pipe");
  if (!tls) return hung_up ? "; if it wants TLS, give --tls or --tls-ca" : "";
  if (absl::StrContains(message, "wrong version number")) {
    return "; it does not speak TLS: leave out --tls, --tls-ca and --tls-cert on its own machine, "
           "and give --insecure from another";
  }
  if (absl::StrContains(message, "certificate verify failed")) {
    return "; its certificate is of an authority that is not known here: name the file with that "
           "in --tls-ca";
  }
  if (!hung_up) return "";
  return options.tls_cert.empty() ? "; if it asks for a certificate, give --tls-cert and --tls-key"
                                  : "; it seems not to take the certificate in --tls-cert";
}

std::shared_ptr<grpc::Channel> NewChannel(
    const Options& options, const std::shared_ptr<grpc::ChannelCredentials>& credentials,
    const Keepalive& keepalive) {
  grpc::ChannelArguments arguments;
  const auto set = [&arguments](const char* name, absl::Duration duration) {
    arguments.SetInt(name, static_cast<int>(absl::ToInt64Milliseconds(duration)));
  };
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  set(GRPC_ARG_KEEPALIVE_TIME_MS, keepalive.silence);
  set(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, keepalive.answer);
  arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  // A referee may send much at once to a bot that comes back to a thousand matches.
  arguments.SetMaxReceiveMessageSize(-1);
  const absl::StatusOr<Address> address = ReadAddress(options.address);
  return grpc::CreateCustomChannel(address.ok() ? GrpcTarget(*address) : options.address,
                                   credentials, arguments);
}

}  // namespace referee::sdk
