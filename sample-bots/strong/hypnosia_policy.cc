#include "sample-bots/strong/hypnosia_policy.h"

#include <algorithm>

namespace strong {
namespace {

using hypnosia::Space;
using hypnosia::Table;
using referee::games::Move;

// Values, in points of the game, tuned by many matches with other numbers.
constexpr double kCapture =
    3;  // +1 for the captor, -1 for the owner, and one rival pawn less on its way
constexpr double kNearer = 0.2;   // for each die fewer to the centre
constexpr double kFarthest = 27;  // a pawn this many dice from the centre gets no kNearer
constexpr double kLoss = 2;       // for a captured pawn, besides the distance that it had covered
constexpr double kStack = 0.3;
constexpr double kOthersWay = 0.7;  // the weight of another seat's distance against one's own

constexpr int kRounds = 200;  // enough for the number of dice to converge on any board

// By set of dice: the chance that at least one of two dice is in the set.
constexpr std::array<double, 64> MakeChances() {
  std::array<double, 64> chances{};
  for (size_t dice = 0; dice < chances.size(); ++dice) {
    int hits = 0;
    for (int bit = 0; bit < hypnosia::kDieSides; ++bit) hits += dice >> bit & 1;
    const double miss = (6.0 - hits) / 6;
    chances[dice] = 1 - miss * miss;
  }
  return chances;
}
constexpr std::array<double, 64> kChances = MakeChances();

}  // namespace

// Computes the mean number of dice that a lone pawn needs to reach the centre, if it may skip dice.
// The number is one, plus the mean number from the best destination of the die. Solved by
// fixed-point iteration.
HypnosiaPolicy::HypnosiaPolicy(const hypnosia::Rules& rules) : rules_(rules) {
  const hypnosia::Board& board = rules_.board();
  std::vector<double> dice(static_cast<size_t>(board.spaces()), 0);
  const auto from = [&](Space space) { return space == hypnosia::kCentre ? 0 : dice[space]; };
  for (int round = 0; round < kRounds; ++round) {
    for (Space space = 0; space < board.spaces(); ++space) {
      double sum = 0;
      for (int die = 1; die <= hypnosia::kDieSides; ++die) {
        double best = std::min(from(space), from(board.walk(space, die)));
        const Space crossed = board.cross(space, die);
        if (crossed != hypnosia::kNowhere) best = std::min(best, from(crossed));
        sum += best;
      }
      dice[space] = 1 + sum / hypnosia::kDieSides;
    }
  }
  for (const double needed : dice) ways_.push_back(kNearer * (kFarthest - needed));
}

void HypnosiaPolicy::Rate(const Table& table, absl::Span<const Move> legal,
                          std::vector<double>* worths) const {
  worths->clear();
  const int seat = table.mover;
  // The threats before the move: those of a pawn captured by it still count, which matters little.
  const Threats threats = ThreatsTo(seat, table);
  Table after;
  for (const Move move : legal) {
    hypnosia::CopyTable(rules_, table, &after);
    for (const uint32_t step : {hypnosia::FirstStepCode(move), hypnosia::SecondStepCode(move)}) {
      if (step != 0) hypnosia::PlayStep(rules_, seat, step, &after);
    }
    worths->push_back(Worth(after, seat, threats));
  }
}

HypnosiaPolicy::Threats HypnosiaPolicy::ThreatsTo(int seat, const Table& table) const {
  const hypnosia::Board& board = rules_.board();
  Threats threats;
  for (int other = 0; other < rules_.seats(); ++other) {
    if (other == seat) continue;
    const hypnosia::Pieces& pieces = table.pieces[other];
    for (int die = 1; die <= hypnosia::kDieSides; ++die) {
      const auto bit = static_cast<uint8_t>(1 << (die - 1));
      for (int unit = 0; unit < pieces.units; ++unit) {
        const Space from = pieces.at[unit];
        for (const Space to : {board.walk(from, die), board.cross(from, die)}) {
          threats.to_pawns[to] |= bit;
          if (hypnosia::IsStack(table.cells[from])) threats.to_stacks[to] |= bit;
        }
      }
      for (int k = 1; k <= hypnosia::kLaneSpaces; ++k) {
        if (pieces.lane >> (k - 1) & 1) threats.to_pawns[rules_.out_of_lane(other, k, die)] |= bit;
      }
    }
  }
  return threats;
}

double HypnosiaPolicy::Worth(const Table& table, int seat, const Threats& threats) const {
  const hypnosia::Pieces& own = table.pieces[seat];
  double worth = kCapture * table.points[seat];
  for (int i = 0; i < own.units; ++i) {
    const Space space = own.at[i];
    const bool stack = hypnosia::IsStack(table.cells[space]);
    const double risk = kChances[(stack ? threats.to_stacks : threats.to_pawns)[space]];
    const double pawn = way(space) - risk * (kLoss + way(space));
    worth += stack ? 2 * pawn + kStack : pawn;
  }
  for (int k = 1; k <= hypnosia::kLaneSpaces; ++k) {
    if ((own.lane >> (k - 1) & 1) == 0) continue;
    worth += way(rules_.out_of_lane(seat, k, std::max(k, 3))) - kNearer;
  }
  for (int i = 0; i < table.centre_count; ++i) {
    // The points of the place and the value of the whole way. With less, a pawn would stay outside.
    if (table.centre[i] == seat) worth += rules_.board().centre_places() - i + kNearer * kFarthest;
  }
  for (int other = 0; other < rules_.seats(); ++other) {
    if (other == seat) continue;
    const hypnosia::Pieces& pieces = table.pieces[other];
    for (int i = 0; i < pieces.units; ++i) {
      const Space space = pieces.at[i];
      worth -= kOthersWay * hypnosia::PawnsIn(table.cells[space]) * way(space);
    }
  }
  return worth;
}

}  // namespace strong
