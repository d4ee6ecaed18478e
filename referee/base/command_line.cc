#include "referee/base/command_line.h"

#include <algorithm>
#include <iostream>
#include <limits>
#include <sstream>
#include <string>
#include <utility>

#include "CLI/Config.hpp"
#include "CLI/Formatter.hpp"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "referee/base/errors.h"
#include "referee/base/passwords.h"
#include "referee/base/text.h"
#include "referee/base/wrap.h"

namespace referee {
namespace {

// The message of a CLI11 error, on one line and without passwords.
std::string ProblemOf(const CLI::Error& error) {
  const std::string problem = WithoutPasswords(error.what());
  return absl::StrReplaceAll(GivenTwice(absl::StripAsciiWhitespace(problem)),
                             {{"\n", " "},
                              {"Could not convert: ", "invalid value: "},
                              {"INI was not able to parse ", "--config: not a flag: "},
                              {" was not readable (missing?)", ": cannot be read"}});
}

}  // namespace

CLI::Validator Whole(uint64_t min, uint64_t max) {
  const auto problem = [min, max](const std::string& text) {
    uint64_t number;
    const bool digits = !text.empty() && std::all_of(text.begin(), text.end(), absl::ascii_isdigit);
    if (digits && absl::SimpleAtoi(text, &number) && number >= min && number <= max) {
      return std::string();
    }
    if (max == std::numeric_limits<uint64_t>::max()) {
      return absl::StrCat(Quoted(text), " is not a number of ", min, " or more");
    }
    return absl::StrCat(Quoted(text), " is not a number from ", min, " to ", max);
  };
  return CLI::Validator(problem, "", "whole");
}

CLI::Validator Size(uint64_t min, SizeUnits units) {
  const auto problem = [min, units](std::string& text) -> std::string {
    uint64_t bytes = 0;
    if (!ReadSize(text, units, &bytes) || bytes < min) {
      return min > 0 ? absl::StrCat(Quoted(text), " is not a size of ", min >> 20,
                                    "MB or more, such as 2GB")
                     : absl::StrCat(Quoted(text), " is not a size, such as 500MiB or 2GiB");
    }
    text = absl::StrCat(bytes);
    return "";
  };
  return CLI::Validator(problem, "", "size");
}

bool ReadSize(std::string text, SizeUnits units, uint64_t* bytes) {
  if (absl::StartsWith(text, "-")) return false;  // CLI11 reads -1 as almost 2^64
  try {
    return CLI::AsSizeValue(units == SizeUnits::kPowersOf1000)(text).empty() &&
           absl::SimpleAtoi(text, bytes);
  } catch (const CLI::Error&) {
    return false;  // CLI11 throws for some texts that are not sizes
  }
}

CLI::Validator OneOf(std::vector<std::string> words) {
  const auto problem = [words = std::move(words)](const std::string& text) {
    if (std::find(words.begin(), words.end(), text) != words.end()) return std::string();
    return absl::StrCat(Quoted(text), " is not ", words.size() > 1 ? "one of " : "",
                        absl::StrJoin(words, ", "));
  };
  return CLI::Validator(problem, "", "one of");
}

CLI::Validator Unsigned64(uint64_t min) { return Whole(min, std::numeric_limits<uint64_t>::max()); }

bool ParseCommandLine(int argc, char** argv, CLI::App* app, int* exit_status) {
  *exit_status = 0;
  try {
    app->parse(argc, argv);
    return true;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
      std::ostringstream help;
      app->exit(error, help, std::cerr);
      std::cout << WrapHelp(help.str());
      return false;
    }
    std::cerr << app->get_name() << ": " << ProblemOf(error) << "; see '" << app->get_name()
              << " --help'\n";
    *exit_status = 2;
    return false;
  }
}

}  // namespace referee
