#include "referee/base/service_manager.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "referee/base/text.h"

namespace referee {
namespace {

// Infinite unless $WATCHDOG_PID is this process.
absl::Duration WatchdogFromEnvironment() {
  int64_t micros;
  int64_t pid;
  const std::string watched = EnvironmentVariable("WATCHDOG_PID");
  if (!absl::SimpleAtoi(EnvironmentVariable("WATCHDOG_USEC"), &micros) || micros <= 0 ||
      (!watched.empty() && (!absl::SimpleAtoi(watched, &pid) || pid != getpid()))) {
    return absl::InfiniteDuration();
  }
  return absl::Microseconds(micros);
}

// A line break in the text would begin another assignment.
std::string StatusLine(absl::string_view status) {
  std::string line = absl::StrCat("STATUS=", status);
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

std::string Extension(absl::Duration patience) {
  return absl::StrCat("EXTEND_TIMEOUT_USEC=", absl::ToInt64Microseconds(patience));
}

}  // namespace

ServiceManager ServiceManager::FromEnvironment() {
  return ServiceManager(EnvironmentVariable("NOTIFY_SOCKET"), WatchdogFromEnvironment());
}

void ServiceManager::StillStarting(absl::string_view status, absl::Duration patience) const {
  Send(absl::StrCat(Extension(patience), "\n", StatusLine(status)));
}

void ServiceManager::Ready(absl::string_view status) const {
  Send(absl::StrCat("READY=1\n", StatusLine(status)));
}

void ServiceManager::Reloading() const {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const absl::Duration since_boot = absl::DurationFromTimespec(now);
  Send(absl::StrCat("RELOADING=1\nMONOTONIC_USEC=", absl::ToInt64Microseconds(since_boot)));
}

void ServiceManager::Stopping(absl::string_view status, absl::Duration patience) const {
  Send(absl::StrCat("STOPPING=1\n", Extension(patience), "\n", StatusLine(status)));
}

void ServiceManager::Status(absl::string_view status) const { Send(StatusLine(status)); }

void ServiceManager::Beat() const { Send("WATCHDOG=1", MSG_DONTWAIT); }

void ServiceManager::Send(absl::string_view state, int flags) const {
  sockaddr_un address{};
  if (socket_.empty() || socket_.size() >= sizeof(address.sun_path)) return;
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, socket_.data(), socket_.size());
  // A socket name in the abstract namespace begins with a zero byte.
  if (address.sun_path[0] == '@') address.sun_path[0] = '\0';
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket_.size());
  const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return;
  static_cast<void>(sendto(fd, state.data(), state.size(), flags | MSG_NOSIGNAL,
                           reinterpret_cast<const sockaddr*>(&address), size));
  close(fd);
}

}  // namespace referee
