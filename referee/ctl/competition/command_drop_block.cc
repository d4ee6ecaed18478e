// refctl competition drop-block.

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "referee/ctl/client_flags.h"
#include "referee/ctl/competition/client.h"
#include "referee/ctl/competition/commands.h"
#include "referee/ctl/competition/text.h"
#include "referee/ctl/terminal/print.h"
#include "referee/ctl/terminal/table.h"

namespace referee::ctl {
namespace {

struct DropFlags {
  ClientFlags client;
  std::string name;
  uint64_t number = 0;
  std::string reason;
  bool json = false;
};

absl::StatusOr<Exit> Drop(const DropFlags& flags, const Output& output) {
  v1::DropBlockRequest request;
  request.set_name(flags.name);
  request.set_number(flags.number);
  request.set_reason(flags.reason);
  const auto dropped = CallOnce(flags.client, &CompetitionClient::Stub::DropBlock, request);
  if (!dropped.ok()) return Refused(dropped.status(), output);
  output.out() << (flags.json ? JsonLine(dropped->competition())
                              : absl::StrCat("gave up block ", flags.number, " of ",
                                             Shown(flags.name), "\n"));
  return Exit::kOk;
}

}  // namespace

void AddDropBlockCommand(CLI::App* group, Chosen* chosen) {
  const Subcommand<DropFlags> drop = AddSubcommand(
      group, chosen, "drop-block",
      "Gives up a block that is open: its matches are cancelled, and it counts for nobody", Drop);
  AddClientFlags(drop.command, &drop.flags->client);
  drop.command->footer(kOrganiserFooter);
  drop.command->add_option("name", drop.flags->name, "The competition")
      ->required()
      ->type_name("NAME");
  drop.command
      ->add_option("number", drop.flags->number,
                   "The block, as 'refctl competition blocks' numbers it")
      ->required()
      ->type_name("NUMBER");
  drop.command->add_option("--reason", drop.flags->reason, "Why, for everybody")
      ->required()
      ->type_name("TEXT");
  drop.command->add_flag("--json", drop.flags->json, "Prints JSON");
}

}  // namespace referee::ctl
