#include "tests/bench/bench_referee_games.h"

#include <random>
#include <utility>

#include "absl/types/span.h"
#include "proto/referee/v1/bot_service.pb.h"
#include "referee/dice/dice.h"
#include "referee/games/catalogue.h"

namespace referee::bench {
namespace {

constexpr absl::string_view kGame = "hypnosia";

std::string SerialisedReply(const games::Game& game, uint32_t turn, games::Move move) {
  v1::MoveReply reply;
  reply.set_turn(turn);
  games::Find(kGame)->wire->MoveToWire(game, move, reply.mutable_move());
  return reply.SerializeAsString();
}

PreparedReplies Play(const games::Game& game, uint64_t number) {
  const dice::Key key = dice::PinnedKey(dice::PinnedSeed(number));
  const auto ignore = [](const games::Chance&, absl::Span<const int>) {};
  // Random moves: the first legal ones lead to games unlike those that bots play.
  std::mt19937_64 random(number);
  std::vector<games::Move> legal;
  PreparedReplies replies(1);
  const std::unique_ptr<games::State> state = game.NewState();
  games::DrawChance(key, state.get(), ignore);
  while (state->phase() == games::Phase::kTurn) {
    state->LegalMoves(&legal);
    const games::Move move = legal[random() % legal.size()];
    replies.push_back(move.is_pass()
                          ? std::string()
                          : SerialisedReply(game, static_cast<uint32_t>(replies.size()), move));
    state->Apply(move);
    games::DrawChance(key, state.get(), ignore);
  }
  return replies;
}

}  // namespace

std::shared_ptr<const games::Game> TheGame() {
  return games::Find(kGame)->type->Create(/*seats=*/2, {}).value();
}

PreparedGames::PreparedGames() {
  const std::shared_ptr<const games::Game> game = TheGame();
  for (uint64_t number = 0; number < kPreparedGames; ++number) {
    const dice::Commitment commitment = dice::Commit(dice::PinnedSeed(number));
    by_commitment_.emplace(std::string(commitment.begin(), commitment.end()), Play(*game, number));
  }
}

const PreparedReplies* PreparedGames::Find(absl::string_view commitment) const {
  const auto it = by_commitment_.find(commitment);
  return it == by_commitment_.end() ? nullptr : &it->second;
}

}  // namespace referee::bench
