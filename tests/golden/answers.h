// Fills in vectors: what the referee says to a question. Questions and vectors are JSON objects of
// the kinds that vectors/README.md lists; a question is a vector without what it asks for.
// Pure functions; a question that cannot be asked throws std::runtime_error that says why.
#ifndef REFEREE_TESTS_GOLDEN_ANSWERS_H_
#define REFEREE_TESTS_GOLDEN_ANSWERS_H_

#include <memory>
#include <vector>

#include "nlohmann/json.hpp"
#include "referee/dice/dice.h"
#include "referee/games/catalogue.h"
#include "referee/games/game.h"

namespace referee::golden {

using Json = nlohmann::ordered_json;

// The vectors that answer a question: one, but for a walk, which becomes several.
std::vector<Json> Answer(const Json& question);

// The parts of it.

// The match key of a question, and its members for the vector: where the key comes from.
struct DiceAnswer {
  dice::Seed seed;
  dice::Key key;
  Json members;
};
DiceAnswer AnswerDice(const Json& question);

// The game of a question, and the members that every vector of a game begins with.
struct GameAnswer {
  games::Entry entry;
  std::shared_ptr<const games::Game> game;
  Json members;
};
GameAnswer AnswerGame(const Json& question);

// {"reason", "scores", "ranks"} of a position that is over.
Json EndOf(const games::State& state);

// "match": a whole match of bots that choose as the question says.
Json AnswerMatch(const Json& question);
// "walk": vectors of kinds position, legal and apply along a match of random bots.
std::vector<Json> AnswerWalk(const Json& question);

// Vectors of single positions. `members` are those of GameAnswer.
Json PositionVector(const GameAnswer& game, const games::State& state);
Json LegalVector(const GameAnswer& game, const games::State& state);
// What `move`, or the forfeit of `seat`, leads to; `roll` is the next seat's dice, 1 to 6 each, and
// is in the vector only if that seat needs them.
Json ApplyVector(const GameAnswer& game, const games::State& state, games::Move move,
                 const std::vector<int>& roll);
Json ForfeitVector(const GameAnswer& game, const games::State& state, Seat seat,
                   const std::vector<int>& roll);

}  // namespace referee::golden

#endif  // REFEREE_TESTS_GOLDEN_ANSWERS_H_
