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
  // Listens at `address`, with non-blocking sockets. A host name listens at all its addresses, and
  // 0.0.0.0 or [::] at all addresses of the machine in both families. Port 0 takes any free port.
  // Replaces a stale unix socket. Returns Unavailable if the address is in use or not local.
  // REQUIRES: CheckAddress accepts `address`.
  static absl::StatusOr<Listener> Open(const std::string& address);

  // Removes the file of a unix socket.
  ~Listener();
  Listener(Listener&&) = default;
  Listener& operator=(Listener&&) = delete;

  const std::vector<replay::File>& sockets() const { return sockets_; }
  // The address that clients dial, with the real port.
  const std::string& address() const { return address_; }

 private:
  Listener(std::string address, std::vector<replay::File> sockets, std::string path)
      : address_(std::move(address)), sockets_(std::move(sockets)), path_(std::move(path)) {}

  std::string address_;
  std::vector<replay::File> sockets_;
  std::string path_;  // of the unix socket's file
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_ACCEPT_LISTENER_H_
