// Tests that help and flag errors contain no terms of the underlying libraries.
//
// They cover the help of every command, and the error for a bad value of each flag.
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "referee/base/wrap.h"
#include "tests/unit/ctl/refctl_run.h"

namespace referee::ctl {
namespace {

using Words = std::vector<std::string>;

// How libraries write: enums and their numbers, types, fields of the protocol.
void ExpectWordsForPeople(const Words& arguments, const std::string& text) {
  static const std::regex raw(
      R"(FAILED|->[0-9]|\{[0-9]+,|not in \{|Could not convert|\bU?INT\b|\bFLOAT\b|in \[[0-9]|)"
      R"([0-9] s [0-9]+ ns|metadata|entrants\[|\bto[0-9]|_UNSPECIFIED)");
  std::smatch found;
  EXPECT_FALSE(std::regex_search(text, found, raw))
      << "refctl " << absl::StrJoin(arguments, " ") << "\nsays '" << found.str() << "' in\n"
      << text;
}

// The first words of the indented lines below a line.
Words ListBelow(const std::string& help, const std::string& line) {
  Words names;
  bool below = false;
  for (const absl::string_view text : absl::StrSplit(help, '\n')) {
    if (below && (text.empty() || text[0] != ' ')) break;
    const bool is_name = below && text.size() > 2 && text[2] != ' ';
    if (is_name) names.emplace_back(text.substr(2, text.find_first_of(" ,", 2) - 2));
    below = below || text == line;
  }
  return names;
}

// A value with which a command that needs the flag goes on to look at others.
std::string GoodValue(const std::string& command, const std::string& flag) {
  static const std::map<std::string, std::string> values = {
      {"--game", "hypnosia"}, {"--sprt", "gain"},  {"--what", "results"},
      {"--bot", "a"},         {"--new", "a"},      {"--old", "b"},
      {"--role", "bot"},      {"--format", "csv"}, {"--seats", "2"}};
  if (command == "competition create" && flag == "--format") return "ladder";
  const auto found = values.find(flag);
  return found == values.end() ? "x" : found->second;
}

// Flags that make files or wait for bots when their values are taken.
const std::set<std::string>& NotTried() {
  static const std::set<std::string> flags = {"--help",       "--data-dir",   "--output",
                                              "--save-token", "--replay-dir", "--bot-logs"};
  return flags;
}

// The command with what it needs, but for `tried`, of a referee that is not there.
Words Complete(const Words& command, const std::string& help, const std::string& tried) {
  Words arguments = command;
  for (size_t i = 0; i < ListBelow(help, "Positionals:").size(); ++i) arguments.emplace_back("p");
  if (help.find("\n  --address ") != std::string::npos && tried != "--address") {
    arguments.emplace_back("--address=unix:/nonexistent/socket");
  }
  static const std::regex required(R"(\n  (--[a-z-]+) [^\n]*REQUIRED)");
  for (std::sregex_iterator flag(help.begin(), help.end(), required), end; flag != end; ++flag) {
    const std::string name = (*flag)[1];
    if (name == tried) continue;
    arguments.push_back(absl::StrCat(name, "=", GoodValue(absl::StrJoin(command, " "), name)));
  }
  return arguments;
}

void TryFlags(const Words& command, const std::string& help) {
  static const std::regex flag(R"(\n  (?:-[a-z],)?(--[a-z-]+)[ \n])");
  for (std::sregex_iterator found(help.begin(), help.end(), flag), end; found != end; ++found) {
    const std::string name = (*found)[1];
    if (NotTried().count(name) > 0) continue;
    for (const char* value : {"?!", "-1", "99999999999999999999", "a,a"}) {
      Words arguments = Complete(command, help, name);
      // No value can be better than none there: a duel would be played.
      if (command.front() == "duel") arguments.pop_back();
      arguments.push_back(absl::StrCat(name, "=", value));
      if (help.find("\n  --wait ") != std::string::npos && name != "--wait") {
        arguments.emplace_back("--wait=0s");
      }
      const RefctlRun said = RunRefctl(arguments);
      ExpectWordsForPeople(arguments, said.out + said.err);
    }
  }
}

// As far as there is a space to break a line at.
void ExpectFitsTerminal(const Words& arguments, const std::string& text) {
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    const size_t word = line.find_first_not_of(' ');
    EXPECT_TRUE(line.size() <= kHelpWidth || line.find(' ', word) == absl::string_view::npos)
        << "refctl " << absl::StrJoin(arguments, " ") << ":\n"
        << line;
  }
}

// Calls `each` for every command, with its help.
void ForEachCommand(const Words& command, void (*each)(const Words&, const std::string&)) {
  Words help = command;
  help.emplace_back("--help");
  const RefctlRun said = RunRefctl(help);
  EXPECT_EQ(said.exit, Exit::kOk);
  ExpectWordsForPeople(help, said.out);
  ExpectFitsTerminal(help, said.out);
  const Words subcommands = ListBelow(said.out, "Subcommands:");
  for (const std::string& name : subcommands) {
    Words inner = command;
    inner.push_back(name);
    ForEachCommand(inner, each);
  }
  if (subcommands.empty()) each(command, said.out);
}

TEST(Words, OfHelpAndOfErrorsAreForPeople) {
  static int commands = 0;
  ForEachCommand({}, [](const Words& command, const std::string& help) {
    ++commands;
    TryFlags(command, help);
  });
  EXPECT_GT(commands, 40) << "the help was not understood";
}

TEST(Words, OfABadValueSayWhatWouldBeRight) {
  const std::pair<Words, std::string> cases[] = {
      {{"bot", "add", "a", "--role=king"}, "--role: 'king' is not one of bot, organiser, observer"},
      {{"duel", "--matches=0"}, "--matches: '0' is not a number from 1 to 1000000"},
      {{"match", "list", "--json=maybe"}, "--json: 'maybe' is no value that it takes"},
      {{"competition", "create", "c", "--format=ladder", "--game=isaac", "--bots=gil,gil"},
       "--bots, bot 2: 'gil' is number 1 of them already; name each bot once"},
      {{"competition", "rounds", "c", "--round=0"}, "--round: '0' is not a number from 1 to"}};
  for (const auto& [arguments, text] : cases) {
    const RefctlRun said = RunRefctl(arguments);
    EXPECT_EQ(said.exit, Exit::kUsage) << said.out;
    EXPECT_NE(said.err.find(text), std::string::npos) << said.err;
  }
}

TEST(Words, AFileThatIsNotThereIsAFaultOfTheCommandLine) {
  const Words cases[] = {{"competition", "list", "--token-file=/nonexistent"},
                         {"competition", "show", "c", "--token-file=/nonexistent"},
                         {"bot", "list", "--token-file=/nonexistent"},
                         {"bot", "list", "--data-dir=/nonexistent"},
                         {"match", "list", "--tls-ca=/nonexistent"}};
  for (const Words& arguments : cases) {
    EXPECT_EQ(RunRefctl(arguments).exit, Exit::kUsage) << absl::StrJoin(arguments, " ");
  }
}

}  // namespace
}  // namespace referee::ctl
