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
// What a sanitizer has in the place of recvmsg, so that it still sees what is read; null without
// one.
__attribute__((weak)) ssize_t __interceptor_recvmsg(  // NOLINT(bugprone-reserved-identifier)
    int socket, msghdr* message, int flags);
}

namespace referee::service {
namespace {

struct Slot {
  std::atomic<bool> watched{false};
  Mutex mutex;
  uint64_t connection ABSL_GUARDED_BY(mutex) = 0;
  std::shared_ptr<ReceiveLimit> limit ABSL_GUARDED_BY(mutex);
  Received received ABSL_GUARDED_BY(mutex);
  uint64_t allowed ABSL_GUARDED_BY(mutex) = 0;
  bool ended ABSL_GUARDED_BY(mutex) = false;
  FrameScreen screen ABSL_GUARDED_BY(mutex);
};

// By descriptor, in blocks that are made when they are first wanted and never freed: a read may
// look at one at any time.
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

// Shows a screen what was read into a message. Returns as FrameScreen::Take does.
bool Screen(const msghdr& message, size_t count, FrameScreen* screen) {
  for (size_t i = 0; i < message.msg_iovlen && count > 0; ++i) {
    const size_t size = std::min(count, message.msg_iov[i].iov_len);
    if (!screen->Take(static_cast<const uint8_t*>(message.msg_iov[i].iov_base), size)) return false;
    count -= size;
  }
  return true;
}

// Whether what was read may be handed on.
bool Passes(int descriptor, const msghdr& message, size_t count, Slot* slot) {
  MutexLock lock(&slot->mutex);
  if (slot->limit == nullptr) return true;
  if (slot->ended) return false;
  slot->received.bytes += count;
  const uint64_t calls = slot->received.calls;
  if (!Screen(message, count, &slot->screen)) {
    slot->limit->Refuse(slot->connection);
    slot->ended = true;
    return false;
  }
  slot->received.calls = slot->screen.calls();
  if (slot->received.bytes > slot->allowed || slot->received.calls > calls) {
    const absl::optional<uint64_t> allowed =
        slot->limit->Raise(slot->connection, descriptor, slot->received);
    slot->ended = !allowed;
    slot->allowed = allowed.value_or(0);
  }
  return !slot->ended;
}

// The next definition of a function: what it would be without this program's own.
template <typename Function>
Function Next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

ssize_t Receive(int descriptor, msghdr* message, int flags) {
  using Function = ssize_t (*)(int, msghdr*, int);
  static const Function next =
      __interceptor_recvmsg != nullptr ? __interceptor_recvmsg : Next<Function>("recvmsg");
  const ssize_t count = next(descriptor, message, flags);
  Slot* const slot = SlotOf(descriptor);
  const bool counts = slot != nullptr && slot->watched.load(std::memory_order_acquire) &&
                      count > 0 && (flags & (MSG_PEEK | MSG_ERRQUEUE)) == 0;
  if (!counts || Passes(descriptor, *message, static_cast<size_t>(count), slot)) return count;
  errno = ECONNRESET;
  return -1;
}

// --- TLS ---

// Of a connection of TLS, on which clients are heard. gRPC reads a connection on one thread at a
// time; the lock shows that to ThreadSanitizer.
struct TlsScreen {
  bool Take(const uint8_t* bytes, size_t count) {
    MutexLock lock(&mutex);
    return screen.Take(bytes, count);
  }

  Mutex mutex;
  FrameScreen screen ABSL_GUARDED_BY(mutex);
};

void FreeScreen(void*, void* screen, CRYPTO_EX_DATA*, int, long, void*) {
  delete static_cast<TlsScreen*>(screen);
}

TlsScreen* ScreenOf(SSL* tls) {
  static const int index = SSL_get_ex_new_index(0, nullptr, nullptr, nullptr, FreeScreen);
  if (index < 0) return nullptr;
  auto* screen = static_cast<TlsScreen*>(SSL_get_ex_data(tls, index));
  if (screen != nullptr) return screen;
  auto made = std::make_unique<TlsScreen>();
  return SSL_set_ex_data(tls, index, made.get()) == 1 ? made.release() : nullptr;
}

int ReadScreened(SSL* tls, void* bytes, int size) {
  using Function = int (*)(SSL*, void*, int);
  static const Function next = Next<Function>("SSL_read");
  const int count = next(tls, bytes, size);
  if (count <= 0 || SSL_is_server(tls) == 0) return count;
  TlsScreen* const screen = ScreenOf(tls);
  const bool passes = screen == nullptr ||
                      screen->Take(static_cast<const uint8_t*>(bytes), static_cast<size_t>(count));
  if (passes) return count;
  ERR_raise(ERR_LIB_USER, ERR_R_OPERATION_FAIL);
  return -1;
}

}  // namespace

bool WatchReceived(int descriptor, uint64_t connection, std::shared_ptr<ReceiveLimit> limit) {
  Slot* const slot = SlotOf(descriptor, /*make=*/true);
  if (slot == nullptr) return false;
  MutexLock lock(&slot->mutex);
  slot->connection = connection;
  slot->limit = std::move(limit);
  slot->received = Received();
  slot->allowed = 0;
  slot->ended = false;
  slot->screen = FrameScreen();
  slot->watched.store(true, std::memory_order_release);
  return true;
}

void ForgetReceived(int descriptor, uint64_t connection, const ReceiveLimit* limit) {
  Slot* const slot = SlotOf(descriptor);
  if (slot == nullptr) return;
  MutexLock lock(&slot->mutex);
  if (slot->limit.get() != limit || slot->connection != connection) return;
  slot->watched.store(false, std::memory_order_release);
  slot->limit = nullptr;
}

}  // namespace referee::service

// Found by the dynamic linker before those of the libraries, by all libraries of the process.
extern "C" __attribute__((visibility("default"))) ssize_t recvmsg(int socket, msghdr* message,
                                                                  int flags) {
  return referee::service::Receive(socket, message, flags);
}
extern "C" __attribute__((visibility("default"))) int SSL_read(SSL* tls, void* bytes, int size) {
  return referee::service::ReadScreened(tls, bytes, size);
}
