#include "tests/fuzz/fuzzed_game.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "referee/dice/dice.h"
#include "tests/fuzz/claim.h"

namespace referee::fuzz {
namespace {

using games::Game;
using games::Move;
using games::Phase;
using games::State;

constexpr int kMaxPlies = 48;          // of TakePosition
constexpr size_t kMaxMovesTried = 24;  // of one position

const Game& DefaultGame(const games::Entry& entry, int seats) {
  static auto& games =
      *new std::map<std::pair<const games::GameType*, int>, std::shared_ptr<const Game>>;
  std::shared_ptr<const Game>& game = games[{entry.type, seats}];
  if (game == nullptr) game = entry.type->Create(seats, {}).value();
  return *game;
}

std::unique_ptr<State> Walk(const Game& game, int plies) {
  std::unique_ptr<State> state = game.NewState();
  DrawDice(state.get());
  std::vector<Move> legal;
  for (int ply = 0; ply < plies; ++ply) {
    state->LegalMoves(&legal);
    std::unique_ptr<State> next = state->Clone();
    next->Apply(legal[static_cast<size_t>(ply * 7 + 3) % legal.size()]);
    DrawDice(next.get());
    if (next->phase() == Phase::kOver) break;
    state = std::move(next);
  }
  return state;
}

}  // namespace

games::Entry TakeEntry(FuzzedBytes* bytes) {
  const absl::Span<const games::Entry> catalogue = games::Catalogue();
  const uint8_t letter = bytes->Byte();
  for (const games::Entry& entry : catalogue) {
    if (entry.type->name().front() == static_cast<char>(letter)) return entry;
  }
  return catalogue[letter % catalogue.size()];
}

int TakeSeats(const games::Entry& entry, FuzzedBytes* bytes) {
  const int least = entry.type->min_seats();
  const int most = entry.type->max_seats();
  const int byte = bytes->Byte();
  if (byte >= '0' + least && byte <= '0' + most) return byte - '0';
  return least + byte % (most - least + 1);
}

FuzzedGame TakeGame(FuzzedBytes* bytes) {
  const games::Entry entry = TakeEntry(bytes);
  return {entry, &DefaultGame(entry, TakeSeats(entry, bytes))};
}

const State& TakePosition(const Game& game, FuzzedBytes* bytes) {
  static auto& positions = *new std::map<std::pair<const Game*, int>, std::unique_ptr<State>>;
  const int plies = bytes->Below(kMaxPlies);
  std::unique_ptr<State>& state = positions[{&game, plies}];
  if (state == nullptr) state = Walk(game, plies);
  return *state;
}

void DrawDice(State* state) {
  static const dice::Key key = dice::PinnedKey(dice::PinnedSeed(7));
  games::DrawChance(key, state, [](const games::Chance&, absl::Span<const int>) {});
}

void ClaimPosition(const Game& game, const State& state) {
  const std::string text = state.Position();
  const auto again = game.ParsePosition(text);
  Claim(again.ok(), "a position that was printed can be read", text);
  Claim((*again)->Position() == text, "a position is printed in one way", text);
  Claim((*again)->phase() == state.phase(), "a position keeps its phase", text);
  for (const bool colour : {false, true}) {
    Claim(!state.Draw({colour}, Move::Pass()).empty(), "a position can be drawn", text);
  }
  for (int seat = 0; seat < game.seats(); ++seat) {
    Claim((*again)->score(Seat(seat)) == state.score(Seat(seat)), "a position keeps its scores",
          text);
  }
  if (state.phase() == Phase::kOver) {
    const games::Outcome outcome = state.outcome();
    Claim(!outcome.reason.empty(), "an end has a reason", text);
    Claim(*std::min_element(outcome.ranks.begin(), outcome.ranks.end()) == 1, "somebody is first",
          text);
    return;
  }
  std::vector<Move> legal;
  state.LegalMoves(&legal);
  Claim(!legal.empty(), "there is a legal move", text);
  for (size_t i = 1; i < legal.size(); ++i) {
    Claim(legal[i - 1] < legal[i], "legal moves are sorted", text);
  }
}

void ClaimMoves(const Game& game, const State& state) {
  std::vector<Move> legal;
  state.LegalMoves(&legal);
  const size_t stride = legal.size() / kMaxMovesTried + 1;
  for (size_t i = 0; i < legal.size(); i += stride) {
    const std::string notation = game.MoveText(legal[i]);
    const auto parsed = game.ParseMove(notation);
    Claim(parsed.ok() && *parsed == legal[i], "a legal move is its notation", notation);
    const auto resolved = state.Resolve(*parsed, legal);
    Claim(resolved.ok() && *resolved == legal[i], "a legal move is taken", notation);
    const std::unique_ptr<State> next = state.Clone();
    next->Apply(legal[i]);
    DrawDice(next.get());
    ClaimPosition(game, *next);
  }
  for (int seat = 0; seat < game.seats(); ++seat) {
    if (state.forfeited(Seat(seat))) continue;
    const std::unique_ptr<State> next = state.Clone();
    next->Forfeit(Seat(seat));
    DrawDice(next.get());
    ClaimPosition(game, *next);
    Claim(next->forfeited(Seat(seat)), "a forfeit is kept", next->Position());
  }
}

}  // namespace referee::fuzz
