// Position strings: "h2" (fuzzed_game.h), then the string. What is read is printed in one way, and
// can be played on from.
#include <memory>
#include <string>

#include "tests/fuzz/claim.h"
#include "tests/fuzz/fuzzed_bytes.h"
#include "tests/fuzz/fuzzed_game.h"

namespace referee::fuzz {

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  FuzzedBytes bytes(data, size);
  const games::Game& game = *TakeGame(&bytes).game;
  const absl::string_view text = bytes.Rest();
  const auto state = game.ParsePosition(text);
  if (!state.ok()) {
    Claim(!state.status().message().empty(), "a refusal says why", text);
    return 0;
  }
  Claim((*state)->phase() != games::Phase::kChance, "a position needs no draw", text);
  Claim((*state)->Position() == text, "a position is written in one way only", text);
  ClaimPosition(game, **state);
  if ((*state)->phase() == games::Phase::kTurn) ClaimMoves(game, **state);
  return 0;
}

}  // namespace referee::fuzz
