// How fast the rules of the games are: random playouts, legal moves, apply, position strings; and
// random playouts through the functions of C (sdk/c), move by move and in a batch.
// Dice come from a small generator here, not from HMAC: what is measured is the rules.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "benchmark/benchmark.h"
#include "referee/games/catalogue.h"
#include "referee/games/game.h"
#include "referee_rules.h"

namespace {

using referee::games::Chance;
using referee::games::Game;
using referee::games::Move;
using referee::games::Option;
using referee::games::Phase;
using referee::games::State;

// xorshift64*, with ranges by multiplication.
class Generator {
 public:
  explicit Generator(uint64_t seed) : state_(seed * 2 + 1) {}
  uint32_t Below(uint32_t n) {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    const uint64_t high = (state_ * 2685821657736338717u) >> 32;
    return static_cast<uint32_t>(high * n >> 32);
  }

 private:
  uint64_t state_;
};

// What is measured: a game, and of Isaac's positions maybe one phase only.
struct Subject {
  const char* game;
  int seats;
  std::vector<Option> options;
  const char* only = "";  // positions that have this field
};

std::shared_ptr<const Game> NewGame(const Subject& subject) {
  return *referee::games::Find(subject.game)->type->Create(subject.seats, subject.options);
}

void DrawFrom(Generator* random, State* state) {
  while (state->phase() == Phase::kChance) {
    const Chance chance = state->chance();
    int drawn[referee::games::kMaxChanceCount];
    for (int& number : drawn) {
      number = static_cast<int>(random->Below(static_cast<uint32_t>(chance.sides)));
    }
    state->ApplyChance(absl::MakeSpan(drawn, static_cast<size_t>(chance.count)));
  }
}

// Random matches from start to end; items are turns.
void Playout(benchmark::State& bench, const Subject& subject) {
  const auto game = NewGame(subject);
  const auto start = game->NewState();
  const auto state = game->NewState();
  Generator random(1);
  std::vector<Move> legal;
  int64_t turns = 0;
  for (auto _ : bench) {
    state->CopyFrom(*start);
    for (DrawFrom(&random, state.get()); state->phase() == Phase::kTurn;
         DrawFrom(&random, state.get())) {
      state->LegalMoves(&legal);
      state->Apply(legal[random.Below(static_cast<uint32_t>(legal.size()))]);
      ++turns;
    }
    benchmark::DoNotOptimize(state->score(referee::Seat(0)));
  }
  bench.SetItemsProcessed(turns);
  bench.counters["playouts/s"] =
      benchmark::Counter(static_cast<double>(bench.iterations()), benchmark::Counter::kIsRate);
}

struct InC {
  explicit InC(const Subject& subject) {
    std::vector<const char*> options;
    for (const Option& option : subject.options) {
      options.push_back(option.name.c_str());
      options.push_back(option.value.c_str());
    }
    options.push_back(nullptr);
    game = referee_game_new(subject.game, subject.seats, options.data());
    start = referee_state_new(game, nullptr);
  }
  ~InC() {
    referee_state_free(start);
    referee_game_free(game);
  }
  referee_game* game;
  referee_state* start;
};

// Each move and draw a call of its own; moves are listed into an array.
void PlayoutInC(benchmark::State& bench, const Subject& subject) {
  const InC in_c(subject);
  Generator random(1);
  uint64_t moves[2048];
  referee_info info;
  int64_t turns = 0;
  for (auto _ : bench) {
    referee_state* const state = referee_state_clone(in_c.start);
    int32_t phase = referee_state_info(state, &info);
    const auto sides = static_cast<uint32_t>(info.sides);
    const int32_t numbers = info.numbers;
    while (phase != REFEREE_OVER) {
      if (phase == REFEREE_TURN) {
        const auto count = static_cast<uint32_t>(referee_state_moves(state, moves, 2048));
        phase = referee_state_play(state, moves[random.Below(count)]);
        ++turns;
      } else {
        int32_t drawn[REFEREE_MAX_DRAW];
        for (int32_t& number : drawn) number = static_cast<int32_t>(random.Below(sides));
        phase = referee_state_draw(state, drawn, numbers);
      }
    }
    referee_state_free(state);
  }
  bench.SetItemsProcessed(turns);
}

void PlayoutsInC(benchmark::State& bench, const Subject& subject) {
  constexpr int64_t kBatch = 100;
  const InC in_c(subject);
  std::vector<int32_t> ranks(static_cast<size_t>(kBatch * subject.seats)), scores(ranks);
  int64_t turns = 0;
  uint64_t seed = 1;
  for (auto _ : bench) {
    turns += referee_state_playouts(in_c.start, kBatch, seed, ranks.data(), scores.data());
    seed += kBatch;
  }
  bench.SetItemsProcessed(turns);
}

// Positions met in random play, with a legal move of each.
struct Samples {
  std::shared_ptr<const Game> game;
  std::vector<std::unique_ptr<State>> states;
  std::vector<Move> moves;
  double mean_legal = 0;
};

Samples Sample(const Subject& subject) {
  constexpr size_t kSamples = 4096;
  const std::string only = subject.only;
  Samples samples{NewGame(subject), {}, {}, 0};
  Generator random(2);
  std::vector<Move> legal;
  std::unique_ptr<State> state;
  while (samples.states.size() < kSamples) {
    if (state == nullptr || state->phase() == Phase::kOver) state = samples.game->NewState();
    DrawFrom(&random, state.get());
    state->LegalMoves(&legal);
    const Move move = legal[random.Below(static_cast<uint32_t>(legal.size()))];
    if (state->Position().find(only) != std::string::npos) {
      samples.states.push_back(state->Clone());
      samples.moves.push_back(move);
      samples.mean_legal += static_cast<double>(legal.size()) / kSamples;
    }
    state->Apply(move);
  }
  return samples;
}

void LegalMoves(benchmark::State& bench, const Subject& subject) {
  const Samples samples = Sample(subject);
  std::vector<Move> legal;
  size_t i = 0;
  for (auto _ : bench) {
    samples.states[i]->LegalMoves(&legal);
    benchmark::DoNotOptimize(legal.data());
    i = (i + 1) % samples.states.size();
  }
  bench.counters["moves"] = samples.mean_legal;
}
// Apply needs a fresh state each time: the copy is part of the figure, and measured by itself next.
void CopyAndApply(benchmark::State& bench, const Subject& subject) {
  const Samples samples = Sample(subject);
  const auto scratch = samples.game->NewState();
  size_t i = 0;
  for (auto _ : bench) {
    scratch->CopyFrom(*samples.states[i]);
    scratch->Apply(samples.moves[i]);
    benchmark::DoNotOptimize(scratch->phase());
    i = (i + 1) % samples.states.size();
  }
}
void Copy(benchmark::State& bench, const Subject& subject) {
  const Samples samples = Sample(subject);
  const auto scratch = samples.game->NewState();
  size_t i = 0;
  for (auto _ : bench) {
    scratch->CopyFrom(*samples.states[i]);
    benchmark::DoNotOptimize(scratch->phase());
    i = (i + 1) % samples.states.size();
  }
}
void AppendPosition(benchmark::State& bench, const Subject& subject) {
  const Samples samples = Sample(subject);
  std::string text;
  size_t i = 0;
  for (auto _ : bench) {
    text.clear();
    samples.states[i]->AppendPosition(&text);
    benchmark::DoNotOptimize(text.data());
    i = (i + 1) % samples.states.size();
  }
}
void PositionToWire(benchmark::State& bench, const Subject& subject) {
  const Samples samples = Sample(subject);
  const referee::games::Entry entry = *referee::games::Find(subject.game);
  referee::v1::Position position;
  size_t i = 0;
  for (auto _ : bench) {
    entry.wire->PositionToWire(*samples.states[i], &position);
    benchmark::DoNotOptimize(&position);
    i = (i + 1) % samples.states.size();
  }
}
void Resolve(benchmark::State& bench, const Subject& subject) {
  const Samples samples = Sample(subject);
  std::vector<std::vector<Move>> legal(samples.states.size());
  for (size_t i = 0; i < legal.size(); ++i) samples.states[i]->LegalMoves(&legal[i]);
  size_t i = 0;
  for (auto _ : bench) {
    benchmark::DoNotOptimize(samples.states[i]->Resolve(samples.moves[i], legal[i]));
    i = (i + 1) % samples.states.size();
  }
}
void Register(const std::string& name, const Subject& subject) {
  const auto add = [&](const char* what, void (*run)(benchmark::State&, const Subject&)) {
    benchmark::RegisterBenchmark((std::string(what) + "/" + name).c_str(), run, subject);
  };
  if (*subject.only == '\0') {
    add("Playout", Playout);
    add("PlayoutInC", PlayoutInC);
    add("PlayoutsInC", PlayoutsInC);
  }
  add("LegalMoves", LegalMoves);
  add("CopyAndApply", CopyAndApply);
  add("Copy", Copy);
  add("AppendPosition", AppendPosition);
  add("PositionToWire", PositionToWire);
  add("Resolve", Resolve);
}

}  // namespace

int main(int argc, char** argv) {
  for (const int seats : {2, 4, 6}) {
    Register("hypnosia/" + std::to_string(seats), {"hypnosia", seats, {}});
  }
  Register("isaac", {"isaac", 2, {}});
  Register("isaac/exact", {"isaac", 2, {{"counter_advance", "EXACT"}}});
  Register("isaac/placement", {"isaac", 2, {}, " P "});
  Register("isaac/scoring", {"isaac", 2, {}, " S "});
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
}
