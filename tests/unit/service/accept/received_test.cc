// Tests of counting the bytes read from sockets.
#include "referee/service/accept/received.h"

#include <gtest/gtest.h>
#include <openssl/bio.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <string>
#include <vector>

#include "referee/base/limits.h"
#include "referee/replay/files.h"
#include "tests/support/certificates.h"

namespace referee::service {
namespace {

constexpr uint64_t kConnection = 7;
// Frames of HTTP/2 without a payload, which do not end the headers.
const std::string kOpenHeaders("\0\0\0\1\0\0\0\0\1", 9);
const std::string kMoreHeaders("\0\0\0\x9\0\0\0\0\1", 9);
// One that does.
const std::string kCall("\0\0\0\1\4\0\0\0\1", 9);
const std::string kClientPreface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

// Lets connections receive so many bytes, and notes when it was asked.
class FixedLimit final : public ReceiveLimit {
 public:
  explicit FixedLimit(uint64_t bytes) : bytes_(bytes) {}
  absl::optional<uint64_t> Raise(uint64_t connection, int, const Received& received) override {
    EXPECT_EQ(connection, kConnection);
    asked_at_.push_back(received.bytes);
    calls_ = received.calls;
    return received.bytes <= bytes_ ? absl::optional<uint64_t>(bytes_) : absl::nullopt;
  }
  bool Refuse(uint64_t connection, int) override {
    EXPECT_EQ(connection, kConnection);
    refused_ = true;
    return !is_anothers;
  }
  uint64_t calls() const { return calls_; }
  bool refused() const { return refused_; }
  const std::vector<uint64_t>& asked_at() const { return asked_at_; }

  bool is_anothers = false;  // the descriptor

 private:
  const uint64_t bytes_;
  std::vector<uint64_t> asked_at_;
  uint64_t calls_ = 0;
  bool refused_ = false;
};

class ReceivedTest : public ::testing::Test {
 protected:
  ReceivedTest() {
    int pair[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    near_ = replay::File(pair[0]);
    far_ = replay::File(pair[1]);
  }
  // The far end says so much; returns what a read of it returns.
  ssize_t Read(size_t bytes, int flags = 0) { return Read(std::string(bytes, 'x'), flags); }
  ssize_t Read(std::string text, int flags = 0) {
    const auto bytes = static_cast<ssize_t>(text.size());
    EXPECT_EQ(send(far_.fd(), text.data(), text.size(), MSG_NOSIGNAL), bytes);
    iovec part{text.data(), text.size()};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    return recvmsg(near_.fd(), &message, flags);
  }

  replay::File near_;
  replay::File far_;
  const std::shared_ptr<FixedLimit> limit_ = std::make_shared<FixedLimit>(100);
};

TEST_F(ReceivedTest, BytesPassUpToTheLimitAndTheReadThatBringsMoreFails) {
  ASSERT_TRUE(WatchReceived(near_.fd(), kConnection, limit_));
  EXPECT_EQ(Read(60), 60);
  EXPECT_EQ(Read(40), 40);
  EXPECT_EQ(Read(1), -1);
  EXPECT_EQ(errno, ECONNRESET);
  EXPECT_EQ(Read(1), -1);
  // It is asked when more has come than it allowed.
  EXPECT_EQ(limit_->asked_at(), (std::vector<uint64_t>{60, 101}));
  ForgetReceived(near_.fd(), kConnection, limit_.get());
}

TEST_F(ReceivedTest, CallsAreCountedAsTheyCome) {
  const auto plenty = std::make_shared<FixedLimit>(1'000'000);
  ASSERT_TRUE(WatchReceived(near_.fd(), kConnection, plenty));
  Read(kClientPreface + kCall);
  Read(kCall + kCall);
  EXPECT_EQ(plenty->calls(), 3u);
  ForgetReceived(near_.fd(), kConnection, plenty.get());
}

TEST_F(ReceivedTest, HeadersInTooManyPiecesEndTheConnection) {
  const auto plenty = std::make_shared<FixedLimit>(1'000'000);
  ASSERT_TRUE(WatchReceived(near_.fd(), kConnection, plenty));
  EXPECT_GT(Read(kClientPreface + kOpenHeaders), 0);
  for (int i = 1; i < limits::kMaxHeaderFrames; ++i) EXPECT_GT(Read(kMoreHeaders), 0);
  EXPECT_FALSE(plenty->refused());
  EXPECT_EQ(Read(kMoreHeaders), -1);
  EXPECT_TRUE(plenty->refused());
  ForgetReceived(near_.fd(), kConnection, plenty.get());
}

TEST_F(ReceivedTest, BytesThatAreNotOfTheConnectionAnyMoreEndNothing) {
  const auto plenty = std::make_shared<FixedLimit>(1'000'000);
  plenty->is_anothers = true;
  ASSERT_TRUE(WatchReceived(near_.fd(), kConnection, plenty));
  EXPECT_GT(Read(kClientPreface + kOpenHeaders), 0);
  for (int i = 0; i < 2 * limits::kMaxHeaderFrames; ++i) EXPECT_GT(Read(kMoreHeaders), 0);
  EXPECT_TRUE(plenty->refused());
  ForgetReceived(near_.fd(), kConnection, plenty.get());
}

TEST_F(ReceivedTest, BytesOfOtherDescriptorsAreNotCounted) {
  EXPECT_EQ(Read(1'000), 1'000);
  ASSERT_TRUE(WatchReceived(near_.fd(), kConnection, limit_));
  ForgetReceived(near_.fd(), kConnection, limit_.get());
  EXPECT_EQ(Read(1'000), 1'000);
  EXPECT_TRUE(limit_->asked_at().empty());
}

TEST_F(ReceivedTest, BytesThatArePeekedAtAreNotCounted) {
  ASSERT_TRUE(WatchReceived(near_.fd(), kConnection, limit_));
  EXPECT_EQ(Read(80, MSG_PEEK), 80);
  EXPECT_TRUE(limit_->asked_at().empty());
  ForgetReceived(near_.fd(), kConnection, limit_.get());
}

TEST_F(ReceivedTest, BytesCountForWhoeverHasTheDescriptorNow) {
  const auto before = std::make_shared<FixedLimit>(0);
  ASSERT_TRUE(WatchReceived(near_.fd(), 6, before));
  ASSERT_TRUE(WatchReceived(near_.fd(), kConnection, limit_));
  ForgetReceived(near_.fd(), 6, before.get());  // it is late
  EXPECT_EQ(Read(60), 60);
  EXPECT_EQ(limit_->asked_at().size(), 1u);
  ForgetReceived(near_.fd(), kConnection, limit_.get());
}

// The two ends of a connection of TLS in memory, as gRPC has one. The server's is made for a
// descriptor.
class TlsPair {
 public:
  explicit TlsPair(int descriptor) {
    testing::CertificateMaker maker;
    const testing::Certificate certificate = maker.SelfSigned("referee");
    Free<BIO, BIO_free_all> pem(BIO_new_mem_buf(certificate.pem.data(), -1));
    Free<BIO, BIO_free_all> key_pem(BIO_new_mem_buf(certificate.key.data(), -1));
    Free<X509, X509_free> x509(PEM_read_bio_X509(pem.get(), nullptr, nullptr, nullptr));
    Free<EVP_PKEY, EVP_PKEY_free> key(
        PEM_read_bio_PrivateKey(key_pem.get(), nullptr, nullptr, nullptr));
    context_.reset(SSL_CTX_new(TLS_method()));
    EXPECT_EQ(SSL_CTX_use_certificate(context_.get(), x509.get()), 1);
    EXPECT_EQ(SSL_CTX_use_PrivateKey(context_.get(), key.get()), 1);
    client_.reset(SSL_new(context_.get()));
    {
      const TlsHandOver hand_over(descriptor);
      server_.reset(SSL_new(context_.get()));
    }
    BIO* of_client = nullptr;
    BIO* of_server = nullptr;
    EXPECT_EQ(BIO_new_bio_pair(&of_client, 0, &of_server, 0), 1);
    SSL_set_bio(client_.get(), of_client, of_client);
    SSL_set_bio(server_.get(), of_server, of_server);
    SSL_set_connect_state(client_.get());
    SSL_set_accept_state(server_.get());
    for (int i = 0; i < 10 && SSL_is_init_finished(server_.get()) == 0; ++i) {
      SSL_do_handshake(client_.get());
      SSL_do_handshake(server_.get());
    }
  }
  // The client says it; returns what the server's read returns.
  int Say(const std::string& text) {
    EXPECT_GT(SSL_write(client_.get(), text.data(), static_cast<int>(text.size())), 0);
    char bytes[1024];
    const int size = SSL_read(server_.get(), bytes, sizeof(bytes));
    error_ = SSL_get_error(server_.get(), size);
    return size;
  }
  int error() const { return error_; }

 private:
  template <auto kFree>
  struct Deleter {
    template <typename T>
    void operator()(T* owned) const {
      kFree(owned);
    }
  };
  template <typename T, auto kFree>
  using Free = std::unique_ptr<T, Deleter<kFree>>;

  Free<SSL_CTX, SSL_CTX_free> context_;
  Free<SSL, SSL_free> client_;
  Free<SSL, SSL_free> server_;
  int error_ = 0;
};

TEST_F(ReceivedTest, HeadersInTooManyPiecesEndTheConnectionThatTlsWraps) {
  const auto plenty = std::make_shared<FixedLimit>(1'000'000);
  ASSERT_TRUE(WatchReceived(near_.fd(), kConnection, plenty));
  TlsPair tls(near_.fd());
  EXPECT_GT(tls.Say(kClientPreface + kOpenHeaders), 0);
  for (int i = 1; i < limits::kMaxHeaderFrames; ++i) EXPECT_GT(tls.Say(kMoreHeaders), 0);
  EXPECT_FALSE(plenty->refused());
  EXPECT_EQ(tls.Say(kMoreHeaders), -1);
  EXPECT_EQ(tls.error(), SSL_ERROR_SSL);
  EXPECT_TRUE(plenty->refused());
  EXPECT_EQ(Read(1), -1) << "nor is anything read that TLS would unwrap";
  ForgetReceived(near_.fd(), kConnection, plenty.get());
}

TEST_F(ReceivedTest, CallsThatTlsWrapsAreCountedWithTheBytesThatWrapThem) {
  ASSERT_TRUE(WatchReceived(near_.fd(), kConnection, limit_));
  TlsPair tls(near_.fd());
  EXPECT_EQ(Read(60), 60);
  EXPECT_GT(tls.Say(kClientPreface + kCall), 0);
  EXPECT_EQ(limit_->calls(), 1u);
  // What it wraps is no HTTP/2, whatever it looks like.
  EXPECT_GT(Read(kCall), 0);
  EXPECT_GT(tls.Say(kCall + kCall), 0);
  EXPECT_EQ(limit_->calls(), 3u);
  EXPECT_EQ(limit_->asked_at(), (std::vector<uint64_t>{60, 60, 69}));
  // The connection ends in the read of TLS that brings too much.
  Read(100);
  EXPECT_EQ(tls.Say(kCall), -1);
  ForgetReceived(near_.fd(), kConnection, limit_.get());
}

TEST_F(ReceivedTest, TlsOfOtherDescriptorsIsNotScreened) {
  TlsPair tls(near_.fd());
  EXPECT_GT(tls.Say(kClientPreface + kOpenHeaders), 0);
  for (int i = 0; i < 2 * limits::kMaxHeaderFrames; ++i) EXPECT_GT(tls.Say(kMoreHeaders), 0);
}

}  // namespace
}  // namespace referee::service
