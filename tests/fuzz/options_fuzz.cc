// Options of games, files such as boards among them: "h2" (fuzzed_game.h), the first letter of an
// option's name, then its value. A game that can be made can be made again from what it says of
// itself, and can be played.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "tests/fuzz/claim.h"
#include "tests/fuzz/fuzzed_bytes.h"
#include "tests/fuzz/fuzzed_game.h"

namespace referee::fuzz {
namespace {

constexpr int kMaxPlies = 12;

games::Option TakeOption(const games::GameType& type, FuzzedBytes* bytes) {
  const auto specs = type.option_specs();
  const uint8_t letter = bytes->Byte();
  size_t chosen = letter % specs.size();
  for (size_t i = 0; i < specs.size(); ++i) {
    if (specs[i].name.front() == static_cast<char>(letter)) chosen = i;
  }
  return {std::string(specs[chosen].name), std::string(bytes->Rest())};
}

void Play(const games::Game& game) {
  const std::unique_ptr<games::State> state = game.NewState();
  DrawDice(state.get());
  std::vector<games::Move> legal;
  for (int ply = 0; ply < kMaxPlies && state->phase() == games::Phase::kTurn; ++ply) {
    ClaimPosition(game, *state);
    state->LegalMoves(&legal);
    state->Apply(legal[static_cast<size_t>(ply * 5 + 1) % legal.size()]);
    DrawDice(state.get());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  FuzzedBytes bytes(data, size);
  const games::Entry entry = TakeEntry(&bytes);
  const int seats = TakeSeats(entry, &bytes);
  const games::Option option = TakeOption(*entry.type, &bytes);
  const auto game = entry.type->Create(seats, {option});
  if (!game.ok()) {
    Claim(!game.status().message().empty(), "a refusal says why", option.value);
    return 0;
  }
  const auto again = entry.type->Create(seats, (*game)->source());
  Claim(again.ok(), "a game can be made from its source", option.value);
  Claim((*again)->options() == (*game)->options(), "the same source makes the same game",
        option.value);
  // One that is empty by default may be left out.
  const auto filled = [](const games::OptionSpec& spec) { return !spec.default_value.empty(); };
  const auto specs = entry.type->option_specs();
  Claim((*game)->options().size() >=
            static_cast<size_t>(std::count_if(specs.begin(), specs.end(), filled)),
        "a game shows every option", option.value);
  Play(**game);
  return 0;
}

}  // namespace referee::fuzz
