// Counts the bytes and calls that the transport reads, in the read itself, and ends a connection in
// the read that brings more than it may, or headers in too many pieces (frames.h): the transport
// never parses what that read brought.
//
// gRPC reads every socket with recvmsg(2) of the C library, and what TLS wraps with SSL_read of
// OpenSSL. received.cc defines both anew, and the dynamic linker puts this program's own in their
// place, in shared libraries as well. They pass each call on, and count for descriptors that are
// watched; others cost a look into a table. The same goes for SSL_new, which tells which
// connection TLS wraps.
#ifndef REFEREE_SERVICE_ACCEPT_RECEIVED_H_
#define REFEREE_SERVICE_ACCEPT_RECEIVED_H_

#include <cstdint>
#include <memory>

#include "absl/types/optional.h"

namespace referee::service {

// What has come over a connection.
struct Received {
  uint64_t bytes = 0;
  uint64_t calls = 0;  // that were opened
  uint64_t asks = 0;   // frames that ask for an answer: PING, SETTINGS
};

// Says what connections may receive. Thread-safe. Called in a read; it must not watch or forget
// descriptors.
class ReceiveLimit {
 public:
  virtual ~ReceiveLimit() = default;
  // A read has brought a connection to so much in all, more than it might, or a call. Returns how
  // many bytes it may receive in all from now on; not set: it ends, and what was read is dropped.
  virtual absl::optional<uint64_t> Raise(uint64_t connection, int descriptor,
                                         const Received& received) = 0;
  // A header came in too many pieces, or too large ones. Returns whether the connection ends: not
  // if the descriptor is another's by now, whose bytes are not HTTP/2 of this connection.
  virtual bool Refuse(uint64_t connection, int descriptor) = 0;
};

// Counts what is read from a descriptor from now on; `limit` is asked once something has come.
// Returns false for a descriptor that is beyond all that can be watched, a million.
bool WatchReceived(int descriptor, uint64_t connection, std::shared_ptr<ReceiveLimit> limit);
// Counts no more, unless the descriptor is watched for another connection by now. A read of TLS
// that is under way may still ask the limit.
void ForgetReceived(int descriptor, uint64_t connection, const ReceiveLimit* limit);

// gRPC makes the TLS of a connection while a thread hands it the descriptor. What this thread makes
// first while such an object lives wraps that descriptor, if it is watched.
class TlsHandOver {
 public:
  explicit TlsHandOver(int descriptor);
  ~TlsHandOver();
  TlsHandOver(const TlsHandOver&) = delete;
  TlsHandOver& operator=(const TlsHandOver&) = delete;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_ACCEPT_RECEIVED_H_
