#include "referee/service/tls.h"

#include <grpc/grpc_security.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <ctime>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace referee::service {
namespace {

// `file` is "certificate", "key" or "client CA".
absl::Status BadPem(absl::string_view file, absl::string_view expected) {
  return absl::InvalidArgumentError(absl::StrCat("TLS ", file, ": no PEM with ", expected));
}

template <auto Free>
struct Freed {
  template <typename T>
  void operator()(T* object) const {
    Free(object);
  }
};
using Bio = std::unique_ptr<BIO, Freed<BIO_free>>;
using Certificate = std::unique_ptr<X509, Freed<X509_free>>;
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;
using Context = std::unique_ptr<SSL_CTX, Freed<SSL_CTX_free>>;

// Clears OpenSSL's error queue of this thread on entry and exit, so that no other code reads it.
class ErrorScope {
 public:
  ErrorScope() { ERR_clear_error(); }
  ~ErrorScope() { ERR_clear_error(); }
};

Bio Open(const std::string& text) {
  return Bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

// Refuses a passphrase; without this callback OpenSSL would prompt on the terminal.
int NoPassphrase(char*, int, int, void*) { return 0; }

Certificate ReadCertificate(const std::string& pem) {
  return Certificate(PEM_read_bio_X509_AUX(Open(pem).get(), nullptr, NoPassphrase, nullptr));
}

absl::Time ToTime(const ASN1_TIME* time) {
  std::tm utc{};
  if (ASN1_TIME_to_tm(time, &utc) != 1) return absl::InfinitePast();
  return absl::FromTM(utc, absl::UTCTimeZone());
}

// Checks that OpenSSL accepts the certificate and key for a server.
absl::Status CheckStrength(X509* certificate, EVP_PKEY* key) {
  const Context context(SSL_CTX_new(TLS_server_method()));
  if (SSL_CTX_use_certificate(context.get(), certificate) == 1 &&
      SSL_CTX_use_PrivateKey(context.get(), key) == 1) {
    return absl::OkStatus();
  }
  const char* const reason = ERR_reason_error_string(ERR_peek_last_error());
  return absl::InvalidArgumentError(
      absl::StrCat("TLS certificate: TLS does not take it: ", reason == nullptr ? "" : reason,
                   "; make a stronger one"));
}

}  // namespace

absl::StatusOr<absl::Time> CheckTls(const TlsPem& pem, absl::Time now) {
  const ErrorScope errors;
  const Certificate certificate = ReadCertificate(pem.certificate);
  if (certificate == nullptr) return BadPem("certificate", "a certificate");
  const Key key(PEM_read_bio_PrivateKey(Open(pem.key).get(), nullptr, NoPassphrase, nullptr));
  if (key == nullptr) return BadPem("key", "a private key without a passphrase");
  if (X509_check_private_key(certificate.get(), key.get()) != 1) {
    return absl::InvalidArgumentError(
        "TLS key: belongs to another certificate; give the key of the first one in the chain");
  }
  if (pem.client_ca && ReadCertificate(*pem.client_ca) == nullptr) {
    return BadPem("client CA", "certificates");
  }
  const absl::Time begin = ToTime(X509_get0_notBefore(certificate.get()));
  const absl::Time end = ToTime(X509_get0_notAfter(certificate.get()));
  if (now < begin) {
    return absl::InvalidArgumentError(absl::StrCat("TLS certificate: is valid from ",
                                                   absl::FormatTime(begin, absl::UTCTimeZone()),
                                                   " only; is the clock right?"));
  }
  if (end <= now) {
    return absl::InvalidArgumentError(absl::StrCat("TLS certificate: was valid until ",
                                                   absl::FormatTime(end, absl::UTCTimeZone()),
                                                   "; renew it"));
  }
  if (absl::Status strong = CheckStrength(certificate.get(), key.get()); !strong.ok()) {
    return strong;
  }
  return end;
}

// Server credentials that reload the certificate. gRPC's C API checks for new certificates at every
// handshake, but its C++ API does not expose that.
class ReloadingCredentials final : public grpc::ServerCredentials {
 public:
  ReloadingCredentials(bool wants_clients_certified, Tls::Reader* reader) {
    const auto request = wants_clients_certified
                             ? GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY
                             : GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE;
    credentials_ = grpc_ssl_server_credentials_create_with_options(
        grpc_ssl_server_credentials_create_options_using_config_fetcher(request, Fetch, reader));
  }
  ~ReloadingCredentials() override { grpc_server_credentials_release(credentials_); }

  // Not needed: the server checks tokens itself.
  void SetAuthMetadataProcessor(const std::shared_ptr<grpc::AuthMetadataProcessor>&) override {}

 private:
  // gRPC calls this for one handshake at a time.
  static grpc_ssl_certificate_config_reload_status Fetch(
      void* reader, grpc_ssl_server_certificate_config** config) {
    TlsPem pem;
    if (!Tls::Fetch(static_cast<Tls::Reader*>(reader), &pem)) {
      return GRPC_SSL_CERTIFICATE_CONFIG_RELOAD_UNCHANGED;
    }
    const grpc_ssl_pem_key_cert_pair pair{pem.key.c_str(), pem.certificate.c_str()};
    // gRPC requires authorities even if it requests no client certificate.
    const std::string& authorities = pem.client_ca ? *pem.client_ca : pem.certificate;
    *config = grpc_ssl_server_certificate_config_create(authorities.c_str(), &pair, 1);
    return GRPC_SSL_CERTIFICATE_CONFIG_RELOAD_NEW;
  }

  int AddPortToServer(const std::string& address, grpc_server* server) override {
    return grpc_server_add_http2_port(server, address.c_str(), credentials_);
  }

  grpc_server_credentials* credentials_;
};

absl::StatusOr<std::unique_ptr<Tls>> Tls::Make(TlsPem pem, absl::Time now) {
  const absl::StatusOr<absl::Time> checked = CheckTls(pem, now);
  if (!checked.ok()) return checked.status();
  return std::unique_ptr<Tls>(new Tls(std::move(pem)));
}

absl::StatusOr<absl::Time> Tls::Replace(TlsPem pem, absl::Time now) {
  if (pem.client_ca.has_value() != wants_clients_certified_) {
    return absl::InvalidArgumentError(
        "TLS client CA: whether clients need a certificate is settled when the referee starts");
  }
  absl::StatusOr<absl::Time> checked = CheckTls(pem, now);
  if (!checked.ok()) return checked;
  MutexLock lock(&mutex_);
  pem_ = std::move(pem);
  ++version_;
  return checked;
}

bool Tls::Fetch(Reader* reader, TlsPem* pem) {
  const Tls& tls = *reader->tls;
  MutexLock lock(&tls.mutex_);
  if (std::exchange(reader->version, tls.version_) == tls.version_) return false;
  *pem = tls.pem_;
  return true;
}

TlsPem Tls::pem() const {
  MutexLock lock(&mutex_);
  return pem_;
}

std::shared_ptr<grpc::ServerCredentials> Tls::NewCredentials() {
  Reader* reader;
  {
    MutexLock lock(&mutex_);
    readers_.push_back({this});
    reader = &readers_.back();
  }
  return std::make_shared<ReloadingCredentials>(wants_clients_certified_, reader);
}

}  // namespace referee::service
