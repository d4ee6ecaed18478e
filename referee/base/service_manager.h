// Tells the service manager how a program is, by the protocol of sd_notify(3): datagrams to the
// socket that $NOTIFY_SOCKET names. Where there is none, as outside of systemd, all of this does
// nothing.
//
// The protocol is stable, and made to be spoken without libsystemd and its four libraries.
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

// Thread-safe. What cannot be sent is lost: the manager then does what it does with a program that
// says nothing. `status` is one line for people.
class ServiceManager {
 public:
  // Reads $NOTIFY_SOCKET, $WATCHDOG_USEC and $WATCHDOG_PID.
  static ServiceManager FromEnvironment();
  // `socket`: a path, or a name after '@'; empty: there is no manager. `watchdog`: how long it
  // waits for a beat; infinite: it does not.
  ServiceManager(std::string socket, absl::Duration watchdog)
      : socket_(std::move(socket)), watchdog_(watchdog) {}

  // The start goes on, and is not to be given up before `patience` is over.
  void StillStarting(absl::string_view status, absl::Duration patience) const;
  // It serves: the start is over, or a reload.
  void Ready(absl::string_view status) const;
  void Reloading() const;
  // It ends by itself, which is not to be given up before `patience` is over.
  void Stopping(absl::string_view status, absl::Duration patience) const;
  void Status(absl::string_view status) const;
  // It is alive. Does not block.
  void Beat() const;
  // How often Beat is to be called; infinite: never.
  absl::Duration beat_period() const { return watchdog_ / 3; }

 private:
  void Send(absl::string_view state, int flags = 0) const;

  std::string socket_;
  absl::Duration watchdog_;
};

}  // namespace referee

#endif  // REFEREE_BASE_SERVICE_MANAGER_H_
