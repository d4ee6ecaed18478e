#include "sdk/cpp/src/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>
#include <functional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "sdk/cpp/src/channel.h"
#include "tests/support/certificates.h"

namespace referee::sdk {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class SdkOptions : public ::testing::Test {
 protected:
  SdkOptions() {
    unsetenv("REFEREE_ADDRESS");
    unsetenv("REFEREE_TOKEN");
  }

  static absl::StatusOr<CommandLine> Parse(std::vector<const char*> flags) {
    flags.insert(flags.begin(), "bot");
    return ParseCommandLine(static_cast<int>(flags.size()), flags.data(), {});
  }
  static Options Good() {
    Options options;
    options.address = "unix:/tmp/socket";
    options.token = "secret";
    return options;
  }
  static std::string WhyNot(const Options& options) {
    const absl::Status status = Settle(options).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    return std::string(status.message());
  }
  // Good(), with a certificate.
  Options Certified() {
    Options options = Good();
    options.tls_cert = files_.Write("own.pem", "-----BEGIN CERTIFICATE-----\n");
    options.tls_key = files_.Write("own-key.pem", "-----BEGIN PRIVATE KEY-----\n");
    return options;
  }
  static std::string WhyNoCredentials(const Options& options) {
    const absl::Status status = CredentialsFor(options).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    return std::string(status.message());
  }

  testing::CertificateMaker files_;
};

TEST_F(SdkOptions, TakesAddressAndTokenFromTheEnvironment) {
  setenv("REFEREE_ADDRESS", "localhost:4000", 1);
  setenv("REFEREE_TOKEN", "hidden", 1);
  const Options options = Settle({}).value();
  EXPECT_EQ(options.address, "localhost:4000");
  EXPECT_EQ(options.token, "hidden");
}

TEST_F(SdkOptions, TakesTheDomainOfItsFleetFromTheEnvironment) {
  setenv("REFEREE_FLEET_DOMAIN", "example.org", 1);
  const Options options = Settle(Good()).value();
  unsetenv("REFEREE_FLEET_DOMAIN");
  EXPECT_EQ(options.fleet_domain, "example.org");
}

TEST_F(SdkOptions, TakesABlockOfAnyGameAndThinksInAsManyThreadsAsThereAre) {
  Options options = Good();
  EXPECT_EQ(Settle(options).value().max_matches, 8);
  EXPECT_EQ(Settle(options).value().parallel_turns, 1);
  options.threads = 12;
  EXPECT_EQ(Settle(options).value().max_matches, 12);
  EXPECT_EQ(Settle(options).value().parallel_turns, 12);
  options.max_matches = 64;
  EXPECT_EQ(Settle(options).value().max_matches, 64);
  EXPECT_EQ(Settle(options).value().parallel_turns, 12) << "more matches are no more threads";
}

TEST_F(SdkOptions, ThinksAboutAsManyTurnsAsMatchesOnlyIfItAnswersAtOnceOrSaysSo) {
  Options options = Good();
  options.max_matches = 64;
  EXPECT_EQ(Settle(options).value().parallel_turns, 1);
  options.parallel_turns = 16;
  EXPECT_EQ(Settle(options).value().parallel_turns, 16);
  options.parallel_turns = 64;
  EXPECT_EQ(Settle(options).value().parallel_turns, 0) << "as many as matches";
  options.parallel_turns = 0;
  options.threads = 0;
  EXPECT_EQ(Settle(options).value().parallel_turns, 0) << "as many as matches";
}

TEST_F(SdkOptions, PrefersWhatIsSaidToTheEnvironment) {
  setenv("REFEREE_ADDRESS", "localhost:4000", 1);
  setenv("REFEREE_TOKEN", "hidden", 1);
  const Options options = Settle(Good()).value();
  EXPECT_EQ(options.address, "unix:/tmp/socket");
  EXPECT_EQ(options.token, "secret");
}

TEST_F(SdkOptions, SaysWhatIsMissingAndWhereToPutIt) {
  Options options = Good();
  options.address.clear();
  EXPECT_THAT(WhyNot(options), AllOf(HasSubstr("--address"), HasSubstr("REFEREE_ADDRESS")));
  options = Good();
  options.token.clear();
  EXPECT_THAT(WhyNot(options), AllOf(HasSubstr("--token-file"), HasSubstr("REFEREE_TOKEN")));
}

TEST_F(SdkOptions, RefusesWhatMakesNoSense) {
  for (const char* address : {":80", "localhost:0", "a:65536", "unix:", "my host:7450"}) {
    Options options = Good();
    options.address = address;
    EXPECT_THAT(WhyNot(options), HasSubstr("expected host:port")) << address;
  }
  const auto why_not = [](const std::function<void(Options*)>& put) {
    Options options = Good();
    put(&options);
    return WhyNot(options);
  };
  EXPECT_THAT(why_not([](Options* o) { o->threads = -1; }), HasSubstr("threads"));
  EXPECT_THAT(why_not([](Options* o) { o->max_matches = 1025; }), HasSubstr("max-matches"));
  EXPECT_THAT(why_not([](Options* o) { o->fleet_domain = "a b"; }), HasSubstr("--fleet-domain"));
  EXPECT_THAT(why_not([](Options* o) { o->token.assign(257, 'x'); }), HasSubstr("token"));
  EXPECT_THAT(why_not([](Options* o) { o->version.assign(33, 'x'); }),
              HasSubstr("version has 33 bytes"));
  EXPECT_THAT(why_not([](Options* o) { o->version = "1.0\xc2\x9b"; }), HasSubstr("version"));
  EXPECT_THAT(why_not([](Options* o) { o->software = "M\xfcller"; }), HasSubstr("M\\xfcller"));
}

TEST_F(SdkOptions, ReadAddressesAndTokensAsAllProgramsDo) {
  Options options = Good();
  options.address = "::1:7450";
  EXPECT_THAT(WhyNot(options), HasSubstr("write [::1]:7450"));
  options.address.clear();
  setenv("REFEREE_ADDRESS", "http://127.0.0.1:7450", 1);
  EXPECT_THAT(WhyNot(options), AllOf(HasSubstr("REFEREE_ADDRESS"), HasSubstr("127.0.0.1:7450")));
  setenv("REFEREE_ADDRESS", " 127.0.0.1:7450\r\n", 1);
  EXPECT_EQ(Settle(options).value().address, "127.0.0.1:7450");
  options.token.clear();
  setenv("REFEREE_TOKEN", "rfb_\xc3\xa9", 1);
  EXPECT_THAT(WhyNot(options), AllOf(HasSubstr("REFEREE_TOKEN"), HasSubstr("byte 5")));
  setenv("REFEREE_TOKEN", "\xef\xbb\xbfrfb_a\r\n", 1);
  EXPECT_EQ(Settle(options).value().token, "rfb_a");
}

TEST_F(SdkOptions, TrustsThisMachineWithPlainTextAndNoOther) {
  EXPECT_TRUE(IsLocal("unix:path"));
  EXPECT_TRUE(IsLocal("localhost:1"));
  EXPECT_TRUE(IsLocal("127.0.0.1:1"));
  EXPECT_TRUE(IsLocal("[::1]:1"));
  EXPECT_FALSE(IsLocal("referee.example:1"));
  EXPECT_FALSE(IsLocal("192.168.1.1:1"));
  EXPECT_FALSE(IsLocal("127.example.org:1"));
}

TEST_F(SdkOptions, RefusesTlsAndPlainTextAtOnce) {
  Options options = Good();
  options.tls = true;
  EXPECT_TRUE(CredentialsFor(options).ok());
  options.insecure = true;
  EXPECT_THAT(WhyNoCredentials(options), HasSubstr("--insecure"));
  options = Certified();
  EXPECT_TRUE(CredentialsFor(options).ok());
  options.insecure = true;
  EXPECT_THAT(WhyNoCredentials(options), AllOf(HasSubstr("--tls-cert"), HasSubstr("--insecure")));
}

TEST_F(SdkOptions, TakesACertificateWithItsKeyOnly) {
  Options options = Certified();
  options.tls_key.clear();
  EXPECT_THAT(WhyNoCredentials(options), HasSubstr("--tls-cert without --tls-key"));
  options = Certified();
  options.tls_cert.clear();
  EXPECT_THAT(WhyNoCredentials(options), HasSubstr("--tls-key without --tls-cert"));
}

TEST_F(SdkOptions, NamesTheCertificateFileThatWillNotDoAndSaysWhy) {
  const std::string empty = files_.Write("empty", "");
  const std::string text = files_.Write("text", "Dear referee,\n");
  const auto why_not = [&](absl::string_view flag, std::string Options::*file,
                           const std::string& path) {
    Options options = Certified();
    options.*file = path;
    const std::string why = WhyNoCredentials(options);
    EXPECT_THAT(why, StartsWith(absl::StrCat(flag, " \"", path, "\": ")));
    return why;
  };
  for (const auto& [flag, file] : {std::make_pair("--tls-ca", &Options::tls_ca),
                                   std::make_pair("--tls-cert", &Options::tls_cert),
                                   std::make_pair("--tls-key", &Options::tls_key)}) {
    EXPECT_THAT(why_not(flag, file, "/nonexistent.pem"), HasSubstr("No such file"));
    EXPECT_THAT(why_not(flag, file, "/tmp"), HasSubstr("Is a directory"));
    EXPECT_THAT(why_not(flag, file, empty), HasSubstr("the file is empty"));
    EXPECT_THAT(why_not(flag, file, text), HasSubstr("no PEM with a "));
  }
  EXPECT_THAT(why_not("--tls-key", &Options::tls_key, Certified().tls_cert),
              HasSubstr("no PEM with a private key"));
}

TEST_F(SdkOptions, ReadsFlags) {
  const Options options =
      Parse({"--address=a:1", "--token=t", "--bot-version=1.2", "--max-matches=9", "--threads=2",
             "--tls", "--tls-ca=ca.pem", "--tls-cert=own.pem", "--tls-key=own-key.pem",
             "--insecure", "--fleet-domain=example.org", "--give-up-after=30s",
             "--log-level=debug"})
          ->options;
  EXPECT_EQ(options.address, "a:1");
  EXPECT_EQ(options.token, "t");
  EXPECT_EQ(options.version, "1.2");
  EXPECT_EQ(options.max_matches, 9);
  EXPECT_EQ(options.threads, 2);
  EXPECT_TRUE(options.tls);
  EXPECT_EQ(options.tls_ca, "ca.pem");
  EXPECT_EQ(options.tls_cert, "own.pem");
  EXPECT_EQ(options.tls_key, "own-key.pem");
  EXPECT_TRUE(options.insecure);
  EXPECT_EQ(options.fleet_domain, "example.org");
  EXPECT_EQ(options.give_up_after, absl::Seconds(30));
  EXPECT_EQ(options.log_level, LogLevel::kDebug);
}

TEST_F(SdkOptions, ReadsATokenFromTheFirstLineOfAFile) {
  const std::string path = ::testing::TempDir() + "/sdk-token";
  std::ofstream(path) << " secret \nmore\n";
  EXPECT_EQ(Parse({"--token-file", path.c_str()})->options.token, "secret");
  EXPECT_THAT(std::string(Parse({"--token-file", "/nonexistent"}).status().message()),
              HasSubstr("/nonexistent"));
}

TEST_F(SdkOptions, RefusesFlagsThatMakeNoSense) {
  EXPECT_THAT(std::string(Parse({"--speed=9"}).status().message()), HasSubstr("--speed"));
  EXPECT_FALSE(Parse({"--max-matches=many"}).ok());
  EXPECT_THAT(std::string(Parse({"--give-up-after=soon"}).status().message()), HasSubstr("soon"));
  EXPECT_THAT(std::string(Parse({"--log-level=loud"}).status().message()),
              HasSubstr("it must be debug, info, warning, error or none"));
}

TEST_F(SdkOptions, ShowsHelpAndVersion) {
  EXPECT_THAT(Parse({"--help"})->text, HasSubstr("--token-file"));
  EXPECT_THAT(Parse({"--version"})->text, HasSubstr("referee-sdk-cpp"));
}

}  // namespace
}  // namespace referee::sdk
