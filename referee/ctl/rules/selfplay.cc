#include "referee/ctl/rules/selfplay.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "referee/base/clock.h"
#include "referee/match/match.h"

namespace referee::ctl {
namespace {

using games::Move;

class RandomPlayer {
 public:
  RandomPlayer(const dice::Seed& seed, Seat seat)
      : key_(dice::CommittedKey(seed, {absl::StrCat("selfplay/", seat.index())})) {}

  Move Choose(absl::Span<const Move> legal, uint32_t turn) const {
    constexpr size_t kMaxRange = 65536;
    if (legal.size() == 1) return legal.front();
    int choice;
    key_.Uniform(dice::Label::Substitute(turn), static_cast<int>(std::min(legal.size(), kMaxRange)),
                 absl::MakeSpan(&choice, 1));
    return legal[static_cast<size_t>(choice)];
  }

 private:
  dice::Key key_;
};

match::Setup MakeSetup(std::shared_ptr<const games::Game> game, uint64_t pinned_number) {
  match::Setup setup;
  const uint8_t no_chance[10] = {};
  setup.id = MatchId::Make(absl::UnixEpoch(), no_chance);
  setup.create_time = absl::UnixEpoch();
  setup.bots.assign(static_cast<size_t>(game->seats()), "random");
  setup.game = std::move(game);
  setup.dice_source.pinned_number = pinned_number;
  setup.commitment = dice::Commit(dice::PinnedSeed(pinned_number));
  setup.referee = "refctl";
  return setup;
}

// The match and its players, in simulated time that stands still.
class World {
 public:
  explicit World(const match::Setup& setup)
      : seed_(dice::PinnedSeed(*setup.dice_source.pinned_number)), match_(setup, seed_) {
    for (int i = 0; i < match_.seats(); ++i) players_.emplace_back(seed_, Seat(i));
  }

  std::vector<match::Record> Play() {
    Step(match::Begin{});
    for (int i = 0; i < match_.seats(); ++i) Step(match::ReadyReceived{Seat(i), {}});
    while (match_.stage() == match::Match::Stage::kPlaying) {
      const Seat seat = match_.seat_to_move();
      const uint32_t turn = match_.turn();
      const Move move = players_[seat.index()].Choose(match_.legal_moves(), turn);
      Step(match::RequestSent{seat, turn});  // request 0, because no seat forfeits
      Step(match::Replied{seat, turn, move});
    }
    return std::move(records_);
  }

 private:
  void Step(const match::Event& event) {
    for (const match::Effect& effect :
         match_.Step(event, Instant(), {Instant(), absl::UnixEpoch()})) {
      const auto* record = std::get_if<match::Record>(&effect);
      if (record != nullptr) records_.push_back(*record);
    }
  }

  const dice::Seed seed_;
  match::Match match_;
  std::vector<RandomPlayer> players_;
  std::vector<match::Record> records_;
};

}  // namespace

replay::Replay Selfplay(std::shared_ptr<const games::Game> game, uint64_t pinned_number) {
  replay::Replay replay;
  replay.setup = MakeSetup(std::move(game), pinned_number);
  replay.records = World(replay.setup).Play();
  return replay;
}

}  // namespace referee::ctl
