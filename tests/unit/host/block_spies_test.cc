// Tests that colluding bots of a block never learn a roll that they have yet to make.
//
// The bots remember and share all that they see in its matches, through faults of bots and referee.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "referee/games/catalogue.h"
#include "referee/replay/verifier.h"
#include "tests/unit/host/host_fixture.h"

namespace referee::testing {
namespace {

// What all bots of a block have seen, in all of its matches.
struct Memory {
  dice::Seed seed;  // which they do not know: says what they would look for
  bool committed = false;
  std::set<std::pair<int, int>> rolls;  // the k-th of a seat
  // Of positions, with the turn that led there: late in a game, positions come again.
  std::set<std::pair<uint32_t, uint64_t>> digests;
};

// Remembers what it is told, and holds it against what it is asked.
class Spy final : public FakeLink {
 public:
  struct Asked {
    std::shared_ptr<host::MatchRunner> runner;
    Seat seat;
    uint32_t turn;
    uint32_t request;
    games::Move move;
    // That its legal moves lead to: the rolls, and the digests of the positions with them.
    std::set<std::pair<int, int>> next_rolls;
    std::set<uint64_t> next_digests;
  };

  Spy(const Clock* clock, Memory* memory, std::mt19937* random)
      : FakeLink(clock), memory_(memory), random_(random) {}

  void TellStart(const match::Match& match, Seat) override {
    const MatchId& id = match.setup().id;
    if (match.stage() == match::Match::Stage::kPlaying) {
      Look(match);
    } else {
      ready.insert(id);
    }
  }
  void AskNonce(const match::Match& match, Seat) override { reveal.insert(match.setup().id); }
  void AskTurn(const std::shared_ptr<host::MatchRunner>& runner, const match::Match& match,
               Seat seat) override {
    Look(match);
    const auto legal = match.legal_moves();
    Asked asked{runner, seat, match.turn(), match.request(), legal[(*random_)() % legal.size()],
                {},     {}};
    const dice::Key key = KeyOf(match);
    for (const games::Move move : legal) {
      const auto ahead = match.state().Clone();
      ahead->Apply(move);
      if (ahead->phase() != games::Phase::kChance) continue;
      const games::Chance chance = ahead->chance();
      asked.next_rolls.insert({chance.seat.index(), chance.index});
      games::DrawOnce(key, ahead.get(), [](const games::Chance&, absl::Span<const int>) {});
      asked.next_digests.insert(dice::Digest(ahead->Position()));
    }
    open[match.setup().id] = std::move(asked);
    FakeLink::AskTurn(runner, match, seat);
  }
  void TellPlayed(const match::Match& match, const match::Played& played) override {
    memory_->digests.insert({played.number, played.digest});
    const auto asked = open.find(match.setup().id);
    if (asked != open.end() && asked->second.turn <= played.number) open.erase(asked);
    Look(match);
  }
  void TellForfeited(const match::Match& match, const match::Forfeited& forfeited) override {
    memory_->digests.insert({forfeited.number - 1, forfeited.digest});
    const auto asked = open.find(match.setup().id);
    if (asked != open.end() && asked->second.seat == forfeited.seat) open.erase(asked);
    Look(match);
  }
  void TellEnded(const host::MatchRunner& runner) override {
    open.erase(runner.id());
    ready.erase(runner.id());
    reveal.erase(runner.id());
    if (runner.ended()->ending == match::Ending::kFinished) ++finished;
  }

  // Whether a bot that is about to answer knows what will be rolled then. One that comes too late
  // decides nothing: the referee has played for it.
  bool Knows(const Asked& asked) const {
    bool decides = false;
    asked.runner->Inspect([&](const host::MatchRunner& runner) {
      decides = runner.match() != nullptr && runner.match()->seat_to_move() == asked.seat &&
                runner.match()->turn() == asked.turn;
    });
    if (!decides) return false;
    for (const auto& roll : asked.next_rolls) {
      if (memory_->rolls.count(roll) > 0) return true;
    }
    for (const uint64_t digest : asked.next_digests) {
      if (memory_->digests.count({asked.turn, digest}) > 0) return true;
    }
    return false;
  }

  std::set<MatchId> ready;   // that want a Ready
  std::set<MatchId> reveal;  // that want a nonce
  std::map<MatchId, Asked> open;
  int finished = 0;

 private:
  // The dice on the table.
  void Look(const match::Match& match) {
    if (match.state().phase() != games::Phase::kTurn) return;
    memory_->rolls.insert({match.state().seat_to_move().index(), RollsBefore(match)});
  }
  // How many rolls the seat to move had before this one: plays on until it rolls again.
  static int RollsBefore(const match::Match& match) {
    const auto ahead = match.state().Clone();
    const Seat seat = ahead->seat_to_move();
    std::vector<games::Move> legal;
    while (ahead->phase() == games::Phase::kTurn) {
      ahead->LegalMoves(&legal);
      ahead->Apply(legal.front());
      while (ahead->phase() == games::Phase::kChance) {
        const games::Chance chance = ahead->chance();
        if (chance.seat == seat) return chance.index - 1;
        ahead->ApplyChance({0, 1});
      }
    }
    return -1;  // the game ends before: nothing is to be known
  }
  dice::Key KeyOf(const match::Match& match) const {
    return memory_->committed ? dice::CommittedKey(memory_->seed, *match.nonces())
                              : dice::PinnedKey(memory_->seed);
  }

  Memory* const memory_;
  std::mt19937* const random_;
};

// One block, whose bots are spies, with all that may happen to them; and a referee that may die at
// any flush.
class Plot {
 public:
  Plot(uint32_t seed, int seats, bool committed) : random_(seed), seats_(seats) {
    for (int i = 0; i < seats; ++i) names_.push_back(absl::StrCat("bot ", i));
    hall_ = std::make_unique<HostFixture>();
    request_.match.game = games::Find("hypnosia").value().type->Create(seats, {}).value();
    request_.match.bots = names_;
    if (!committed) request_.match.dice_source.pinned_number = seed;
    if (seed / 6 % 2 == 0) {
      request_.match.policies.on_timeout.action = match::FaultPolicy::Action::kSubstitute;
      request_.match.policies.on_illegal.action = match::FaultPolicy::Action::kSubstitute;
    }
    ids_ = hall_->host->CreateBlock(request_, "").value();
    memory_.seed = hall_->recorder.matches().at(ids_.front().text()).seed;
    memory_.committed = committed;
    for (int i = 0; i < seats_; ++i) Come(i);
  }
  ~Plot() { hall_->recorder.flush_limit = -1; }

  void Play(int deaths) {
    for (int steps = 0; !Over(); ++steps) {
      ASSERT_LT(steps, 200'000);
      if (deaths > 0 && !dying_ && Below(300) == 0) {
        // Dies somewhere in what the next events lead to.
        hall_->recorder.flush_limit = Below(3);
        dying_ = true;
        --deaths;
      }
      Happen();
      if (dying_ && hall_->recorder.died()) Restart();
    }
  }
  bool Over() const {
    for (const MatchId& id : ids_) {
      if (hall_->EndOf(id) == absl::nullopt) return false;
    }
    return true;
  }
  match::Ending EndingOf(int rotation) const {
    return hall_->EndOf(ids_[static_cast<size_t>(rotation)])->ending;
  }
  void Verify() const {
    for (const MatchId& id : ids_) {
      const MemoryRecorder::Match& match = hall_->recorder.matches().at(id.text());
      EXPECT_TRUE(match.sealed);
      const replay::Verification found = replay::VerifyMatch({match.setup, match.records});
      EXPECT_TRUE(found.ok) << found.problem;
    }
  }

 private:
  int Below(int bound) { return static_cast<int>(random_() % static_cast<uint32_t>(bound)); }
  void Come(int i) {
    auto link = std::make_shared<Spy>(&hall_->clock, &memory_, &random_);
    host::Hello hello;
    hello.max_matches = seats_;
    spies_.resize(static_cast<size_t>(seats_));
    spies_[static_cast<size_t>(i)] = link;
    bots_.resize(static_cast<size_t>(seats_));
    bots_[static_cast<size_t>(i)] =
        hall_->host->Attach(names_[static_cast<size_t>(i)], link, hello).value();
  }
  template <typename Event>
  void Post(int i, const MatchId& id, Event event) {
    const host::Bot::Slot slot = bots_[static_cast<size_t>(i)]->FindSlot(id.text());
    if (slot.runner == nullptr) return;
    event.seat = slot.seat;
    slot.runner->Post(event, hall_->clock.Now());
  }
  void Happen() {
    const int i = Below(seats_);
    Spy& spy = *spies_[static_cast<size_t>(i)];
    const MatchId id = ids_[static_cast<size_t>(Below(seats_))];
    hall_->timers.Advance(absl::Milliseconds(Below(2)));
    if (Below(200) == 0) return Come(i);
    if (Below(300) == 0) {
      hall_->host->Detach(bots_[static_cast<size_t>(i)], &spy);
      if (Below(2) == 0) hall_->timers.Advance(absl::Milliseconds(600));
      return Come(i);
    }
    if (Below(400) == 0) return Post(i, id, match::Resigned());
    if (Below(400) == 0) return hall_->timers.Advance(absl::Seconds(1));
    if (spy.ready.erase(id) > 0) {
      match::ReadyReceived ready;
      ready.nonce_hash = dice::HashNonce(absl::StrCat("nonce ", i));
      return Post(i, id, ready);
    }
    if (spy.reveal.erase(id) > 0) {
      match::NonceReceived nonce;
      nonce.nonce = absl::StrCat("nonce ", i);
      return Post(i, id, nonce);
    }
    const auto open = spy.open.find(id);
    if (open == spy.open.end()) return;
    const Spy::Asked asked = open->second;
    spy.open.erase(open);
    EXPECT_FALSE(spy.Knows(asked)) << "turn " << asked.turn << " of match " << id.text();
    match::Replied replied;
    replied.turn = asked.turn;
    replied.request = asked.request;
    replied.claimed = Below(200) == 0 ? games::Move::Pass() : asked.move;
    Post(i, id, replied);
  }
  // What was flushed is all that is left. Matches are found in any order.
  void Restart() {
    auto next = std::make_unique<HostFixture>();
    std::vector<MatchId> order = ids_;
    std::shuffle(order.begin(), order.end(), random_);
    for (const MatchId& id : order) {
      const MemoryRecorder::Match left = hall_->recorder.matches().at(id.text());
      auto recording = next->recorder.Open(left.setup, left.seed);
      for (const match::Record& record : left.records) (*recording)->Add(record);
      ASSERT_TRUE((*recording)->Flush().ok());
      if (!left.records.empty() && std::holds_alternative<match::Ended>(left.records.back())) {
        ASSERT_TRUE((*recording)->Seal().ok());
        next->host->Remember(left.setup, std::get<match::Ended>(left.records.back()), 0);
        continue;
      }
      const absl::Status resumed = next->host->Resume(
          {left.setup, left.seed, left.records, *std::move(recording)}, absl::Seconds(60));
      ASSERT_TRUE(resumed.ok()) << resumed;
    }
    next->host->EndResuming();
    hall_ = std::move(next);
    dying_ = false;
    for (int i = 0; i < seats_; ++i) Come(i);
  }

  std::mt19937 random_;
  const int seats_;
  std::vector<std::string> names_;
  host::BlockRequest request_;
  Memory memory_;
  std::vector<std::shared_ptr<Spy>> spies_;
  std::unique_ptr<HostFixture> hall_;
  std::vector<std::shared_ptr<host::Bot>> bots_;
  std::vector<MatchId> ids_;
  bool dying_ = false;
};

TEST(HostBlockSpies, NeverFindWhatTheyAreStillToRoll) {
  for (uint32_t seed = 0; seed < 24; ++seed) {
    SCOPED_TRACE(seed);
    const int seats = 2 + static_cast<int>(seed % 3);
    Plot plot(seed, seats, seed % 2 == 0);
    plot.Play(0);
    ASSERT_TRUE(plot.Over());
    for (int r = 0; r < seats; ++r) EXPECT_EQ(plot.EndingOf(r), match::Ending::kFinished);
    plot.Verify();
  }
}

TEST(HostBlockSpies, NeverFindItAfterARestartEither) {
  int finished = 0, without_result = 0;
  for (uint32_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    const int seats = 2 + static_cast<int>(seed % 3);
    Plot plot(seed, seats, seed % 2 == 0);
    plot.Play(2);
    ASSERT_TRUE(plot.Over());
    bool all = true;
    for (int r = 0; r < seats; ++r) {
      all = all && plot.EndingOf(r) == match::Ending::kFinished;
    }
    all ? ++finished : ++without_result;
    plot.Verify();
  }
  EXPECT_GT(finished, 5);
  EXPECT_GT(without_result, 2);
}

}  // namespace
}  // namespace referee::testing
