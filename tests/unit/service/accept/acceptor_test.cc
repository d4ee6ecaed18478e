// Tests of accepting connections, with real sockets on a simulated clock.
#include "referee/service/accept/acceptor.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "referee/base/limits.h"
#include "tests/support/simulated_time.h"
#include "tests/support/temp_folder.h"

namespace referee::service {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class AcceptorTest : public ::testing::Test {
 protected:
  // Listens on loopback, from where nobody is believed, or everybody has to say for whom it speaks.
  void Listen(const std::string& proxies = "192.0.2.1",
              const std::string& address = "127.0.0.1:0") {
    std::vector<IpRange> ranges = {IpRange::Parse(proxies).value()};
    const auto opened = [this](const Endpoint&) {
      return absl::make_optional(CallCounts{opened_, 0});
    };
    connections_ =
        std::make_unique<Connections>(ConnectionLimits{100, 50, 50}, ranges, nullptr, opened);
    AcceptorOptions options;
    options.connections = connections_.get();
    options.clock = &clock_;
    options.hand_over = [this](replay::File socket) { taken_.push_back(std::move(socket)); };
    options.log = &sparse_log_;
    options.check_peer = check_peer_;
    options.refused = [this](const std::string& account) { refused_.push_back(account); };
    acceptor_ = std::make_unique<Acceptor>(Listener::Open(address).value(), std::move(options));
  }

  // A client that has connected.
  replay::File Connect() const {
    const std::string& address = acceptor_->listener().address();
    int port = 0;
    EXPECT_TRUE(absl::SimpleAtoi(address.substr(address.rfind(':') + 1), &port));
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<uint16_t>(port));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    replay::File client(socket(AF_INET, SOCK_STREAM, 0));
    EXPECT_EQ(connect(client.fd(), reinterpret_cast<sockaddr*>(&to), sizeof(to)), 0);
    return client;
  }
  static void Say(const replay::File& client, const std::string& bytes) {
    EXPECT_EQ(send(client.fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
  }
  // What a socket has to read now.
  static std::string Heard(const replay::File& socket) {
    char bytes[256];
    const ssize_t size = recv(socket.fd(), bytes, sizeof(bytes), MSG_DONTWAIT);
    return size > 0 ? std::string(bytes, static_cast<size_t>(size)) : "";
  }
  static bool IsClosed(const replay::File& socket) {
    char byte;
    const ssize_t size = recv(socket.fd(), &byte, 1, MSG_DONTWAIT);
    return size == 0 || (size < 0 && errno == ECONNRESET);
  }
  // The acceptor does all that there is to do now.
  void Settle() {
    for (int i = 0; i < 10; ++i) acceptor_->Turn(absl::Milliseconds(1));
  }
  // The peer that a transport would see.
  static std::string PeerOf(const replay::File& socket) {
    sockaddr_storage address{};
    socklen_t size = sizeof(address);
    getpeername(socket.fd(), reinterpret_cast<sockaddr*>(&address), &size);
    return Endpoint::FromSockaddr(address)->ToPeer();
  }

  testing::SimulatedClock clock_;
  PeerCheck check_peer_;
  uint64_t opened_ = 0;               // calls, on each connection; none is open
  std::vector<std::string> refused_;  // accounts
  std::unique_ptr<Connections> connections_;
  std::vector<replay::File> taken_;
  std::vector<std::string> log_;  // what is no trifle
  log::SparseLog sparse_log_{&clock_, [this](const log::Event& event) {
                               if (event.level >= log::Level::kInfo) log_.push_back(event.message);
                             }};
  std::unique_ptr<Acceptor> acceptor_;
};

TEST_F(AcceptorTest, HandsConnectionsOverAndForgetsThoseThatAreClosed) {
  Listen();
  const replay::File one = Connect();
  const replay::File other = Connect();
  Settle();
  ASSERT_THAT(taken_, SizeIs(2));
  EXPECT_EQ(connections_->size(), 2u);
  // As a transport does it.
  shutdown(taken_[0].fd(), SHUT_RDWR);
  taken_[0] = replay::File();
  taken_.erase(taken_.begin());
  Settle();
  EXPECT_EQ(connections_->size(), 1u);
  EXPECT_TRUE(IsClosed(one));
  EXPECT_FALSE(IsClosed(other));
}

TEST_F(AcceptorTest, NamesTheAccountWhoseConnectionItCutsOffForWhatCameOnIt) {
  Listen();
  const replay::File alice = Connect();
  const replay::File bob = Connect();
  Settle();
  ASSERT_THAT(taken_, SizeIs(2));
  connections_->Recognise(PeerOf(taken_[0]), "alice", TokenHash());
  connections_->Recognise(PeerOf(taken_[1]), "bob", TokenHash());
  opened_ = 1'000'000;  // of which the service hears of none
  Say(alice, std::string(2 * limits::kBytesBeforeAsking, 'x'));
  clock_.Advance(limits::kLookInterval);
  Settle();
  EXPECT_THAT(refused_, ElementsAre("alice"));
}

// A process that connects to a unix socket, and lives as long as this.
class Dialler {
 public:
  explicit Dialler(const std::string& path) : pid_(fork()) {
    if (pid_ != 0) return;
    sockaddr_un to{};
    to.sun_family = AF_UNIX;
    path.copy(to.sun_path, sizeof(to.sun_path) - 1);
    const int client = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect(client, reinterpret_cast<sockaddr*>(&to), sizeof(to)) != 0) _exit(1);
    for (;;) pause();
  }
  ~Dialler() { End(); }
  void End() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    waitpid(std::exchange(pid_, 0), nullptr, 0);
  }
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_;
};

TEST_F(AcceptorTest, LetsInOnlyProcessesThatMayUseAUnixSocket) {
  const testing::TempFolder folder;
  const std::string path = folder.path() + "/socket";
  pid_t may = 0;
  std::vector<pid_t> asked;
  check_peer_ = [&](const ucred& process) {
    asked.push_back(process.pid);
    return process.pid == may ? absl::OkStatus() : absl::PermissionDeniedError("another bot's");
  };
  Listen("192.0.2.1", "unix:" + path);
  const Dialler friendly(path);
  may = friendly.pid();
  while (asked.empty()) Settle();
  EXPECT_THAT(taken_, SizeIs(1));
  const Dialler hostile(path);
  while (asked.size() < 2) Settle();
  EXPECT_THAT(asked, ElementsAre(friendly.pid(), hostile.pid()));
  EXPECT_THAT(taken_, SizeIs(1));
  EXPECT_THAT(log_, ElementsAre(HasSubstr("another bot's")));
}

// Its number may have gone to a process that may use the socket.
TEST_F(AcceptorTest, DoesNotLetInAProcessThatHasEnded) {
  const testing::TempFolder folder;
  const std::string path = folder.path() + "/socket";
  Dialler* ended = nullptr;
  bool asked = false;
  check_peer_ = [&](const ucred&) {
    asked = true;
    ended->End();
    return absl::OkStatus();
  };
  Listen("192.0.2.1", "unix:" + path);
  Dialler dialler(path);
  ended = &dialler;
  while (!asked) Settle();
  int kernel[2] = {0, 0};
  utsname system{};
  ASSERT_EQ(uname(&system), 0);
  sscanf(system.release, "%d.%d", &kernel[0], &kernel[1]);
  if (std::make_pair(kernel[0], kernel[1]) < std::make_pair(6, 5)) {
    GTEST_SKIP() << "Linux " << system.release << " does not tell";
  }
  EXPECT_THAT(taken_, SizeIs(0));
}

TEST_F(AcceptorTest, BelievesNobodyWhoIsNoProxy) {
  Listen();
  const replay::File client = Connect();
  const std::string forged = "PROXY TCP4 198.51.100.7 127.0.0.1 1 2\r\n";
  Say(client, forged);
  Settle();
  ASSERT_THAT(taken_, SizeIs(1));
  EXPECT_EQ(Heard(taken_[0]), forged);
  EXPECT_EQ(connections_->ClientOf(PeerOf(taken_[0])), PeerOf(taken_[0]));
}

TEST_F(AcceptorTest, LearnsFromAProxyWhomItSpeaksForAndLeavesTheRest) {
  Listen("127.0.0.0/8");
  const replay::File proxy = Connect();
  Settle();
  EXPECT_THAT(taken_, SizeIs(0));
  Say(proxy, "PROXY TCP4 198.51.100.7 127.0.");
  Settle();
  EXPECT_THAT(taken_, SizeIs(0));
  Say(proxy, "0.1 40122 7450\r\nPRI *");
  Settle();
  ASSERT_THAT(taken_, SizeIs(1));
  EXPECT_EQ(Heard(taken_[0]), "PRI *");
  EXPECT_EQ(connections_->ClientOf(PeerOf(taken_[0])), "ipv4:198.51.100.7:40122");
}

TEST_F(AcceptorTest, ClosesAProxyWhoseHeaderIsMalformedOrLate) {
  Listen("127.0.0.0/8");
  const replay::File malformed = Connect();
  const replay::File late = Connect();
  Say(malformed, "GET / HTTP/1.1\r\n");
  Settle();
  EXPECT_TRUE(IsClosed(malformed));
  EXPECT_FALSE(IsClosed(late));
  clock_.Advance(limits::kProxyHeaderLimit);
  Settle();
  EXPECT_TRUE(IsClosed(late));
  EXPECT_THAT(taken_, SizeIs(0));
  EXPECT_THAT(log_, ElementsAre(HasSubstr("PROXY protocol")));
}

TEST_F(AcceptorTest, LetsTheServersOwnInPastEveryLimit) {
  Listen("127.0.0.0/8");
  replay::File own(socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ASSERT_EQ(bind(own.fd(), reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  sockaddr_storage bound{};
  socklen_t size = sizeof(bound);
  getsockname(own.fd(), reinterpret_cast<sockaddr*>(&bound), &size);
  connections_->ExpectOwn(Endpoint::FromSockaddr(bound));
  int port = 0;
  const std::string& listening = acceptor_->listener().address();
  ASSERT_TRUE(absl::SimpleAtoi(listening.substr(listening.rfind(':') + 1), &port));
  address.sin_port = htons(static_cast<uint16_t>(port));
  ASSERT_EQ(connect(own.fd(), reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  Settle();
  EXPECT_THAT(taken_, SizeIs(1));
}

// Takes every descriptor of the process but `left`, until it is destroyed.
class Scarcity {
 public:
  explicit Scarcity(int left) {
    getrlimit(RLIMIT_NOFILE, &before_);
    rlimit few = before_;
    few.rlim_cur = 256;
    setrlimit(RLIMIT_NOFILE, &few);
    for (int fd = 0; (fd = dup(STDIN_FILENO)) >= 0;) taken_.emplace_back(fd);
    for (int i = 0; i < left; ++i) taken_.pop_back();
  }
  ~Scarcity() { setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_;
  std::vector<replay::File> taken_;
};

TEST_F(AcceptorTest, OutOfDescriptorsDropsWhoComesAndServesWhoComesLater) {
  Listen();
  Settle();  // UndefinedBehaviorSanitizer wants a descriptor when a call is made for the first time
  std::vector<replay::File> clients;
  for (int i = 0; i < 3; ++i) clients.push_back(Connect());
  {
    const Scarcity scarcity(0);
    Settle();
  }
  for (const replay::File& client : clients) EXPECT_TRUE(IsClosed(client));
  EXPECT_THAT(taken_, SizeIs(0));
  EXPECT_THAT(log_, ElementsAre(HasSubstr("ulimit -n")));
  const replay::File later = Connect();
  Settle();
  EXPECT_THAT(taken_, SizeIs(1));
}

TEST_F(AcceptorTest, WithoutADescriptorForTheDuplicateLetsNobodyIn) {
  Listen();
  Settle();  // as above
  const replay::File client = Connect();
  {
    const Scarcity scarcity(1);
    Settle();
  }
  EXPECT_TRUE(IsClosed(client));
  EXPECT_EQ(connections_->size(), 0u);
}

TEST(Listener, RefusesAnAddressThatIsTakenOrElsewhere) {
  const Listener first = Listener::Open("127.0.0.1:0").value();
  EXPECT_TRUE(absl::IsUnavailable(Listener::Open(first.address()).status()));
  EXPECT_TRUE(absl::IsUnavailable(Listener::Open("192.0.2.1:7450").status()));
}

TEST(Listener, AtEveryAddressOfTheMachineTakesBothFamiliesAtOnePort) {
  const Listener listener = Listener::Open("0.0.0.0:0").value();
  const std::string port = listener.address().substr(listener.address().rfind(':') + 1);
  EXPECT_FALSE(Listener::Open(absl::StrCat("127.0.0.1:", port)).ok());
}

TEST(Listener, TakesItsUnixSocketAway) {
  const testing::TempFolder folder;
  const std::string path = folder.Path("socket");
  { const Listener listener = Listener::Open(absl::StrCat("unix:", path)).value(); }
  EXPECT_NE(access(path.c_str(), F_OK), 0);
}

}  // namespace
}  // namespace referee::service
