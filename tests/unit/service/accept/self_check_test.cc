// Tests of detecting a server that no longer accepts connections.
#include "referee/service/accept/self_check.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "referee/service/access/credentials.h"
#include "referee/service/server.h"
#include "tests/support/certificates.h"
#include "tests/support/simulated_time.h"
#include "tests/support/temp_folder.h"

namespace referee::service {
namespace {

constexpr Deafness::Limits kLimits{absl::Seconds(10), absl::Seconds(5), 3};

class DeafnessTest : public ::testing::Test {
 protected:
  // An attempt after the usual time. Returns whether the server is deaf.
  bool Attempt(bool answered, absl::Duration pause = kLimits.interval,
               absl::Duration took = kLimits.patience) {
    clock_.Advance(pause);
    const Instant begin = clock_.Now();
    clock_.Advance(took);
    return deafness_.Note(answered, begin, clock_.Now());
  }

  testing::SimulatedClock clock_;
  Deafness deafness_{kLimits};
};

TEST_F(DeafnessTest, IsSoManyUnansweredAttemptsInARow) {
  EXPECT_FALSE(Attempt(true));
  EXPECT_FALSE(Attempt(false));
  EXPECT_FALSE(Attempt(false));
  EXPECT_TRUE(Attempt(false));
}

TEST_F(DeafnessTest, IsNotWhatOneAnswerContradicts) {
  EXPECT_FALSE(Attempt(true));
  EXPECT_FALSE(Attempt(false));
  EXPECT_FALSE(Attempt(false));
  EXPECT_FALSE(Attempt(true));
  EXPECT_FALSE(Attempt(false));
  EXPECT_FALSE(Attempt(false));
}

TEST_F(DeafnessTest, IsNotASuspendedMachine) {
  EXPECT_FALSE(Attempt(true));
  for (int i = 0; i < 10; ++i) {
    EXPECT_FALSE(Attempt(false));
    EXPECT_FALSE(Attempt(false));
    // Suspended between two attempts, or in one.
    EXPECT_FALSE(i % 2 == 0 ? Attempt(false, absl::Hours(8))
                            : Attempt(false, kLimits.interval, absl::Hours(8)));
  }
}

TEST(SelfCheck, SaysOnceThatNobodyAnswers) {
  const SystemClock clock;
  std::promise<void> deaf;
  std::atomic<int> attempts{0};
  const SelfCheck check(
      &clock, {absl::Milliseconds(1), absl::Seconds(5), 3},
      [&](absl::Duration) { return ++attempts, false; }, [&] { deaf.set_value(); });
  EXPECT_EQ(deaf.get_future().wait_for(std::chrono::minutes(1)), std::future_status::ready);
  EXPECT_GE(attempts, 3);
}

// A server without a host, which nobody calls.
class AnswersTest : public ::testing::Test {
 protected:
  // Whether a server that listens there answers itself.
  bool ServerAnswers(const std::string& listen) {
    options_.authenticator = &credentials_;
    options_.clock = &clock_;
    options_.listen = listen;
    const auto server = Server::Start(options_);
    EXPECT_TRUE(server.ok()) << server.status();
    return server.ok() && (*server)->AnswersItself(absl::Seconds(60));
  }

  SystemClock clock_;
  Credentials credentials_;
  ServerOptions options_;
  testing::TempFolder folder_;
};

TEST_F(AnswersTest, AServerAtWhateverAddress) {
  options_.insecure = true;
  for (const std::string listen : {"127.0.0.1:0", "localhost:0", "0.0.0.0:0"}) {
    EXPECT_TRUE(ServerAnswers(listen)) << listen;
  }
  EXPECT_TRUE(ServerAnswers(absl::StrCat("unix:", folder_.Path("socket"))));
}

TEST_F(AnswersTest, AServerWhoseProxiesAreOnItsOwnMachine) {
  options_.trusted_proxies = {IpRange::Parse("127.0.0.0/8").value()};
  EXPECT_TRUE(ServerAnswers("127.0.0.1:0"));
}

TEST_F(AnswersTest, AServerBehindTlsWhetherClientsNeedACertificateOrNot) {
  testing::CertificateMaker maker;
  const testing::Certificate certificate = maker.SelfSigned("referee");
  for (const bool certified : {false, true}) {
    TlsPem pem{certificate.pem, certificate.key, absl::nullopt};
    if (certified) pem.client_ca = certificate.pem;
    const std::unique_ptr<Tls> tls = Tls::Make(pem, absl::Now()).value();
    options_.tls = tls.get();
    EXPECT_TRUE(ServerAnswers("127.0.0.1:0")) << certified;
  }
}

// It listens, and the system connects who comes; but nobody takes them up.
TEST(Answers, NobodyWhoAcceptsNoConnections) {
  const Listener deaf = Listener::Open("127.0.0.1:0").value();
  Connections connections({10, 10, 10}, {});
  EXPECT_FALSE(Answers(deaf, false, &connections, absl::Milliseconds(50)));
}

}  // namespace
}  // namespace referee::service
