// The notation of moves: "h2" (fuzzed_game.h), a byte for a position, then the notation. What is
// read is printed in one way, and is taken as a legal move or refused with a reason.
#include <algorithm>
#include <string>
#include <vector>

#include "tests/fuzz/claim.h"
#include "tests/fuzz/fuzzed_bytes.h"
#include "tests/fuzz/fuzzed_game.h"

namespace referee::fuzz {

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  FuzzedBytes bytes(data, size);
  const games::Game& game = *TakeGame(&bytes).game;
  const games::State& state = TakePosition(game, &bytes);
  const absl::string_view text = bytes.Rest();
  const auto move = game.ParseMove(text);
  if (!move.ok()) {
    Claim(!move.status().message().empty(), "a refusal says why", text);
    return 0;
  }
  Claim(game.MoveText(*move) == text, "a move is written in one way only", text);
  std::vector<games::Move> legal;
  state.LegalMoves(&legal);
  const bool is_legal = std::binary_search(legal.begin(), legal.end(), *move);
  const auto resolved = state.Resolve(*move, legal);
  Claim(!is_legal || (resolved.ok() && *resolved == *move), "a legal move is taken", text);
  if (!resolved.ok()) {
    Claim(!resolved.status().message().empty(), "a refusal says why", text);
    return 0;
  }
  Claim(std::binary_search(legal.begin(), legal.end(), *resolved),
        "what a move is taken for is legal", text);
  return 0;
}

}  // namespace referee::fuzz
