// Certificates made by the openssl program, in a folder of their own that goes with them.
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

// Makes certificates for 127.0.0.1 until it goes. What cannot be made fails the test.
class CertificateMaker {
 public:
  CertificateMaker() = default;
  CertificateMaker(const CertificateMaker&) = delete;
  CertificateMaker& operator=(const CertificateMaker&) = delete;

  // One that signs itself, valid from now for `days`; or, if that is negative, until then.
  Certificate SelfSigned(absl::string_view name, int days = 2);
  // One that `authority` signs.
  Certificate SignedBy(const Certificate& authority, absl::string_view name);

  // Puts `text` into a file of this name, which goes with the maker, too. Returns its path.
  std::string Write(absl::string_view name, absl::string_view text);

 private:
  std::string Run(absl::string_view command, absl::string_view result);

  const TempFolder folder_;
};

}  // namespace referee::testing

#endif  // REFEREE_TESTS_SUPPORT_CERTIFICATES_H_
