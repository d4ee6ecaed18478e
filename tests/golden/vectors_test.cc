// Reads the conformance vectors and computes each again from what it asks: with the referee's
// engine, and where there is one with a second implementation that shares nothing with it. A
// mismatch names the file and the line.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/util/json_util.h"
#include "google/protobuf/util/message_differencer.h"
#include "gtest/gtest.h"
#include "proto/referee/v1/game.pb.h"
#include "referee/games/catalogue.h"
#include "referee/games/game.h"
#include "tests/golden/naive.h"
#include "tests/golden/naive_rules.h"

namespace referee::golden {
namespace {

using games::Move;
using games::Phase;
using games::State;
using naive::Json;
using Texts = std::vector<std::string>;

std::string Unhex(const Json& hex) { return absl::HexStringToBytes(hex.get<std::string>()); }

// A vector's game, in the engine.
struct Subject {
  games::Entry entry;
  std::shared_ptr<const games::Game> game;
};

Subject SubjectOf(const Json& vector) {
  const games::Entry entry = games::Find(vector.at("game").get<std::string>()).value();
  std::vector<games::Option> options;
  for (const auto& option : vector.at("options").items()) {
    options.push_back({option.key(), option.value()});
  }
  return {entry, entry.type->Create(vector.at("seats"), options).value()};
}

std::unique_ptr<State> PositionOf(const Subject& subject, const Json& vector) {
  return subject.game->ParsePosition(vector.at("position").get<std::string>()).value();
}

Texts LegalTexts(const games::Game& game, const State& state) {
  std::vector<Move> legal;
  state.LegalMoves(&legal);
  Texts texts;
  for (const Move move : legal) texts.push_back(game.MoveText(move));
  return texts;
}

void ExpectEnd(const State& state, const Json& end) {
  ASSERT_EQ(state.phase(), Phase::kOver) << state.Position();
  const games::Outcome outcome = state.outcome();
  EXPECT_EQ(std::string(outcome.reason), end.at("reason"));
  EXPECT_EQ(Json(outcome.scores), end.at("scores"));
  EXPECT_EQ(Json(outcome.ranks), end.at("ranks"));
}

// --- Dice ---

// The match key of a vector, computed without the engine, and that the engine has the same.
std::string CheckedKey(const Json& vector) {
  const std::string seed = Unhex(vector.at("seed"));
  if (vector.contains("pinned")) {
    const std::string number = vector.at("pinned");
    EXPECT_EQ(seed, naive::Sha256("refdice-v1/pinned/" + number));
    EXPECT_EQ(dice::Hex(dice::PinnedSeed(std::stoull(number)).bytes), vector.at("seed"));
  }
  EXPECT_EQ(naive::Sha256(seed), Unhex(vector.at("commitment")));
  const dice::Seed engine_seed{dice::ParseHex32(vector.at("seed").get<std::string>()).value()};
  EXPECT_EQ(dice::Hex(dice::Commit(engine_seed)), vector.at("commitment"));
  const bool committed = vector.contains("nonces");
  Texts nonces;
  if (committed) {
    for (const Json& nonce : vector.at("nonces")) nonces.push_back(Unhex(nonce));
  }
  const dice::Key key =
      committed ? dice::CommittedKey(engine_seed, nonces) : dice::PinnedKey(engine_seed);
  EXPECT_EQ(dice::Hex(key.bytes()), vector.at("key"));
  const std::string expected = naive::MatchKey(seed, committed ? &nonces : nullptr);
  EXPECT_EQ(absl::BytesToHexString(expected), vector.at("key"));
  return expected;
}

// The engine takes labels as what they are for.
dice::Label EngineLabel(const std::string& text) {
  int first = 0, second = 0;
  if (std::sscanf(text.c_str(), "setup/%d/%d", &first, &second) == 2) {
    return dice::Label::Setup(first, Seat(second));
  }
  if (std::sscanf(text.c_str(), "roll/%d/%d", &first, &second) == 2) {
    return dice::Label::Roll(Seat(first), second);
  }
  if (std::sscanf(text.c_str(), "substitute/%d", &first) == 1) {
    return dice::Label::Substitute(static_cast<uint32_t>(first));
  }
  return dice::Label::FirstPlayer();
}

void CheckUniform(const Json& vector) {
  const std::string label = vector.at("label");
  const std::vector<int> values = vector.at("values");
  EXPECT_EQ(naive::Uniform(Unhex(vector.at("key")), label, vector.at("n"), values.size()), values);
  const dice::Key key(dice::ParseHex32(vector.at("key").get<std::string>()).value());
  ASSERT_EQ(EngineLabel(label).text(), label);
  std::vector<int> drawn(values.size());
  key.Uniform(EngineLabel(label), vector.at("n"), absl::MakeSpan(drawn));
  EXPECT_EQ(drawn, values);
}

// --- Positions ---

void CheckPosition(const Json& vector) {
  const Subject subject = SubjectOf(vector);
  const std::string text = vector.at("position");
  const std::string name(subject.entry.type->name());
  EXPECT_EQ(name == "isaac" ? naive::IsaacText(vector) : naive::HypnosiaText(vector), text);
  EXPECT_EQ(naive::Digest(text), vector.at("digest"));

  const std::unique_ptr<State> state = PositionOf(subject, vector);
  EXPECT_EQ(state->Position(), text);
  EXPECT_EQ(dice::DigestText(dice::Digest(text)), vector.at("digest"));
  ::referee::v1::Position wire, expected;
  subject.entry.wire->PositionToWire(*state, &wire);
  const Json whole = {{name, vector.at("value")}};
  const auto read = google::protobuf::util::JsonStringToMessage(whole.dump(), &expected);
  ASSERT_TRUE(read.ok()) << read.ToString();
  EXPECT_TRUE(google::protobuf::util::MessageDifferencer::Equals(wire, expected))
      << wire.ShortDebugString();
  Json roll = Json::array(), to_move;
  if (state->phase() == Phase::kTurn) {
    to_move = state->seat_to_move().index();
    for (const int die : state->roll()) roll.push_back(die);
  }
  EXPECT_EQ(to_move, vector.at("to_move"));
  EXPECT_EQ(roll, vector.at("roll"));
  for (int seat = 0; seat < subject.game->seats(); ++seat) {
    EXPECT_EQ(state->score(Seat(seat)), vector.at("scores").at(static_cast<size_t>(seat)));
  }
}

void CheckBadPosition(const Json& vector) {
  const auto state =
      SubjectOf(vector).game->ParsePosition(vector.at("position").get<std::string>());
  ASSERT_FALSE(state.ok());
  EXPECT_EQ(std::string(state.status().message()),
            absl::StrCat("position: ", vector.at("field").get<std::string>(), " (byte ",
                         vector.at("byte").get<int>(), "): ", vector.at("why").get<std::string>()));
}

void CheckEnd(const Json& vector) {
  ExpectEnd(*PositionOf(SubjectOf(vector), vector), vector.at("end"));
}

// --- Moves ---

void CheckLegal(const Json& vector) {
  const Subject subject = SubjectOf(vector);
  const Texts moves = vector.at("moves");
  EXPECT_EQ(LegalTexts(*subject.game, *PositionOf(subject, vector)), moves);
  EXPECT_EQ(naive::RulesOf(vector)->LegalMoves(vector.at("position")), moves);
}

// Holds what `state` has become, after a move or a forfeit, against the vector.
void ExpectNext(const Json& vector, State* state) {
  ASSERT_EQ(state->phase() == Phase::kChance, vector.contains("roll"));
  if (vector.contains("roll")) {
    std::vector<int> outcome = vector.at("roll");
    for (int& die : outcome) --die;
    state->ApplyChance(outcome);
  }
  EXPECT_EQ(state->Position(), vector.at("next"));
  ASSERT_EQ(state->phase() == Phase::kOver, vector.contains("end"));
  if (vector.contains("end")) ExpectEnd(*state, vector.at("end"));
}

void CheckApply(const Json& vector) {
  const Subject subject = SubjectOf(vector);
  const std::unique_ptr<State> state = PositionOf(subject, vector);
  const std::string text = vector.at("move");
  std::vector<Move> legal;
  state->LegalMoves(&legal);
  const auto move = state->Resolve(subject.game->ParseMove(text).value(), legal);
  ASSERT_TRUE(move.ok()) << move.status();
  EXPECT_EQ(subject.game->MoveText(*move), text);
  state->Apply(*move);
  ExpectNext(vector, state.get());
  EXPECT_EQ(naive::RulesOf(vector)->WrongAfter(vector.at("position"), text, vector.at("next")), "");
}

void CheckBadMove(const Json& vector) {
  const Subject subject = SubjectOf(vector);
  const std::unique_ptr<State> state = PositionOf(subject, vector);
  const auto claimed = subject.game->ParseMove(vector.at("move").get<std::string>());
  EXPECT_EQ(claimed.ok(), vector.at("readable"));
  absl::Status problem = claimed.status();
  if (claimed.ok()) {
    std::vector<Move> legal;
    state->LegalMoves(&legal);
    problem = state->Resolve(*claimed, legal).status();
  }
  EXPECT_EQ(std::string(problem.message()), vector.at("why"));
  const Texts legal = naive::RulesOf(vector)->LegalMoves(vector.at("position"));
  EXPECT_EQ(std::count(legal.begin(), legal.end(), vector.at("move")), 0);
}

void CheckForfeit(const Json& vector) {
  const std::unique_ptr<State> state = PositionOf(SubjectOf(vector), vector);
  state->Forfeit(Seat(vector.at("seat").get<int>()));
  ExpectNext(vector, state.get());
}

// --- Matches ---

// Plays a match again, from its options, its key and its moves.
class Replayed {
 public:
  explicit Replayed(const Json& vector)
      : vector_(vector),
        subject_(SubjectOf(vector)),
        rules_(naive::RulesOf(vector)),
        key_(CheckedKey(vector)),
        state_(subject_.game->NewState()) {}

  void Check() {
    Draw();
    EXPECT_EQ(setup_, vector_.at("setup"));
    EXPECT_EQ(state_->first_seat().index(), vector_.at("first"));
    EXPECT_EQ(state_->Position(), vector_.at("start"));
    std::string digest;
    for (const Json& turn : vector_.at("turns")) {
      SCOPED_TRACE(turn.dump());
      ASSERT_EQ(state_->phase(), Phase::kTurn);
      turn.contains("forfeit") ? state_->Forfeit(Seat(turn.at("forfeit").get<int>())) : Play(turn);
      Draw();
      const std::string position = state_->Position();
      ASSERT_EQ(position, turn.at("next"));
      digest = naive::Digest(position);
      ASSERT_EQ(digest, turn.at("digest"));
    }
    ExpectEnd(*state_, vector_.at("end"));
    EXPECT_EQ(digest, vector_.at("digest"));
  }

 private:
  void Play(const Json& turn) {
    const std::string position = state_->Position(), text = turn.at("move");
    const Texts legal = LegalTexts(*subject_.game, *state_);
    EXPECT_EQ(rules_->LegalMoves(position), legal);
    EXPECT_EQ(rules_->WrongAfter(position, text, turn.at("next")), "");
    EXPECT_EQ(state_->seat_to_move().index(), turn.at("seat"));
    EXPECT_EQ(legal.size(), turn.at("legal"));
    ASSERT_EQ(std::count(legal.begin(), legal.end(), text), 1);
    state_->Apply(subject_.game->ParseMove(text).value());
  }

  // Gives the engine what it waits for, by labels of our own.
  void Draw() {
    while (state_->phase() == Phase::kChance) {
      const games::Chance chance = state_->chance();
      const std::string seat = std::to_string(chance.seat.index());
      std::string label = "first-player";
      if (chance.kind == games::Chance::Kind::kSetupRoll) {
        label = absl::StrCat("setup/", chance.index, "/", seat);
      } else if (chance.kind == games::Chance::Kind::kTurnRoll) {
        label = absl::StrCat("roll/", seat, "/", rolls_[chance.seat.index()]++);
      }
      state_->ApplyChance(naive::Uniform(key_, label, chance.sides, chance.count));
      if (chance.kind != games::Chance::Kind::kSetupRoll) continue;
      setup_.push_back({{"round", chance.index},
                        {"seat", chance.seat.index()},
                        {"roll", naive::Roll(key_, label)}});
    }
  }

  const Json vector_;
  const Subject subject_;
  const std::unique_ptr<naive::Rules> rules_;
  const std::string key_;
  std::unique_ptr<State> state_;
  std::map<int, int> rolls_;  // of a seat's turns, so far
  Json setup_ = Json::array();
};

// --- Files ---

using Check = std::function<void(const Json&)>;

// Calls `check` for each line of a file of vectors.
void ForEachLine(const std::string& name, const Check& check) {
  const std::string path = absl::StrCat(REFEREE_SOURCE_DIR, "/tests/golden/vectors/", name);
  std::ifstream file(path);
  ASSERT_TRUE(file.is_open()) << path;
  std::string line;
  int number = 0;
  while (std::getline(file, line)) {
    ++number;
    const ::testing::ScopedTrace trace(path.c_str(), number, "this vector");
    ASSERT_NO_THROW(check(Json::parse(line)));
  }
  EXPECT_GT(number, 0) << path;
}

// Checks all lines of a file, each by its kind.
void CheckFile(const std::string& name, const std::map<std::string, Check>& checks) {
  std::set<std::string> seen;
  ForEachLine(name, [&](const Json& vector) {
    const std::string kind = vector.at("kind");
    ASSERT_EQ(checks.count(kind), 1u) << kind;
    checks.at(kind)(vector);
    seen.insert(kind);
  });
  EXPECT_EQ(seen.size(), checks.size()) << "a kind is missing";
}

TEST(Vectors, DiceFollowFromSeedAndNonces) {
  CheckFile("dice.jsonl", {{"key", CheckedKey}, {"uniform", CheckUniform}});
}

TEST(Vectors, PositionsAreTextAndStructureAndBadOnesHaveTheirCause) {
  CheckFile("positions.jsonl", {{"position", CheckPosition}, {"bad-position", CheckBadPosition}});
}

TEST(Vectors, MovesAreLegalOrHaveTheirCauseAndLeadToTheNextPosition) {
  CheckFile("moves.jsonl",
            {{"legal", CheckLegal}, {"apply", CheckApply}, {"bad-move", CheckBadMove}});
}

TEST(Vectors, EndsAndForfeitsRankTheSeats) {
  CheckFile("ends.jsonl", {{"end", CheckEnd}, {"forfeit", CheckForfeit}});
}

TEST(Vectors, MatchesFollowFromTheirKeyAndMoves) {
  CheckFile("matches.jsonl", {{"match", [](const Json& vector) { Replayed(vector).Check(); }}});
}

// For each of moves and matches: each number of seats, each value of each option but those that
// have too many.
TEST(Vectors, CoverAllGamesSeatsAndOptions) {
  for (const char* file : {"moves.jsonl", "matches.jsonl"}) {
    SCOPED_TRACE(file);
    std::set<std::string> seen;
    ForEachLine(file, [&seen](const Json& vector) {
      const std::string game = vector.at("game");
      seen.insert(absl::StrCat(game, " ", vector.at("seats").get<int>()));
      for (const auto& option : vector.at("options").items()) {
        seen.insert(absl::StrCat(game, " ", option.key(), "=", option.value().get<std::string>()));
      }
    });
    for (const games::Entry& entry : games::Catalogue()) {
      for (int seats = entry.type->min_seats(); seats <= entry.type->max_seats(); ++seats) {
        EXPECT_EQ(seen.count(absl::StrCat(entry.type->name(), " ", seats)), 1u) << seats;
      }
    }
    for (const char* value :
         {"hypnosia stack_bridges=true", "hypnosia stack_bridges=false", "hypnosia turn_limit=500",
          "hypnosia board=spiral-36-24-12", "isaac counter_advance=UP_TO",
          "isaac counter_advance=EXACT", "isaac first_player=RANDOM", "isaac first_player=SEAT_A",
          "isaac first_player=SEAT_B", "isaac scoring_starter=FIRST_PLAYER",
          "isaac scoring_starter=FIRST_TO_PASS"}) {
      EXPECT_EQ(seen.count(value), 1u) << value;
    }
  }
}

}  // namespace
}  // namespace referee::golden
