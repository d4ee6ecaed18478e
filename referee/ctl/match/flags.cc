#include "referee/ctl/match/flags.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <fstream>
#include <memory>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/base/text.h"
#include "referee/games/errors.h"
#include "referee/games/options.h"
#include "referee/replay/replay.h"

namespace referee::ctl {
namespace {

// `error_number` is the errno.
absl::Status OptionFileUnreadable(absl::string_view path, int error_number) {
  const std::string message =
      absl::StrCat("file ", Quoted(path), " cannot be read: ", std::strerror(error_number));
  const bool none =
      error_number == ENOENT || error_number == ENOTDIR || error_number == ENAMETOOLONG;
  return none ? absl::NotFoundError(message) : absl::InvalidArgumentError(message);
}

using games::GameType;
using games::Option;
using games::OptionSpec;

absl::StatusOr<Option> SplitOption(absl::string_view text) {
  const size_t equals = text.find('=');
  if (equals == 0 || equals == absl::string_view::npos) {
    return BadValue("--option", text, "of the form name=value");
  }
  return Option{std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

bool TakesFile(const GameType& type, absl::string_view name) {
  const absl::Span<const OptionSpec> specs = type.option_specs();
  return std::any_of(specs.begin(), specs.end(), [name](const OptionSpec& spec) {
    return spec.name == name && spec.kind == OptionSpec::Kind::kFile;
  });
}

// Whether the game accepts `option` with any number of seats; otherwise its error for the fewest.
absl::Status Judge(const GameType& type, const Option& option) {
  absl::Status first;
  for (int seats = type.min_seats(); seats <= type.max_seats(); ++seats) {
    const absl::Status status = type.Create(seats, {option}).status();
    if (status.ok()) return status;
    if (first.ok()) first = status;
  }
  return first;
}

// Reads a file of at most limits::kMaxOptionBytes.
absl::StatusOr<std::string> ReadSmallFile(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) return OptionFileUnreadable(path, errno);
  std::string bytes(limits::kMaxOptionBytes + 1, '\0');
  file.read(&bytes[0], static_cast<std::streamsize>(bytes.size()));
  if (file.bad()) return OptionFileUnreadable(path, errno);
  bytes.resize(static_cast<size_t>(file.gcount()));
  if (bytes.size() > limits::kMaxOptionBytes)
    return absl::InvalidArgumentError(absl::StrCat("file ", Quoted(path), " has more than ",
                                                   limits::kMaxOptionBytes,
                                                   " bytes, the most that an option may have"));
  return bytes;
}

// Replaces a file's name by its bytes, unless the game accepts the value as it is.
absl::Status ResolveFile(const GameType& type, Option* option) {
  const absl::Status refused = Judge(type, *option);
  if (refused.ok()) return refused;
  const absl::StatusOr<std::string> bytes = ReadSmallFile(option->value);
  // The user may have meant the contents rather than a file name.
  if (absl::IsNotFound(bytes.status()))
    return absl::Status(refused.code(),
                        absl::StrCat(refused.message(), " (nor is there a file of this name)"));
  if (!bytes.ok()) return bytes.status();
  const std::string path = std::exchange(option->value, std::string(WithoutMark(*bytes)));
  const absl::Status verdict = Judge(type, *option);
  if (verdict.ok()) return verdict;
  const absl::Status text = TextOfFile(*bytes).status();
  return At(path, text.ok() ? verdict : text);
}

constexpr char kPositionsFlag[] = "--positions";

}  // namespace

void AddGameFlags(CLI::App* command, std::string* game, std::vector<std::string>* options) {
  AddOption(command, "--game", "NAME", game, "The game, such as hypnosia; see 'refctl rules games'")
      ->required();
  AddOption(command, "--option", "NAME=VALUE", options,
            "An option of the game; may be repeated. Where the game takes a file, such as\n"
            "board=my-board.txt, give its name")
      ->allow_extra_args(false);
}

absl::StatusOr<std::vector<Option>> ReadOptions(const GameType& type,
                                                absl::Span<const std::string> texts) {
  std::vector<Option> options;
  for (const std::string& text : texts) {
    absl::StatusOr<Option> option = SplitOption(text);
    if (!option.ok()) return option.status();
    const auto same_name = [&option](const Option& o) { return o.name == option->name; };
    if (std::any_of(options.begin(), options.end(), same_name)) {
      return OptionRepeated(option->name);
    }
    if (TakesFile(type, option->name)) {
      const absl::Status status = ResolveFile(type, &*option);
      if (!status.ok()) return At(absl::StrCat("--option ", option->name), status);
    }
    options.push_back(*std::move(option));
  }
  return options;
}

absl::StatusOr<std::shared_ptr<const games::Game>> MakeGame(const GameType& type, int seats,
                                                            absl::Span<const std::string> texts) {
  const absl::StatusOr<std::vector<Option>> options = ReadOptions(type, texts);
  if (!options.ok()) return options.status();
  return type.Create(seats, *options);
}

void AddPositionsFlag(CLI::App* command, std::string* path) {
  AddOption(command, "--positions", "FILE", path,
            "Starts each block from a position of FILE, which has one a line ('#' begins a\n"
            "comment line): all matches of a block from the same one, and from each once\n"
            "before any comes again, in an order that nobody chose. Not beside the option\n"
            "position");
}

absl::StatusOr<std::vector<std::string>> ReadPositions(const std::string& path,
                                                       const games::GameType& type,
                                                       const games::Game& game) {
  std::vector<std::string> positions;
  if (path.empty()) return positions;
  absl::Status takes = games::CheckTakesPositions(type, game);
  if (!takes.ok()) return At(kPositionsFlag, takes);
  const absl::StatusOr<std::string> text = replay::ReadTextFile(path);
  if (!text.ok()) return At(kPositionsFlag, text.status());
  int line = 0;
  size_t bytes = 0;
  for (absl::string_view position : absl::StrSplit(*text, '\n')) {
    ++line;
    position = absl::StripAsciiWhitespace(position);
    if (position.empty() || position[0] == '#') continue;
    const std::string where = absl::StrCat(kPositionsFlag, " ", Quoted(path), ", line ", line);
    const absl::StatusOr<std::shared_ptr<const games::Game>> made =
        games::GameAt(type, game, position);
    if (!made.ok()) return At(where, made.status());
    positions.push_back(games::StartOf(**made));
    bytes += positions.back().size();
    if (positions.size() > limits::kMaxPositions || bytes > limits::kMaxPositionsBytes) {
      return At(where, absl::InvalidArgumentError(absl::StrCat(
                           "with this there are ", positions.size(), " positions of ", bytes,
                           " bytes; at most ", limits::kMaxPositions, " of ",
                           limits::kMaxPositionsBytes, " bytes in all are taken; give fewer")));
    }
  }
  if (positions.empty())
    return absl::InvalidArgumentError(absl::StrCat("--positions ", Quoted(path),
                                                   ": has no position; give one a line, or leave "
                                                   "the flag out"));
  return positions;
}

CLI::Option* AddTimeFlag(CLI::App* command, std::string* time) {
  return AddOption(
      command, "--time", "PER_MOVE[+BANK[+INCREMENT]][,...]", time,
      "Time for a move, and a bank beside it: 500ms, 500ms+60s, 2s+60s+100ms (gained\n"
      "after each move), none+60s (no cap but the bank). After commas: first=5s (more\n"
      "for the first move), ready=30s (to be ready), match=10m (all seats together),\n"
      "stall=1s/1m (of the referee's own stalls, given back a move and a match)");
}

void AddJudgingFlags(CLI::App* command, JudgingFlags* flags) {
  AddTimeFlag(command, &flags->time)->capture_default_str();
  AddOption(command, "--on-timeout", "forfeit|substitute[:first|:random][:N]", &flags->on_timeout,
            "What a seat that is out of time loses: the match (forfeit), or its choice: the\n"
            "referee plays a legal move, up to N times in a match (default 3)")
      ->capture_default_str();
  AddOption(command, "--on-illegal", "forfeit|substitute[:first|:random][:N]|retry[:N]",
            &flags->on_illegal,
            "The same for an illegal move; retry: it may try again while its clock runs, N\n"
            "moves in all (default 3)")
      ->capture_default_str();
  AddOption(command, "--on-lost-link", "run|grace:TIME", &flags->on_lost_link,
            "Whether a seat's clock runs while its link is lost, or stands still for a time\n"
            "in each match")
      ->capture_default_str();
  AddOption(command, "--lag-compensation", "none|PER_MOVE[/PER_MATCH]", &flags->lag_compensation,
            "The most of the network's time that is not charged, a move and a match\n"
            "(default: 100 moves' worth)")
      ->capture_default_str();
}

absl::StatusOr<Judging> ReadJudging(const JudgingFlags& flags) {
  const auto time = match::ParseTimeControl(flags.time);
  if (!time.ok()) return At("--time", time.status());
  const auto on_timeout = match::ParseTimeoutPolicy("--on-timeout", flags.on_timeout);
  if (!on_timeout.ok()) return on_timeout.status();
  const auto on_illegal = match::ParseFaultPolicy("--on-illegal", flags.on_illegal);
  if (!on_illegal.ok()) return on_illegal.status();
  const auto grace = match::ParseLinkPolicy("--on-lost-link", flags.on_lost_link);
  if (!grace.ok()) return grace.status();
  const auto lag = match::ParseLagCompensation("--lag-compensation", flags.lag_compensation);
  if (!lag.ok()) return lag.status();
  const Judging judging{*time, {*on_timeout, *on_illegal, *grace, *lag}};
  if (absl::Status s = match::Validate(judging.policies); !s.ok()) return s;
  return judging;
}

}  // namespace referee::ctl
