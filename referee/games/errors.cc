#include "referee/games/errors.h"

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"

namespace referee::games {
namespace {

// The text before an offset in BadPosition errors.
constexpr absl::string_view kAtByte = " (byte ";

}  // namespace

absl::Status UnknownGame(absl::string_view name, absl::string_view known) {
  return absl::NotFoundError(
      absl::StrCat("game ", Quoted(name), ": there is no such game; known: ", known));
}

absl::Status BadSeatCount(absl::string_view game, int seats, int min_seats, int max_seats) {
  const std::string range =
      min_seats == max_seats ? absl::StrCat(min_seats) : absl::StrCat(min_seats, " to ", max_seats);
  return absl::InvalidArgumentError(
      absl::StrCat(game, " is played by ", range, " seats, not by ", seats));
}

absl::Status NoDiceToReplace() {
  return absl::InvalidArgumentError("dice: no roll is due in this position");
}

absl::Status BadBoard(absl::string_view field, absl::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat("board: ", field, ": ", why));
}

absl::Status BadPosition(absl::string_view field, size_t offset, absl::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat("position: ", field, kAtByte, offset, "): ", why));
}

size_t PositionFaultOffset(const absl::Status& status) {
  const absl::string_view message = status.message();
  const size_t at = message.find(kAtByte);
  size_t offset = 0;
  if (at == absl::string_view::npos) return offset;
  for (const char c : message.substr(at + kAtByte.size())) {
    if (c < '0' || c > '9') break;
    offset = 10 * offset + static_cast<size_t>(c - '0');
  }
  return offset;
}

absl::Status BadMove(absl::string_view text, size_t offset, absl::string_view why) {
  return absl::InvalidArgumentError(
      absl::StrCat("move ", Quoted(text), ": byte ", offset, ": ", why));
}

absl::Status BadMoveField(absl::string_view field, absl::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat("move: ", field, ": ", why));
}

absl::Status IllegalMove(absl::string_view move, absl::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat("move ", Quoted(move), " is illegal: ", why));
}

}  // namespace referee::games
