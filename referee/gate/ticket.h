// Tickets that allow watching: "<end>-<mac>".
//
// <end> is a Unix time in seconds; <mac> is HMAC-SHA256 over "refgate-ticket-v1/<end>" in
// hexadecimal. The key's holder makes tickets, and all gates with the key accept them. Pure, except
// for the file; thread-safe.
#ifndef REFEREE_GATE_TICKET_H_
#define REFEREE_GATE_TICKET_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace referee::gate {

// Reads the key file. Returns the file's error, or InvalidArgument if it has under 32 bytes.
absl::StatusOr<std::string> ReadTicketKey(const std::string& path);

std::string MakeTicket(absl::string_view key, absl::Time end);
// Returns the end of the ticket, or PermissionDenied with the reason why it is invalid at `now`.
absl::StatusOr<absl::Time> CheckTicket(absl::string_view key, absl::string_view ticket,
                                       absl::Time now);

}  // namespace referee::gate

#endif  // REFEREE_GATE_TICKET_H_
