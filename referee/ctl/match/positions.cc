#include "referee/ctl/match/positions.h"

#include <cstddef>
#include <memory>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/games/options.h"
#include "referee/replay/replay.h"

namespace referee::ctl {
namespace {

constexpr char kPositionsFlag[] = "--positions";

}  // namespace

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

}  // namespace referee::ctl
