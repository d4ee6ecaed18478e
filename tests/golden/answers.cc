#include "tests/golden/answers.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "google/protobuf/util/json_util.h"
#include "proto/referee/v1/game.pb.h"

namespace referee::golden {
namespace {

using games::Move;
using games::Phase;
using games::State;

template <typename T>
T Checked(absl::StatusOr<T> value) {
  if (!value.ok()) throw std::runtime_error(std::string(value.status().message()));
  return *std::move(value);
}

int Number(absl::string_view text) {
  int number = 0;
  if (!absl::SimpleAtoi(text, &number)) throw std::runtime_error("not a number in a label");
  return number;
}

// A label as refdice-v1 writes it.
dice::Label LabelOf(const std::string& text) {
  const std::vector<std::string> parts = absl::StrSplit(text, '/');
  if (text == "first-player") return dice::Label::FirstPlayer();
  if (parts[0] == "setup")
    return dice::Label::Setup(Number(parts.at(1)), Seat(Number(parts.at(2))));
  if (parts[0] == "roll") return dice::Label::Roll(Seat(Number(parts.at(1))), Number(parts.at(2)));
  if (parts[0] == "substitute") {
    return dice::Label::Substitute(static_cast<uint32_t>(Number(parts.at(1))));
  }
  throw std::runtime_error("no such label: " + text);
}

Json UniformVector(const Json& question) {
  const dice::Key key = AnswerDice(question).key;
  const std::string label = question.at("label");
  const int n = question.at("n");
  std::vector<int> values(question.at("count").get<size_t>());
  key.Uniform(LabelOf(label), n, absl::MakeSpan(values));
  return {{"kind", "uniform"},
          {"key", dice::Hex(key.bytes())},
          {"label", label},
          {"n", n},
          {"values", values}};
}

// The vector so far: a kind, and the game's members.
Json Begun(const std::string& kind, const GameAnswer& game) {
  Json vector = {{"kind", kind}};
  vector.update(game.members);
  return vector;
}

// A position of a game as the wire has it, in protobuf's JSON.
Json WireValue(const GameAnswer& game, const State& state) {
  ::referee::v1::Position wire;
  game.entry.wire->PositionToWire(state, &wire);
  google::protobuf::util::JsonPrintOptions print;
  print.always_print_primitive_fields = true;
  print.preserve_proto_field_names = true;
  std::string text;
  const auto status = google::protobuf::util::MessageToJsonString(wire, &text, print);
  if (!status.ok()) throw std::runtime_error(status.ToString());
  return Json::parse(text).at(std::string(game.entry.type->name()));
}

// Draws the next dice as `roll` has them, and adds what the position has become.
void Finish(State* state, const std::vector<int>& roll, Json* vector) {
  if (state->phase() == Phase::kChance) {
    if (roll.size() != static_cast<size_t>(state->chance().count)) {
      throw std::runtime_error("the next seat rolls dice: say which, as roll");
    }
    (*vector)["roll"] = roll;
    std::vector<int> outcome = roll;
    for (int& die : outcome) --die;
    state->ApplyChance(outcome);
  }
  (*vector)["next"] = state->Position();
  if (state->phase() == Phase::kOver) (*vector)["end"] = EndOf(*state);
}

// Cuts the message of a refused position into its parts: "position: FIELD (byte N): WHY".
Json BadPositionVector(const GameAnswer& game, const std::string& position) {
  const auto state = game.game->ParsePosition(position);
  if (state.ok()) throw std::runtime_error("not a bad position: " + position);
  const std::string message(state.status().message());
  const std::string prefix = "position: ", before_byte = " (byte ", after_byte = "): ";
  const size_t field = prefix.size();
  const size_t byte = message.find(before_byte, field);
  const size_t why = message.find(after_byte, byte);
  if (!absl::StartsWith(message, prefix) || why == std::string::npos) {
    throw std::runtime_error("not the error of a position: " + message);
  }
  Json vector = Begun("bad-position", game);
  vector["position"] = position;
  vector["field"] = message.substr(field, byte - field);
  vector["byte"] =
      Number(message.substr(byte + before_byte.size(), why - byte - before_byte.size()));
  vector["why"] = message.substr(why + after_byte.size());
  return vector;
}

Json BadMoveVector(const GameAnswer& game, const State& state, const std::string& move) {
  Json vector = Begun("bad-move", game);
  vector["position"] = state.Position();
  vector["move"] = move;
  absl::Status problem = absl::OkStatus();
  const auto claimed = game.game->ParseMove(move);
  if (claimed.ok()) {
    std::vector<Move> legal;
    state.LegalMoves(&legal);
    problem = state.Resolve(*claimed, legal).status();
  } else {
    problem = claimed.status();
  }
  if (problem.ok()) throw std::runtime_error("not a bad move: " + move);
  vector["readable"] = claimed.ok();
  vector["why"] = std::string(problem.message());
  return vector;
}

std::vector<int> RollOf(const Json& question) { return question.value("roll", std::vector<int>()); }

// Kinds that ask about one position.
Json AnswerPosition(const std::string& kind, const Json& question) {
  const GameAnswer game = AnswerGame(question);
  const std::string position = question.at("position");
  if (kind == "bad-position") return BadPositionVector(game, position);
  const std::unique_ptr<State> state = Checked(game.game->ParsePosition(position));
  if (kind == "position") return PositionVector(game, *state);
  if (kind == "end") {
    Json vector = Begun(kind, game);
    vector["position"] = position;
    vector["end"] = EndOf(*state);
    return vector;
  }
  if (kind == "legal") return LegalVector(game, *state);
  if (kind == "apply") {
    const Move move = Checked(game.game->ParseMove(question.at("move").get<std::string>()));
    return ApplyVector(game, *state, move, RollOf(question));
  }
  if (kind == "forfeit") {
    return ForfeitVector(game, *state, Seat(question.at("seat").get<int>()), RollOf(question));
  }
  if (kind == "bad-move") return BadMoveVector(game, *state, question.at("move"));
  throw std::runtime_error("no such kind: " + kind);
}

}  // namespace

std::vector<Json> Answer(const Json& question) {
  const std::string kind = question.at("kind");
  if (kind == "key") {
    Json vector = {{"kind", kind}};
    vector.update(AnswerDice(question).members);
    return {vector};
  }
  if (kind == "uniform") return {UniformVector(question)};
  if (kind == "match") return {AnswerMatch(question)};
  if (kind == "walk") return AnswerWalk(question);
  return {AnswerPosition(kind, question)};
}

DiceAnswer AnswerDice(const Json& question) {
  Json members = Json::object();
  dice::Seed seed;
  if (question.contains("pinned")) {
    uint64_t number = 0;
    const std::string text = question.at("pinned");
    if (!absl::SimpleAtoi(text, &number)) throw std::runtime_error("not a number: " + text);
    members["pinned"] = text;
    seed = dice::PinnedSeed(number);
  } else {
    seed.bytes = Checked(dice::ParseHex32(question.at("seed").get<std::string>()));
  }
  members["seed"] = dice::Hex(seed.bytes);
  members["commitment"] = dice::Hex(dice::Commit(seed));
  std::vector<std::string> nonces;
  const bool committed = question.contains("nonces");
  if (committed) {
    members["nonces"] = question.at("nonces");
    for (const std::string hex : question.at("nonces")) {
      nonces.push_back(absl::HexStringToBytes(hex));
    }
  }
  const dice::Key key = committed ? dice::CommittedKey(seed, nonces) : dice::PinnedKey(seed);
  members["key"] = dice::Hex(key.bytes());
  return {seed, key, members};
}

GameAnswer AnswerGame(const Json& question) {
  const games::Entry entry = Checked(games::Find(question.at("game").get<std::string>()));
  const int seats = question.value("seats", entry.type->min_seats());
  std::vector<games::Option> given;
  const Json options_given = question.value("options", Json::object());
  for (const auto& option : options_given.items()) {
    given.push_back({option.key(), option.value()});
  }
  std::shared_ptr<const games::Game> game = Checked(entry.type->Create(seats, given));
  Json options = Json::object();
  for (const games::Option& option : game->source()) options[option.name] = option.value;
  const Json members = {
      {"game", std::string(game->name())}, {"seats", seats}, {"options", options}};
  return {entry, std::move(game), members};
}

Json EndOf(const State& state) {
  if (state.phase() != Phase::kOver) throw std::runtime_error("the position is not over");
  const games::Outcome outcome = state.outcome();
  return {{"reason", std::string(outcome.reason)},
          {"scores", outcome.scores},
          {"ranks", outcome.ranks}};
}

Json PositionVector(const GameAnswer& game, const State& state) {
  Json vector = Begun("position", game);
  const std::string position = state.Position();
  vector["position"] = position;
  vector["value"] = WireValue(game, state);
  vector["to_move"] = nullptr;
  vector["roll"] = Json::array();
  if (state.phase() == Phase::kTurn) {
    vector["to_move"] = state.seat_to_move().index();
    for (const int die : state.roll()) vector["roll"].push_back(die);
  }
  vector["scores"] = Json::array();
  for (int seat = 0; seat < game.game->seats(); ++seat) {
    vector["scores"].push_back(state.score(Seat(seat)));
  }
  vector["digest"] = dice::DigestText(dice::Digest(position));
  return vector;
}

Json LegalVector(const GameAnswer& game, const State& state) {
  if (state.phase() != Phase::kTurn) throw std::runtime_error("nobody is to move");
  Json vector = Begun("legal", game);
  vector["position"] = state.Position();
  vector["moves"] = Json::array();
  std::vector<Move> legal;
  state.LegalMoves(&legal);
  for (const Move move : legal) vector["moves"].push_back(game.game->MoveText(move));
  return vector;
}

Json ApplyVector(const GameAnswer& game, const State& state, Move move,
                 const std::vector<int>& roll) {
  std::vector<Move> legal;
  state.LegalMoves(&legal);
  const std::string text = game.game->MoveText(move);
  if (!std::binary_search(legal.begin(), legal.end(), move)) {
    throw std::runtime_error("not a legal move: " + text);
  }
  Json vector = Begun("apply", game);
  vector["position"] = state.Position();
  vector["move"] = text;
  const std::unique_ptr<State> next = state.Clone();
  next->Apply(move);
  Finish(next.get(), roll, &vector);
  return vector;
}

Json ForfeitVector(const GameAnswer& game, const State& state, Seat seat,
                   const std::vector<int>& roll) {
  Json vector = Begun("forfeit", game);
  vector["position"] = state.Position();
  vector["seat"] = seat.index();
  const std::unique_ptr<State> next = state.Clone();
  next->Forfeit(seat);
  Finish(next.get(), roll, &vector);
  return vector;
}

}  // namespace referee::golden
