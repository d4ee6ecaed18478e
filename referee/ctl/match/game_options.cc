#include "referee/ctl/match/game_options.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/base/text.h"
#include "referee/games/errors.h"

namespace referee::ctl {
namespace {

// `error_number` is the errno of the attempt.
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

// Whether the game takes `option`, with any number of seats; else what it says of the fewest.
absl::Status Judge(const GameType& type, const Option& option) {
  absl::Status first;
  for (int seats = type.min_seats(); seats <= type.max_seats(); ++seats) {
    const absl::Status status = type.Create(seats, {option}).status();
    if (status.ok()) return status;
    if (first.ok()) first = status;
  }
  return first;
}

// A file's bytes, up to limits::kMaxOptionBytes.
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

// Puts a file's bytes in place of its name, unless the game takes the value as it is.
absl::Status ResolveFile(const GameType& type, Option* option) {
  const absl::Status refused = Judge(type, *option);
  if (refused.ok()) return refused;
  const absl::StatusOr<std::string> bytes = ReadSmallFile(option->value);
  // Perhaps no name was meant, but the contents.
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

}  // namespace referee::ctl
