#include "referee/launch/bot_command.h"

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
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"

namespace referee::launch {
namespace {

// Leaves room for the suffix that makes a name unique.
constexpr size_t kLongestDerived = limits::kMaxNameBytes - 8;

bool InName(char c) { return absl::ascii_isalnum(c) || c == '.' || c == '_' || c == '-'; }

bool IsBotName(absl::string_view text) {
  return !text.empty() && text.size() <= limits::kMaxNameBytes &&
         std::all_of(text.begin(), text.end(), InName);
}

absl::string_view BaseName(absl::string_view path) { return path.substr(path.rfind('/') + 1); }

// A launcher or interpreter: the bot is named after the program that it runs. A version may follow
// its name: python3, python3.11.
struct Runner {
  absl::string_view name;
  // Options that take the next word as a value, each with a space before and after.
  absl::string_view takes_next = "";
  // Numbers come before the program, as in: taskset 3 ./bot, timeout 10m ./bot.
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

bool IsIn(char c, absl::string_view characters) {
  return characters.find(c) != absl::string_view::npos;
}

// The end of an expansion whose "{" or "(" is at `from`; npos if there is no end.
size_t EndOfExpansion(absl::string_view line, size_t from) {
  const char open = line[from];
  const char close = open == '{' ? '}' : ')';
  int depth = 0;
  char quote = 0;
  for (size_t i = from; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '\\' && quote != '\'') {
      ++i;
    } else if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == open) {
      ++depth;
    } else if (c == close && --depth == 0) {
      return i;
    }
  }
  return absl::string_view::npos;
}

// Splits a shell line into commands at "&&", ";", "|" and the like, and each command into words.
// Removes quotes and redirections. Expands nothing: "${X}" stays as it is.
class ShellReader {
 public:
  explicit ShellReader(absl::string_view line) : line_(line) {}

  std::vector<std::vector<std::string>> Read() && {
    for (size_t i = 0; i < line_.size(); i = Take(i)) {
    }
    EndWord();
    return std::move(commands_);
  }

 private:
  // Handles the text at `at`; returns the position after it.
  size_t Take(size_t at) {
    const char c = line_[at];
    const bool has_next = at + 1 < line_.size();
    if (quote_ != 0 && c == quote_) {
      quote_ = 0;
    } else if (c == '\\' && quote_ != '\'' && has_next) {
      return Append(at + 1, at + 2);
    } else if (c == '$' && quote_ != '\'' && has_next && IsIn(line_[at + 1], "{(")) {
      const size_t end = EndOfExpansion(line_, at + 1);
      return Append(at, end == absl::string_view::npos ? at + 1 : end + 1);
    } else if (quote_ != 0) {
      return Append(at, at + 1);
    } else if (IsIn(c, "'\"")) {
      quote_ = c;
      in_word_ = true;
    } else if (IsIn(c, " \t")) {
      EndWord();
    } else if (IsIn(c, "<>")) {
      return TakeRedirection(at);
    } else if (IsIn(c, "&|;\n(){}")) {
      EndWord();
      is_target_ = false;
      if (!commands_.back().empty()) commands_.emplace_back();
    } else {
      return Append(at, at + 1);
    }
    return at + 1;
  }

  // Handles redirections, such as "2>&1" and ">> log": drops a number before and the word after.
  size_t TakeRedirection(size_t at) {
    if (std::all_of(word_.begin(), word_.end(), [](char c) { return absl::ascii_isdigit(c); })) {
      word_.clear();
      in_word_ = false;
    }
    EndWord();
    is_target_ = true;
    const size_t end = line_.find_first_not_of("<>&|", at);
    return end == absl::string_view::npos ? line_.size() : end;
  }

  size_t Append(size_t from, size_t to) {
    absl::StrAppend(&word_, line_.substr(from, to - from));
    in_word_ = true;
    return to;
  }

  void EndWord() {
    if (!in_word_) return;
    if (!is_target_) commands_.back().push_back(word_);
    word_.clear();
    in_word_ = false;
    is_target_ = false;
  }

  const absl::string_view line_;
  std::vector<std::vector<std::string>> commands_ = std::vector<std::vector<std::string>>(1);
  std::string word_;
  bool in_word_ = false;    // also in an empty word in quotes
  bool is_target_ = false;  // the current or next word is the target of a redirection
  char quote_ = 0;
};

std::vector<std::vector<std::string>> ShellCommands(absl::string_view line) {
  return ShellReader(line).Read();
}

// Whether the word is a variable assignment before a command, such as "A=1".
bool IsSetting(const std::string& word) {
  const size_t equals = word.find('=');
  return equals != std::string::npos && word.find('/') >= equals && word.find('{') >= equals &&
         word.find('(') >= equals;
}

// Whether a command only prepares the next one.
bool IsPreparation(const std::vector<std::string>& words) {
  for (const absl::string_view own : {"cd", "export", "set", "ulimit", "umask", "source", ".",
                                      "true", ":", "unset", "test", "mkdir"}) {
    if (words[0] == own) return true;
  }
  if (words[0] == "exec" && words.size() == 1) return true;  // with redirections only
  return std::all_of(words.begin(), words.end(), IsSetting);
}

// Whether an option of a shell, such as "-c" or "-lc", makes the next word a command line.
bool IsCommandFlag(absl::string_view word) {
  return absl::StartsWith(word, "-") && !absl::StartsWith(word, "--") &&
         absl::StrContains(word, "c");
}

std::string ProgramOf(absl::string_view line);

// The program that the words run, without launchers.
std::string ProgramOf(const std::vector<std::string>& words) {
  const Runner* runner = nullptr;
  std::string program;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const bool starts = runner != nullptr;
    const bool in_shell = starts && absl::EndsWith(runner->name, "sh");
    if (in_shell && IsCommandFlag(word) && i + 1 < words.size()) {
      return ProgramOf(absl::string_view(words[i + 1]));
    }
    if (word == "-c" && starts && runner->name == "python") break;  // no program file
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

// Whether the text before the first '=' is meant as a name. A command may also contain a '=', but
// after a space or in a path.
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
  constexpr size_t kLongestLine = 256;  // of a script's first line that the system reads
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
  if (!bad) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      path, ": its first line, ", Quoted(line),
      ", ends with a carriage return (\\r), which the system takes for a part of the interpreter's "
      "name; remove it from all lines: sed -i 's/\\r$//' '",
      absl::StrReplaceAll(path, {{"'", "'\\''"}}), "'"));
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
      return absl::InvalidArgumentError(
          absl::StrCat("--bot: the name ", Quoted(bot.name),
                       " is given twice; a second copy of a bot needs a name of its own"));
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

}  // namespace referee::launch
