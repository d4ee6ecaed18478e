// The interface of refctl's commands.
//
// One file for each command or group adds its subcommands to the command line, each with its work.
// program.cc has the list.
//
//   void AddKeyCommand(CLI::App* app, Chosen* chosen) {
//     const auto [key, flags] = AddSubcommand(app, chosen, "key", "Prints the key", PrintKey);
//     AddOption(key, "--data-dir", "DIR", &flags->data_dir, "...")->required();
//   }
#ifndef REFEREE_CTL_COMMAND_H_
#define REFEREE_CTL_COMMAND_H_

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "CLI/App.hpp"
#include "absl/status/statusor.h"
#include "referee/ctl/terminal/output.h"

namespace referee::ctl {

// The work of a command, called after the command line is parsed. An error status ends the program
// with its message and Exit::kUsage. A negative answer is not an error but Exit::kNegative.
using Work = std::function<absl::StatusOr<Exit>(const Output& output)>;

// The work of the chosen command. It is called once the whole command line is parsed.
struct Chosen {
  Work work;
};

// A subcommand and its flags. The flags live as long as the work that uses them.
template <typename Flags>
struct Subcommand {
  CLI::App* command;
  std::shared_ptr<Flags> flags;
};

// Adds a subcommand to `group`. If the user chooses it, `work` is called with its flags.
template <typename Flags>
Subcommand<Flags> AddSubcommand(CLI::App* group, Chosen* chosen, const std::string& name,
                                const std::string& description,
                                absl::StatusOr<Exit> (*work)(const Flags&, const Output&)) {
  const auto flags = std::make_shared<Flags>();
  CLI::App* const command = group->add_subcommand(name, description);
  command->callback([chosen, flags, work] {
    chosen->work = [flags, work](const Output& output) { return work(*flags, output); };
  });
  return {command, flags};
}

// Adds an option or, for a name without dashes, an argument. The help shows `value` for its value.
template <typename Variable>
CLI::Option* AddOption(CLI::App* command, const std::string& name, const std::string& value,
                       Variable* variable, const std::string& help) {
  return command->add_option(name, *variable, help)->type_name(value);
}

// Adds --json to a command that prints one object per line.
inline void AddJsonFlag(CLI::App* command, bool* json) {
  command->add_flag("--json", *json, "Prints JSON, an object a line");
}

// One file for each function.
void AddArchiveCommands(CLI::App* app, Chosen* chosen);
void AddBackupCommands(CLI::App* app, Chosen* chosen);
void AddCompetitionCommands(CLI::App* app, Chosen* chosen);
void AddBanCommands(CLI::App* app, Chosen* chosen);
void AddBotCommands(CLI::App* app, Chosen* chosen);
void AddDoctorCommand(CLI::App* app, Chosen* chosen);
void AddDuelCommand(CLI::App* app, Chosen* chosen);
void AddFleetCommands(CLI::App* app, Chosen* chosen);
void AddGameCommands(CLI::App* app, Chosen* chosen);
void AddGateCommands(CLI::App* app, Chosen* chosen);
void AddKeyCommand(CLI::App* app, Chosen* chosen);
void AddReplayCommands(CLI::App* app, Chosen* chosen);
void AddMatchCommands(CLI::App* app, Chosen* chosen);
void AddRerunCommand(CLI::App* app, Chosen* chosen);
void AddRulesCommands(CLI::App* app, Chosen* chosen);
void AddStoreCommands(CLI::App* app, Chosen* chosen);
void AddTestCommands(CLI::App* app, Chosen* chosen);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_COMMAND_H_
