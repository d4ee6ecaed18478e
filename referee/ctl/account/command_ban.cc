// refctl ban: bans accounts and addresses, through the referee or directly in its store.

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "referee/base/limits.h"
#include "referee/ctl/account/ask.h"
#include "referee/ctl/account/text.h"
#include "referee/ctl/client.h"
#include "referee/ctl/command.h"
#include "referee/ctl/terminal/print.h"
#include "referee/ctl/terminal/table.h"

namespace referee::ctl {
namespace {

constexpr char kBanFooter[] =
    "A ban holds at every call, at once, and ends the streams of those who are in within two "
    "seconds;\n"
    "that of a bot when the matches that have begun with it are over.\n"
    "It takes the token of an organiser; or --data-dir, on the referee's machine, or --store.";

struct BanFlags : AdminFlags {
  std::string account;
  std::string address;
  std::string reason;
  std::string duration;
  bool now = false;
  bool json = false;
};

absl::Status CheckSubject(const BanFlags& flags) {
  if (!flags.account.empty() || !flags.address.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError("give --account or --network");
}

template <typename Request>
Request About(const BanFlags& flags) {
  Request request;
  if (!flags.account.empty()) request.set_account(flags.account);
  if (!flags.address.empty()) request.set_address(flags.address);
  return request;
}

absl::StatusOr<Exit> AddBan(const BanFlags& flags, const Output& output) {
  if (absl::Status named = CheckSubject(flags); !named.ok()) return named;
  auto request = About<v1::AddBanRequest>(flags);
  request.set_reason(flags.reason);
  request.set_now(flags.now);
  absl::Duration duration;
  if (absl::ParseDuration(flags.duration, &duration)) {
    request.mutable_duration()->set_seconds(absl::ToInt64Seconds(duration));
  }
  return Answer(
      Ask(flags, Use::kChange, &service::AccountAdmin::AddBan, &AdminStub::AddBan, request), output,
      [&](const v1::AddBanResponse& added) {
        return flags.json ? JsonLine(added.ban()) : BanLine(added.ban());
      });
}

absl::StatusOr<Exit> Remove(const BanFlags& flags, const Output& output) {
  if (absl::Status named = CheckSubject(flags); !named.ok()) return named;
  const auto request = About<v1::RemoveBanRequest>(flags);
  const std::string& subject = flags.account.empty() ? flags.address : flags.account;
  return Answer(
      Ask(flags, Use::kChange, &service::AccountAdmin::RemoveBan, &AdminStub::RemoveBan, request),
      output, [&](const auto& /*removed*/) {
        return flags.json ? JsonLine(request)
                          : absl::StrCat("lifted the ban of ", Shown(subject), "\n");
      });
}

absl::StatusOr<Exit> List(const BanFlags& flags, const Output& output) {
  bool any = false;
  const auto call = [&](const v1::ListBansRequest& request) {
    return Ask(flags, Use::kLook, &service::AccountAdmin::ListBans, &AdminStub::ListBans, request);
  };
  const auto print = [&](const v1::ListBansResponse& page) {
    for (const v1::Ban& ban : page.bans()) {
      any = true;
      output.out() << (flags.json ? JsonLine(ban) : BanLine(ban));
    }
    return output.out().good();
  };
  const absl::Status listed = ForEachPage(call, v1::ListBansRequest(), print);
  if (listed.ok() && !any) output.Error("there are no bans");
  return Ended(listed, output);
}

// Checks a duration such as "24h" or "90s".
std::string CheckBanTime(const std::string& text) {
  absl::Duration duration;
  const bool good = absl::ParseDuration(text, &duration) && duration >= absl::Seconds(1) &&
                    duration <= limits::kMaxBanTime;
  return good ? "" : "'" + text + "' is not a duration of 1s to 87600h, such as 24h";
}

struct BanCommand {
  const char* name;
  const char* description;
  absl::StatusOr<Exit> (*work)(const BanFlags&, const Output&);
  bool of_one;
};

constexpr BanCommand kBanCommands[] = {
    {"add", "Bans an account or an address, in place of what was said of it before", AddBan, true},
    {"list", "Lists bans that are not over", List, false},
    {"remove", "Lifts a ban", Remove, true},
};

void AddCommand(CLI::App* ban, Chosen* chosen, const BanCommand& wanted) {
  const auto [command, flags] =
      AddSubcommand(ban, chosen, wanted.name, wanted.description, wanted.work);
  command->footer(kBanFooter);
  if (wanted.of_one) {
    CLI::Option* const account =
        AddOption(command, "--account", "NAME", &flags->account, "Whom, by account");
    AddOption(command, "--network", "ADDRESS", &flags->address,
              "Whom, by address: 203.0.113.7, 10.0.0.0/8, 2001:db8::/32")
        ->excludes(account);
  }
  if (wanted.work == AddBan) {
    AddOption(command, "--for", "DURATION", &flags->duration,
              "How long (default: until it is removed)")
        ->check(CheckBanTime);
    AddOption(command, "--reason", "TEXT", &flags->reason, "Why, for everybody");
    command->add_flag(
        "--now", flags->now,
        "Cancels the matches that have begun (default: they are played to their end): at once at\n"
        "the referee that is called, within two seconds at all others on its store");
  }
  AddAdminFlags(command, flags.get());
  AddJsonFlag(command, &flags->json);
}

}  // namespace

void AddBanCommands(CLI::App* app, Chosen* chosen) {
  CLI::App* const ban = app->add_subcommand("ban", "Shuts out accounts and addresses, for a time");
  ban->require_subcommand(1);
  for (const BanCommand& command : kBanCommands) AddCommand(ban, chosen, command);
}

}  // namespace referee::ctl
