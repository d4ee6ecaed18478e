#include "referee_rules.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "referee/base/ids.h"
#include "referee/base/limits.h"
#include "referee/games/game.h"
#include "referee/games/rules.h"

using referee::Seat;
using referee::games::Chance;
using referee::games::Game;
using referee::games::Move;
using referee::games::Option;
using referee::games::Outcome;
using referee::games::Phase;
using referee::games::State;

struct referee_game {
  std::shared_ptr<const Game> rules;
};

struct referee_state {
  referee_state(std::shared_ptr<const Game> of, std::unique_ptr<State> position)
      : rules(std::move(of)), state(std::move(position)) {}

  // The legal moves. REQUIRES: a move is due.
  const std::vector<Move>& Legal() {
    if (!listed) state->LegalMoves(&legal);
    listed = true;
    return legal;
  }
  // The state has changed. Returns its phase.
  int32_t Changed() {
    listed = false;
    return static_cast<int32_t>(state->phase());
  }

  const std::shared_ptr<const Game> rules;
  const std::unique_ptr<State> state;
  std::vector<Move> legal;
  bool listed = false;  // whether `legal` is of this position
};

namespace {

static_assert(REFEREE_MAX_SEATS == referee::limits::kMaxSeats, "seats");
static_assert(REFEREE_MAX_DRAW == referee::games::kMaxChanceCount, "numbers of a draw");
static_assert(static_cast<int>(Phase::kChance) == REFEREE_CHANCE, "phases");
static_assert(static_cast<int>(Phase::kTurn) == REFEREE_TURN, "phases");
static_assert(static_cast<int>(Phase::kOver) == REFEREE_OVER, "phases");

// More than any game has options.
constexpr size_t kMostOptions = 1024;

std::string& ErrorText() {
  thread_local std::string text;
  return text;
}

int Fail(absl::string_view why) {
  ErrorText().assign(why.data(), why.size());
  return -1;
}

// What `body` returns; `failed` if it throws, which only memory that is used up makes it do.
template <typename Result, typename Body>
Result Guarded(Result failed, Body body) {
  try {
    return body();
  } catch (const std::exception& error) {
    Fail(error.what());
    return failed;
  }
}

int64_t Write(absl::string_view from, char* text, size_t size) {
  if (size > 0) {
    const size_t kept = std::min(from.size(), size - 1);
    std::memcpy(text, from.data(), kept);
    text[kept] = '\0';
  }
  return static_cast<int64_t>(from.size());
}

std::vector<Option> Options(const char* const* options) {
  std::vector<Option> given;
  for (size_t i = 0; options != nullptr && options[i] != nullptr && given.size() < kMostOptions;
       i += 2) {
    given.push_back({options[i], options[i + 1] == nullptr ? "" : options[i + 1]});
    if (options[i + 1] == nullptr) break;
  }
  return given;
}

// Numbers that follow from a seed: SplitMix64, ranges by multiplication.
class Sequence {
 public:
  explicit Sequence(uint64_t seed) : state_(Mix(seed)) {}

  int Below(size_t n) {
    state_ += kStep;
    const uint64_t high = Mix(state_) >> 32;
    return static_cast<int>(high * n >> 32);
  }

 private:
  static constexpr uint64_t kStep = 0x9e3779b97f4a7c15;

  static uint64_t Mix(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }

  uint64_t state_;
};

// Plays a match to its end. Returns how many moves that took.
int64_t PlayOut(Sequence* random, State* state, std::vector<Move>* legal) {
  int64_t moves = 0;
  for (Phase phase = state->phase(); phase != Phase::kOver; phase = state->phase()) {
    if (phase == Phase::kTurn) {
      state->LegalMoves(legal);
      state->Apply((*legal)[static_cast<size_t>(random->Below(legal->size()))]);
      ++moves;
      continue;
    }
    const Chance chance = state->chance();
    int numbers[referee::games::kMaxChanceCount];
    for (int i = 0; i < chance.count; ++i) {
      numbers[i] = random->Below(static_cast<size_t>(chance.sides));
    }
    state->ApplyChance(absl::MakeConstSpan(numbers, static_cast<size_t>(chance.count)));
  }
  return moves;
}

void CopyTo(int32_t* rows, int64_t row, const std::vector<int>& values) {
  if (rows == nullptr) return;
  std::copy(values.begin(), values.end(), rows + row * static_cast<int64_t>(values.size()));
}

int NoMoveIsDue(const State& state) {
  return Fail(state.phase() == Phase::kOver ? "no move is due: the game is over"
                                            : "no move is due: a draw is");
}

// Whether all of `values` are in a range, and how many there are is right.
bool AreBetween(int low, int high, int count, const int32_t* values, int given) {
  return given == count && std::all_of(values, values + count, [low, high](int32_t value) {
           return low <= value && value <= high;
         });
}

}  // namespace

int32_t referee_rules_abi(void) { return REFEREE_RULES_ABI; }

const char* referee_rules_version(void) { return REFEREE_RULES_VERSION; }

const char* referee_rules_error(void) { return ErrorText().c_str(); }

referee_game* referee_game_new(const char* name, int32_t seats, const char* const* options) {
  return Guarded<referee_game*>(nullptr, [&]() -> referee_game* {
    absl::StatusOr<std::shared_ptr<const Game>> rules =
        referee::games::MakeGame(name, seats, Options(options));
    if (rules.ok()) return new referee_game{*std::move(rules)};
    Fail(rules.status().message());
    return nullptr;
  });
}

void referee_game_free(referee_game* game) { delete game; }

referee_state* referee_state_new(const referee_game* game, const char* position) {
  return Guarded<referee_state*>(nullptr, [&]() -> referee_state* {
    if (position == nullptr) return new referee_state(game->rules, game->rules->NewState());
    absl::StatusOr<std::unique_ptr<State>> state = game->rules->ParsePosition(position);
    if (state.ok()) return new referee_state(game->rules, *std::move(state));
    Fail(state.status().message());
    return nullptr;
  });
}

referee_state* referee_state_clone(const referee_state* state) {
  return Guarded<referee_state*>(
      nullptr, [&] { return new referee_state(state->rules, state->state->Clone()); });
}

void referee_state_free(referee_state* state) { delete state; }

int32_t referee_state_info(const referee_state* state, referee_info* info) {
  return Guarded<int32_t>(-1, [&]() -> int32_t {
    const State& position = *state->state;
    const auto index = [](Seat seat) { return seat.valid() ? seat.index() : -1; };
    *info = {};
    info->phase = static_cast<int32_t>(position.phase());
    info->seat = index(position.seat_to_move());
    info->first = index(position.first_seat());
    const int seats = state->rules->seats();
    for (int i = 0; i < seats; ++i) info->scores[i] = position.score(Seat(i));
    if (position.phase() == Phase::kOver) {
      const Outcome outcome = position.outcome();
      std::copy(outcome.ranks.begin(), outcome.ranks.end(), info->ranks);
      return info->phase;
    }
    for (int i = 0; i < seats; ++i) info->forfeited[i] = position.forfeited(Seat(i)) ? 1 : 0;
    if (position.phase() == Phase::kChance) {
      const Chance chance = position.chance();
      info->sides = chance.sides;
      info->numbers = chance.count;
      return info->phase;
    }
    const absl::Span<const int> dice = position.roll();
    info->dice_count = static_cast<int32_t>(dice.size());
    std::copy(dice.begin(), dice.end(), info->dice);
    return info->phase;
  });
}

int64_t referee_state_position(const referee_state* state, char* text, size_t size) {
  return Guarded<int64_t>(-1, [&]() -> int64_t {
    if (state->state->phase() == Phase::kChance) return Fail("no position: a draw is due");
    return Write(state->state->Position(), text, size);
  });
}

int64_t referee_state_label(const referee_state* state, char* text, size_t size) {
  return Guarded<int64_t>(-1, [&]() -> int64_t {
    if (state->state->phase() != Phase::kChance) return Fail("no draw is due");
    return Write(state->state->chance().label().text(), text, size);
  });
}

int64_t referee_state_reason(const referee_state* state, char* text, size_t size) {
  return Guarded<int64_t>(-1, [&]() -> int64_t {
    if (state->state->phase() != Phase::kOver) return Fail("the game is not over");
    return Write(state->state->outcome().reason, text, size);
  });
}

int64_t referee_state_moves(referee_state* state, uint64_t* moves, int64_t capacity) {
  return Guarded<int64_t>(-1, [&]() -> int64_t {
    if (state->state->phase() != Phase::kTurn) return NoMoveIsDue(*state->state);
    const std::vector<Move>& legal = state->Legal();
    const auto count = static_cast<int64_t>(legal.size());
    for (int64_t i = 0; i < std::min(count, capacity); ++i) {
      moves[i] = legal[static_cast<size_t>(i)].code();
    }
    return count;
  });
}

int32_t referee_state_find(referee_state* state, const char* notation, uint64_t* move) {
  return Guarded<int32_t>(-1, [&]() -> int32_t {
    if (state->state->phase() != Phase::kTurn) return NoMoveIsDue(*state->state);
    const absl::StatusOr<Move> claimed = state->rules->ParseMove(notation);
    if (!claimed.ok()) return Fail(claimed.status().message());
    const absl::StatusOr<Move> meant = state->state->Resolve(*claimed, state->Legal());
    if (!meant.ok()) return Fail(meant.status().message());
    *move = meant->code();
    return 0;
  });
}

int64_t referee_move_texts(const referee_game* game, const uint64_t* moves, int64_t count,
                           char* text, size_t size) {
  return Guarded<int64_t>(-1, [&] {
    std::string texts;
    for (int64_t i = 0; i < count; ++i) {
      game->rules->AppendMove(Move(moves[i]), &texts);
      texts.push_back('\n');
    }
    return Write(texts, text, size);
  });
}

int32_t referee_state_play(referee_state* state, uint64_t move) {
  return Guarded<int32_t>(-1, [&]() -> int32_t {
    if (state->state->phase() != Phase::kTurn) return NoMoveIsDue(*state->state);
    const std::vector<Move>& legal = state->Legal();
    if (!std::binary_search(legal.begin(), legal.end(), Move(move))) {
      return Fail(absl::StrCat("move ", move, " is not among the ", legal.size(), " legal moves"));
    }
    state->state->Apply(Move(move));
    return state->Changed();
  });
}

int32_t referee_state_draw(referee_state* state, const int32_t* numbers, int32_t count) {
  return Guarded<int32_t>(-1, [&]() -> int32_t {
    if (state->state->phase() != Phase::kChance) return Fail("no draw is due");
    const Chance chance = state->state->chance();
    if (!AreBetween(0, chance.sides - 1, chance.count, numbers, count)) {
      return Fail(absl::StrCat("a draw of ", chance.count, " numbers from 0 to ", chance.sides - 1,
                               " is due"));
    }
    state->state->ApplyChance(absl::MakeConstSpan(numbers, static_cast<size_t>(count)));
    return state->Changed();
  });
}

int32_t referee_state_set_dice(referee_state* state, const int32_t* dice, int32_t count) {
  return Guarded<int32_t>(-1, [&]() -> int32_t {
    if (state->state->phase() != Phase::kTurn) return NoMoveIsDue(*state->state);
    const absl::Status set =
        state->state->SetRoll(absl::MakeConstSpan(dice, static_cast<size_t>(std::max(0, count))));
    if (!set.ok()) return Fail(set.message());
    return state->Changed();
  });
}

int32_t referee_state_forfeit(referee_state* state, int32_t seat) {
  return Guarded<int32_t>(-1, [&]() -> int32_t {
    if (state->state->phase() != Phase::kTurn) return NoMoveIsDue(*state->state);
    if (seat < 0 || seat >= state->rules->seats()) {
      return Fail(absl::StrCat("there is no seat ", seat));
    }
    if (state->state->forfeited(Seat(seat))) {
      return Fail(absl::StrCat("seat ", seat, " has forfeited already"));
    }
    state->state->Forfeit(Seat(seat));
    return state->Changed();
  });
}

int64_t referee_state_playouts(const referee_state* state, int64_t count, uint64_t seed,
                               int32_t* ranks, int32_t* scores) {
  return Guarded<int64_t>(-1, [&] {
    const std::unique_ptr<State> playout = state->state->Clone();
    std::vector<Move> legal;
    int64_t moves = 0;
    for (int64_t i = 0; i < count; ++i) {
      if (i > 0) playout->CopyFrom(*state->state);
      Sequence random(seed + static_cast<uint64_t>(i));
      moves += PlayOut(&random, playout.get(), &legal);
      if (ranks == nullptr && scores == nullptr) continue;
      const Outcome outcome = playout->outcome();
      CopyTo(ranks, i, outcome.ranks);
      CopyTo(scores, i, outcome.scores);
    }
    return moves;
  });
}
