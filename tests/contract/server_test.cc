// Claims about the server as a whole: health, reflection, TLS, one address for one referee, its
// end.
#include <gmock/gmock.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "absl/strings/str_cat.h"
#include "tests/contract/byte_stream.h"
#include "tests/contract/raw_bot.h"
#include "tests/contract/referee_under_test.h"

namespace referee::testing {
namespace {

using ::testing::HasSubstr;

TEST(Server, RefusesAnAddressThatIsTaken) {
  RefereeUnderTest::Options options;
  options.listen = "127.0.0.1:0";
  const RefereeUnderTest first(options);
  const absl::Status second = first.StartAnother(first.address());
  EXPECT_TRUE(absl::IsUnavailable(second)) << second;
  EXPECT_THAT(std::string(second.message()), HasSubstr("another referee"));
}

TEST(Server, EndsInOrderWithMatchesRunning) {
  RefereeUnderTest referee;
  Table table(&referee);
  table.WaitForTurn();
  referee.Stop();
  for (RawBot* bot : {&table.alice, &table.bob}) {
    EXPECT_TRUE(bot->Hear(v1::RefereeItem::kDraining).has_draining());
    const v1::Verdict verdict = bot->Hear(v1::RefereeItem::kMatchEnd).match_end().verdict();
    EXPECT_EQ(verdict.state(), v1::MATCH_STATE_VOID);
    EXPECT_EQ(verdict.seed().size(), 32u);
    const grpc::Status status = bot->End();
    EXPECT_TRUE(status.ok()) << status.error_message();
  }
}

TEST(Server, LetsRunningMatchesEndWhileItDrains) {
  RefereeUnderTest referee;
  Table table(&referee);
  table.WaitForTurn();
  std::thread stopping([&] { referee.Stop(kPatience); });
  EXPECT_GT(table.other->Hear(v1::RefereeItem::kDraining).draining().time_left().seconds(), 0);
  table.PlayTurn();
  table.alice.Say(ResignFrom(table.match_id));
  for (RawBot* bot : {&table.alice, &table.bob}) {
    EXPECT_EQ(bot->Hear(v1::RefereeItem::kMatchEnd).match_end().verdict().state(),
              v1::MATCH_STATE_FINISHED);
    EXPECT_TRUE(bot->End().ok());
  }
  stopping.join();
}

// --- What tools expect of any server. ---

TEST(Server, IsHealthy) {
  const RefereeUnderTest referee;
  ByteStream check(referee.NewChannel(), "/grpc.health.v1.Health/Check");
  ASSERT_TRUE(check.Write(""));
  std::string response;
  ASSERT_TRUE(check.Read(&response));
  EXPECT_EQ(response, "\x08\x01") << "status: SERVING";
}

TEST(Server, ListsItsServices) {
  const RefereeUnderTest referee;
  ByteStream reflection(referee.NewChannel(),
                        "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo");
  ASSERT_TRUE(reflection.Write(std::string("\x3a\x00", 2)));  // list_services: ""
  std::string response;
  ASSERT_TRUE(reflection.Read(&response));
  for (const char* service : {"referee.v1.BotService", "referee.v1.MatchService",
                              "referee.v1.ReplayService", "grpc.health.v1.Health"}) {
    EXPECT_THAT(response, HasSubstr(service));
  }
}

// --- TLS. ---

std::string ReadText(const std::string& path) {
  std::ifstream file(path);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// A certificate for 127.0.0.1 that signs itself, and its key; made once.
struct Certificate {
  Certificate() {
    char made[] = "/tmp/referee-tls-XXXXXX";
    const std::string folder = mkdtemp(made);
    const std::string command = absl::StrCat(
        "cd ", folder,
        " && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
        " -subj /CN=referee -addext subjectAltName=IP:127.0.0.1"
        " -keyout key.pem -out cert.pem 2>openssl.log");
    EXPECT_EQ(std::system(command.c_str()), 0) << ReadText(folder + "/openssl.log");
    key = ReadText(folder + "/key.pem");
    pem = ReadText(folder + "/cert.pem");
    std::filesystem::remove_all(folder);
  }
  std::string key;
  std::string pem;
};

class ServerWithTls : public ::testing::Test {
 protected:
  static RefereeUnderTest::Options Options() {
    static const Certificate* const certificate = new Certificate;
    RefereeUnderTest::Options options;
    options.listen = "127.0.0.1:0";
    options.tls_cert = certificate->pem;
    options.tls_key = certificate->key;
    return options;
  }

  RefereeUnderTest referee_{Options()};
};

TEST_F(ServerWithTls, PlaysWithThoseWhoTrustItsCertificate) {
  grpc::SslCredentialsOptions trust;
  trust.pem_root_certs = Options().tls_cert;
  RawBot alice(grpc::CreateChannel(referee_.address(), grpc::SslCredentials(trust)));
  alice.Say(HelloAs("alice"));
  EXPECT_EQ(alice.Hear().welcome().bot(), "alice");
}

TEST_F(ServerWithTls, HearsNoPlainText) {
  RawBot alice(referee_.NewChannel());
  alice.Say(HelloAs("alice"));
  EXPECT_EQ(alice.End().error_code(), grpc::StatusCode::UNAVAILABLE);
}

TEST_F(ServerWithTls, IsNotTrustedByThoseWhoTrustOthers) {
  grpc::SslCredentialsOptions trust;
  trust.pem_root_certs = Certificate().pem;
  RawBot alice(grpc::CreateChannel(referee_.address(), grpc::SslCredentials(trust)));
  alice.Say(HelloAs("alice"));
  EXPECT_EQ(alice.End().error_code(), grpc::StatusCode::UNAVAILABLE);
}

}  // namespace
}  // namespace referee::testing
