// Tests that no bot learns a roll of one match from another of its block, and none waits for ever.
//
// The matches are stepped side by side, in any order, with every kind of event.
#include "referee/match/block.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "absl/strings/str_cat.h"
#include "referee/games/catalogue.h"
#include "tests/own_game/pig.h"
#include "tests/unit/match/table.h"

namespace referee::match {
namespace {

using testing::CountingRules;

constexpr BlockGate::Release::Kind kRoll = BlockGate::Release::Kind::kRoll;

// What the gate lets go on now: "0 rolls 3", "1 ends", "2 has nonces".
std::vector<std::string> Released(BlockGate* gate) {
  std::vector<std::string> all;
  while (const auto release = gate->Next()) {
    switch (release->kind) {
      case BlockGate::Release::Kind::kNonces:
        all.push_back(absl::StrCat(release->rotation, " has nonces"));
        break;
      case BlockGate::Release::Kind::kRoll:
        all.push_back(absl::StrCat(release->rotation, " rolls ", release->roll));
        break;
      case BlockGate::Release::Kind::kEnd:
        all.push_back(absl::StrCat(release->rotation, " ends"));
        break;
    }
  }
  return all;
}

TEST(BlockGate, RollWaitsUntilEveryMatchHasComeToIt) {
  BlockGate gate(3);
  gate.AwaitRoll(0, 0);
  gate.AwaitRoll(1, 0);
  EXPECT_THAT(Released(&gate), ::testing::IsEmpty());
  gate.AwaitRoll(2, 0);
  EXPECT_THAT(Released(&gate), ::testing::ElementsAre("0 rolls 0", "1 rolls 0", "2 rolls 0"));
  gate.AwaitRoll(1, 1);
  gate.AwaitRoll(0, 1);
  EXPECT_THAT(Released(&gate), ::testing::IsEmpty());
}

TEST(BlockGate, MatchThatSkipsRollsLetsTheOthersHaveThem) {
  BlockGate gate(2);
  gate.AwaitRoll(0, 4);
  gate.AwaitRoll(1, 3);
  EXPECT_THAT(Released(&gate), ::testing::ElementsAre("1 rolls 3"));
  gate.AwaitRoll(1, 4);
  EXPECT_THAT(Released(&gate), ::testing::ElementsAre("0 rolls 4", "1 rolls 4"));
}

TEST(BlockGate, MatchWhoseGameIsOverHoldsNobodyUpAndEndsWithTheLast) {
  BlockGate gate(2);
  gate.AwaitEnd(0);
  gate.AwaitRoll(1, 9);
  EXPECT_THAT(Released(&gate), ::testing::ElementsAre("1 rolls 9"));
  gate.AwaitEnd(1);
  EXPECT_THAT(Released(&gate), ::testing::ElementsAre("0 ends", "1 ends"));
}

TEST(BlockGate, NoncesAreForThoseWhoWaitOnceTheyAreSettled) {
  BlockGate gate(3);
  gate.AwaitNonces(1, false);
  EXPECT_THAT(Released(&gate), ::testing::IsEmpty());
  gate.SettleNonces();
  EXPECT_THAT(Released(&gate), ::testing::ElementsAre("1 has nonces"));
  gate.AwaitNonces(2, false);
  EXPECT_THAT(Released(&gate), ::testing::ElementsAre("2 has nonces"));
}

TEST(BlockGate, FirstRotationGoesWithoutNoncesOnceAllMatchesAreDecided) {
  BlockGate gate(3);
  gate.AwaitNonces(0, true);
  gate.AwaitNonces(1, true);
  gate.AwaitNonces(2, false);
  EXPECT_THAT(Released(&gate), ::testing::IsEmpty());
  gate.AwaitNonces(2, true);
  EXPECT_THAT(Released(&gate), ::testing::ElementsAre("0 has nonces"));
  gate.SettleNonces();
  EXPECT_THAT(Released(&gate), ::testing::ElementsAre("1 has nonces", "2 has nonces"));
}

TEST(BlockGate, ReleasesNothingOnceAMatchHasNoResult) {
  BlockGate gate(2);
  gate.AwaitEnd(0);
  gate.AwaitEnd(1);
  gate.Break();
  EXPECT_THAT(Released(&gate), ::testing::IsEmpty());
}

TEST(BlockStanding, RollThatAWithheldMoveLeadsToMayNotBeKnownElsewhere) {
  const Standing waited{true, 6, 7}, has_shown{true, 7, 8}, is_over{true, 3, kNeverRolls};
  EXPECT_FALSE(MayGoOn({waited, has_shown}, false));
  EXPECT_FALSE(MayGoOn({has_shown, waited}, false));
  EXPECT_TRUE(MayGoOn({waited, waited}, false));
  EXPECT_TRUE(MayGoOn({has_shown, is_over}, false));
  const Standing skips_it{true, 6, 8};
  EXPECT_TRUE(MayGoOn({skips_it, has_shown}, false));
}

TEST(BlockStanding, CommittedDiceNeedTheNoncesOfRotationZero) {
  const Standing waits{false, kNoRoll, 1}, started{true, kNoRoll, 1};
  EXPECT_FALSE(MayGoOn({waits, started}, true));
  EXPECT_TRUE(MayGoOn({started, waits}, true));
  EXPECT_TRUE(MayGoOn({waits, started}, false));
}

// A block of a game, stepped by chance.
class Siblings {
 public:
  struct Sibling {
    std::unique_ptr<Match> match;
    std::vector<Record> records;
    int64_t awaited = kNoRoll;
    bool awaits = false;  // nonces, a roll or the end
    size_t seen = 0;      // records whose turns were looked at
    // What everybody knew when the due turn was answered.
    std::map<uint32_t, std::set<int64_t>> known_at_reply;
  };

  Siblings(std::shared_ptr<const games::Game> game, bool committed, const Policies& policies,
           uint32_t seed)
      : random_(seed), game_(std::move(game)), gate_(game_->seats()) {
    setup_.game = game_;
    setup_.policies = policies;
    setup_.time_control.bank = absl::Milliseconds(2000);
    if (!committed) setup_.dice_source.pinned_number = 7;
    setup_.commitment = dice::Commit(seed_);
    setup_.bots.assign(static_cast<size_t>(n()), "bot");
    all_.resize(static_cast<size_t>(n()));
    Make();
  }

  int n() const { return game_->seats(); }
  int Below(int bound) { return static_cast<int>(random_() % static_cast<uint32_t>(bound)); }
  bool OneIn(int bound) { return Below(bound) == 0; }
  Sibling& at(int rotation) { return all_[static_cast<size_t>(rotation)]; }

  void Begin() {
    for (int r = 0; r < n(); ++r) Step(r, match::Begin{});
  }
  // Something happens in a match.
  void Happen(int r) {
    Match& match = *at(r).match;
    now_ = now_ + absl::Microseconds(100);
    if (match.stage() == Match::Stage::kReadying) {
      if (OneIn(40)) return TickOut(r);
      const Seat seat(Below(n()));
      if (OneIn(60)) return Step(r, Resigned{seat});
      return Step(r, ReadyReceived{seat, dice::HashNonce(Nonce(r, seat))});
    }
    if (match.stage() == Match::Stage::kRevealing) {
      if (OneIn(40)) return TickOut(r);
      const Seat seat(Below(n()));
      if (OneIn(60)) return Step(r, Resigned{seat});
      return Step(r, NonceReceived{seat, OneIn(9) ? "another" : Nonce(r, seat)});
    }
    if (OneIn(60)) return Step(r, LinkLost{Seat(Below(n()))});
    if (OneIn(30)) return Step(r, LinkBack{Seat(Below(n()))});
    if (OneIn(150)) return Step(r, Resigned{Seat(Below(n()))});
    if (OneIn(80)) return TickOut(r);
    const Seat seat = match.seat_to_move();
    if (!seat.valid() || match.legal_moves().empty()) return;
    std::set<int64_t>& known = at(r).known_at_reply[match.turn()] = known_;
    known.erase(match.roll_shown());  // of a turn that leads to no roll it is still the last
    Replied replied{seat, match.turn(), games::Move::Pass()};
    replied.request = match.request();
    if (OneIn(40)) return Step(r, replied);
    const auto legal = match.legal_moves();
    replied.claimed = legal[static_cast<size_t>(Below(static_cast<int>(legal.size())))];
    Step(r, replied);
  }
  static std::string Nonce(int r, Seat seat) { return absl::StrCat("nonce", r, seat.index()); }
  bool over() const {
    return std::all_of(all_.begin(), all_.end(),
                       [](const Sibling& s) { return s.match->stage() == Match::Stage::kOver; });
  }
  // Whether a match that is open waits for something of its own: a bot or a deadline.
  bool SomethingIsDue() {
    return std::any_of(all_.begin(), all_.end(), [](const Sibling& s) {
      return s.match->next_deadline() < Instant::InfiniteFuture();
    });
  }
  // The referee dies: releases on their way are lost, and the block goes on if it may.
  bool Restart() {
    pending_.clear();
    std::vector<Standing> standings;
    gate_ = BlockGate(n());
    Make();
    for (int r = 0; r < n(); ++r) {
      Sibling& one = at(r);
      const absl::Status rebuilt = one.match->Rebuild(one.records);
      EXPECT_TRUE(rebuilt.ok()) << rebuilt;
      one.awaits = false;
      standings.push_back(
          {one.match->nonces() != nullptr, one.match->roll_shown(), one.match->roll_to_come()});
      gate_.Restore(r, one.match->roll_shown());
    }
    if (const Match& first = *at(0).match; first.nonces()) {
      Settle({*first.nonces(), first.nonce_hashes()});
    }
    if (!MayGoOn(standings, !setup_.dice_source.pinned())) return false;
    for (int r = 0; r < n(); ++r) Step(r, Resume{absl::Seconds(60)});
    for (int r = 0; r < n(); ++r) {
      for (int s = 0; s < n(); ++s) Step(r, LinkBack{Seat(s)});
    }
    return true;
  }
  // A match has ended without a result: so do the others.
  bool StopIfBroken() {
    if (!gate_.broken()) return false;
    for (int r = 0; r < n(); ++r) Step(r, Stopped{Ending::kVoid, "another"});
    return true;
  }
  // One release reaches its match.
  bool Deliver() {
    if (pending_.empty()) return false;
    const auto release = pending_[static_cast<size_t>(Below(static_cast<int>(pending_.size())))];
    pending_.erase(std::find_if(pending_.begin(), pending_.end(),
                                [&](const auto& one) { return one.rotation == release.rotation; }));
    at(release.rotation).awaits = false;
    if (release.kind == kRoll) {
      Step(release.rotation, RollReleased{release.roll});
    } else if (release.kind == BlockGate::Release::Kind::kNonces) {
      Step(release.rotation, nonces_);
    } else {
      Step(release.rotation, BlockOver());
    }
    return true;
  }

 private:
  void Make() {
    for (int r = 0; r < n(); ++r) {
      setup_.block = BlockPlace{{}, r};
      at(r).match = std::make_unique<Match>(setup_, seed_);
    }
  }
  void Settle(NoncesSettled nonces) {
    nonces_ = std::move(nonces);
    gate_.SettleNonces();
  }
  void TickOut(int r) {
    const Instant deadline = at(r).match->next_deadline();
    if (deadline == Instant::InfiniteFuture()) return;
    now_ = std::max(now_, deadline);
    Step(r, Tick{});
  }
  void Step(int r, const Event& event) {
    Sibling& one = at(r);
    for (const Effect& effect : one.match->Step(event, now_, {now_, absl::UnixEpoch()})) {
      if (const auto* record = std::get_if<Record>(&effect)) {
        one.records.push_back(*record);
        const auto* started = std::get_if<Started>(record);
        if (r == 0 && started != nullptr) Settle({started->nonces, started->nonce_hashes});
        const auto* ended = std::get_if<Ended>(record);
        if (ended != nullptr && ended->ending != Ending::kFinished) gate_.Break();
      } else if (const auto* roll = std::get_if<AwaitRoll>(&effect)) {
        EXPECT_FALSE(one.awaits);
        one.awaits = true;
        gate_.AwaitRoll(r, roll->index);
      } else if (std::holds_alternative<AwaitBlock>(effect)) {
        gate_.AwaitEnd(r);
      } else if (const auto* nonces = std::get_if<AwaitNonces>(&effect)) {
        gate_.AwaitNonces(r, nonces->decided);
      } else if (std::holds_alternative<AskTurn>(effect)) {
        Match& match = *one.match;
        match.state().roll();
        sent_.push_back({r, RequestSent{match.seat_to_move(), match.turn(), {}, match.request()}});
      }
    }
    CheckTurns(r);
    while (const auto release = gate_.Next()) pending_.push_back(*release);
    auto sent = std::move(sent_);
    sent_.clear();
    for (const auto& [rotation, request] : sent) Step(rotation, request);
  }
  // Turns that have become known: what is rolled after them nobody knew when they were decided.
  void CheckTurns(int r) {
    Sibling& one = at(r);
    for (; one.seen < one.records.size(); ++one.seen) {
      const auto* played = std::get_if<Played>(&one.records[one.seen]);
      if (played == nullptr || !played->timing || played->substituted) continue;
      const int64_t next = one.match->roll_shown();
      const auto known = one.known_at_reply.find(played->number);
      if (known == one.known_at_reply.end() || next == kNoRoll) continue;
      // Passes may follow in the same step, so that several rolls became known.
      if (one.match->state().phase() == games::Phase::kOver) continue;
      EXPECT_EQ(known->second.count(next), 0u)
          << "roll " << next << " was known before turn " << played->number << " of " << r;
    }
    if (one.match->roll_shown() != kNoRoll && one.match->stage() == Match::Stage::kPlaying) {
      known_.insert(one.match->roll_shown());
    }
  }

  std::mt19937 random_;
  const std::shared_ptr<const games::Game> game_;
  const dice::Seed seed_ = dice::PinnedSeed(7);
  Setup setup_;
  BlockGate gate_;
  std::vector<Sibling> all_;
  std::vector<BlockGate::Release> pending_;
  NoncesSettled nonces_;
  std::set<int64_t> known_;  // rolls that were shown anywhere
  std::vector<std::pair<int, RequestSent>> sent_;
  Instant now_ = Instant::FromNanos(1'000'000'000);
};

Policies RandomPolicies(uint32_t seed) {
  Policies policies;
  if (seed % 3 == 1) policies.on_timeout.action = FaultPolicy::Action::kSubstitute;
  if (seed % 3 == 1) policies.on_illegal.action = FaultPolicy::Action::kSubstitute;
  if (seed % 3 == 2) policies.on_illegal.action = FaultPolicy::Action::kRetry;
  return policies;
}

// Plays a block to its end. Returns whether it went on after each of `restarts`.
bool PlayBlock(Siblings* block, int restarts) {
  block->Begin();
  for (int steps = 0; !block->over(); ++steps) {
    EXPECT_LT(steps, 1'000'000);
    if (steps >= 1'000'000) return true;
    if (restarts > 0 && block->OneIn(400)) {
      --restarts;
      if (!block->Restart()) return false;
    }
    if (block->OneIn(2) && block->Deliver()) continue;
    block->Happen(block->Below(block->n()));
    if (block->StopIfBroken()) continue;
    if (!block->SomethingIsDue() && !block->Deliver() && !block->over()) {
      ADD_FAILURE() << "every match waits for another";
      return true;
    }
  }
  return true;
}

std::shared_ptr<const games::Game> RandomGame(uint32_t seed) {
  const int seats = 2 + static_cast<int>(seed % 5);
  // Its seats roll as often as they like.
  if (seed % 3 == 1) return MakePig()->Create(2 * seats - 2, {{"target", "20"}}).value();
  if (seed % 2 == 0) return games::Find("hypnosia").value().type->Create(seats, {}).value();
  CountingRules rules;
  rules.seats = seats;
  rules.target = 20 + static_cast<int>(seed % 30);
  rules.limits = {3, 4, 0, 2};
  rules.dice = true;
  rules.setup_rolls = seed % 3 == 0;
  return NewCountingGame(rules);
}

TEST(BlockRun, NoRollIsKnownBeforeTheMoveThatLeadsToItAndAllEnd) {
  int without_result = 0;
  for (uint32_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    Siblings block(RandomGame(seed), seed % 4 < 2, RandomPolicies(seed), seed);
    ASSERT_TRUE(PlayBlock(&block, 0));
    if (block.StopIfBroken()) {
      ++without_result;  // nobody was ready in one of them
      continue;
    }
    for (int r = 0; r < block.n(); ++r) {
      const Ended& ended = *block.at(r).match->ended();
      ASSERT_EQ(ended.ending, Ending::kFinished);
      const auto& started = std::get<Started>(block.at(r).records.front());
      const auto& first = std::get<Started>(block.at(0).records.front());
      EXPECT_EQ(started.nonces, first.nonces);
      EXPECT_EQ(started.nonce_hashes, first.nonce_hashes);
      EXPECT_EQ(ended.nonces, first.nonces);
      EXPECT_EQ(ended.seed, block.at(0).match->ended()->seed);
    }
  }
  EXPECT_LT(without_result, 15);
}

TEST(BlockRun, GoesOnAfterARestartOnlyIfNoRollIsKnownTooEarly) {
  int went_on = 0, void_blocks = 0;
  for (uint32_t seed = 0; seed < 120; ++seed) {
    SCOPED_TRACE(seed);
    Siblings block(RandomGame(seed), seed % 4 < 2, RandomPolicies(seed), seed);
    PlayBlock(&block, 3) ? ++went_on : ++void_blocks;
  }
  EXPECT_GT(went_on, 30);
  EXPECT_GT(void_blocks, 5);
}

}  // namespace
}  // namespace referee::match
