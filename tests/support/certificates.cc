#include "tests/support/certificates.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "absl/strings/str_cat.h"
#include "tests/support/files.h"

namespace referee::testing {
namespace {

constexpr char kKeyFlags[] = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
constexpr char kAddress[] = "subjectAltName=IP:127.0.0.1";

}  // namespace

std::string CertificateMaker::Run(absl::string_view command, absl::string_view result) {
  const std::string line = absl::StrCat("cd ", folder_.path(), " && (", command, ") 2>openssl.log");
  EXPECT_EQ(std::system(line.c_str()), 0) << ReadFile(folder_.Path("openssl.log"));
  return ReadFile(folder_.Path(std::string(result)));
}

Certificate CertificateMaker::SelfSigned(absl::string_view name, int days) {
  Certificate made;
  made.pem = Run(absl::StrCat("openssl req -x509 ", kKeyFlags, " -days ", days, " -subj /CN=", name,
                              " -addext ", kAddress, " -keyout key.pem -out cert.pem"),
                 "cert.pem");
  made.key = ReadFile(folder_.Path("key.pem"));
  return made;
}

Certificate CertificateMaker::SignedBy(const Certificate& authority, absl::string_view name) {
  std::ofstream(folder_.Path("ca.pem")) << authority.pem;
  std::ofstream(folder_.Path("ca-key.pem")) << authority.key;
  std::ofstream(folder_.Path("extensions")) << kAddress << '\n';
  Certificate made;
  made.pem = Run(absl::StrCat("openssl req ", kKeyFlags, " -subj /CN=", name,
                              " -keyout key.pem -out request.pem && openssl x509 -req -days 2"
                              " -in request.pem -CA ca.pem -CAkey ca-key.pem -CAcreateserial"
                              " -extfile extensions -out cert.pem"),
                 "cert.pem");
  made.key = ReadFile(folder_.Path("key.pem"));
  return made;
}

std::string CertificateMaker::Write(absl::string_view name, absl::string_view text) {
  const std::string written = folder_.Path("written");
  std::filesystem::create_directory(written);
  std::string path = absl::StrCat(written, "/", name);
  std::ofstream(path) << text;
  return path;
}

}  // namespace referee::testing
