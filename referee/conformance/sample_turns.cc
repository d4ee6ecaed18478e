// Random positions for the checks. See check.h.
#include <array>
#include <random>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/conformance/check.h"
#include "referee/games/options.h"

namespace referee::conformance {
namespace {

using games::OptionSpec;
using games::Phase;

// A game with its usual options first, then with one unusual option at a time.
std::vector<std::vector<games::Option>> Variants(const games::GameType& type) {
  std::vector<std::vector<games::Option>> variants = {{}};
  for (const OptionSpec& spec : type.option_specs()) {
    const std::string name(spec.name);
    if (spec.kind == OptionSpec::Kind::kBool) {
      variants.push_back({{name, spec.default_value == "true" ? "false" : "true"}});
    }
    if (spec.kind != OptionSpec::Kind::kEnum) continue;
    // The help of an enumeration has its values in capitals; other words in capitals are refused
    // later.
    std::string word;
    for (const char c : absl::StrCat(spec.help, ".")) {
      if ((c >= 'A' && c <= 'Z') || c == '_') {
        word += c;
      } else {
        if (!word.empty() && word != spec.default_value) variants.push_back({{name, word}});
        word.clear();
      }
    }
  }
  return variants;
}

// The seed for the dice and the players of a sampled match, different for each.
dice::Key SampleKey(uint64_t number) { return dice::PinnedKey(dice::PinnedSeed(number)); }

AskedTurn TurnAt(const games::State& state, const std::shared_ptr<const games::Game>& game,
                 uint32_t number) {
  AskedTurn turn;
  turn.match_id = NewMatchId();
  turn.game = game;
  turn.state = state.Clone();
  for (int seat = 0; seat < game->seats(); ++seat) {
    turn.bots.push_back(Seat(seat) == turn.seat() ? TriedBot::kName
                                                  : absl::StrCat("other-", Seat(seat).text()));
  }
  turn.commitment = std::string(dice::Raw(dice::Commit(dice::PinnedSeed(number))));
  turn.pinned = true;
  turn.turn = number;
  return turn;
}

// Plays random matches of one game, turn by turn.
class Sampler {
 public:
  Sampler(std::shared_ptr<const games::Game> game, uint64_t seed)
      : game_(std::move(game)), seed_(seed), random_(seed) {}

  // The next turn with a choice, after skipping `skipped` turns.
  AskedTurn Next(int skipped) {
    while (true) {
      if (state_ == nullptr || state_->phase() == Phase::kOver) Begin();
      games::DrawChance(SampleKey(seed_), state_.get(),
                        [](const games::Chance&, absl::Span<const int>) {});
      if (state_->phase() != Phase::kTurn) continue;
      state_->LegalMoves(&legal_);
      ++turn_;
      const bool taken = legal_.size() > 1 && --skipped < 0;
      AskedTurn turn;
      if (taken) turn = TurnAt(*state_, game_, turn_);
      state_->Apply(legal_[random_() % legal_.size()]);
      if (taken) return turn;
    }
  }

 private:
  void Begin() {
    state_ = game_->NewState();
    turn_ = 0;
    ++seed_;
  }

  const std::shared_ptr<const games::Game> game_;
  uint64_t seed_;
  std::mt19937_64 random_;
  std::unique_ptr<games::State> state_;
  uint32_t turn_ = 0;
  std::vector<games::Move> legal_;
};

}  // namespace

std::vector<AskedTurn> SampleTurns(const games::GameType& type, int count) {
  std::vector<Sampler> samplers;
  for (const std::vector<games::Option>& options : Variants(type)) {
    for (int seats = type.min_seats(); seats <= type.max_seats(); ++seats) {
      auto game = type.Create(seats, options);
      if (game.ok()) samplers.emplace_back(*std::move(game), samplers.size() * 1000);
    }
  }
  std::vector<AskedTurn> turns;
  for (int i = 0; i < count; ++i) {
    // Skips some turns, to sample all parts of a match.
    turns.push_back(samplers[static_cast<size_t>(i) % samplers.size()].Next(i % 7));
  }
  return turns;
}

AskedTurn SampleTurn(const games::GameType& type, int seats) {
  auto game = type.Create(seats == 0 ? type.min_seats() : seats, {});
  return Sampler(*std::move(game), /*seed=*/1).Next(/*skipped=*/2);
}

}  // namespace referee::conformance
