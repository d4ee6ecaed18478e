// refctl competition set, rename, remove, drop-block: changes an existing competition.

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/ctl/client.h"
#include "referee/ctl/command.h"
#include "referee/ctl/competition/commands.h"
#include "referee/ctl/competition/flags.h"
#include "referee/ctl/competition/text.h"
#include "referee/ctl/match/flags.h"
#include "referee/ctl/terminal/confirm.h"
#include "referee/ctl/terminal/print.h"
#include "referee/ctl/terminal/table.h"
#include "referee/match/time_control.h"
#include "referee/replay/terms_wire.h"

namespace referee::ctl {
namespace {

struct ChangeFlags {
  ClientFlags client;
  std::string name;
  bool json = false;
  // set
  TermsFlags terms;
  std::string time;  // empty: unchanged
  // rename
  std::string new_name;
  bool yes = false;  // remove, drop-block
  // drop-block
  uint64_t number = 0;
  std::string reason;
};

absl::StatusOr<Exit> Set(const ChangeFlags& flags, const Output& output) {
  auto request = About<v1::UpdateCompetitionRequest>(flags);
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
  const auto updated = CallOnce(flags.client, &CompetitionStub::UpdateCompetition, request);
  if (!updated.ok()) return Refused(InFlags(updated.status()), output);
  const v1::Competition& competition = updated->competition();
  output.out() << (flags.json ? JsonLine(competition) : CompetitionText(competition));
  return Exit::kOk;
}

absl::StatusOr<Exit> Rename(const ChangeFlags& flags, const Output& output) {
  auto request = About<v1::UpdateCompetitionRequest>(flags);
  request.mutable_spec()->set_name(flags.new_name);
  request.mutable_update_mask()->add_paths("name");
  return Answer(CallOnce(flags.client, &CompetitionStub::UpdateCompetition, request), output,
                [&](const v1::UpdateCompetitionResponse& renamed) {
                  return flags.json ? JsonLine(renamed.competition())
                                    : CompetitionLine(renamed.competition());
                });
}

absl::StatusOr<Exit> Remove(const ChangeFlags& flags, const Output& output) {
  const auto remove = [&] {
    const auto request = About<v1::RemoveCompetitionRequest>(flags);
    return Answer(
        CallOnce(flags.client, &CompetitionStub::RemoveCompetition, request), output,
        [&](const auto& /*removed*/) { return absl::StrCat("removed ", Shown(flags.name), "\n"); });
  };
  return IfConfirmed(flags.yes,
                     absl::StrCat("Remove the competition ", Quoted(flags.name),
                                  " with its standings and blocks (replays stay)?"),
                     output, remove);
}

absl::StatusOr<Exit> Drop(const ChangeFlags& flags, const Output& output) {
  auto request = About<v1::DropBlockRequest>(flags);
  request.set_number(flags.number);
  request.set_reason(flags.reason);
  const auto drop = [&] {
    return Answer(CallOnce(flags.client, &CompetitionStub::DropBlock, request), output,
                  [&](const v1::DropBlockResponse& dropped) {
                    return flags.json ? JsonLine(dropped.competition())
                                      : absl::StrCat("gave up block ", flags.number, " of ",
                                                     Shown(flags.name), "\n");
                  });
  };
  return IfConfirmed(flags.yes,
                     absl::StrCat("Give up block ", flags.number, " of ", Quoted(flags.name),
                                  " for good? Its matches are cancelled."),
                     output, drop);
}

}  // namespace

void AddChangeCommands(CLI::App* group, Chosen* chosen) {
  const auto [set, terms] = AddAbout(
      group, chosen, "set", "Changes what a competition may change, also while it runs", Set);
  AddRunTerms(set, &terms->terms);
  AddRatingTerms(set, &terms->terms);
  AddTimeFlag(set, &terms->time);
  const auto [rename, names] = AddAbout(
      group, chosen, "rename", "Gives a competition another name, also while it runs", Rename);
  AddOption(rename, "new-name", "NEW", &names->new_name, "What it is to be called")->required();
  const auto [remove, removed] =
      AddAbout(group, chosen, "remove",
               "Forgets a competition that is new or finished; replays of its matches stay", Remove,
               /*json=*/false);
  AddYes(remove, &removed->yes);
  const auto [drop, block] = AddAbout(
      group, chosen, "drop-block",
      "Gives up a block that is open: its matches are cancelled, and it counts for nobody", Drop);
  AddOption(drop, "number", "NUMBER", &block->number,
            "The block, as 'refctl competition blocks' numbers it")
      ->required();
  AddOption(drop, "--reason", "TEXT", &block->reason, "Why, for everybody")->required();
  AddYes(drop, &block->yes);
}

}  // namespace referee::ctl
