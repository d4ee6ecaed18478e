// Converts relayed items between host/relay.h and the messages of referees.
#ifndef REFEREE_SERVICE_PEER_ENTRY_WIRE_H_
#define REFEREE_SERVICE_PEER_ENTRY_WIRE_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "proto/referee/peer/v1/peer_service.pb.h"
#include "referee/host/relay.h"

namespace referee::service {

// Returns InvalidArgument that names the field on two errors: the response is not the bytes of
// exactly one item, or an item about a match has no valid match id. Does not look into the item.
absl::StatusOr<host::PassedOn> PassedOnOf(const peer::v1::Told& told);

// The end of a match without a result, for `reason`.
host::PassedOn VoidEnd(const std::string& match_id, absl::string_view reason);

void SaidToWire(std::string item, const host::Measured& measured, peer::v1::BotSaid* out);
void ElapsedToWire(const std::string& match_id, const host::Elapsed& elapsed,
                   peer::v1::Elapsed* out);

}  // namespace referee::service

#endif  // REFEREE_SERVICE_PEER_ENTRY_WIRE_H_
