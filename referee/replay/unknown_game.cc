#include "referee/replay/unknown_game.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/games/errors.h"
#include "referee/replay/errors.h"

namespace referee::replay {

absl::StatusOr<std::unique_ptr<games::State>> UnknownGame::ParsePosition(absl::string_view) const {
  return absl::UnimplementedError(
      absl::StrCat("the rules of game ", Quoted(name_), " are not in this program"));
}

void UnknownGame::AppendMove(games::Move move, std::string* out) const {
  if (move.is_pass()) {
    out->push_back('-');
    return;
  }
  const MutexLock lock(&mutex_);
  out->append(notations_[static_cast<size_t>(move.code() - 1)]);
}

absl::StatusOr<games::Move> UnknownGame::ParseMove(absl::string_view text) const {
  if (text == "-") return games::Move::Pass();
  if (text.empty()) return games::BadMove(text, 0, "expected a move");
  const auto bad = std::find_if_not(text.begin(), text.end(), absl::ascii_isprint);
  if (bad != text.end()) {
    return games::BadMove(text, static_cast<size_t>(bad - text.begin()), "expected notation");
  }
  const MutexLock lock(&mutex_);
  const auto [known, added] = numbers_.emplace(std::string(text), notations_.size() + 1);
  if (added) notations_.emplace_back(text);
  return games::Move(known->second);
}

bool IsUnknown(const games::Game& game) {
  return dynamic_cast<const UnknownGame*>(&game) != nullptr;
}

}  // namespace referee::replay
