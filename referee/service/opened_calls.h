// Reads from gRPC how many calls a client's connection has opened, and how many are open.
//
// The counts come from channelz. They include calls that never reach the service. The class calls
// gRPC's C interface, which answers in JSON: some ten microseconds for a connection.
//
//   OpenedCalls opened;
//   absl::optional<CallCounts> counts = opened.From(client);  // of its connection, so far
#ifndef REFEREE_SERVICE_OPENED_CALLS_H_
#define REFEREE_SERVICE_OPENED_CALLS_H_

#include <cstdint>

#include "absl/container/flat_hash_map.h"
#include "absl/types/optional.h"
#include "referee/base/endpoint.h"
#include "referee/service/accept/waste.h"

namespace referee::service {

// Thread-compatible.
class OpenedCalls {
 public:
  // Returns the counts of the connection from `client` to a server of this process. Returns nullopt
  // if gRPC does not list such a connection (yet).
  absl::optional<CallCounts> From(const Endpoint& client);

 private:
  // NoteNew records the sockets added since the last call, NoteAll records all of them.
  void NoteNew();
  void NoteAll();
  void NoteSocketsOf(intptr_t server);

  absl::flat_hash_map<Endpoint, intptr_t> sockets_;  // gRPC's socket ids, which only grow
  intptr_t last_ = 0;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_OPENED_CALLS_H_
