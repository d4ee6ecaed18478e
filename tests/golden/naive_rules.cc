#include "tests/golden/naive_rules.h"

#include <map>
#include <set>
#include <utility>

#include "referee/games/hypnosia/board_file.h"
#include "tests/unit/games/naive_hypnosia.h"
#include "tests/unit/games/naive_isaac.h"

namespace referee::golden::naive {
namespace {

namespace hypnosia = games::hypnosia;
namespace isaac = games::isaac;

std::vector<std::string> Sorted(const std::set<std::string>& texts) {
  return {texts.begin(), texts.end()};
}

class HypnosiaRules final : public Rules {
 public:
  explicit HypnosiaRules(hypnosia::naive::Model model) : model_(std::move(model)) {}

  std::vector<std::string> LegalMoves(const std::string& position) const override {
    return Sorted(model_.LegalMoves(model_.Read(position)));
  }

  std::string WrongAfter(const std::string& position, const std::string& move,
                         const std::string& next) const override {
    const auto before = model_.Read(position), found = model_.Read(next);
    const auto expected = model_.After(before, move);
    if (found.rings != expected.rings) return "rings";
    if (WithoutEmpty(found.lanes) != WithoutEmpty(expected.lanes)) return "lanes";
    if (found.centre != expected.centre) return "centre";
    if (found.points != expected.points) return "points";
    if (found.forfeits != expected.forfeits) return "forfeits";
    // That a limit of turns ends the game is not in a position.
    if (found.mover == '-') return "";
    return found.mover == model_.NextMover(expected, before.mover) ? "" : "the seat to move";
  }

 private:
  using Lanes = std::map<char, std::set<int>>;
  static Lanes WithoutEmpty(const Lanes& lanes) {
    Lanes kept;
    for (const auto& lane : lanes) {
      if (!lane.second.empty()) kept.insert(lane);
    }
    return kept;
  }

  const hypnosia::naive::Model model_;
};

class IsaacRules final : public Rules {
 public:
  explicit IsaacRules(isaac::naive::Model model) : model_(model) {}

  std::vector<std::string> LegalMoves(const std::string& position) const override {
    return Sorted(model_.LegalMoves(model_.Read(position)));
  }

  std::string WrongAfter(const std::string& position, const std::string& move,
                         const std::string& next) const override {
    const std::string expected = model_.Write(model_.After(model_.Read(position), move));
    return next == expected ? "" : "the naive model says " + expected;
  }

 private:
  const isaac::naive::Model model_;
};

}  // namespace

std::unique_ptr<Rules> RulesOf(const Json& vector) {
  const Json& options = vector.at("options");
  if (vector.at("game") == "isaac") {
    return std::make_unique<IsaacRules>(
        isaac::naive::Model(options.at("counter_advance") == "EXACT",
                            options.at("scoring_starter") == "FIRST_TO_PASS"));
  }
  const std::string board = options.at("board");
  return std::make_unique<HypnosiaRules>(
      hypnosia::naive::Model(board == "spiral-36-24-12" ? hypnosia::SpiralBoard()
                                                        : hypnosia::ParseBoardFile(board).value(),
                             vector.at("seats"), options.at("stack_bridges") == "true"));
}

}  // namespace referee::golden::naive
