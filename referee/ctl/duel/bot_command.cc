#include "referee/ctl/duel/bot_command.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <set>
#include <system_error>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/ctl/errors.h"
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

// A program that says little of the bot: what it runs says more. A version may follow its name:
// python3, python3.11.
struct Runner {
  absl::string_view name;
  // Its options that take the next word, with a blank before and after each.
  absl::string_view takes_next = "";
  // Numbers stand before what it runs: taskset 3 ./bot, timeout 10m ./bot.
  bool numbers_first = false;
};

constexpr Runner kRunners[] = {
    {"python", " -W -X "},
    {"node", " -r --require --import "},
    {"java", " -cp -classpath --class-path "},
    {"bash"},
    {"sh"},
    {"perl", " -I "},
    {"ruby", " -I -r "},
    {"deno"},
    {"lua"},
    {"env", " -u -C --unset --chdir "},
    {"exec", " -a "},
    {"ionice", " -c -n "},
    {"nice", " -n "},
    {"nohup"},
    {"setsid"},
    {"stdbuf", " -i -o -e "},
    {"sudo", " -u -g "},
    {"taskset", "", true},
    {"time"},
    {"timeout", " -s -k ", true},
};

const Runner* FindRunner(absl::string_view program) {
  for (const Runner& runner : kRunners) {
    absl::string_view rest = program;
    if (!absl::ConsumePrefix(&rest, runner.name)) continue;
    const auto in_version = [](char c) { return absl::ascii_isdigit(c) || c == '.'; };
    if (std::all_of(rest.begin(), rest.end(), in_version)) return &runner;
  }
  return nullptr;
}

bool IsNumber(absl::string_view word) {
  return absl::ascii_isdigit(static_cast<unsigned char>(word[0]));
}

// The words of each command of a shell's line, without quotes; what "&&", ";", "|" and the like
// join is several commands. Expands nothing.
std::vector<std::vector<std::string>> ShellCommands(absl::string_view line) {
  std::vector<std::vector<std::string>> commands(1);
  std::string word;
  bool in_word = false;
  char quote = 0;
  const auto end_word = [&] {
    if (in_word) commands.back().push_back(std::exchange(word, ""));
    in_word = false;
  };
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote != 0 && c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
      in_word = true;
    } else if (c == '\\' && quote != '\'' && i + 1 < line.size()) {
      word += line[++i];
      in_word = true;
    } else if (quote == 0 && absl::StrContains(" \t", absl::string_view(&c, 1))) {
      end_word();
    } else if (quote == 0 && absl::StrContains("&|;\n(){}", absl::string_view(&c, 1))) {
      end_word();
      if (!commands.back().empty()) commands.emplace_back();
    } else {
      word += c;
      in_word = true;
    }
  }
  end_word();
  return commands;
}

// "A=1", as stands before a command.
bool IsSetting(const std::string& word) {
  const size_t equals = word.find('=');
  return equals != std::string::npos && word.find('/') >= equals;
}

// A command that only prepares what the next one runs.
bool IsPreparation(const std::vector<std::string>& words) {
  for (const absl::string_view own : {"cd", "export", "set", "ulimit", "umask", "source", ".",
                                      "true", ":", "unset", "test", "mkdir"}) {
    if (words[0] == own) return true;
  }
  return std::all_of(words.begin(), words.end(), IsSetting);
}

std::string ProgramOf(absl::string_view line);

// The program that the words run, behind those that only start it.
std::string ProgramOf(const std::vector<std::string>& words) {
  const Runner* runner = nullptr;
  std::string program;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const bool starts = runner != nullptr;
    if (word == "-c" && starts && absl::EndsWith(runner->name, "sh") && i + 1 < words.size()) {
      return ProgramOf(absl::string_view(words[i + 1]));
    }
    if (word == "-c" && starts && runner->name == "python") break;  // a program in the command
    if (absl::StartsWith(word, "-")) {
      if (starts && absl::StrContains(runner->takes_next, absl::StrCat(" ", word, " "))) ++i;
      continue;
    }
    const absl::string_view base = BaseName(word);
    if (base.empty() || IsSetting(word)) continue;
    if (starts && runner->numbers_first && IsNumber(word)) continue;
    program = std::string(base);
    runner = FindRunner(base);
    if (runner == nullptr) break;
  }
  return program;
}

std::string ProgramOf(absl::string_view line) {
  for (const std::vector<std::string>& words : ShellCommands(line)) {
    if (words.empty() || IsPreparation(words)) continue;
    const std::string program = ProgramOf(words);
    if (!program.empty()) return program;
  }
  return "";
}

std::string NameFor(absl::string_view command) {
  std::string name = ProgramOf(command).substr(0, kLongestDerived);
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

absl::Status CheckScript(const std::string& command) {
  constexpr size_t kLongestLine = 256;  // that the system reads of a script's first
  const std::vector<std::string> words = ShellCommands(command).front();
  if (words.empty() || !absl::StrContains(words[0], '/')) return absl::OkStatus();
  const std::string& path = words[0];
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return absl::OkStatus();
  std::ifstream script(path, std::ios::binary);
  std::string start(kLongestLine, '\0');
  script.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<size_t>(script.gcount()));
  const std::string line = start.substr(0, start.find('\n'));
  const bool bad = absl::StartsWith(line, "#!") && absl::EndsWith(line, "\r");
  return bad ? CarriageReturnInScript(path, line) : absl::OkStatus();
}

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
