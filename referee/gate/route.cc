#include "referee/gate/route.h"

#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "referee/base/errors.h"
#include "referee/base/ids.h"
#include "referee/base/limits.h"
#include "referee/gate/errors.h"

namespace referee::gate {
namespace {

absl::Status BadTarget(absl::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat("the address cannot be read: ", why));
}

absl::Status ParameterTwice(absl::string_view name) {
  return absl::InvalidArgumentError(absl::StrCat("parameter ", Quoted(name), " is there twice"));
}

constexpr uint32_t kMaxPageSize = 100;
constexpr size_t kMaxParameterBytes = 512;

// What the '*' in a path stands for.
enum class Named { kNothing, kMatch, kReplay, kName };

struct Pattern {
  absl::string_view path;  // with '*' for the name
  Resource resource;
  Named named = Named::kNothing;
  absl::string_view parameters = "";  // separated by spaces
};

constexpr Pattern kPatterns[] = {
    {"/", Resource::kIndexPage},
    {"/matches/*", Resource::kMatchPage, Named::kMatch},
    {"/competitions/*", Resource::kCompetitionPage, Named::kName},
    {"/bots/*", Resource::kBotPage, Named::kName},
    {"/replays", Resource::kReplaysPage},
    {"/replays/*", Resource::kReplayPage, Named::kReplay},
    {"/api/v1/matches", Resource::kMatches, Named::kNothing, "state size page"},
    {"/api/v1/matches/*", Resource::kMatch, Named::kMatch},
    {"/api/v1/matches/*/events", Resource::kMatchEvents, Named::kMatch, "after"},
    {"/api/v1/competitions", Resource::kCompetitions, Named::kNothing, "bot format size page"},
    {"/api/v1/competitions/*", Resource::kCompetition, Named::kName},
    {"/api/v1/competitions/*/standings", Resource::kStandings, Named::kName, "season"},
    {"/api/v1/competitions/*/blocks", Resource::kBlocks, Named::kName, "bot order size page"},
    {"/api/v1/competitions/*/pairs", Resource::kPairs, Named::kName, "bot season size page"},
    {"/api/v1/competitions/*/rounds", Resource::kRounds, Named::kName, "round size page"},
    {"/api/v1/competitions/*/points", Resource::kPoints, Named::kName, "every size page"},
    {"/api/v1/competitions/*/ratings", Resource::kRatings, Named::kName, "bot season size page"},
    {"/api/v1/competitions/*/events", Resource::kCompetitionEvents, Named::kName, "after"},
    {"/api/v1/replays", Resource::kReplays, Named::kNothing,
     "bot opponent game competition size page"},
    {"/api/v1/replays/*", Resource::kReplayFile, Named::kReplay},
    {"/api/v1/replays/*/view", Resource::kReplayView, Named::kReplay},
    {"/livez", Resource::kLive},
    {"/readyz", Resource::kReady},
    {"/robots.txt", Resource::kRobots},
};

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Decodes percent-encoding. The result is plain text: UTF-8 without control characters.
absl::StatusOr<std::string> Decode(absl::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    const int high = i + 2 < text.size() ? HexDigit(text[i + 1]) : -1;
    const int low = i + 2 < text.size() ? HexDigit(text[i + 2]) : -1;
    if (high < 0 || low < 0) return BadTarget("'%' is to be followed by two hexadecimal digits");
    out += static_cast<char>(16 * high + low);
    i += 2;
  }
  if (!IsPlainText(out)) return BadTarget("it is to be UTF-8 without control characters");
  return out;
}

// Whether `path` matches the pattern; sets `name` to the text of '*'.
bool Fits(absl::string_view pattern, absl::string_view path, absl::string_view* name) {
  const size_t star = pattern.find('*');
  if (star == absl::string_view::npos) return pattern == path;
  if (!absl::ConsumePrefix(&path, pattern.substr(0, star)) ||
      !absl::ConsumeSuffix(&path, pattern.substr(star + 1))) {
    return false;
  }
  *name = path;
  return !path.empty() && !absl::StrContains(path, '/');
}

absl::Status ReadName(Named named, absl::string_view text, std::string* name) {
  absl::StatusOr<std::string> decoded = Decode(text);
  if (!decoded.ok()) return decoded.status();
  *name = *std::move(decoded);
  if (named == Named::kName) {
    return name->size() > limits::kMaxNameBytes ? BadName("the name", *name) : absl::OkStatus();
  }
  if (MatchId::Parse(*name).ok()) return absl::OkStatus();
  return NothingNamed(named == Named::kMatch ? "match" : "replay of match", *name);
}

bool Takes(absl::string_view parameters, absl::string_view name) {
  for (const absl::string_view known : absl::StrSplit(parameters, ' ')) {
    if (!known.empty() && known == name) return true;
  }
  return false;
}

absl::Status CheckValue(absl::string_view name, const std::string& value) {
  if (value.size() > kMaxParameterBytes) {
    return BadValue(name, value, absl::StrCat("at most ", kMaxParameterBytes, " bytes"));
  }
  const bool is_number = name == "size" || name == "season" || name == "round" || name == "every";
  uint32_t number = 0;
  if (is_number && !absl::SimpleAtoi(value, &number)) return BadValue(name, value, "a number");
  if (name == "size" && (number < 1 || number > kMaxPageSize)) {
    return BadValue(name, value, absl::StrCat("a number from 1 to ", kMaxPageSize));
  }
  return absl::OkStatus();
}

absl::Status ReadParameters(absl::string_view query, absl::string_view taken, Route* route) {
  for (const absl::string_view part : absl::StrSplit(query, '&', absl::SkipEmpty())) {
    const std::pair<absl::string_view, absl::string_view> halves =
        absl::StrSplit(part, absl::MaxSplits('=', 1));
    const absl::StatusOr<std::string> name = Decode(halves.first);
    absl::StatusOr<std::string> value = Decode(halves.second);
    if (!name.ok()) return name.status();
    if (!value.ok()) return value.status();
    const bool is_ticket = *name == "ticket";
    if (!is_ticket && !Takes(taken, *name)) {
      return absl::InvalidArgumentError(
          absl::StrCat("there is no parameter ", Quoted(*name), " here"));
    }
    if (absl::Status good = CheckValue(*name, *value); !good.ok()) return good;
    if (is_ticket) {
      if (!route->ticket.empty()) return ParameterTwice(*name);
      route->ticket = *std::move(value);
    } else if (!route->parameters.emplace(*name, *value).second) {
      return ParameterTwice(*name);
    }
  }
  return absl::OkStatus();
}

}  // namespace

const std::string& Route::Parameter(const std::string& parameter) const {
  static const std::string* const none = new std::string;
  const auto found = parameters.find(parameter);
  return found == parameters.end() ? *none : found->second;
}

uint32_t Route::Number(const std::string& parameter) const {
  uint32_t number = 0;
  return absl::SimpleAtoi(Parameter(parameter), &number) ? number : 0;
}

std::string Route::Key() const {
  // The separator is unambiguous, since no part contains a control character.
  std::string key = absl::StrCat(static_cast<int>(resource), "\n", name);
  for (const auto& [parameter, value] : parameters) {
    absl::StrAppend(&key, "\n", parameter, "\n", value);
  }
  return key;
}

absl::StatusOr<Route> ReadTarget(absl::string_view target) {
  if (target.empty() || target[0] != '/') return BadTarget("it is to begin with '/'");
  const std::pair<absl::string_view, absl::string_view> halves =
      absl::StrSplit(target, absl::MaxSplits('?', 1));
  for (const Pattern& pattern : kPatterns) {
    absl::string_view name;
    if (!Fits(pattern.path, halves.first, &name)) continue;
    Route route;
    route.resource = pattern.resource;
    if (pattern.named != Named::kNothing) {
      if (absl::Status read = ReadName(pattern.named, name, &route.name); !read.ok()) return read;
    }
    if (absl::Status read = ReadParameters(halves.second, pattern.parameters, &route); !read.ok()) {
      return read;
    }
    return route;
  }
  return absl::NotFoundError(absl::StrCat("there is nothing at ", Quoted(halves.first)));
}

bool TicketFromCookies(absl::string_view cookies, std::string* ticket) {
  for (absl::string_view cookie : absl::StrSplit(cookies, ';')) {
    cookie = absl::StripAsciiWhitespace(cookie);
    if (!absl::ConsumePrefix(&cookie, "ticket=")) continue;
    *ticket = std::string(cookie);
    return true;
  }
  return false;
}

}  // namespace referee::gate
