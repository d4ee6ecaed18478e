// refctl ban: who is not let in, by account or by address; through the referee, or on its own
// machine straight in its store.

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "referee/base/limits.h"
#include "referee/ctl/account/ask.h"
#include "referee/ctl/account/text.h"
#include "referee/ctl/client_flags.h"
#include "referee/ctl/command.h"
#include "referee/ctl/terminal/print.h"
#include "referee/ctl/terminal/table.h"
#include "referee/service/access/account_admin.h"

namespace referee::ctl {
namespace {

constexpr char kBanFooter[] =
    "A ban holds at every call, at once, and ends the streams of those who are in within two "
    "seconds;\n"
    "that of a bot when the matches that have begun with it are over.\n"
    "It takes the token of an organiser; or --data-dir, on the referee's machine, or --store.";

struct BanFlags {
  ClientFlags client;
  store::Place store;
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
  const auto response = Ask(flags.client, flags.store, Use::kChange, &service::AccountAdmin::AddBan,
                            &AdminStub::AddBan, request);
  if (!response.ok()) return Refused(response.status(), output);
  output.out() << (flags.json ? JsonLine(response->ban()) : BanLine(response->ban()));
  return Exit::kOk;
}

absl::StatusOr<Exit> Remove(const BanFlags& flags, const Output& output) {
  if (absl::Status named = CheckSubject(flags); !named.ok()) return named;
  const auto request = About<v1::RemoveBanRequest>(flags);
  const auto response = Ask(flags.client, flags.store, Use::kChange,
                            &service::AccountAdmin::RemoveBan, &AdminStub::RemoveBan, request);
  if (!response.ok()) return Refused(response.status(), output);
  const std::string& subject = flags.account.empty() ? flags.address : flags.account;
  output.out() << (flags.json ? JsonLine(request)
                              : absl::StrCat("lifted the ban of ", Shown(subject), "\n"));
  return Exit::kOk;
}

absl::StatusOr<Exit> List(const BanFlags& flags, const Output& output) {
  v1::ListBansRequest request;
  request.set_page_size(limits::kMaxPageSize);
  bool any = false;
  do {
    const auto response = Ask(flags.client, flags.store, Use::kLook,
                              &service::AccountAdmin::ListBans, &AdminStub::ListBans, request);
    if (!response.ok()) return Refused(response.status(), output);
    for (const v1::Ban& ban : response->bans()) {
      output.out() << (flags.json ? JsonLine(ban) : BanLine(ban));
    }
    any = any || !response->bans().empty();
    request.set_page_token(response->next_page_token());
  } while (!request.page_token().empty() && output.out());
  if (!any) output.Error("there are no bans");
  return Exit::kOk;
}

// "24h", "90s"
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
  const auto flags = std::make_shared<BanFlags>();
  CLI::App* const command = ban->add_subcommand(wanted.name, wanted.description);
  command->footer(kBanFooter);
  if (wanted.of_one) {
    CLI::Option* const account =
        command->add_option("--account", flags->account, "Whom, by account")->type_name("NAME");
    command
        ->add_option("--network", flags->address,
                     "Whom, by address: 203.0.113.7, 10.0.0.0/8, 2001:db8::/32")
        ->type_name("ADDRESS")
        ->excludes(account);
  }
  if (wanted.work == AddBan) {
    command->add_option("--for", flags->duration, "How long (default: until it is removed)")
        ->check(CheckBanTime)
        ->type_name("DURATION");
    command->add_option("--reason", flags->reason, "Why, for everybody")->type_name("TEXT");
    command->add_flag(
        "--now", flags->now,
        "Cancels the matches that have begun (default: they are played to their end): at once at\n"
        "the referee that is called, within two seconds at all others on its store");
  }
  AddClientFlags(command, &flags->client);
  AddLocalStoreFlags(command, &flags->store);
  command->add_flag("--json", flags->json, "Prints JSON, an object a line");
  OnChosen(command, chosen,
           [flags, work = wanted.work](const Output& output) { return work(*flags, output); });
}

}  // namespace

void AddBanCommands(CLI::App* app, Chosen* chosen) {
  CLI::App* const ban = app->add_subcommand("ban", "Shuts out accounts and addresses, for a time");
  ban->require_subcommand(1);
  for (const BanCommand& command : kBanCommands) AddCommand(ban, chosen, command);
}

}  // namespace referee::ctl
