// refctl competition rounds, refctl competition bracket.

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "referee/base/command_line.h"
#include "referee/base/errors.h"
#include "referee/ctl/client.h"
#include "referee/ctl/command.h"
#include "referee/ctl/competition/commands.h"
#include "referee/ctl/competition/rounds.h"
#include "referee/ctl/competition/text.h"
#include "referee/ctl/terminal/print.h"
#include "referee/ctl/terminal/table.h"

namespace referee::ctl {
namespace {

struct RoundFlags {
  ClientFlags client;
  std::string name;
  uint32_t round = 0;  // 0: all
  bool json = false;
};

Form FormOf(const RoundFlags& flags) { return flags.json ? Form::kJson : Form::kTable; }

v1::ListRoundsRequest RoundsRequest(const RoundFlags& flags) {
  auto request = About<v1::ListRoundsRequest>(flags);
  request.set_round(flags.round);
  return request;
}

absl::StatusOr<Exit> Rounds(const RoundFlags& flags, const Output& output) {
  const absl::StatusOr<CompetitionClient> client = CompetitionClient::Make(flags.client);
  if (!client.ok()) return client.status();
  const auto pairings = [](const v1::ListRoundsResponse& page) -> const auto& {
    return page.pairings();
  };
  return PrintPages(*client, &CompetitionStub::ListRounds, RoundsRequest(flags), RoundsTable(),
                    pairings, FormOf(flags), output);
}

absl::StatusOr<Exit> Bracket(const RoundFlags& flags, const Output& output) {
  const absl::StatusOr<CompetitionClient> client = CompetitionClient::Make(flags.client);
  if (!client.ok()) return client.status();
  const auto shown =
      client->Call(&CompetitionStub::GetCompetition, About<v1::GetCompetitionRequest>(flags));
  if (!shown.ok()) return Refused(shown.status(), output);
  const v1::Competition& competition = shown->competition();
  if (competition.spec().format() != v1::COMPETITION_FORMAT_KNOCKOUT) {
    const v1::CompetitionFormat format = competition.spec().format();
    const bool has_rounds =
        format != v1::COMPETITION_FORMAT_LADDER && format != v1::COMPETITION_FORMAT_TEST;
    return Refused(absl::FailedPreconditionError(absl::StrCat(
                       "competition ", Quoted(flags.name), ": is a ", FormatText(format),
                       ", and only a knockout has a bracket; see 'refctl competition ",
                       has_rounds ? "rounds" : "standings", "'")),
                   output);
  }
  v1::ListRoundsResponse all;
  const absl::Status listed = client->ForEachPage(
      &CompetitionStub::ListRounds, RoundsRequest(flags), [&](const v1::ListRoundsResponse& page) {
        all.mutable_pairings()->MergeFrom(page.pairings());
        return true;
      });
  if (!listed.ok()) return Refused(listed, output);
  if (!flags.json) {
    output.out() << Shown(flags.name) << ": " << ProgressText(competition) << "\n\n"
                 << BracketText(all.pairings()) << "\n";
  }
  output.out() << Printed(RoundsTable(), all.pairings(), FormOf(flags));
  return Exit::kOk;
}

constexpr char kRoundsFooter[] =
    "Points and scores are in the order of the bots: a win is 1 point, a draw 1/2; a bye and a "
    "walkover count as a won block, which is 2. In a swiss they add up to the points of the "
    "standings. Rounds of a round robin and a gauntlet: each bot, but for the soloist, plays once "
    "at most in one. What is to follow is shown as far as it is known. Ladders and tests have no "
    "rounds.";

constexpr char kBracketFooter[] =
    "The tree has the points of each bot in its tie, '?' for a bot that is not known yet, and who "
    "came on by a walkover, since the other had left. Below it each tie has its blocks, and by "
    "what it was decided: blocks won, extra blocks, points, scores in the games, a lot, a "
    "walkover.";

}  // namespace

void AddRoundsCommands(CLI::App* group, Chosen* chosen) {
  const Subcommand<RoundFlags> rounds =
      AddAbout(group, chosen, "rounds",
               "Prints who meets whom, round by round, with results, byes and walkovers", Rounds);
  rounds.command->footer(kRoundsFooter);
  AddOption(rounds.command, "--round", "N", &rounds.flags->round, "Only this one")
      ->check(Whole(1, UINT32_MAX));
  AddAbout(group, chosen, "bracket", "Prints the tree of a knockout, and how its ties were decided",
           Bracket)
      .command->footer(kBracketFooter);
}

}  // namespace referee::ctl
