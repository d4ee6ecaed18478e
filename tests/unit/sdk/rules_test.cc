// Tests of converting turns to states of the rules and moves back, for every game.
#include "referee/sdk/rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "referee/games/catalogue.h"

namespace referee::sdk {
namespace {

const Match MatchOf(const std::string& name, const games::Game& game, const games::Wire& wire) {
  v1::MatchStart start;
  start.mutable_match()->set_game(name);
  for (int seat = 0; seat < game.seats(); ++seat) start.mutable_match()->add_bots("bot");
  wire.OptionsToWire(game, start.mutable_match()->mutable_options());
  return Match(start, Logger());
}

// What a referee would ask for in this state.
v1::TurnRequest RequestFor(const games::Game& game, const games::Wire& wire,
                           const games::State& state) {
  v1::TurnRequest request;
  request.set_seat(static_cast<uint32_t>(state.seat_to_move().index()));
  request.set_position_text(state.Position());
  std::vector<games::Move> legal;
  state.LegalMoves(&legal);
  for (const games::Move move : legal) wire.MoveToWire(game, move, request.add_legal_moves());
  return request;
}

// The same request, with the moves as text; each move of it is to be the same message.
void ExpectTheSameMovesAsText(const Match& match, const games::Game& game, const games::Wire& wire,
                              const games::State& state, v1::TurnRequest request) {
  const google::protobuf::RepeatedPtrField<Move> moves = request.legal_moves();
  request.clear_legal_moves();
  wire.PositionToWire(state, request.mutable_position());
  std::vector<games::Move> legal;
  state.LegalMoves(&legal);
  for (const games::Move move : legal) {
    request.mutable_legal_notations()->append(game.MoveText(move) + "\n");
  }
  const Turn turn(match, request, std::chrono::steady_clock::now());
  ASSERT_EQ(turn.legal_count(), moves.size());
  ASSERT_EQ(turn.legal_moves().size(), moves.size());
  for (int i = 0; i < moves.size(); ++i) {
    const std::string expected = moves[i].SerializeAsString();
    ASSERT_EQ(turn.legal_move(i).SerializeAsString(), expected) << request.legal_notations();
    ASSERT_EQ(turn.legal_moves()[i].SerializeAsString(), expected);
  }
}

// Plays a match, and at each turn goes over to the rules and back.
void PlayThrough(const games::Entry& entry, const std::vector<games::Option>& options) {
  const auto game = entry.type->Create(2, options).value();
  const Match match = MatchOf(std::string(entry.type->name()), *game, *entry.wire);
  const MatchRules rules = MatchRules::Of(match).value();
  ASSERT_EQ(rules.game().options(), game->options());
  const auto key = dice::PinnedKey(dice::PinnedSeed(1));
  const auto no_one = [](const games::Chance&, absl::Span<const int>) {};
  const std::unique_ptr<games::State> state = game->NewState();
  games::DrawChance(key, state.get(), no_one);
  while (state->phase() == games::Phase::kTurn) {
    const v1::TurnRequest request = RequestFor(*game, *entry.wire, *state);
    const Turn turn(match, request, std::chrono::steady_clock::now());
    ExpectTheSameMovesAsText(match, *game, *entry.wire, *state, request);
    const std::unique_ptr<games::State> same = rules.StateOf(turn).value();
    ASSERT_EQ(same->Position(), state->Position());
    ASSERT_EQ(same->seat_to_move().index(), turn.seat());
    std::vector<games::Move> legal;
    same->LegalMoves(&legal);
    ASSERT_EQ(static_cast<int>(legal.size()), turn.legal_count());
    for (int i = 0; i < turn.legal_count(); ++i) {
      ASSERT_EQ(rules.FromSdk(turn.legal_move(i)).value(), legal[i]);
      const Move back = rules.ToSdk(legal[i]);
      ASSERT_EQ(state->Resolve(entry.wire->MoveFromWire(*game, back).value(), legal).value(),
                legal[i]);
    }
    state->Apply(legal[legal.size() / 2]);
    games::DrawChance(key, state.get(), no_one);
  }
}

TEST(MatchRules, LeadFromEveryTurnOfEveryGameToTheRulesAndBack) {
  for (const games::Entry& entry : games::Catalogue()) PlayThrough(entry, {});
}

TEST(MatchRules, HaveTheOptionsOfTheMatch) {
  const auto hypnosia = games::Find("hypnosia").value();
  PlayThrough(hypnosia, {{"stack_bridges", "false"}, {"turn_limit", "30"}});
  PlayThrough(hypnosia, {{"board",
                          R"({"name": "tiny", "rings": [{"size": 7, "bridges": [{"from": 0}]}],
                              "lane_entries": [0, 1, 2, 3, 4, 5], "centre_places": 2})"}});
  PlayThrough(games::Find("isaac").value(), {{"counter_advance", "EXACT"},
                                             {"first_player", "SEAT_B"},
                                             {"scoring_starter", "FIRST_TO_PASS"}});
}

TEST(MatchRules, OfAnUnknownGameAreRefused) {
  v1::MatchStart start;
  start.mutable_match()->set_game("chess");
  EXPECT_EQ(MatchRules::Of(Match(start, Logger())).status().code(), absl::StatusCode::kNotFound);
}

TEST(OptionValues, AreWrittenAsTheCommandLineTakesThem) {
  GameOptions options;
  EXPECT_TRUE(OptionValues(options).empty());
  options.mutable_isaac()->set_counter_advance(::games::isaac::v1::COUNTER_ADVANCE_UP_TO);
  ASSERT_EQ(OptionValues(options).size(), 1u);
  EXPECT_EQ(OptionValues(options)[0].name, "counter_advance");
  EXPECT_EQ(OptionValues(options)[0].value, "UP_TO");
  options.mutable_hypnosia()->set_board("name: \"quoted\"\n");
  options.mutable_hypnosia()->set_stack_bridges(false);
  options.mutable_hypnosia()->set_turn_limit(20);
  std::vector<std::string> values;
  for (const OptionValue& option : OptionValues(options)) values.push_back(option.value);
  EXPECT_THAT(values, ::testing::ElementsAre("name: \"quoted\"\n", "false", "20"));
}

}  // namespace
}  // namespace referee::sdk
