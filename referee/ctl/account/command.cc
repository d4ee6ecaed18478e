// refctl bot: manages the accounts of a referee, through the referee or directly in its store.

#include <sys/stat.h>

#include <map>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/command_line.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/ctl/account/ask.h"
#include "referee/ctl/account/text.h"
#include "referee/ctl/client.h"
#include "referee/ctl/command.h"
#include "referee/ctl/replay/export_file.h"
#include "referee/ctl/terminal/confirm.h"
#include "referee/ctl/terminal/print.h"
#include "referee/ctl/terminal/table.h"
#include "referee/service/access/account_admin.h"
#include "referee/service/convert/convert.h"

namespace referee::ctl {
namespace {

struct Flags : AdminFlags {
  std::string name;
  v1::Role role = v1::ROLE_BOT;
  std::string version;
  bool as_told = false;
  std::string reason;
  std::string save_token;
  std::string expires;
  bool yes = false;  // remove
  bool json = false;
};

Source SourceOf(const Flags& flags) { return flags.of_store() ? Source::kStore : Source::kReferee; }

constexpr char kSaveToken[] = "--save-token";

// Opens the file for a new token, readable by its owner only. A token is shown once, so the file is
// opened before the token is made. Errors name the flag.
absl::StatusOr<ExportFile> OpenTokenFile(const std::string& path, bool replace) {
  struct stat info;
  // Refuses an existing file unless `replace` is set. Always refuses pipes and devices: others
  // could read them, or they could block.
  if (stat(path.c_str(), &info) == 0 && !(replace && S_ISREG(info.st_mode))) {
    return At(kSaveToken, absl::AlreadyExistsError(absl::StrCat(
                              path, ": there is such a file; remove it, or name another")));
  }
  // Overwrites a file created meanwhile, because otherwise the token would be lost.
  absl::StatusOr<ExportFile> file = ExportFile::Open({path, /*force=*/true}, nullptr, 0600);
  if (!file.ok()) return At(kSaveToken, file.status());
  return file;
}

// Makes a token and writes it to the requested file, else to stdout.
template <typename Request, typename Response>
absl::StatusOr<Exit> TellToken(
    const Flags& flags, bool replace, const Output& output,
    absl::StatusOr<Response> (service::AccountAdmin::*answer)(const Request&) const,
    grpc::Status (AdminStub::*call)(grpc::ClientContext*, const Request&, Response*),
    const Request& request) {
  absl::optional<ExportFile> file;
  if (!flags.save_token.empty()) {
    absl::StatusOr<ExportFile> opened = OpenTokenFile(flags.save_token, replace);
    if (!opened.ok()) return opened.status();
    file.emplace(*std::move(opened));
  }
  auto response = Ask(flags, Use::kChange, answer, call, request);
  if (!response.ok()) return Refused(response.status(), output);
  if (file) {
    absl::Status saved = file->Write(response->token() + "\n");
    if (saved.ok()) saved = file->Commit();
    if (!saved.ok()) return At(kSaveToken, saved);
    response->clear_token();
    if (!flags.json) output.out() << "saved the token in " << Shown(flags.save_token) << "\n";
  }
  if (flags.json) {
    output.out() << JsonLine(*response);
  } else if (!file) {
    output.out() << response->token() << '\n';
  }
  return Exit::kOk;
}

// Changes an account and prints its new state.
template <typename Request, typename Response>
absl::StatusOr<Exit> Change(
    const Flags& flags, const Output& output,
    absl::StatusOr<Response> (service::AccountAdmin::*answer)(const Request&) const,
    grpc::Status (AdminStub::*call)(grpc::ClientContext*, const Request&, Response*),
    const Request& request) {
  return Answer(
      Ask(flags, Use::kChange, answer, call, request), output, [&](const Response& changed) {
        return flags.json ? JsonLine(changed.bot()) : AccountLine(changed.bot(), SourceOf(flags));
      });
}

template <typename Request>
Request Named(const Flags& flags) {
  Request request;
  request.set_name(flags.name);
  return request;
}

// Sets the lifetime of the token in `request`, if --expires is given.
template <typename Request>
absl::Status SetLifetime(const Flags& flags, Request* request) {
  if (flags.expires.empty()) return absl::OkStatus();
  absl::Duration lifetime;
  absl::string_view days = flags.expires;
  int64_t count = 0;
  if (flags.expires == "never") {
    lifetime = absl::ZeroDuration();
  } else if (absl::ConsumeSuffix(&days, "d") && absl::SimpleAtoi(days, &count) && count > 0) {
    lifetime = count * absl::Hours(24);
  } else if (!absl::ParseDuration(flags.expires, &lifetime) ||
             lifetime < limits::kMinTokenLifetime) {
    return BadValue("--expires", flags.expires,
                    "never, days such as 90d, or a time of a minute or more, such as 12h");
  }
  service::ToWire(lifetime, request->mutable_token_lifetime());
  return absl::OkStatus();
}

absl::StatusOr<Exit> Add(const Flags& flags, const Output& output) {
  auto request = Named<v1::AddBotRequest>(flags);
  request.set_role(flags.role);
  if (absl::Status set = SetLifetime(flags, &request); !set.ok()) return set;
  return TellToken(flags, /*replace=*/false, output, &service::AccountAdmin::AddBot,
                   &AdminStub::AddBot, request);
}

absl::StatusOr<Exit> Rotate(const Flags& flags, const Output& output) {
  auto request = Named<v1::RotateTokenRequest>(flags);
  if (absl::Status set = SetLifetime(flags, &request); !set.ok()) return set;
  return TellToken(flags, /*replace=*/true, output, &service::AccountAdmin::RotateToken,
                   &AdminStub::RotateToken, request);
}

absl::StatusOr<Exit> Version(const Flags& flags, const Output& output) {
  if (flags.version.empty() && !flags.as_told) {
    return absl::InvalidArgumentError(
        "refctl bot version: VERSION is missing; give it, or --as-told to take the last one back");
  }
  auto request = Named<v1::SetBotVersionRequest>(flags);
  request.set_version(flags.version);
  request.set_as_told(flags.as_told);
  return Change(flags, output, &service::AccountAdmin::SetBotVersion, &AdminStub::SetBotVersion,
                request);
}

absl::StatusOr<Exit> Disable(const Flags& flags, const Output& output) {
  auto request = Named<v1::DisableBotRequest>(flags);
  request.set_reason(flags.reason);
  return Change(flags, output, &service::AccountAdmin::DisableBot, &AdminStub::DisableBot, request);
}

absl::StatusOr<Exit> Enable(const Flags& flags, const Output& output) {
  const auto request = Named<v1::EnableBotRequest>(flags);
  return Change(flags, output, &service::AccountAdmin::EnableBot, &AdminStub::EnableBot, request);
}

absl::StatusOr<Exit> Remove(const Flags& flags, const Output& output) {
  const auto remove = [&] {
    const auto request = Named<v1::RemoveBotRequest>(flags);
    return Answer(
        Ask(flags, Use::kChange, &service::AccountAdmin::RemoveBot, &AdminStub::RemoveBot, request),
        output, [&](const auto& /*removed*/) {
          return flags.json ? JsonLine(request) : absl::StrCat("removed ", Shown(flags.name), "\n");
        });
  };
  return IfConfirmed(flags.yes,
                     absl::StrCat("Remove the account ", Quoted(flags.name),
                                  " for good, with its token (what it played stays)?"),
                     output, remove);
}

absl::StatusOr<Exit> Show(const Flags& flags, const Output& output) {
  return Answer(Ask(flags, Use::kLook, &service::AccountAdmin::GetBot, &AdminStub::GetBot,
                    Named<v1::GetBotRequest>(flags)),
                output, [&](const v1::GetBotResponse& found) {
                  return flags.json ? JsonLine(found.bot())
                                    : AccountText(found.bot(), SourceOf(flags));
                });
}

absl::StatusOr<Exit> List(const Flags& flags, const Output& output) {
  bool any = false;
  const auto call = [&](const v1::ListBotsRequest& request) {
    return Ask(flags, Use::kLook, &service::AccountAdmin::ListBots, &AdminStub::ListBots, request);
  };
  const auto print = [&](const v1::ListBotsResponse& page) {
    for (const v1::BotAccount& bot : page.bots()) {
      any = true;
      output.out() << (flags.json ? JsonLine(bot) : AccountLine(bot, SourceOf(flags)));
    }
    return output.out().good();
  };
  const absl::Status listed = ForEachPage(call, v1::ListBotsRequest(), print);
  if (listed.ok() && !any) output.Error("there are no accounts yet; 'refctl bot add' makes one");
  return Ended(listed, output);
}

// --- The command line ---

struct Command {
  const char* name;
  const char* description;
  absl::StatusOr<Exit> (*work)(const Flags&, const Output&);
  bool named;  // takes the name of an account
};

constexpr Command kCommands[] = {
    {"add", "Makes an account; prints its token, which is kept nowhere and shown this once", Add,
     true},
    {"list", "Lists accounts, by name", List, false},
    {"show",
     "Shows an account, and where its bot was set aside, and why; with a bot's token, its own",
     Show, true},
    {"rotate",
     "Renews a token: prints the new one, this once; what the old one opened ends, a bot's stream "
     "when the matches that have begun are over. With a bot's "
     "token, its own: the old one is taken for ten minutes more then, and what it opened goes on",
     Rotate, true},
    {"version",
     "Gives a bot another version, whatever it tells: in ladders that has a rating and results of "
     "its own; one that it had in the season goes on",
     Version, true},
    {"disable",
     "Refuses the token of an account until it is enabled; its streams end, a bot's when the "
     "matches that have begun are over",
     Disable, true},
    {"enable", "Takes the token of an account again", Enable, true},
    {"remove", "Removes an account for good; what it played stays", Remove, true},
};

void AddOwnFlags(CLI::App* command, absl::string_view name, Flags* flags) {
  if (name == "add") {
    static const std::map<std::string, v1::Role> roles = {
        {"bot", v1::ROLE_BOT}, {"organiser", v1::ROLE_ORGANISER}, {"observer", v1::ROLE_OBSERVER}};
    command
        ->add_option_function<std::string>(
            "--role", [flags](const std::string& role) { flags->role = roles.at(role); },
            "What its token may do: bot (play and look), organiser (all but play), "
            "observer (look)")
        ->check(OneOf({"bot", "organiser", "observer"}))
        ->type_name("bot|organiser|observer")
        ->default_str("bot");
  }
  if (name == "add" || name == "rotate") {
    AddOption(command, "--expires", "TIME", &flags->expires,
              name == "add" ? "How long the token is taken: 90d, 12h, never (default: never)"
                            : "How long the new token is taken: 90d, 12h, never (default: as "
                              "long as the one before)");
    AddOption(command, kSaveToken, "FILE", &flags->save_token,
              "Writes the token into this file, which only you can read, instead");
  }
  if (name == "version") {
    CLI::Option* const version =
        AddOption(command, "version", "VERSION", &flags->version, "Its version: 1 to 32 bytes");
    command
        ->add_flag("--as-told", flags->as_told,
                   "Takes your word back: the bot may tell another version again")
        ->excludes(version);
  }
  if (name == "remove") AddYes(command, &flags->yes);
  if (name == "disable") {
    AddOption(command, "--reason", "TEXT", &flags->reason, "Why, for the bot's author");
  }
}

void AddCommand(CLI::App* bot, Chosen* chosen, const Command& wanted) {
  const auto [command, flags] =
      AddSubcommand(bot, chosen, wanted.name, wanted.description, wanted.work);
  command->footer(kAccountFooter);
  if (wanted.named) {
    const absl::string_view verb = wanted.name;
    const bool own = verb == "show" || verb == "rotate";
    AddOption(command, "name", "NAME", &flags->name,
              own ? "The account (default: that of the token that you send)" : "The account")
        ->required(!own);
  }
  AddOwnFlags(command, wanted.name, flags.get());
  AddAdminFlags(command, flags.get());
  AddJsonFlag(command, &flags->json);
}

}  // namespace

void AddBotCommands(CLI::App* app, Chosen* chosen) {
  CLI::App* const bot = app->add_subcommand(
      "bot", "Makes, lists, renews, disables and removes accounts of bots, organisers, observers");
  bot->require_subcommand(1);
  for (const Command& command : kCommands) AddCommand(bot, chosen, command);
  AddAuditCommands(bot, chosen);
}

}  // namespace referee::ctl
