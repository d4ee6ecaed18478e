// refctl competition set.

#include <string>

#include "referee/base/errors.h"
#include "referee/ctl/client_flags.h"
#include "referee/ctl/competition/client.h"
#include "referee/ctl/competition/commands.h"
#include "referee/ctl/competition/flags.h"
#include "referee/ctl/competition/text.h"
#include "referee/ctl/match/judging_flags.h"
#include "referee/ctl/terminal/print.h"
#include "referee/match/time_control.h"
#include "referee/replay/terms_wire.h"

namespace referee::ctl {
namespace {

struct SetFlags {
  ClientFlags client;
  std::string name;
  TermsFlags terms;
  std::string time;  // empty: it stays
  bool json = false;
};

absl::StatusOr<Exit> Set(const SetFlags& flags, const Output& output) {
  v1::UpdateCompetitionRequest request;
  request.set_name(flags.name);
  *request.mutable_spec() = flags.terms.spec;
  *request.mutable_update_mask() = flags.terms.given;
  if (!flags.time.empty()) {
    const auto time = match::ParseTimeControl(flags.time);
    if (!time.ok()) return At("--time", time.status());
    replay::ToWire(*time, request.mutable_spec()->mutable_time_control());
    request.mutable_update_mask()->add_paths("time_control");
  }
  if (request.update_mask().paths().empty()) {
    return absl::InvalidArgumentError(
        "nothing to set: give what is to change, such as --priority 5; --help lists it");
  }
  const auto updated = CallOnce(flags.client, &CompetitionClient::Stub::UpdateCompetition, request);
  if (!updated.ok()) return Refused(InFlags(updated.status()), output);
  const v1::Competition& competition = updated->competition();
  output.out() << (flags.json ? JsonLine(competition) : CompetitionText(competition));
  return Exit::kOk;
}

}  // namespace

void AddSetCommand(CLI::App* group, Chosen* chosen) {
  const Subcommand<SetFlags> set = AddSubcommand(
      group, chosen, "set", "Changes what a competition may change, also while it runs", Set);
  AddClientFlags(set.command, &set.flags->client);
  set.command->footer(kOrganiserFooter);
  set.command->add_option("name", set.flags->name, "The competition")
      ->required()
      ->type_name("NAME");
  AddRunTerms(set.command, &set.flags->terms);
  AddRatingTerms(set.command, &set.flags->terms);
  AddTimeFlag(set.command, &set.flags->time);
  set.command->add_flag("--json", set.flags->json, "Prints JSON");
}

}  // namespace referee::ctl
