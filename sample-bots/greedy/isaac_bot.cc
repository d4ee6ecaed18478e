#include "sample-bots/greedy/isaac_bot.h"

#include <algorithm>
#include <array>
#include <vector>

namespace greedy {
namespace {

using isaac::IsaacState;
using isaac::Piece;
using isaac::Table;
using referee::games::Move;
using referee::games::Phase;
using referee::games::State;
namespace sdk = referee::sdk;

// Values, in points.
constexpr double kRoom = 1.5;   // times the value of a piece that still finds room
constexpr double kFloor = 0.4;  // for a point below the floor
constexpr double kWin = 1000;

// Calls `visit` with each piece of a seat on the board.
template <typename Visit>
void ForEachPiece(const Table& table, int seat, Visit visit) {
  for (int cell = 0; cell < isaac::kCells; ++cell) {
    if (table.anchored(seat, cell)) visit(table.piece_at(cell));
  }
}

// The points that the pieces of a seat would score where they lie, without counters.
int LyingPoints(const Table& table, int seat) {
  int points = 0;
  ForEachPiece(table, seat, [&](const Piece& piece) {
    const int line = piece.vertical ? table.in_column[isaac::ColumnOf(piece.anchor)]
                                    : table.in_row[isaac::RowOf(piece.anchor)];
    points += (line - 1) * piece.value();
  });
  return points;
}

// By length, from the shortest: the number of places for a piece.
std::array<int, isaac::kLengths> CountPlaces(const Table& table) {
  std::array<int, isaac::kLengths> places{};
  for (const int stride : {1, isaac::kSide}) {
    for (int line = 0; line < isaac::kSide; ++line) {
      int free = 0;  // consecutive free cells
      for (int i = 0; i < isaac::kSide; ++i) {
        const int cell = line * (stride == 1 ? isaac::kSide : 1) + i * stride;
        free = (table.covered >> cell & 1) != 0 ? 0 : free + 1;
        for (int k = 0; k < isaac::kLengths && isaac::kMinLength + k <= free; ++k) ++places[k];
      }
    }
  }
  return places;
}

double WorthAfter(const IsaacState& after, int seat, const Table& before) {
  if (after.phase() == Phase::kOver) {
    return after.outcome().ranks[static_cast<size_t>(seat)] == 1 ? kWin : -kWin;
  }
  const Table& table = after.table();
  if (before.stage == isaac::Stage::kPlacement) return PlacementWorth(table, seat);
  const int other = isaac::OtherSeat(seat);
  const int answer = BestRemoval(table, other);
  const double danger = table.scores[other] + answer >= isaac::kTarget ? kWin : 0;
  return table.scores[seat] - answer - danger - kFloor * BelowFloor(table, seat);
}

}  // namespace

double PlacementWorth(const Table& table, int seat) {
  const int other = isaac::OtherSeat(seat);
  const std::array<int, isaac::kLengths> places = CountPlaces(table);
  double worth = LyingPoints(table, seat) - LyingPoints(table, other);
  for (int k = 0; k < isaac::kLengths; ++k) {
    const int own = std::min<int>(table.unplayed[seat][k], places[k]);
    const int others = std::min<int>(table.unplayed[other][k], places[k]);
    worth += kRoom * isaac::kValues[k] * (own - others);
  }
  return worth;
}

int BestRemoval(const Table& table, int seat) {
  if (table.is_out(seat)) return 0;
  int best = 0;
  ForEachPiece(table, seat, [&](const Piece& piece) {
    if (piece.length < table.floors[seat] || isaac::CountersOn(table, piece, false) > 0) return;
    best = std::max(best, isaac::PointsFor(table, piece));
  });
  return best;
}

int BelowFloor(const Table& table, int seat) {
  int points = 0;
  ForEachPiece(table, seat, [&](const Piece& piece) {
    if (piece.length < table.floors[seat]) points += isaac::PointsFor(table, piece);
  });
  return points;
}

sdk::Move IsaacBot::ChooseTurn(const sdk::Turn& turn) {
  const std::unique_ptr<State> now = rules_.StateOf(turn).value();
  const std::unique_ptr<State> after = now->Clone();
  std::vector<Move> legal;
  now->LegalMoves(&legal);
  Move best;
  double most = -2 * kWin;
  for (const Move move : legal) {
    after->CopyFrom(*now);
    after->Apply(move);
    const double worth = WorthAfter(static_cast<const IsaacState&>(*after), turn.seat(),
                                    static_cast<const IsaacState&>(*now).table());
    if (worth <= most) continue;
    best = move;
    most = worth;
  }
  return rules_.ToSdk(best);
}

}  // namespace greedy
