#include "referee/ctl/program.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <utility>

#include "CLI/App.hpp"
#include "CLI/Config.hpp"
#include "CLI/Formatter.hpp"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "referee/base/errors.h"
#include "referee/base/passwords.h"
#include "referee/base/text.h"
#include "referee/base/wrap.h"
#include "referee/ctl/command.h"
#include "referee/ctl/refctl.h"
#include "referee/games/catalogue.h"
#include "referee/replay/messages.h"

namespace referee::ctl {
namespace {

// Every command of refctl, in the order in which --help lists them.
constexpr void (*kCommands[])(CLI::App*, Chosen*) = {
    AddDuelCommand,   AddDoctorCommand,   AddReplayCommands, AddRerunCommand,
    AddMatchCommands, AddBotCommands,     AddBanCommands,    AddCompetitionCommands,
    AddTestCommands,  AddArchiveCommands, AddBackupCommands, AddRulesCommands,
    AddKeyCommand,    AddGameCommands,    AddGateCommands,   AddStoreCommands,
    AddFleetCommands,
};

constexpr char kDescription[] =
    "The command line of Referee, which runs matches between bots.\n\n"
    "Each command has a --help of its own. Exit status: 0 if all is well, 1 if the answer is no "
    "(nothing found, a bad replay, an illegal move), 2 if the command line or the machine is at "
    "fault, 3 if a replay could be verified in part only (its game is not known here), 4 if a bot "
    "forfeited a match and --fail-on-forfeit was given.";

// Lists commands by the first paragraph of what is said of them: the rest is in their own --help.
class ListsInShort : public CLI::Formatter {
  std::string make_subcommand(const CLI::App* command) const override {
    const std::string description = command->get_description();
    std::ostringstream out;
    CLI::detail::format_help(out, command->get_display_name(true),
                             description.substr(0, description.find("\n\n")), column_width_);
    return out.str();
  }
};

// The innermost subcommand that the user named, such as "refctl rules legal".
std::string CommandName(const CLI::App& app) {
  std::string name = app.get_name();
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().front();
    absl::StrAppend(&name, " ", command->get_name());
  }
  return name;
}

// What CLI11 found wrong, in words of ours where its own are none for people.
std::string ProblemOf(const CLI::ParseError& error) {
  const std::string said = error.what();
  absl::string_view rest = said;
  if (!absl::ConsumePrefix(&rest, "Could not convert: ")) return GivenTwice(said);
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(rest, absl::MaxSplits(" = ", 1));
  return absl::StrCat(parts.first, ": ", Quoted(parts.second), " is no value that it takes");
}

// Says what CLI11 found wrong, and where to read on.
Exit RefuseUsage(const CLI::App& app, const CLI::ParseError& error, const Output& output) {
  std::string problem = ProblemOf(error);
  // CLI11 misses a subcommand before it minds what stands in its place.
  const std::vector<std::string> unknown = app.remaining(true);
  if (!unknown.empty()) {
    problem = absl::StrCat("there is no ", Quoted(WithoutPasswords(unknown.front())), " here");
  }
  std::replace(problem.begin(), problem.end(), '\n', ' ');
  output.Error(absl::StrCat(absl::StripTrailingAsciiWhitespace(WithoutPasswords(problem)),
                            "; see '", CommandName(app), " --help'"));
  return Exit::kUsage;
}

// Whether the values of an option may have any bytes: paths and commands do, and what may be one.
bool TakesBytes(const CLI::Option& option) {
  // CLI11 appends what checks the values: "DIR:NEW".
  const std::string type = absl::StrCat(option.get_type_name(), ":");
  for (const absl::string_view kind : {"", "FILE", "DIR", "PATH", "CMD", "[NAME=]CMD", "NAME=VALUE",
                                       "REPLAY", "ADDRESS", "HOST:PORT|unix:PATH"}) {
    if (absl::StartsWith(type, absl::StrCat(kind, ":"))) return true;
  }
  return option.get_name() == "--data-dir";
}

// Returns InvalidArgument that names the first argument that is not UTF-8: all others go into
// messages and JSON, which take nothing else.
absl::Status CheckArguments(const CLI::App& command) {
  for (const CLI::Option* const option : command.get_options()) {
    if (option->count() == 0 || TakesBytes(*option)) continue;
    for (const std::string& value : option->results()) {
      if (absl::Status sound = CheckUtf8(value); !sound.ok()) {
        return At(absl::StrCat(option->get_name(), " ", Quoted(value)), sound);
      }
    }
  }
  for (const CLI::App* const chosen : command.get_subcommands()) {
    if (absl::Status sound = CheckArguments(*chosen); !sound.ok()) return sound;
  }
  return absl::OkStatus();
}

// Does the work of the chosen command.
Exit DoWork(const Work& work, const Output& output) {
  const absl::StatusOr<Exit> exit = work(output);
  if (!exit.ok()) {
    output.Error(exit.status());
    return Exit::kUsage;
  }
  if (!output.out().flush()) {
    output.Error("stdout: cannot be written; is the disk full?");
    return Exit::kUsage;
  }
  return *exit;
}

}  // namespace

Exit RunProgram(const std::vector<std::string>& arguments, const Output& output) {
  CLI::App app(kDescription, "refctl");
  app.set_version_flag("--version", "refctl " REFEREE_VERSION, "Prints the version and exits");
  app.set_help_flag("-h,--help", "Prints this help and exits");
  // Before the commands are added, which take it over.
  app.formatter(std::make_shared<ListsInShort>());
  bool parse_only = false;  // for tests: reads the command line, and does nothing
  app.add_flag("--parse-only", parse_only)->group("");
  app.require_subcommand(1);
  Chosen chosen;
  for (const auto add_commands : kCommands) add_commands(&app, &chosen);
  // CLI11 throws; nothing it throws leaves here, and it takes its arguments last first.
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::Success)) {
      return RefuseUsage(app, error, output);
    }
    std::ostringstream help;
    app.exit(error, help, output.err());
    output.out() << WrapHelp(help.str());
    return Exit::kOk;
  }
  if (absl::Status sound = CheckArguments(app); !sound.ok()) {
    output.Error(sound);
    return Exit::kUsage;
  }
  return parse_only ? Exit::kOk : DoWork(chosen.work, output);
}

}  // namespace referee::ctl

namespace referee {

int RefctlMain(int argc, char** argv,
               const std::vector<std::shared_ptr<const games::GameType>>& games) {
  // What gRPC would write to stderr says nothing that errors do not.
  setenv("GRPC_VERBOSITY", "NONE", /*overwrite=*/0);
  replay::SilenceProtobuf();
  const ctl::Output output = ctl::Output::Standard();
  if (absl::Status added = games::AddGames(games); !added.ok()) {
    output.Error(added);
    return static_cast<int>(ctl::Exit::kUsage);
  }
  const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  return static_cast<int>(ctl::RunProgram(arguments, output));
}

}  // namespace referee
