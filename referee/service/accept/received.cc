#include "referee/service/accept/received.h"

#include <dlfcn.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <sys/types.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "referee/base/mutex.h"
#include "referee/service/accept/frames.h"

extern "C" {
// A sanitizer's replacement of recvmsg, so that the sanitizer still sees what is read; null without
// a sanitizer.
__attribute__((weak)) ssize_t __interceptor_recvmsg(  // NOLINT(bugprone-reserved-identifier)
    int socket, msghdr* message, int flags);
}

namespace referee::service {
namespace {

// A watched connection.
class Watched {
 public:
  Watched(uint64_t connection, int descriptor, std::shared_ptr<ReceiveLimit> limit)
      : connection_(connection), descriptor_(descriptor), limit_(std::move(limit)) {}

  bool IsOf(uint64_t connection, const ReceiveLimit* limit) const {
    return connection_ == connection && limit_.get() == limit;
  }
  // Marks the descriptor's bytes as TLS.
  void Wrap() {
    MutexLock lock(&mutex_);
    wrapped_ = true;
  }
  // Whether bytes read from the descriptor may be passed on.
  bool Passes(const msghdr& message, size_t count);
  // Whether bytes that TLS decrypted may be passed on.
  bool PassesUnwrapped(const uint8_t* bytes, size_t count);

 private:
  // Screens what was read. Returns false once the connection has ended.
  bool Screen(const uint8_t* bytes, size_t count) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Asks the limit if necessary. Returns false once the connection has ended.
  bool Ask(uint64_t calls_before) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const uint64_t connection_;
  const int descriptor_;
  const std::shared_ptr<ReceiveLimit> limit_;
  Mutex mutex_;
  Received received_ ABSL_GUARDED_BY(mutex_);
  uint64_t allowed_ ABSL_GUARDED_BY(mutex_) = 0;
  bool wrapped_ ABSL_GUARDED_BY(mutex_) = false;
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
  // The transport has closed the connection and reused the descriptor.
  bool is_anothers_ ABSL_GUARDED_BY(mutex_) = false;
  FrameScreen screen_ ABSL_GUARDED_BY(mutex_);
};

bool Watched::Screen(const uint8_t* bytes, size_t count) {
  if (!is_anothers_ && !screen_.Take(bytes, count)) {
    ended_ = limit_->Refuse(connection_, descriptor_);
    is_anothers_ = !ended_;
  }
  received_.calls = screen_.calls();
  received_.asks = screen_.asks();
  return !ended_;
}

bool Watched::Ask(uint64_t calls_before) {
  if (received_.bytes > allowed_ || received_.calls > calls_before) {
    const absl::optional<uint64_t> allowed = limit_->Raise(connection_, descriptor_, received_);
    ended_ = !allowed;
    allowed_ = allowed.value_or(0);
  }
  return !ended_;
}

bool Watched::Passes(const msghdr& message, size_t count) {
  MutexLock lock(&mutex_);
  if (ended_) return false;
  received_.bytes += count;
  const uint64_t calls = received_.calls;
  for (size_t i = 0; !wrapped_ && i < message.msg_iovlen && count > 0; ++i) {
    const size_t size = std::min(count, message.msg_iov[i].iov_len);
    if (!Screen(static_cast<const uint8_t*>(message.msg_iov[i].iov_base), size)) return false;
    count -= size;
  }
  return Ask(calls);
}

bool Watched::PassesUnwrapped(const uint8_t* bytes, size_t count) {
  MutexLock lock(&mutex_);
  const uint64_t calls = received_.calls;
  return !ended_ && Screen(bytes, count) && Ask(calls);
}

struct Slot {
  std::atomic<bool> watched{false};
  Mutex mutex;
  std::shared_ptr<Watched> connection ABSL_GUARDED_BY(mutex);
};

// Watched connections by descriptor. Blocks are allocated on first use and never freed, since a
// read may look at one at any time.
constexpr size_t kSlotsOfBlock = 1024;
using SlotBlock = std::array<Slot, kSlotsOfBlock>;
std::array<std::atomic<SlotBlock*>, 1024> slot_blocks{};

Slot* SlotOf(int descriptor, bool make = false) {
  if (descriptor < 0 || static_cast<size_t>(descriptor) >= kSlotsOfBlock * slot_blocks.size())
    return nullptr;
  const auto number = static_cast<size_t>(descriptor);
  std::atomic<SlotBlock*>& block = slot_blocks[number / kSlotsOfBlock];
  SlotBlock* found = block.load(std::memory_order_acquire);
  if (found == nullptr && make) {
    auto made = std::make_unique<SlotBlock>();
    if (block.compare_exchange_strong(found, made.get())) found = made.release();
  }
  return found == nullptr ? nullptr : &(*found)[number % kSlotsOfBlock];
}

// The watched connection of a descriptor, or null.
std::shared_ptr<Watched> WatchedOn(int descriptor) {
  Slot* const slot = SlotOf(descriptor);
  if (slot == nullptr || !slot->watched.load(std::memory_order_acquire)) return nullptr;
  MutexLock lock(&slot->mutex);
  return slot->connection;
}

// Returns the next definition of a function, which this program's own one hides.
template <typename Function>
Function Next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

ssize_t Receive(int descriptor, msghdr* message, int flags) {
  using Function = ssize_t (*)(int, msghdr*, int);
  static const Function next =
      __interceptor_recvmsg != nullptr ? __interceptor_recvmsg : Next<Function>("recvmsg");
  const ssize_t count = next(descriptor, message, flags);
  if (count <= 0 || (flags & (MSG_PEEK | MSG_ERRQUEUE)) != 0) return count;
  const std::shared_ptr<Watched> watched = WatchedOn(descriptor);
  if (watched == nullptr || watched->Passes(*message, static_cast<size_t>(count))) return count;
  errno = ECONNRESET;
  return -1;
}

// --- TLS ---

// The connection that this thread hands over, until its TLS is created.
thread_local std::shared_ptr<Watched> handed_over;

using OfTls = std::shared_ptr<Watched>;

void FreeOfTls(void*, void* of_tls, CRYPTO_EX_DATA*, int, long, void*) {
  delete static_cast<OfTls*>(of_tls);
}

// The index under which OpenSSL stores the connection in its SSL object.
int IndexOfTls() {
  static const int index = SSL_get_ex_new_index(0, nullptr, nullptr, nullptr, FreeOfTls);
  return index;
}

SSL* MakeTls(SSL_CTX* context) {
  using Function = SSL* (*)(SSL_CTX*);
  static const Function next = Next<Function>("SSL_new");
  SSL* const tls = next(context);
  if (tls == nullptr || handed_over == nullptr) return tls;
  auto of_tls = std::make_unique<OfTls>(std::exchange(handed_over, nullptr));
  (*of_tls)->Wrap();
  if (SSL_set_ex_data(tls, IndexOfTls(), of_tls.get()) == 1) of_tls.release();
  return tls;
}

int ReadTls(SSL* tls, void* bytes, int size) {
  using Function = int (*)(SSL*, void*, int);
  static const Function next = Next<Function>("SSL_read");
  const int count = next(tls, bytes, size);
  if (count <= 0) return count;
  const auto* const of_tls = static_cast<const OfTls*>(SSL_get_ex_data(tls, IndexOfTls()));
  const bool passes =
      of_tls == nullptr ||
      (*of_tls)->PassesUnwrapped(static_cast<const uint8_t*>(bytes), static_cast<size_t>(count));
  if (passes) return count;
  ERR_raise(ERR_LIB_USER, ERR_R_OPERATION_FAIL);
  return -1;
}

}  // namespace

bool WatchReceived(int descriptor, uint64_t connection, std::shared_ptr<ReceiveLimit> limit) {
  Slot* const slot = SlotOf(descriptor, /*make=*/true);
  if (slot == nullptr) return false;
  MutexLock lock(&slot->mutex);
  slot->connection = std::make_shared<Watched>(connection, descriptor, std::move(limit));
  slot->watched.store(true, std::memory_order_release);
  return true;
}

void ForgetReceived(int descriptor, uint64_t connection, const ReceiveLimit* limit) {
  Slot* const slot = SlotOf(descriptor);
  if (slot == nullptr) return;
  MutexLock lock(&slot->mutex);
  if (slot->connection == nullptr || !slot->connection->IsOf(connection, limit)) return;
  slot->watched.store(false, std::memory_order_release);
  slot->connection = nullptr;
}

TlsHandOver::TlsHandOver(int descriptor) { handed_over = WatchedOn(descriptor); }
TlsHandOver::~TlsHandOver() { handed_over = nullptr; }

}  // namespace referee::service

// The dynamic linker finds these before the libraries' own definitions, for all libraries.
extern "C" __attribute__((visibility("default"))) ssize_t recvmsg(int socket, msghdr* message,
                                                                  int flags) {
  return referee::service::Receive(socket, message, flags);
}
extern "C" __attribute__((visibility("default"))) SSL* SSL_new(SSL_CTX* context) {
  return referee::service::MakeTls(context);
}
extern "C" __attribute__((visibility("default"))) int SSL_read(SSL* tls, void* bytes, int size) {
  return referee::service::ReadTls(tls, bytes, size);
}
