// What every command that calls a referee has: its flags, and how it ends when it is refused.
#ifndef REFEREE_CTL_CLIENT_FLAGS_H_
#define REFEREE_CTL_CLIENT_FLAGS_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "referee/client/flags.h"
#include "referee/ctl/connection.h"
#include "referee/ctl/terminal/output.h"

namespace referee::ctl {

using client::AddClientFlags;
using client::ClientFlags;
using client::Connect;
using client::ReadClientFlags;

// The footer of the help of commands about competitions.
inline constexpr char kOrganiserFooter[] =
    "The referee is found at --address, else at REFEREE_ADDRESS, else at 127.0.0.1:7450. What\n"
    "changes something takes an organiser's token, as soon as the referee knows an organiser.";

// Ends a command with the referee's error: Exit::kNegative when it is about the thing asked for
// (not found, over, exists already), else the error itself.
absl::StatusOr<Exit> Refused(const absl::Status& status, const Output& output);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_CLIENT_FLAGS_H_
