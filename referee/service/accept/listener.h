// The sockets on which a server listens at one address, TCP or unix.
#ifndef REFEREE_SERVICE_ACCEPT_LISTENER_H_
#define REFEREE_SERVICE_ACCEPT_LISTENER_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "referee/replay/files.h"

namespace referee::service {

// Thread-compatible.
class Listener {
 public:
  // Listens at `address`, of which CheckAddress says that it is well-formed: a name at all its
  // addresses, 0.0.0.0 and [::] at all of the machine's, of both families where it has them; port 0
  // at any free one. What a process that is gone has left of a unix socket is replaced. The sockets
  // do not block. Returns Unavailable when the address is taken, or none of this machine's.
  static absl::StatusOr<Listener> Open(const std::string& address);

  // Takes a unix socket's file away.
  ~Listener();
  Listener(Listener&&) = default;
  Listener& operator=(Listener&&) = delete;

  const std::vector<replay::File>& sockets() const { return sockets_; }
  // What clients dial: the port is the real one.
  const std::string& address() const { return address_; }

 private:
  Listener(std::string address, std::vector<replay::File> sockets, std::string path)
      : address_(std::move(address)), sockets_(std::move(sockets)), path_(std::move(path)) {}

  std::string address_;
  std::vector<replay::File> sockets_;
  std::string path_;  // of a unix socket's file
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_ACCEPT_LISTENER_H_
