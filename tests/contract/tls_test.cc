// Claims about TLS, with real handshakes: whom a server plays with, and its certificate exchanged
// while it serves.
#include "referee/service/tls.h"

#include <gmock/gmock.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <gtest/gtest.h>

#include <openssl/bio.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "referee/base/mutex.h"
#include "referee/service/convert/convert.h"
#include "tests/contract/raw_bot.h"
#include "tests/contract/referee_under_test.h"
#include "tests/support/certificates.h"
#include "tests/support/channel.h"

namespace referee::testing {
namespace {

using service::Tls;
using service::TlsPem;

class TlsServer : public ::testing::Test {
 protected:
  TlsServer() = default;

  // The server asks clients for a certificate of `client_ca`, if it is set.
  void Start(absl::optional<std::string> client_ca = absl::nullopt) {
    tls_ = Tls::Make({shown_.pem, shown_.key, client_ca}, absl::Now()).value();
    RefereeUnderTest::Options options;
    options.listen = "127.0.0.1:0";
    options.tls = tls_.get();
    options.transport_bytes = transport_bytes_;
    options.log = [this](const log::Event& event) {
      MutexLock lock(&mutex_);
      logged_.push_back(event.message);
      logged_some_.NotifyAll();
    };
    referee_ = std::make_unique<RefereeUnderTest>(options);
  }
  // A new connection of one who trusts `authority`, and may show a certificate.
  std::shared_ptr<grpc::Channel> Dial(const Certificate& authority, const Certificate& own = {}) {
    grpc::SslCredentialsOptions ssl;
    ssl.pem_root_certs = authority.pem;
    ssl.pem_cert_chain = own.pem;
    ssl.pem_private_key = own.key;
    return testing::Dial(referee_->address(), grpc::SslCredentials(ssl));
  }
  bool Plays(std::shared_ptr<grpc::Channel> channel) {
    RawBot alice(std::move(channel));
    alice.Say(HelloAs("alice"));
    alice.SayLast();
    return alice.End().error_code() != grpc::StatusCode::UNAVAILABLE;
  }

  // Whether the log says so, soon.
  bool IsLogged(absl::string_view what) {
    for (const absl::Time until = absl::Now() + kPatience; absl::Now() < until;) {
      MutexLock lock(&mutex_);
      for (const std::string& line : logged_) {
        if (absl::StrContains(line, what)) return true;
      }
      logged_some_.WaitFor(&mutex_, std::chrono::milliseconds(100));
    }
    return false;
  }

  size_t transport_bytes_ = limits::kMemoryLimit / 2;
  Mutex mutex_;
  CondVar logged_some_;
  std::vector<std::string> logged_ ABSL_GUARDED_BY(mutex_);
  CertificateMaker maker_;
  const Certificate shown_ = maker_.SelfSigned("referee");
  std::unique_ptr<Tls> tls_;
  std::unique_ptr<RefereeUnderTest> referee_;
};

TEST_F(TlsServer, PlaysWithThoseWhoTrustItsCertificate) {
  Start();
  RawBot alice(Dial(shown_));
  alice.Say(HelloAs("alice"));
  EXPECT_EQ(alice.Hear().welcome().bot(), "alice");
}

TEST_F(TlsServer, HearsNoPlainText) {
  Start();
  EXPECT_FALSE(Plays(referee_->NewChannel()));
}

TEST_F(TlsServer, IsNotTrustedByThoseWhoTrustOthers) {
  Start();
  EXPECT_FALSE(Plays(Dial(maker_.SelfSigned("other"))));
}

TEST_F(TlsServer, ShowsANewCertificateAtOnceWhileStreamsGoOn) {
  Start();
  RawBot alice(Dial(shown_));
  alice.Say(HelloAs("alice"));
  ASSERT_TRUE(alice.Hear().has_welcome());
  const Certificate renewed = maker_.SelfSigned("referee");
  ASSERT_TRUE(tls_->Replace({renewed.pem, renewed.key, absl::nullopt}, absl::Now()).ok());

  RawBot bob(Dial(renewed));
  bob.Say(HelloAs("bob"));
  ASSERT_TRUE(bob.Hear().has_welcome());
  EXPECT_FALSE(Plays(Dial(shown_))) << "the old one is shown no more";
  const std::string match_id =
      referee_->host().Create(*service::FromWire(referee_->Request({"alice", "bob"})), "")->text();
  EXPECT_EQ(alice.Hear().match_start().match().match_id(), match_id) << "the old stream goes on";
  EXPECT_EQ(bob.Hear().match_start().match().match_id(), match_id);
}

TEST_F(TlsServer, KeepsItsCertificateWhenTheNewOneWillNotDo) {
  Start();
  const Certificate other = maker_.SelfSigned("other");
  for (const TlsPem& bad :
       {TlsPem{other.pem, shown_.key, absl::nullopt}, TlsPem{"nonsense", other.key, absl::nullopt},
        TlsPem{other.pem, other.key, other.pem}}) {
    EXPECT_TRUE(absl::IsInvalidArgument(tls_->Replace(bad, absl::Now()).status()));
  }
  EXPECT_FALSE(
      tls_->Replace({other.pem, other.key, absl::nullopt}, absl::Now() + absl::Hours(99)).ok())
      << "expired";
  EXPECT_TRUE(Plays(Dial(shown_)));
}

TEST_F(TlsServer, AsksForCertificatesOfItsAuthorityAlone) {
  const Certificate authority = maker_.SelfSigned("authority");
  Start(authority.pem);
  EXPECT_TRUE(Plays(Dial(shown_, maker_.SignedBy(authority, "alice"))));
  EXPECT_FALSE(Plays(Dial(shown_)));
  EXPECT_FALSE(Plays(Dial(shown_, maker_.SelfSigned("alice"))));
}

TEST_F(TlsServer, ExchangesTheAuthorityOfItsClients) {
  const Certificate first = maker_.SelfSigned("first");
  const Certificate second = maker_.SelfSigned("second");
  Start(first.pem);
  const Certificate alice = maker_.SignedBy(second, "alice");
  EXPECT_FALSE(Plays(Dial(shown_, alice)));
  ASSERT_TRUE(tls_->Replace({shown_.pem, shown_.key, second.pem}, absl::Now()).ok());
  EXPECT_TRUE(Plays(Dial(shown_, alice)));
}

// A client of HTTP/2 over TLS that says what frames a test likes.
class FramesOverTls {
 public:
  explicit FramesOverTls(const std::string& address)
      : context_(SSL_CTX_new(TLS_client_method()), SSL_CTX_free),
        connection_(BIO_new_ssl_connect(context_.get()), BIO_free_all) {
    SSL* tls = nullptr;
    BIO_get_ssl(connection_.get(), &tls);
    SSL_set_alpn_protos(tls, reinterpret_cast<const uint8_t*>("\2h2"), 3);
    BIO_set_conn_hostname(connection_.get(), address.c_str());
    EXPECT_EQ(BIO_do_handshake(connection_.get()), 1);
    int socket = -1;
    BIO_get_fd(connection_.get(), &socket);
    const timeval patience = absl::ToTimeval(kPatience);
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    signal(SIGPIPE, SIG_IGN);  // the server may end the connection while more is said
    Say("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    SayFrame(/*type=*/4, /*flags=*/0, /*stream=*/0, "");
  }
  void SayFrame(char type, char flags, uint32_t stream, const std::string& payload) {
    std::string frame(3, '\0');
    frame[1] = static_cast<char>(payload.size() >> 8);
    frame[2] = static_cast<char>(payload.size());
    frame += {type, flags, 0, 0, static_cast<char>(stream >> 8), static_cast<char>(stream)};
    Say(frame + payload);
  }
  // Says HEADERS with these flags: those of a call that creates a match.
  void SayHeaders(char flags, uint32_t stream) {
    SayFrame(
        1, flags, stream,
        absl::StrCat("\x83\x86\x04\x24/referee.v1.MatchService/CreateMatch", "\x01\x01r",
                     "\x0f\x10\x10", "application/grpc", std::string("\0\2te\x08trailers", 13)));
  }
  // Reads until the server ends the connection. Returns false if it does not.
  bool Ends() {
    char bytes[1024];
    while (BIO_read(connection_.get(), bytes, sizeof(bytes)) > 0) continue;
    return BIO_should_retry(connection_.get()) == 0;
  }

 private:
  void Say(const std::string& text) {
    BIO_write(connection_.get(), text.data(), static_cast<int>(text.size()));
  }

  const std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)> context_;
  const std::unique_ptr<BIO, void (*)(BIO*)> connection_;
};

constexpr char kEndHeaders = 4;

TEST_F(TlsServer, CutsOffAndNamesWhoeverSendsHeadersWithoutAnEnd) {
  Start();
  FramesOverTls client(referee_->address());
  client.SayHeaders(0, 1);
  for (int i = 0; i < limits::kMaxHeaderFrames; ++i) client.SayFrame(9, 0, 1, "\x91");
  EXPECT_TRUE(client.Ends());
  EXPECT_TRUE(IsLogged("address 127.0.0.1 sends headers without an end"));
}

// The transport would close this connection itself, and the log would name nobody.
TEST_F(TlsServer, CutsOffAndNamesAnAddressThatSendsHeadersInLargePieces) {
  Start();
  FramesOverTls client(referee_->address());
  client.SayHeaders(0, 1);
  client.SayFrame(9, 0, 1,
                  absl::StrCat(std::string("\0\5x-pad\x7f\xd9\x35", 10), std::string(7'000, 'p')));
  EXPECT_TRUE(client.Ends());
  EXPECT_TRUE(IsLogged("address 127.0.0.1 sends headers without an end"));
}

TEST_F(TlsServer, CutsOffAndNamesWhoeverOpensCallsThatDoNotBegin) {
  transport_bytes_ = 4 << 20;  // of which strangers may have 16 such calls
  Start();
  FramesOverTls client(referee_->address());
  for (uint32_t call = 0; call < 40; ++call) client.SayHeaders(kEndHeaders, 2 * call + 1);
  EXPECT_TRUE(client.Ends());
  EXPECT_TRUE(IsLogged("address 127.0.0.1 has sent most"));
}

}  // namespace
}  // namespace referee::testing
