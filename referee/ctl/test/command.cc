// refctl test: manages a referee's queue of tests of new bot versions against old ones.
//
// A test tells whether the new version is stronger. It is a competition: 'refctl competition' shows
// its blocks and matches.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "referee/base/command_line.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/ctl/client.h"
#include "referee/ctl/command.h"
#include "referee/ctl/competition/commands.h"
#include "referee/ctl/competition/flags.h"
#include "referee/ctl/match/flags.h"
#include "referee/ctl/terminal/confirm.h"
#include "referee/ctl/terminal/print.h"
#include "referee/ctl/test/text.h"

namespace referee::ctl {
namespace {

using Stub = CompetitionStub;

struct Flags {
  ClientFlags client;
  std::string name;
  bool json = false;
  // stop
  bool yes = false;
  // add
  CompetitionFlags competition;
  std::string older;
  std::string newer;
  std::string request_id;
  // list
  bool unfinished = false;
  // priority
  int priority = 0;
  // log
  bool csv = false;
  uint32_t every = 0;
  int width = 64;
};

std::string Text(const v1::Competition& test, const Flags& flags) {
  return flags.json ? JsonLine(test) : TestText(test);
}

absl::StatusOr<v1::Competition> Get(const CompetitionClient& client, const Flags& flags) {
  auto shown = client.Call(&Stub::GetCompetition, About<v1::GetCompetitionRequest>(flags));
  if (!shown.ok()) return shown.status();
  if (shown->competition().spec().format() != v1::COMPETITION_FORMAT_TEST)
    return absl::FailedPreconditionError(
        absl::StrCat(Quoted(flags.name), " is no test; see 'refctl competition show'"));
  return std::move(*shown->mutable_competition());
}

// --- add ---

absl::StatusOr<Exit> AddTest(const Flags& flags, const Output& output) {
  if (flags.newer == flags.older)
    return absl::InvalidArgumentError(
        absl::StrCat("--old: ", Quoted(flags.older),
                     " is the new bot, too; a test needs two, each with an account"));
  CompetitionFlags competition = flags.competition;
  competition.format = "test";
  competition.entrants = {flags.newer, flags.older};
  competition.name =
      flags.name.empty() ? absl::StrCat(flags.newer, "-vs-", flags.older) : flags.name;
  absl::StatusOr<v1::CompetitionSpec> spec = ReadCompetition(competition);
  if (!spec.ok()) return spec.status();
  const absl::StatusOr<CompetitionClient> client = CompetitionClient::Make(flags.client);
  if (!client.ok()) return client.status();
  const auto test = CreateCompetition(*client, *std::move(spec), flags.request_id, /*start=*/true);
  if (!test.ok()) return Refused(InFlags(test.status()), output);
  output.out() << Text(*test, flags);
  return Exit::kOk;
}

// --- list ---

absl::StatusOr<Exit> List(const Flags& flags, const Output& output) {
  const absl::StatusOr<CompetitionClient> client = CompetitionClient::Make(flags.client);
  if (!client.ok()) return client.status();
  v1::ListCompetitionsRequest request;
  request.set_format(v1::COMPETITION_FORMAT_TEST);
  std::vector<v1::Competition> tests;
  const auto take = [&](const v1::ListCompetitionsResponse& page) {
    for (const v1::Competition& test : page.competitions()) {
      const bool finished = test.state() == v1::COMPETITION_STATE_FINISHED;
      if (!(finished && flags.unfinished)) tests.push_back(test);
    }
    return true;
  };
  const absl::Status listed = client->ForEachPage(&Stub::ListCompetitions, request, take);
  if (!listed.ok()) return Refused(listed, output);
  SortAsQueue(&tests);
  if (tests.empty()) output.Error("there are no such tests; 'refctl test add' makes one");
  const Form form = flags.json ? Form::kJson : Form::kTable;
  if (!tests.empty()) output.out() << Printed(TestsTable(), tests, form);
  return Exit::kOk;
}

// --- About one test ---

absl::StatusOr<Exit> Show(const Flags& flags, const Output& output) {
  const absl::StatusOr<CompetitionClient> client = CompetitionClient::Make(flags.client);
  if (!client.ok()) return client.status();
  return Answer(Get(*client, flags), output,
                [&](const v1::Competition& test) { return Text(test, flags); });
}

// Makes a call that changes the test named in the request.
template <typename Request, typename Response>
absl::StatusOr<Exit> ChangeTest(const Flags& flags, const Output& output, Request request,
                                grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&,
                                                             Response*)) {
  const absl::StatusOr<CompetitionClient> client = CompetitionClient::Make(flags.client);
  if (!client.ok()) return client.status();
  const absl::StatusOr<v1::Competition> test = Get(*client, flags);
  if (!test.ok()) return Refused(test.status(), output);
  request.set_name(flags.name);
  const auto response = client->Call(method, request);
  if (!response.ok()) return Refused(InFlags(response.status()), output);
  output.out() << Text(response->competition(), flags);
  return Exit::kOk;
}

absl::StatusOr<Exit> Stop(const Flags& flags, const Output& output) {
  return IfConfirmed(
      flags.yes,
      absl::StrCat("Stop the test ", Quoted(flags.name), " for good? It cannot go on afterwards."),
      output, [&] {
        return ChangeTest(flags, output, v1::FinishCompetitionRequest(), &Stub::FinishCompetition);
      });
}

absl::StatusOr<Exit> SetPriority(const Flags& flags, const Output& output) {
  v1::UpdateCompetitionRequest request;
  request.mutable_spec()->set_priority(flags.priority);
  request.mutable_update_mask()->add_paths("priority");
  return ChangeTest(flags, output, request, &Stub::UpdateCompetition);
}

// --- log ---

v1::ListTestPointsRequest PointsRequest(const Flags& flags, uint64_t every) {
  auto request = About<v1::ListTestPointsRequest>(flags);
  request.set_every(static_cast<uint32_t>(every));
  return request;
}

absl::StatusOr<Exit> Log(const Flags& flags, const Output& output) {
  const absl::StatusOr<CompetitionClient> client = CompetitionClient::Make(flags.client);
  if (!client.ok()) return client.status();
  if (flags.csv || flags.json) {
    const auto points = [](const v1::ListTestPointsResponse& page) -> const auto& {
      return page.points();
    };
    return PrintPages(*client, &Stub::ListTestPoints, PointsRequest(flags, flags.every),
                      PointColumns(), points, flags.csv ? Form::kCsv : Form::kJson, output);
  }
  const absl::StatusOr<v1::Competition> test = Get(*client, flags);
  if (!test.ok()) return Refused(test.status(), output);
  // One point for each column, at most a page. Leaves out blocks that counted after the test was
  // read.
  const auto width = static_cast<uint64_t>(flags.width);
  const uint64_t blocks = TestBlocks(test->test());
  const uint64_t every = flags.every > 0 ? flags.every : (blocks + width - 1) / width;
  std::vector<v1::TestPoint> points;
  const absl::Status read = client->ForEachPage(&Stub::ListTestPoints, PointsRequest(flags, every),
                                                [&](const v1::ListTestPointsResponse& page) {
                                                  for (const v1::TestPoint& point : page.points()) {
                                                    if (point.block() < test->blocks_counted())
                                                      points.push_back(point);
                                                  }
                                                  return points.size() < limits::kMaxPageSize;
                                                });
  if (!read.ok()) return Refused(read, output);
  output.out() << TestChart(*test, points, flags.width);
  return Exit::kOk;
}

// --- The command line ---

constexpr char kAddFooter[] =
    "The bots connect to the referee by themselves, and play as many matches at once as they say. "
    "Tests go on at once as long as there are places; when there are few, those of higher priority "
    "begin blocks first, and of those that are level, older ones. A test ends as soon as the "
    "blocks that count, in the order in which they were scheduled, decide it; what is still played "
    "then is stopped and does not count.";

constexpr char kLogFooter[] =
    "The log-likelihood ratio is reckoned anew from the blocks that count, in their order. CSV has "
    "a line a point: the number of its block, how many blocks there were by then, how many of them "
    "gave the new bot 0, 1/2, 1, 1 1/2 and 2 points, and the ratio.";

using Function = absl::StatusOr<Exit> (*)(const Flags&, const Output&);

using Added = Subcommand<Flags>;

// Adds a subcommand about an existing test.
Added AddAboutTest(CLI::App* group, Chosen* chosen, const std::string& name,
                   const std::string& description, Function work) {
  const Added added = AddForOrganisers(group, chosen, name, description, work);
  AddOption(added.command, "name", "NAME", &added.flags->name, "The test")->required();
  return added;
}

void AddAdd(CLI::App* group, Chosen* chosen) {
  const auto [command, flags] =
      AddForOrganisers(group, chosen, "add", "Adds a test to the queue, and starts it", AddTest);
  command->footer(absl::StrCat(kAddFooter, "\n\n", kOrganiserFooter));
  AddOption(command, "name", "NAME", &flags->name, "What it is to be called (default: NEW-vs-OLD)");
  AddOption(command, "--new", "NAME", &flags->newer,
            "The bot whose strength is tested, by its account")
      ->required();
  AddOption(command, "--old", "NAME", &flags->older, "The bot that it is tested against")
      ->required();
  AddTestFlags(command, &flags->competition);
  AddOption(command, "--request-id", "TEXT", &flags->request_id,
            "Any text: the same command with the same text makes no second test");
}

void AddLog(CLI::App* group, Chosen* chosen) {
  const auto [command, flags] = AddAboutTest(
      group, chosen, "log", "Shows how a test's log-likelihood ratio moved, as a chart", Log);
  command->footer(absl::StrCat(kLogFooter, "\n\n", kOrganiserFooter));
  command->add_flag("--csv", flags->csv, "Prints CSV");
  AddOption(command, "--every", "N", &flags->every,
            "A point after every so many blocks (default: 1; of a chart, one a column)")
      ->check(Unsigned64(1));
  AddOption(command, "--width", "N", &flags->width, "Of the chart, in columns")
      ->check(Whole(10, 1000))
      ->capture_default_str();
}

}  // namespace

void AddTestCommands(CLI::App* app, Chosen* chosen) {
  CLI::App* const group = app->add_subcommand(
      "test", "A running referee's queue of tests: is the new bot stronger than the old one?");
  group->require_subcommand(1);
  AddAdd(group, chosen);
  const Added list = AddForOrganisers(
      group, chosen, "list",
      "Lists tests: the queue by priority and age, then those that are finished", List);
  list.command->add_flag("--unfinished", list.flags->unfinished, "Only the queue");
  AddAboutTest(group, chosen, "show", "Shows how far a test is, what it says, and who is out of it",
               Show);
  AddLog(group, chosen);
  const Added stop =
      AddAboutTest(group, chosen, "stop",
                   "Ends a test for good: what has begun is played to its end, and counts", Stop);
  AddYes(stop.command, &stop.flags->yes);
  const Added priority = AddAboutTest(group, chosen, "priority",
                                      "Changes which tests begin blocks first", SetPriority);
  AddOption(priority.command, "priority", "N", &priority.flags->priority,
            "The higher, the earlier: -1000 to 1000")
      ->required();
}

}  // namespace referee::ctl
