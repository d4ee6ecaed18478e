#include "tests/support/random_walk.h"

#include <algorithm>
#include <memory>
#include <random>
#include <string>

#include "google/protobuf/util/message_differencer.h"
#include "gtest/gtest.h"
#include "referee/dice/dice.h"

namespace referee::testing {
namespace {

using games::Game;
using games::Move;
using games::Phase;
using games::State;

constexpr int kMaxTurns = 20'000;

// The action of a turn, for the second run.
struct Deed {
  Seat forfeit;  // valid: this seat forfeited instead of a move
  Move move;
  uint64_t digest = 0;  // of the position after the action
};

class Walker {
 public:
  Walker(const games::Entry& entry, const Game& game, const RandomWalk& walk)
      : entry_(entry),
        game_(game),
        walk_(walk),
        key_(dice::PinnedKey(dice::PinnedSeed(walk.seed))),
        random_(walk.seed),
        state_(game.NewState()),
        scratch_(game.NewState()) {}

  void Walk() {
    Draw(state_.get());
    while (state_->phase() != Phase::kOver && !::testing::Test::HasFailure()) {
      ASSERT_LT(deeds_.size(), kMaxTurns);
      CheckPosition();
      TakeTurn();
    }
    if (::testing::Test::HasFailure()) return;
    CheckPosition();
    CheckOutcome();
    Replay();
  }

 private:
  void Draw(State* state) const {
    games::DrawChance(key_, state, [](const games::Chance&, absl::Span<const int> outcome) {
      for (const int number : outcome) ASSERT_GE(number, 0);
    });
  }
  static uint64_t DigestOf(const State& state) { return dice::Digest(state.Position()); }
  int Below(size_t n) { return static_cast<int>(random_() % n); }

  void TakeTurn() {
    state_->LegalMoves(&legal_);
    CheckLegalMoves();
    const Move move = legal_[Below(legal_.size())];
    if (walk_.before_move) walk_.before_move(*state_, legal_, move);
    CheckMove(move);
    CheckMutations(move);
    Deed deed;
    if (walk_.forfeit_one_in > 0 && Below(walk_.forfeit_one_in) == 0) {
      deed.forfeit = SomeSeatLeft();
      state_->Forfeit(deed.forfeit);
      EXPECT_TRUE(state_->forfeited(deed.forfeit));
    } else {
      deed.move = move;
      state_->Apply(move);
    }
    Draw(state_.get());
    deed.digest = DigestOf(*state_);
    deeds_.push_back(deed);
    if (!deed.forfeit.valid() && walk_.after_move) walk_.after_move(*state_);
  }

  Seat SomeSeatLeft() {
    std::vector<Seat> left;
    for (int seat = 0; seat < game_.seats(); ++seat) {
      if (!state_->forfeited(Seat(seat))) left.push_back(Seat(seat));
    }
    return left[Below(left.size())];
  }

  void CheckLegalMoves() {
    ASSERT_FALSE(legal_.empty());
    std::vector<std::string> texts;
    for (const Move move : legal_) {
      texts.push_back(game_.MoveText(move));
      EXPECT_TRUE(legal_.size() == 1 || !move.is_pass());
    }
    for (size_t i = 1; i < legal_.size(); ++i) {
      EXPECT_LT(legal_[i - 1], legal_[i]) << texts[i - 1] << " before " << texts[i];
      EXPECT_LT(texts[i - 1], texts[i]);
    }
    for (size_t i = 0; i < legal_.size(); ++i) {
      const auto parsed = game_.ParseMove(texts[i]);
      ASSERT_TRUE(parsed.ok()) << texts[i] << ": " << parsed.status();
      EXPECT_EQ(*parsed, legal_[i]) << texts[i];
    }
  }

  void CheckMove(Move move) {
    const auto resolved = state_->Resolve(move, legal_);
    ASSERT_TRUE(resolved.ok()) << resolved.status();
    EXPECT_EQ(*resolved, move);

    entry_.wire->MoveToWire(game_, move, &wire_move_);
    ::referee::v1::Move fresh;
    entry_.wire->MoveToWire(game_, move, &fresh);
    EXPECT_TRUE(google::protobuf::util::MessageDifferencer::Equals(wire_move_, fresh));
    const auto received = entry_.wire->MoveFromWire(game_, wire_move_);
    ASSERT_TRUE(received.ok()) << received.status();
    const auto meant = state_->Resolve(*received, legal_);
    ASSERT_TRUE(meant.ok()) << meant.status();
    EXPECT_EQ(*meant, move);

    ::referee::v1::Move notation;
    notation.set_notation(game_.MoveText(move));
    const auto read = entry_.wire->MoveFromWire(game_, notation);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(*read, move);
  }

  // A mutated notation must be refused, unless it is the notation of another legal move.
  void CheckMutations(Move move) {
    static constexpr char kAlphabet[] = "0123456789:>*xABCHLX -+hv";
    const std::string text = game_.MoveText(move);
    for (int i = 0; i < 8; ++i) {
      std::string mutated = text;
      const size_t at = static_cast<size_t>(Below(text.size()));
      switch (Below(3)) {
        case 0:
          mutated[at] = kAlphabet[Below(sizeof(kAlphabet) - 1)];
          break;
        case 1:
          mutated.erase(at, 1);
          break;
        default:
          mutated.insert(at, 1, kAlphabet[Below(sizeof(kAlphabet) - 1)]);
      }
      const auto claimed = game_.ParseMove(mutated);
      if (!claimed.ok()) continue;
      const auto resolved = state_->Resolve(*claimed, legal_);
      if (!resolved.ok()) continue;
      EXPECT_EQ(game_.MoveText(*resolved), mutated);
      EXPECT_TRUE(std::binary_search(legal_.begin(), legal_.end(), *resolved)) << mutated;
    }
  }

  void CheckPosition() {
    const std::string position = state_->Position();
    const auto parsed = game_.ParsePosition(position);
    ASSERT_TRUE(parsed.ok()) << position << ": " << parsed.status();
    EXPECT_EQ((*parsed)->Position(), position);
    EXPECT_EQ((*parsed)->phase(), state_->phase());
    EXPECT_EQ((*parsed)->seat_to_move(), state_->seat_to_move());
    for (int seat = 0; seat < game_.seats(); ++seat) {
      EXPECT_EQ((*parsed)->score(Seat(seat)), state_->score(Seat(seat)));
    }

    const std::unique_ptr<State> clone = state_->Clone();
    EXPECT_EQ(clone->Position(), position);
    scratch_->CopyFrom(*state_);
    EXPECT_EQ(scratch_->Position(), position);
    EXPECT_EQ(scratch_->first_seat(), state_->first_seat());

    entry_.wire->PositionToWire(*state_, &wire_position_);
    ::referee::v1::Position fresh;
    entry_.wire->PositionToWire(*state_, &fresh);
    EXPECT_TRUE(google::protobuf::util::MessageDifferencer::Equals(wire_position_, fresh));
    EXPECT_FALSE(state_->Draw({}, Move::Pass()).empty());

    if (state_->phase() != Phase::kTurn) return;
    state_->LegalMoves(&legal_);
    for (const State* other : {parsed->get(), clone.get(), scratch_.get()}) {
      std::vector<Move> moves;
      other->LegalMoves(&moves);
      EXPECT_EQ(moves, legal_) << position;
    }
  }

  void CheckOutcome() {
    const games::Outcome outcome = state_->outcome();
    const auto parsed = game_.ParsePosition(state_->Position());
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    EXPECT_EQ((*parsed)->outcome().reason, outcome.reason);
    EXPECT_EQ((*parsed)->outcome().scores, outcome.scores);
    if (PositionSaysWhoForfeited(**parsed)) {
      EXPECT_EQ((*parsed)->outcome().ranks, outcome.ranks);
    }
    ASSERT_EQ(outcome.scores.size(), static_cast<size_t>(game_.seats()));
    ASSERT_EQ(outcome.ranks.size(), static_cast<size_t>(game_.seats()));
    for (int seat = 0; seat < game_.seats(); ++seat) {
      EXPECT_EQ(outcome.scores[seat], state_->score(Seat(seat)));
    }
    // Competition ranks: a rank is one more than the number of better seats.
    for (const int rank : outcome.ranks) {
      EXPECT_EQ(rank, 1 + std::count_if(outcome.ranks.begin(), outcome.ranks.end(),
                                        [rank](int other) { return other < rank; }));
    }
    EXPECT_FALSE(outcome.reason.empty());
    EXPECT_FALSE(state_->seat_to_move().valid());
  }

  bool PositionSaysWhoForfeited(const State& parsed) const {
    for (int seat = 0; seat < game_.seats(); ++seat) {
      if (parsed.forfeited(Seat(seat)) != state_->forfeited(Seat(seat))) return false;
    }
    return true;
  }

  // Plays the same match again, on a copy that has been used before.
  void Replay() {
    scratch_->CopyFrom(*game_.NewState());
    Draw(scratch_.get());
    for (const Deed& deed : deeds_) {
      if (deed.forfeit.valid()) {
        scratch_->Forfeit(deed.forfeit);
      } else {
        scratch_->Apply(deed.move);
      }
      Draw(scratch_.get());
      ASSERT_EQ(DigestOf(*scratch_), deed.digest);
    }
    EXPECT_EQ(scratch_->outcome().reason, state_->outcome().reason);
  }

  const games::Entry& entry_;
  const Game& game_;
  const RandomWalk& walk_;
  const dice::Key key_;
  std::mt19937_64 random_;
  const std::unique_ptr<State> state_;
  const std::unique_ptr<State> scratch_;
  std::vector<Move> legal_;
  std::vector<Deed> deeds_;
  ::referee::v1::Move wire_move_;
  ::referee::v1::Position wire_position_;
};

}  // namespace

void WalkAndCheck(const games::Entry& entry, const Game& game, const RandomWalk& walk) {
  SCOPED_TRACE(::testing::Message() << "seed " << walk.seed << ", " << game.seats() << " seats");
  Walker(entry, game, walk).Walk();
}

}  // namespace referee::testing
