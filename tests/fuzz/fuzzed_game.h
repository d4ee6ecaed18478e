// A game of the catalogue as an input names it, and positions of it. Input files stay legible: "h3"
// is Hypnosia with 3 seats.
#ifndef REFEREE_TESTS_FUZZ_FUZZED_GAME_H_
#define REFEREE_TESTS_FUZZ_FUZZED_GAME_H_

#include "absl/strings/string_view.h"
#include "referee/games/catalogue.h"
#include "referee/games/game.h"
#include "tests/fuzz/fuzzed_bytes.h"

namespace referee::fuzz {

struct FuzzedGame {
  games::Entry entry;
  const games::Game* game = nullptr;  // with its default options; lives for ever
};

// Takes two bytes: the first letter of a game's name, and a digit for its seats. Any other bytes
// mean some game and number of seats too.
games::Entry TakeEntry(FuzzedBytes* bytes);
int TakeSeats(const games::Entry& entry, FuzzedBytes* bytes);
FuzzedGame TakeGame(FuzzedBytes* bytes);

// Takes a byte: how many moves into a game of which all choices follow from it, and returns a
// position there, in phase kTurn unless the game ended before. Lives for ever.
const games::State& TakePosition(const games::Game& game, FuzzedBytes* bytes);

// Draws what `state` waits for; always the same draws.
void DrawDice(games::State* state);

// Claims what games::State promises of any position that is not kChance: it prints, and what it
// prints is read back as the same position; it draws, scores, and its legal moves are sorted and
// are their own notation.
void ClaimPosition(const games::Game& game, const games::State& state);

// Claims ClaimPosition for what each of some legal moves, and each seat's forfeit, leads to.
// REQUIRES: state.phase() == kTurn.
void ClaimMoves(const games::Game& game, const games::State& state);

}  // namespace referee::fuzz

#endif  // REFEREE_TESTS_FUZZ_FUZZED_GAME_H_
