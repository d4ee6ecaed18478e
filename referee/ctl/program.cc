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

// All commands of refctl, in the order of --help.
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

// Lists each command with the first paragraph of its description; its own --help has the rest.
class ListsInShort : public CLI::Formatter {
  std::string make_subcommand(const CLI::App* command) const override {
    const std::string description = command->get_description();
    std::ostringstream out;
    CLI::detail::format_help(out, command->get_display_name(true),
                             description.substr(0, description.find("\n\n")), column_width_);
    return out.str();
  }
};

// The full name of the innermost subcommand given, such as "refctl rules legal".
std::string CommandName(const CLI::App& app) {
  std::string name = app.get_name();
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().front();
    absl::StrAppend(&name, " ", command->get_name());
  }
  return name;
}

// The message of a CLI11 error, reworded where CLI11's own is not for people.
std::string ProblemOf(const CLI::ParseError& error) {
  const std::string said = error.what();
  absl::string_view rest = said;
  if (!absl::ConsumePrefix(&rest, "Could not convert: ")) return GivenTwice(said);
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(rest, absl::MaxSplits(" = ", 1));
  return absl::StrCat(parts.first, ": ", Quoted(parts.second), " is no value that it takes");
}

// Prints the error of CLI11, and which --help to read.
Exit RefuseUsage(const CLI::App& app, const CLI::ParseError& error, const Output& output) {
  std::string problem = ProblemOf(error);
  // CLI11 reports a missing subcommand before an unknown one; the unknown one is the real problem.
  const std::vector<std::string> unknown = app.remaining(true);
  if (!unknown.empty()) {
    problem = absl::StrCat("there is no ", Quoted(WithoutPasswords(unknown.front())), " here");
  }
  std::replace(problem.begin(), problem.end(), '\n', ' ');
  output.Error(absl::StrCat(absl::StripTrailingAsciiWhitespace(WithoutPasswords(problem)),
                            "; see '", CommandName(app), " --help'"));
  return Exit::kUsage;
}

// Whether values of an option may have any bytes, as paths and commands may.
bool TakesBytes(const CLI::Option& option) {
  // CLI11 appends the name of a check of the values: "DIR:NEW".
  const std::string type = absl::StrCat(option.get_type_name(), ":");
  for (const absl::string_view kind : {"", "FILE", "DIR", "PATH", "CMD", "[NAME=]CMD", "NAME=VALUE",
                                       "REPLAY", "ADDRESS", "HOST:PORT|unix:PATH"}) {
    if (absl::StartsWith(type, absl::StrCat(kind, ":"))) return true;
  }
  return option.get_name() == "--data-dir";
}

// Returns InvalidArgument that names the first argument that is not UTF-8. Paths and commands are
// exempt; all others appear in messages and JSON, which must be UTF-8.
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

// Runs the chosen command.
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
  // Set before the commands are added, which inherit it.
  app.formatter(std::make_shared<ListsInShort>());
  bool parse_only = false;  // for tests: parses the command line only
  app.add_flag("--parse-only", parse_only)->group("");
  app.require_subcommand(1);
  Chosen chosen;
  for (const auto add_commands : kCommands) add_commands(&app, &chosen);
  // Catches everything that CLI11 throws. CLI11 expects its arguments in reverse order.
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
  // Silences gRPC's own messages on stderr: refctl's errors say the same.
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
