// Makes test certificates with the openssl program, in a temporary folder.
#ifndef REFEREE_TESTS_SUPPORT_CERTIFICATES_H_
#define REFEREE_TESTS_SUPPORT_CERTIFICATES_H_

#include <string>

#include "absl/strings/string_view.h"
#include "tests/support/temp_folder.h"

namespace referee::testing {

struct Certificate {
  std::string pem;
  std::string key;  // PEM
};

// Makes certificates for 127.0.0.1. A failure fails the test.
class CertificateMaker {
 public:
  CertificateMaker() = default;
  CertificateMaker(const CertificateMaker&) = delete;
  CertificateMaker& operator=(const CertificateMaker&) = delete;

  // A self-signed certificate, valid for `days` from now. Negative: it expired that many days ago.
  Certificate SelfSigned(absl::string_view name, int days = 2);
  // A certificate signed by `authority`.
  Certificate SignedBy(const Certificate& authority, absl::string_view name);

  // Writes `text` to a file of this name, which lives as long as this object. Returns its path.
  std::string Write(absl::string_view name, absl::string_view text);

 private:
  std::string Run(absl::string_view command, absl::string_view result);

  const TempFolder folder_;
};

}  // namespace referee::testing

#endif  // REFEREE_TESTS_SUPPORT_CERTIFICATES_H_
