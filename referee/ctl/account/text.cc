#include "referee/ctl/account/text.h"
#include "referee/base/duration_text.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/time.h"
#include "referee/ctl/terminal/table.h"

namespace referee::ctl {
namespace {

std::string RoleText(v1::Role role) { return EnumText(v1::Role_Name(role), "ROLE_"); }

std::string StateOf(const v1::BotAccount& bot, Source source) {
  if (!bot.disabled().empty()) return absl::StrCat("disabled: ", bot.disabled());
  if (bot.role() != v1::ROLE_BOT || source == Source::kStore) return "";
  return bot.connected() ? "connected" : "not connected";
}

}  // namespace

std::string AccountLine(const v1::BotAccount& bot, Source source) {
  std::string line = absl::StrFormat("%-20s  %-9s", bot.name(), RoleText(bot.role()));
  if (!bot.version().empty()) absl::StrAppend(&line, "  version ", bot.version());
  if (const std::string state = StateOf(bot, source); !state.empty()) {
    absl::StrAppend(&line, "  ", state);
  }
  if (bot.has_last_used_time() && !bot.connected()) {
    absl::StrAppend(&line, "  last used ", TimeText(bot.last_used_time()));
  }
  if (bot.has_token_expire_time()) {
    absl::StrAppend(&line, "  token ends ", TimeText(bot.token_expire_time()));
  }
  if (bot.set_aside_size() > 0) absl::StrAppend(&line, ", set aside: see 'refctl bot show'");
  absl::StripTrailingAsciiWhitespace(&line);
  return line + "\n";
}

std::string AccountText(const v1::BotAccount& bot, Source source) {
  std::string text =
      absl::StrCat("account  ", bot.name(), "\nrole     ", RoleText(bot.role()), "\n");
  if (const std::string state = StateOf(bot, source); !state.empty()) {
    absl::StrAppend(&text, "now      ", state, "\n");
  }
  absl::StrAppend(
      &text, "made     ", TimeText(bot.create_time()), "\ntoken    made ",
      TimeText(bot.token_time()),
      bot.has_token_expire_time() ? absl::StrCat(", ends ", TimeText(bot.token_expire_time())) : "",
      "\n");
  if (bot.has_last_used_time()) {
    absl::StrAppend(&text, "used     last ", TimeText(bot.last_used_time()),
                    ", or up to an hour later\n");
  }
  if (!bot.version().empty()) {
    absl::StrAppend(&text, "version  ", bot.version(), ", since ", TimeText(bot.version_time()),
                    bot.version_kept() ? ", by an organiser: what it tells is not looked at" : "",
                    "\n");
  }
  if (bot.has_conduct()) {
    const v1::Conduct& conduct = bot.conduct();
    absl::StrAppend(&text, "void     ", conduct.voids(), " matches, ", conduct.late_voids(),
                    " since it was late\ntime     ", conduct.time_losses(), " time losses, ",
                    RoundedText(absl::Seconds(conduct.given_back().seconds()) +
                                absl::Nanoseconds(conduct.given_back().nanos())),
                    " given back\nlinks    ", conduct.lost_links(), " lost\n");
  }
  for (const std::string& where : bot.set_aside()) {
    absl::StrAppend(&text, "aside    ", where, "\n");
  }
  return text;
}

std::string BanLine(const v1::Ban& ban) {
  const bool account = ban.subject_case() == v1::Ban::kAccount;
  return absl::StrCat(account ? "account  " : "address  ", account ? ban.account() : ban.address(),
                      ban.has_until() ? absl::StrCat("  until ", TimeText(ban.until())) : "",
                      ban.reason().empty() ? "" : "  ", ban.reason(), "\n");
}

std::string AuditLine(const v1::AuditEntry& entry) {
  return absl::StrCat(TimeText(entry.time()), "  ", entry.who(), "  ", entry.action(), "  ",
                      entry.subject(), entry.detail().empty() ? "" : "  ", entry.detail(), "\n");
}

}  // namespace referee::ctl
