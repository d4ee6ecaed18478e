// How many calls clients have opened on their connections, and how many of them are open, as gRPC
// has counted them (channelz): also those of which the service does not hear. gRPC is asked over
// its public C interface, and answers in JSON: some ten microseconds for a connection.
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
  // Of the connection that servers of this process have from `client`. Not set when they have none,
  // or none yet.
  absl::optional<CallCounts> From(const Endpoint& client);

 private:
  // Notes the sockets that have come since the last look; all that there are.
  void NoteNew();
  void NoteAll();
  void NoteSocketsOf(intptr_t server);

  absl::flat_hash_map<Endpoint, intptr_t> sockets_;  // gRPC's numbers of them, which only grow
  intptr_t last_ = 0;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_OPENED_CALLS_H_
