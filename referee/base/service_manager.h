// Reports the state of a program to the service manager, by the protocol of sd_notify(3).
//
// The protocol sends datagrams to the socket named by $NOTIFY_SOCKET. Without that variable, as
// outside of systemd, all calls do nothing. The protocol is stable and meant to be used without
// libsystemd and its four libraries.
//
//   const ServiceManager manager = ServiceManager::FromEnvironment();
//   manager.StillStarting("reads the log", absl::Minutes(5));
//   manager.Ready("listens on 127.0.0.1:7450");
//   ...                            // every manager.beat_period(): manager.Beat()
//   manager.Stopping("drains", absl::Seconds(30));
#ifndef REFEREE_BASE_SERVICE_MANAGER_H_
#define REFEREE_BASE_SERVICE_MANAGER_H_

#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace referee {

// Thread-safe. A datagram that cannot be sent is lost; the manager then acts as if the program had
// not reported. `status` is one line for people.
class ServiceManager {
 public:
  // Reads $NOTIFY_SOCKET, $WATCHDOG_USEC and $WATCHDOG_PID.
  static ServiceManager FromEnvironment();
  // `socket`: a path, or '@' and an abstract name; empty: no manager. `watchdog`: the longest time
  // between two beats; infinite: no beats are expected.
  ServiceManager(std::string socket, absl::Duration watchdog)
      : socket_(std::move(socket)), watchdog_(watchdog) {}

  // Reports that the start takes longer; the manager waits at least `patience` more.
  void StillStarting(absl::string_view status, absl::Duration patience) const;
  // Reports that the start, or a reload, is complete and the program serves.
  void Ready(absl::string_view status) const;
  void Reloading() const;
  // Reports that the program is stopping; the manager waits at least `patience` before it kills it.
  void Stopping(absl::string_view status, absl::Duration patience) const;
  void Status(absl::string_view status) const;
  // Reports that the program is alive. Does not block.
  void Beat() const;
  // How often to call Beat; infinite: never.
  absl::Duration beat_period() const { return watchdog_ / 3; }

 private:
  void Send(absl::string_view state, int flags = 0) const;

  std::string socket_;
  absl::Duration watchdog_;
};

}  // namespace referee

#endif  // REFEREE_BASE_SERVICE_MANAGER_H_
