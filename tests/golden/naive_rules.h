// The naive models of the games (tests/unit/games) behind one face, for vectors: position strings
// and notation in, texts out.
#ifndef REFEREE_TESTS_GOLDEN_NAIVE_RULES_H_
#define REFEREE_TESTS_GOLDEN_NAIVE_RULES_H_

#include <memory>
#include <string>
#include <vector>

#include "tests/golden/naive.h"

namespace referee::golden::naive {

class Rules {
 public:
  virtual ~Rules() = default;
  // Sorted.
  virtual std::vector<std::string> LegalMoves(const std::string& position) const = 0;
  // What is wrong with `next` as what `move` leads to, dice aside; empty if nothing is.
  virtual std::string WrongAfter(const std::string& position, const std::string& move,
                                 const std::string& next) const = 0;
};

// The rules of a vector's game with its seats and options.
std::unique_ptr<Rules> RulesOf(const Json& vector);

}  // namespace referee::golden::naive

#endif  // REFEREE_TESTS_GOLDEN_NAIVE_RULES_H_
