// Tickets of watchers: "<end>-<mac>", where <end> is a Unix time in seconds and <mac> is
// HMAC-SHA256 over "refgate-ticket-v1/<end>" in hexadecimal. Whoever has the key makes them; gates
// with the same key take the same tickets. Pure, but for the file; thread-safe.
#ifndef REFEREE_GATE_TICKET_H_
#define REFEREE_GATE_TICKET_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace referee::gate {

// The bytes of a file. Returns an error of the file, or InvalidArgument if it has under 32 bytes.
absl::StatusOr<std::string> ReadTicketKey(const std::string& path);

std::string MakeTicket(absl::string_view key, absl::Time end);
// Returns the end of the ticket, or PermissionDenied that says why it is none at `now`.
absl::StatusOr<absl::Time> CheckTicket(absl::string_view key, absl::string_view ticket,
                                       absl::Time now);

}  // namespace referee::gate

#endif  // REFEREE_GATE_TICKET_H_
