// refctl gate: makes tickets for viewers of a refgate.

#include <string>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "referee/base/errors.h"
#include "referee/ctl/command.h"
#include "referee/gate/ticket.h"

namespace referee::ctl {
namespace {

constexpr absl::Duration kLongest = absl::Hours(24 * 366);

struct TicketFlags {
  std::string key_file;
  std::string duration;
};

absl::StatusOr<Exit> PrintTicket(const TicketFlags& flags, const Output& output) {
  absl::Duration duration;
  if (!absl::ParseDuration(flags.duration, &duration) || duration < absl::Seconds(1) ||
      duration > kLongest) {
    return BadValue("--for", flags.duration, "a duration of 1s to 8784h");
  }
  const absl::StatusOr<std::string> key = gate::ReadTicketKey(flags.key_file);
  if (!key.ok()) return At("--key-file", key.status());
  output.out() << gate::MakeTicket(*key, absl::Now() + duration) << "\n";
  return Exit::kOk;
}

}  // namespace

void AddGateCommands(CLI::App* app, Chosen* chosen) {
  CLI::App* const group = app->add_subcommand("gate", "Tickets of those who watch at a refgate");
  group->require_subcommand(1);
  const auto ticket = AddSubcommand(group, chosen, "ticket",
                                    "Prints a ticket, to be given as ?ticket=", PrintTicket);
  AddOption(ticket.command, "--key-file", "FILE", &ticket.flags->key_file,
            "What refgate has as --ticket-key-file: a secret of 32 bytes or more")
      ->required();
  AddOption(ticket.command, "--for", "DURATION", &ticket.flags->duration,
            "How long it is good for, such as 1h")
      ->required();
}

}  // namespace referee::ctl
