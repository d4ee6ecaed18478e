// How many calls clients have opened on their connections, as gRPC has counted them (channelz):
// also those that were reset before the service could hear of them. gRPC is asked over its public
// C interface, and answers in JSON: some ten microseconds for a connection.
//
//   OpenedCalls opened;
//   absl::optional<uint64_t> count = opened.From(client);  // of its connection, so far
#ifndef REFEREE_SERVICE_OPENED_CALLS_H_
#define REFEREE_SERVICE_OPENED_CALLS_H_

#include <cstdint>

#include "absl/container/flat_hash_map.h"
#include "absl/types/optional.h"
#include "referee/service/accept/endpoint.h"

namespace referee::service {

// Thread-compatible.
class OpenedCalls {
 public:
  // Of the connection that servers of this process have from `client`. Not set when they have none,
  // or none yet.
  absl::optional<uint64_t> From(const Endpoint& client);

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
