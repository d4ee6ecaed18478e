// Accepts connections on its own thread and hands admitted ones to a transport.
//
// Unlike a transport that listens itself, it
// - stays within the process's file descriptors, and continues when they run out;
// - enforces the limits of Connections;
// - learns the client's address from trusted proxies (PROXY protocol).
//
//   Acceptor acceptor(*Listener::Open("127.0.0.1:7450"), options);
//   acceptor.Start();
//
// The thread never blocks on a peer: it parks a proxy's connection until the header or the timeout.
#ifndef REFEREE_SERVICE_ACCEPT_ACCEPTOR_H_
#define REFEREE_SERVICE_ACCEPT_ACCEPTOR_H_

#include <sys/epoll.h>
#include <sys/socket.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <thread>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/base/endpoint.h"
#include "referee/log/sparse_log.h"
#include "referee/replay/files.h"
#include "referee/service/accept/connections.h"
#include "referee/service/accept/listener.h"

namespace referee::service {

// Checks whether a local process may use a unix socket that it has connected to. Returns the reason
// if not. May block for a moment.
using PeerCheck = std::function<absl::Status(const ucred& process)>;

struct AcceptorOptions {
  // Both must outlive the acceptor.
  Connections* connections = nullptr;
  const Clock* clock = nullptr;
  // Takes ownership of an admitted, non-blocking socket. Called on the acceptor's thread.
  std::function<void(replay::File)> hand_over;
  // Checks the processes that connect to a unix socket, except this process; null: admits all.
  PeerCheck check_peer;
  // Takes events; may be null. Must outlive the acceptor.
  log::SparseLog* log = nullptr;
  // Called on the acceptor's thread when a connection of this account is cut off for sending too
  // much waste or for opening too many calls. May be null.
  std::function<void(const std::string& account)> refused = {};
};

class Acceptor {
 public:
  Acceptor(Listener listener, AcceptorOptions options);
  // Stops.
  ~Acceptor();
  Acceptor(const Acceptor&) = delete;
  Acceptor& operator=(const Acceptor&) = delete;

  const Listener& listener() const { return listener_; }

  // Starts to accept on the acceptor's own thread.
  void Start();
  // Hands over no socket after it returns. A second call does nothing.
  void Stop();

  // One iteration of the thread's loop: waits up to `at_most` for events, and handles them. Public
  // for tests, which run no thread.
  void Turn(absl::Duration at_most);

 private:
  using Id = Connections::Id;

  // A proxy's connection whose header is not complete yet.
  struct Waiting {
    replay::File socket;
    Endpoint proxy;
    std::string header;  // the bytes that have come
    Instant until;
  };

  void Tell(log::Event event) const;
  // Logs that a connection was closed or refused, and why.
  void TellClosed(absl::string_view event, const absl::Status& reason,
                  const absl::optional<Endpoint>& client = {},
                  absl::string_view account = "") const;
  bool Watch(int fd, uint32_t events, uint64_t tag) const;
  void Take(const epoll_event& event);
  // Accepts up to kAcceptedAtOnce waiting connections.
  void AcceptFrom(int listening);
  // Drops a connection that cannot be accepted because descriptors have run out. Returns false if
  // none was waiting.
  bool Shed(int listening);
  void OpenSpare();
  // Stop listening for a moment, and resume when the pause is over.
  void Pause();
  void GoOn(Instant now);

  void Sort(replay::File socket, const sockaddr_storage& from);
  bool IsOwn(const replay::File& socket, const absl::optional<Endpoint>& from) const;
  absl::Status CheckPeer(const replay::File& socket) const;
  void AwaitHeader(replay::File socket, const Endpoint& proxy);
  void ReadHeader(Id id);
  void DropLate(Instant now);
  void Admit(replay::File socket, absl::optional<Endpoint> transport,
             absl::optional<Endpoint> client);
  void AdmitOwn(replay::File socket, absl::optional<Endpoint> transport);
  // Duplicates the socket and watches the duplicate for the end of the connection. Returns nullopt
  // if no descriptor is left.
  absl::optional<replay::File> Duplicate(const replay::File& socket, Id id);
  // From time to time, cuts off connections that are shut out or wasteful.
  void LookForOffenders(Instant now);
  // How long the next Turn may wait.
  absl::Duration UntilDue(Instant now) const;

  const Listener listener_;
  const AcceptorOptions options_;
  replay::File epoll_;
  replay::File wake_;
  replay::File spare_;  // closed when no other descriptor is left
  Id last_id_;
  std::map<Id, Waiting> waiting_;  // the earliest timeout first
  absl::optional<Instant> paused_until_;
  Instant next_look_;  // for offenders
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_ACCEPT_ACCEPTOR_H_
