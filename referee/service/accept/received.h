// Counts the bytes and calls that the transport reads, inside the read itself.
//
// A read that exceeds a limit, or brings headers in too many pieces (frames.h), ends its
// connection. The transport never parses what that read brought.
//
// gRPC reads every socket with recvmsg(2) of the C library, and TLS with OpenSSL's SSL_read.
// received.cc redefines both. The dynamic linker prefers this program's definitions, in shared
// libraries too. They forward each call, and count for watched descriptors; for others they cost
// one table lookup. SSL_new is redefined as well, to learn which connection TLS wraps.
#ifndef REFEREE_SERVICE_ACCEPT_RECEIVED_H_
#define REFEREE_SERVICE_ACCEPT_RECEIVED_H_

#include <cstdint>
#include <memory>

#include "absl/types/optional.h"

namespace referee::service {

// What a connection has received so far.
struct Received {
  uint64_t bytes = 0;
  uint64_t calls = 0;  // opened
  uint64_t asks = 0;   // frames that require an answer: PING, SETTINGS
};

// Decides how much a connection may receive. Thread-safe. Called inside a read; must not watch or
// forget descriptors.
class ReceiveLimit {
 public:
  virtual ~ReceiveLimit() = default;
  // Called when a read exceeds the last limit, or brings a call. `received` is the total. Returns
  // the new limit in bytes. Nullopt ends the connection and drops what was read.
  virtual absl::optional<uint64_t> Raise(uint64_t connection, int descriptor,
                                         const Received& received) = 0;
  // Called when a header came in too many or too large pieces. Returns whether the connection ends.
  // Returns false if the descriptor now belongs to another connection.
  virtual bool Refuse(uint64_t connection, int descriptor) = 0;
};

// Starts to count what is read from a descriptor. Asks `limit` as soon as bytes arrive. Returns
// false for a descriptor of a million or more, which cannot be watched.
bool WatchReceived(int descriptor, uint64_t connection, std::shared_ptr<ReceiveLimit> limit);
// Stops counting, unless the descriptor is already watched for another connection. A TLS read in
// progress may still ask the limit.
void ForgetReceived(int descriptor, uint64_t connection, const ReceiveLimit* limit);

// Links the next TLS object of this thread to a watched descriptor.
//
// gRPC creates the TLS of a connection on the thread that hands over the descriptor. The first SSL
// object that the thread creates during the life of this object wraps `descriptor`.
class TlsHandOver {
 public:
  explicit TlsHandOver(int descriptor);
  ~TlsHandOver();
  TlsHandOver(const TlsHandOver&) = delete;
  TlsHandOver& operator=(const TlsHandOver&) = delete;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_ACCEPT_RECEIVED_H_
