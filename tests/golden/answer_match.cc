// Whole matches and walks along them. Matches are run by the state machine that runs them in the
// referee, so that a vector holds what a replay would.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "referee/base/clock.h"
#include "referee/match/match.h"
#include "tests/golden/answers.h"

namespace referee::golden {
namespace {

using games::Move;
using games::Phase;
using games::State;

// Chooses for all seats. Every choice follows from the key, as a referee's would in a bot's place.
class Chooser {
 public:
  // With `points`, only among the moves after which the seat leads by most.
  Chooser(const dice::Key& key, bool points) : key_(key), points_(points) {}

  Move Choose(const State& state, absl::Span<const Move> legal, uint32_t turn) {
    best_.assign(legal.begin(), legal.end());
    if (points_) KeepBest(state);
    if (best_.size() == 1) return best_.front();
    int choice = 0;
    key_.Uniform(dice::Label::Substitute(turn), static_cast<int>(best_.size()),
                 absl::MakeSpan(&choice, 1));
    return best_[static_cast<size_t>(choice)];
  }

 private:
  void KeepBest(const State& state) {
    const Seat seat = state.seat_to_move();
    int most = 0;
    std::vector<Move> best;
    for (const Move move : best_) {
      const std::unique_ptr<State> next = state.Clone();
      next->Apply(move);
      const int points = next->score(seat) - state.score(seat);
      if (best.empty() || points > most) best.clear();
      if (best.empty()) most = points;
      if (points == most) best.push_back(move);
    }
    best_ = std::move(best);
  }

  const dice::Key key_;
  const bool points_;
  std::vector<Move> best_;
};

// Runs a match in a world where nothing takes time, and takes down what is recorded.
class Table {
 public:
  Table(const Json& question, const GameAnswer& game, const DiceAnswer& dice)
      : question_(question),
        match_(SetupOf(game, dice), dice.seed),
        chooser_(dice.key, question.value("choose", "random") == "points") {
    vector_ = {{"kind", "match"}};
    vector_.update(game.members);
    vector_.update(dice.members);
    vector_["setup"] = Json::array();
    vector_["first"] = nullptr;
    vector_["start"] = nullptr;
    vector_["turns"] = Json::array();
  }

  Json Run() {
    Step(match::Begin{});
    const Json given = question_.value("nonces", Json::array());
    std::vector<std::string> nonces(static_cast<size_t>(match_.seats()));
    for (size_t seat = 0; seat < nonces.size(); ++seat) {
      if (!given.empty()) nonces[seat] = absl::HexStringToBytes(given.at(seat).get<std::string>());
      Step(match::ReadyReceived{Seat(static_cast<int>(seat)), dice::HashNonce(nonces[seat])});
    }
    if (match_.AsksNonces()) {
      for (size_t seat = 0; seat < nonces.size(); ++seat) {
        Step(match::NonceReceived{Seat(static_cast<int>(seat)), nonces[seat]});
      }
    }
    while (match_.stage() == match::Match::Stage::kPlaying) PlayTurn();
    return vector_;
  }

 private:
  static match::Setup SetupOf(const GameAnswer& game, const DiceAnswer& dice) {
    match::Setup setup;
    const uint8_t no_chance[10] = {};
    setup.id = MatchId::Make(absl::UnixEpoch(), no_chance);
    setup.create_time = absl::UnixEpoch();
    setup.bots.assign(static_cast<size_t>(game.game->seats()), "bot");
    setup.game = game.game;
    if (!dice.members.contains("nonces")) setup.dice_source.pinned_seed = dice.seed;
    setup.commitment = dice::Commit(dice.seed);
    setup.referee = "vectors";
    return setup;
  }

  void PlayTurn() {
    const uint32_t turn = match_.turn();
    for (const Json& forfeit : question_.value("forfeits", Json::array())) {
      const Seat seat(forfeit.at("seat").get<int>());
      if (forfeit.at("turn") != turn || match_.state().forfeited(seat)) continue;
      return Step(match::Resigned{seat});
    }
    const Seat seat = match_.seat_to_move();
    const Move move = chooser_.Choose(match_.state(), match_.legal_moves(), turn);
    const uint32_t request = match_.request();
    Step(match::RequestSent{seat, turn, {}, request});
    Step(match::Replied{seat, turn, move, Instant::InfiniteFuture(), request});
  }

  void Step(const match::Event& event) {
    for (const match::Effect& effect :
         match_.Step(event, Instant(), {Instant(), absl::UnixEpoch()})) {
      const auto* record = std::get_if<match::Record>(&effect);
      if (record != nullptr) std::visit([this](const auto& known) { Take(known); }, *record);
    }
  }

  void Take(const match::Started&) { Replay(match_.setup().game->NewState()); }
  void Take(const match::Drawn& drawn) {
    if (drawn.kind != games::Chance::Kind::kSetupRoll) return;
    vector_["setup"].push_back({{"round", drawn.round},
                                {"seat", drawn.seat.index()},
                                {"roll", {drawn.roll[0], drawn.roll[1]}}});
  }
  void Take(const match::Played& played) {
    const std::string move = match_.setup().game->MoveText(played.move);
    state_->Apply(played.move);
    Replay(std::move(state_));
    vector_["turns"].push_back({{"seat", played.seat.index()},
                                {"move", move},
                                {"legal", played.legal_count},
                                {"next", state_->Position()},
                                {"digest", dice::DigestText(played.digest)}});
  }
  void Take(const match::Forfeited& forfeited) {
    state_->Forfeit(forfeited.seat);
    Replay(std::move(state_));
    vector_["turns"].push_back({{"forfeit", forfeited.seat.index()},
                                {"next", state_->Position()},
                                {"digest", dice::DigestText(forfeited.digest)}});
  }
  void Take(const match::Ended& ended) {
    vector_["end"] = {{"reason", ended.reason}, {"scores", ended.scores}, {"ranks", ended.ranks}};
    vector_["digest"] = vector_["turns"].back().at("digest");
  }

  // What else can be recorded takes time, a fault or a restart, of which there are none here.
  template <typename Other>
  void Take(const Other&) {}

  // Draws what the position waits for: records hold digests, no positions.
  void Replay(std::unique_ptr<State> state) {
    state_ = std::move(state);
    const dice::Key key = AnswerDice(vector_).key;
    games::DrawChance(key, state_.get(), [](const games::Chance&, absl::Span<const int>) {});
    if (!vector_["start"].is_null()) return;
    vector_["first"] = state_->first_seat().index();
    vector_["start"] = state_->Position();
  }

  const Json question_;
  match::Match match_;
  Chooser chooser_;
  std::unique_ptr<State> state_;
  Json vector_;
};

}  // namespace

Json AnswerMatch(const Json& question) {
  const GameAnswer game = AnswerGame(question);
  const DiceAnswer dice = AnswerDice(question);
  return Table(question, game, dice).Run();
}

std::vector<Json> AnswerWalk(const Json& question) {
  const GameAnswer game = AnswerGame(question);
  const dice::Key key = AnswerDice(question).key;
  const uint32_t from = question.value("from", 1u), every = question.at("every");
  Chooser chooser(key, question.value("choose", "random") == "points");
  const std::unique_ptr<State> state = game.game->NewState();
  std::vector<int> roll;
  const auto draw = [&](State* drawn) {
    roll.clear();
    games::DrawChance(key, drawn, [&](const games::Chance&, absl::Span<const int> outcome) {
      roll.assign(outcome.begin(), outcome.end());
      for (int& die : roll) ++die;
    });
  };
  draw(state.get());
  std::vector<Json> vectors;
  std::vector<Move> legal;
  for (uint32_t turn = 1; state->phase() == Phase::kTurn; ++turn) {
    state->LegalMoves(&legal);
    const Move move = chooser.Choose(*state, legal, turn);
    const std::unique_ptr<State> before = state->Clone();
    state->Apply(move);
    draw(state.get());
    const bool last = state->phase() == Phase::kOver;
    if (last) vectors.push_back(PositionVector(game, *state));
    if (!last && (turn < from || (turn - from) % every != 0)) continue;
    vectors.push_back(PositionVector(game, *before));
    vectors.push_back(LegalVector(game, *before));
    vectors.push_back(ApplyVector(game, *before, move, roll));
  }
  return vectors;
}

}  // namespace referee::golden
