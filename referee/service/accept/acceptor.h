// Accepts connections, and hands those that may come in to a transport. It does what a transport
// that listens for itself does not: it keeps within the process's descriptors, and goes on when
// they are used up nevertheless; it keeps the limits of Connections; and it learns from trusted
// proxies whom they speak for.
//
//   Acceptor acceptor(*Listener::Open("127.0.0.1:7450"), options);
//   acceptor.Start();
//
// One thread, which never waits for anybody: a connection of a proxy that has not said whom it
// speaks for is put aside until it has, or its time is over.
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

// Whether a process of this machine may use a unix socket that it has connected to. Returns why
// not. May wait for a moment.
using PeerCheck = std::function<absl::Status(const ucred& process)>;

struct AcceptorOptions {
  // Both must outlive the acceptor.
  Connections* connections = nullptr;
  const Clock* clock = nullptr;
  // Takes a connection over: a socket that does not block. Called on the acceptor's thread.
  std::function<void(replay::File)> hand_over;
  // Checks who connects to a unix socket, but for this process itself; null: everybody is let in.
  PeerCheck check_peer;
  // Takes what people should know; may be null. Must outlive the acceptor.
  log::SparseLog* log = nullptr;
  // Called on the acceptor's thread when a connection of this account is cut off for what came on
  // it. May be null.
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

  // Accepts on a thread of its own from now on.
  void Start();
  // When this returns nothing is handed over any more. The second call does nothing.
  void Stop();

  // What the thread does again and again: waits up to `at_most` until there is something to do, and
  // does it. For tests, which have no thread.
  void Turn(absl::Duration at_most);

 private:
  using Id = Connections::Id;

  // A connection of a proxy that has not said whom it speaks for.
  struct Waiting {
    replay::File socket;
    Endpoint proxy;
    std::string header;  // as far as it has come
    Instant until;
  };

  void Tell(log::Event event) const;
  // A connection from there is closed, or not let in, for this reason.
  void TellClosed(absl::string_view event, const absl::Status& reason,
                  const absl::optional<Endpoint>& client = {},
                  absl::string_view account = "") const;
  bool Watch(int fd, uint32_t events, uint64_t tag) const;
  void Take(const epoll_event& event);
  // Accepts what is there, or some of it.
  void AcceptFrom(int listening);
  // A connection could not be accepted for want of a descriptor: drops it. Returns false if there
  // was none.
  bool Shed(int listening);
  void OpenSpare();
  // Stops to listen for a moment; goes on when that is over.
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
  // Holds a duplicate, and watches it for the end. Not set when no descriptor is left.
  absl::optional<replay::File> Duplicate(const replay::File& socket, Id id);
  // Cuts off who is shut out, or sends nothing but waste, from time to time.
  void LookForOffenders(Instant now);
  // How long the next Turn may wait.
  absl::Duration UntilDue(Instant now) const;

  const Listener listener_;
  const AcceptorOptions options_;
  replay::File epoll_;
  replay::File wake_;
  replay::File spare_;  // given up when no other descriptor is left
  Id last_id_;
  std::map<Id, Waiting> waiting_;  // the one whose time is over first, first
  absl::optional<Instant> paused_until_;
  Instant next_look_;  // for offenders
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_ACCEPT_ACCEPTOR_H_
