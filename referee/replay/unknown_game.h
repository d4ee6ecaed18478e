// A stand-in for a game whose rules this program does not have.
//
// It has name, seats and options as recorded, and moves as uninterpreted notation.
#ifndef REFEREE_REPLAY_UNKNOWN_GAME_H_
#define REFEREE_REPLAY_UNKNOWN_GAME_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "referee/base/mutex.h"
#include "referee/games/game.h"

namespace referee::replay {

// Thread-safe.
class UnknownGame final : public games::Game {
 public:
  UnknownGame(absl::string_view name, int seats, const std::vector<games::Option>& options)
      : Game(seats, options, options), name_(name) {}

  absl::string_view name() const override { return name_; }
  // Returns null: without rules there is no state.
  std::unique_ptr<games::State> NewState() const override { return nullptr; }
  // Returns Unimplemented.
  absl::StatusOr<std::unique_ptr<games::State>> ParsePosition(
      absl::string_view text) const override;
  // REQUIRES: `move` is a result of ParseMove, or the pass.
  void AppendMove(games::Move move, std::string* out) const override;
  // Numbers moves in the order in which they first appear; "-" is the pass. Returns InvalidArgument
  // unless `text` is printable ASCII.
  absl::StatusOr<games::Move> ParseMove(absl::string_view text) const override;

 private:
  const std::string name_;
  mutable Mutex mutex_;
  mutable std::map<std::string, uint64_t, std::less<>> numbers_ ABSL_GUARDED_BY(mutex_);
  mutable std::vector<std::string> notations_ ABSL_GUARDED_BY(mutex_);  // of move i + 1
};

// Returns whether `game` is an UnknownGame.
bool IsUnknown(const games::Game& game);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_UNKNOWN_GAME_H_
