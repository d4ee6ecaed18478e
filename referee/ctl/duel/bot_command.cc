#include "referee/ctl/duel/bot_command.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/host/errors.h"

namespace referee::ctl {
namespace {

// Leaves room for what makes a name unique.
constexpr size_t kLongestDerived = limits::kMaxNameBytes - 8;

bool InName(char c) { return absl::ascii_isalnum(c) || c == '.' || c == '_' || c == '-'; }

bool IsBotName(absl::string_view text) {
  return !text.empty() && text.size() <= limits::kMaxNameBytes &&
         std::all_of(text.begin(), text.end(), InName);
}

absl::string_view BaseName(absl::string_view path) { return path.substr(path.rfind('/') + 1); }

// A program that says little of the bot: what it runs says more.
bool IsInterpreter(absl::string_view program) {
  for (const absl::string_view name : {"python", "node", "bash", "sh", "perl", "ruby", "java",
                                       "deno", "lua", "env", "nice", "stdbuf", "taskset"}) {
    absl::string_view rest = program;
    // A version may follow: python3, python3.11.
    if (!absl::ConsumePrefix(&rest, name)) continue;
    const auto in_version = [](char c) { return absl::ascii_isdigit(c) || c == '.'; };
    if (std::all_of(rest.begin(), rest.end(), in_version)) return true;
  }
  return false;
}

std::string NameFor(absl::string_view command) {
  absl::string_view chosen;
  for (const absl::string_view word : absl::StrSplit(command, ' ', absl::SkipEmpty())) {
    if (absl::StartsWith(word, "-") || absl::StrContains(word, "=")) continue;
    const absl::string_view base = BaseName(word);
    if (base.empty()) continue;
    chosen = base;
    if (!IsInterpreter(base)) break;
  }
  std::string name(chosen.substr(0, kLongestDerived));
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !InName(c); }, '_');
  return name.empty() ? "bot" : name;
}

// Whether what comes before the first '=' is meant as a name: a command may well have a '=' of its
// own, but after a space or in a path.
bool IsMeantAsName(absl::string_view text) {
  return text.find_first_of(" \t\n/'\"$") == absl::string_view::npos;
}

// Splits "NAME=CMD".
absl::StatusOr<BotCommand> Split(absl::string_view text) {
  const size_t equals = text.find('=');
  if (equals == absl::string_view::npos || !IsMeantAsName(text.substr(0, equals))) {
    return BotCommand{"", std::string(absl::StripAsciiWhitespace(text))};
  }
  const absl::string_view name = text.substr(0, equals);
  if (!IsBotName(name)) {
    return BadValue("--bot, its name", name,
                    absl::StrCat("1 to ", limits::kMaxNameBytes,
                                 " letters (a to z, A to Z), digits, '.', '_' and '-'"));
  }
  return BotCommand{std::string(name),
                    std::string(absl::StripAsciiWhitespace(text.substr(equals + 1)))};
}

}  // namespace

absl::StatusOr<std::vector<BotCommand>> ReadBotCommands(absl::Span<const std::string> texts) {
  std::vector<BotCommand> bots;
  std::set<std::string> names;
  for (const std::string& text : texts) {
    absl::StatusOr<BotCommand> split = Split(text);
    if (!split.ok()) return split.status();
    bots.push_back(*std::move(split));
    const BotCommand& bot = bots.back();
    if (bot.command.empty()) return BadValue("--bot", text, "a command, or NAME=COMMAND");
    if (!bot.name.empty() && !names.insert(bot.name).second) {
      return At("--bot", host::BotTwiceInMatch(bot.name));
    }
  }
  for (BotCommand& bot : bots) {
    if (!bot.name.empty()) continue;
    const std::string base = NameFor(bot.command);
    bot.name = base;
    for (int n = 2; !names.insert(bot.name).second; ++n) bot.name = absl::StrCat(base, "-", n);
  }
  return bots;
}

}  // namespace referee::ctl
