// Converts what an entry passes on, between host/relay.h and the messages of referees.
#ifndef REFEREE_SERVICE_PEER_ENTRY_WIRE_H_
#define REFEREE_SERVICE_PEER_ENTRY_WIRE_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "proto/referee/peer/v1/peer_service.pb.h"
#include "referee/host/relay.h"

namespace referee::service {

// Returns InvalidArgument that names the field: if the response is not the bytes of one item, of
// which the contents are not looked at, or if it is about a match without the id of one.
absl::StatusOr<host::PassedOn> PassedOnOf(const peer::v1::Told& told);

// The end of a match without a result, for `reason`.
host::PassedOn VoidEnd(const std::string& match_id, absl::string_view reason);

void SaidToWire(std::string item, const host::Measured& measured, peer::v1::BotSaid* out);
void ElapsedToWire(const std::string& match_id, const host::Elapsed& elapsed,
                   peer::v1::Elapsed* out);

}  // namespace referee::service

#endif  // REFEREE_SERVICE_PEER_ENTRY_WIRE_H_
