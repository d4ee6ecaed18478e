#include "referee/ctl/client.h"

#include <cstdlib>
#include <fstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/replay/sample.h"

namespace referee::ctl {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class ReadsClientFlags : public ::testing::Test {
 protected:
  std::string File(const std::string& name, const std::string& text) const {
    const std::string path = directory_.path() + "/" + name;
    std::ofstream(path) << text;
    return path;
  }
  static std::string Refusal(const ClientFlags& flags) {
    return std::string(ReadClientFlags(flags).status().message());
  }

  const testing::TempFolder directory_;
};

TEST_F(ReadsClientFlags, AndTheFilesThatTheyName) {
  ClientFlags flags;
  flags.tls_cert_file = File("cert", "-----BEGIN CERTIFICATE-----\nx\n");
  flags.tls_key_file = File("key", "-----BEGIN EC PRIVATE KEY-----\ny\n");
  const absl::StatusOr<ClientOptions> options = ReadClientFlags(flags);
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_THAT(options->tls_cert, HasSubstr("x"));
  EXPECT_THAT(options->tls_key, HasSubstr("y"));
}

TEST_F(ReadsClientFlags, ButNoFileThatIsEmptyOrOfAnotherKind) {
  ClientFlags flags;
  flags.tls_cert_file = File("empty", "");
  EXPECT_THAT(Refusal(flags),
              AllOf(HasSubstr("--tls-cert"), HasSubstr("empty"), HasSubstr("CERTIFICATE-----")));
  flags.tls_cert_file.clear();
  flags.tls_key_file = File("cert", "-----BEGIN CERTIFICATE-----\nx\n");
  EXPECT_THAT(Refusal(flags), AllOf(HasSubstr("--tls-key"), HasSubstr("PRIVATE KEY-----")));
  flags.tls_key_file.clear();
  flags.tls_ca_file = directory_.path() + "/none";
  EXPECT_THAT(Refusal(flags), AllOf(HasSubstr("--tls-ca"), HasSubstr("none")));
}

TEST_F(ReadsClientFlags, AndATokenThatACallCanCarry) {
  ClientFlags flags;
  flags.token_file = File("mark", "\xef\xbb\xbfrfb_abc\r\n");
  EXPECT_EQ(ReadClientFlags(flags)->token, "rfb_abc");
  flags.token_file = File("accent", "rfb_\xc3\xa9\n");
  EXPECT_THAT(Refusal(flags),
              AllOf(HasSubstr("--token-file"), HasSubstr("accent"), HasSubstr("byte 5 is \\xc3")));
}

class ReadsTheEnvironment : public ReadsClientFlags {
 protected:
  ~ReadsTheEnvironment() override {
    for (const char* name : {"REFEREE_ADDRESS", "REFEREE_TOKEN", "REFEREE_TLS_CA",
                             "REFEREE_TLS_CERT", "REFEREE_TLS_KEY"}) {
      unsetenv(name);
    }
  }
};

TEST_F(ReadsTheEnvironment, ForTheFilesOfTlsThatNoFlagNames) {
  setenv("REFEREE_TLS_CA", File("ca", "-----BEGIN CERTIFICATE-----\nca\n").c_str(), 1);
  setenv("REFEREE_TLS_CERT", File("cert", "-----BEGIN CERTIFICATE-----\ncert\n").c_str(), 1);
  setenv("REFEREE_TLS_KEY", File("key", "-----BEGIN PRIVATE KEY-----\nkey\n").c_str(), 1);
  ClientFlags flags;
  flags.tls_ca_file = File("mine", "-----BEGIN CERTIFICATE-----\nmine\n");
  const absl::StatusOr<ClientOptions> options = ReadClientFlags(flags);
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_THAT(options->tls_ca, HasSubstr("mine"));
  EXPECT_THAT(options->tls_cert, HasSubstr("cert"));
  EXPECT_THAT(options->tls_key, HasSubstr("key"));
}

TEST_F(ReadsTheEnvironment, ButNotWherePlainTextIsAskedFor) {
  setenv("REFEREE_TLS_CA", "/nonexistent", 1);
  ClientFlags flags;
  EXPECT_THAT(Refusal(flags), AllOf(HasSubstr("REFEREE_TLS_CA"), HasSubstr("/nonexistent")));
  flags.insecure = true;
  EXPECT_TRUE(ReadClientFlags(flags).ok());
}

TEST_F(ReadsTheEnvironment, AndNamesTheVariableThatIsWrong) {
  setenv("REFEREE_TOKEN", "rfb_a\nb", 1);
  EXPECT_THAT(Refusal({}), AllOf(HasSubstr("REFEREE_TOKEN"), HasSubstr("byte 6 is \\n")));
  setenv("REFEREE_TOKEN", " rfb_a\r\n", 1);
  EXPECT_EQ(ReadClientFlags({})->token, "rfb_a");
  setenv("REFEREE_ADDRESS", "http://127.0.0.1:7450", 1);
  EXPECT_THAT(Refusal({}), AllOf(HasSubstr("REFEREE_ADDRESS"), HasSubstr("write 127.0.0.1:7450")));
}

}  // namespace
}  // namespace referee::ctl
