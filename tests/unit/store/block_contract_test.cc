#include <atomic>
#include <cstdint>
#include <limits>
#include <thread>

#include "tests/unit/store/harness.h"

namespace referee::store {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;

TEST_P(StoreContract, BlockIsKeptFromItsBeginningToItsEnd) {
  const Competition ladder = StartLadder(store_.get(), 1, {"a", "b", "c"});
  ASSERT_TRUE(Apply(store_.get(), {BeginOf(ladder, 0, {2, 0})}).ok());
  Reopen();
  Block block = store_->GetBlock(ladder.id, 0).value();
  EXPECT_EQ(block.state, BlockState::kRunning);
  EXPECT_THAT(block.pairing.bots, ElementsAre(2, 0));
  EXPECT_EQ(block.owner, kOwner);
  EXPECT_EQ(block.begin_time, At(0));
  EXPECT_THAT(block.matches, IsEmpty());

  ASSERT_TRUE(
      Apply(store_.get(), {NameMatches{ladder.id, 0, 0, "block-0", {MatchIdOf(0), MatchIdOf(1)}}})
          .ok());
  block = store_->GetBlock(ladder.id, 0).value();
  EXPECT_EQ(block.block_id, "block-0");
  EXPECT_THAT(block.matches, ElementsAre(Field(&BlockMatch::id, MatchIdOf(0)),
                                         Field(&BlockMatch::id, MatchIdOf(1))));

  ASSERT_TRUE(Apply(store_.get(), {FinishOf(ladder, 0)}).ok());
  Reopen();
  block = store_->GetBlock(ladder.id, 0).value();
  EXPECT_EQ(block.state, BlockState::kPlayed);
  EXPECT_EQ(block.owner, "");
  EXPECT_EQ(block.end_time, At(1));
  ASSERT_EQ(block.matches.size(), 2);
  EXPECT_THAT(block.matches[0].verdict.scores, ElementsAre(16, -1));
  EXPECT_THAT(block.matches[0].verdict.ranks, ElementsAre(1, 2));
  ASSERT_EQ(block.matches[0].verdict.forfeits.size(), 1);
  EXPECT_EQ(block.matches[0].verdict.forfeits[0].seat, Seat(1));
  EXPECT_EQ(block.matches[0].verdict.forfeits[0].cause, match::Cause::kTimeout);
  const std::vector<Entrant> entrants = store_->ReadEntrants(ladder.id).value();
  EXPECT_EQ(entrants[0].blocks_begun, 1);
  EXPECT_EQ(entrants[1].blocks_begun, 0);
}

TEST_P(StoreContract, ForfeitsOfBlocksAreKeptToTheBit) {
  const Competition ladder = StartLadder(store_.get(), 1, {"a", "b", "c"});
  ASSERT_TRUE(Apply(store_.get(), {BeginOf(ladder, 0, {2, 0})}).ok());
  FinishBlock finish = FinishOf(ladder, 0);
  const std::vector<match::SeatForfeit> forfeits = {{Seat(1), match::Cause::kResigned, true},
                                                    {Seat(0), match::Cause::kResigned}};
  finish.matches[0].verdict.forfeits = forfeits;
  ASSERT_TRUE(Apply(store_.get(), {finish}).ok());
  Reopen();
  EXPECT_EQ(store_->GetBlock(ladder.id, 0)->matches[0].verdict.forfeits, forfeits);
}

TEST_P(StoreContract, BlockBeginsOnlyAsTheNextOfARunningCompetitionInItsVersion) {
  const Competition ladder = StartLadder(store_.get(), 1, {"a", "b"});
  EXPECT_TRUE(absl::IsAborted(Apply(store_.get(), {BeginOf(ladder, 1, {0, 1})})));
  ASSERT_TRUE(Apply(store_.get(), {BeginOf(ladder, 0, {0, 1})}).ok());
  EXPECT_TRUE(absl::IsAborted(Apply(store_.get(), {BeginOf(ladder, 0, {0, 1})})));

  ASSERT_TRUE(store_->Join(ladder.id, "c", absl::nullopt).ok());
  EXPECT_TRUE(absl::IsAborted(Apply(store_.get(), {BeginOf(ladder, 1, {0, 1})})));
  Competition now = store_->GetCompetition(ladder.id).value();
  EXPECT_TRUE(Apply(store_.get(), {BeginOf(now, 1, {0, 2})}).ok());

  now = store_
            ->SetState(ladder.id, CompetitionState::kRunning, CompetitionState::kPaused, At(1),
                       absl::nullopt)
            .value();
  EXPECT_TRUE(absl::IsAborted(Apply(store_.get(), {BeginOf(now, 2, {0, 1})})));
  EXPECT_TRUE(absl::IsNotFound(Apply(store_.get(), {BeginOf(LadderOf(9, "", {}), 0, {0, 1})})));
}

TEST_P(StoreContract, BlockEndsExactlyOnce) {
  const Competition ladder = StartLadder(store_.get(), 1, {"a", "b"});
  FinishBlock finish = FinishOf(ladder, 0);
  EXPECT_TRUE(absl::IsNotFound(Apply(store_.get(), {finish})));
  ASSERT_TRUE(Apply(store_.get(), {BeginOf(ladder, 0, {0, 1}), finish}).ok());
  const std::string before = Describe(store_.get());
  finish.time = At(99);
  EXPECT_TRUE(Apply(store_.get(), {finish}).ok());  // the same results again
  finish.matches[0].verdict.scores[0] = 17;
  EXPECT_TRUE(absl::IsAlreadyExists(Apply(store_.get(), {finish})));
  EXPECT_TRUE(absl::IsAborted(Apply(store_.get(), {DropOf(ladder, 0)})));
  EXPECT_TRUE(absl::IsAborted(Apply(store_.get(), {RetryBlock{ladder.id, 0, 0}})));
  EXPECT_EQ(Describe(store_.get()), before);
}

TEST_P(StoreContract, VoidAttemptIsFollowedByTheNext) {
  const Competition ladder = StartLadder(store_.get(), 1, {"a", "b"});
  ASSERT_TRUE(Apply(store_.get(), {BeginOf(ladder, 0, {0, 1}),
                                   NameMatches{ladder.id, 0, 0, "x", {MatchIdOf(8), MatchIdOf(9)}},
                                   RetryBlock{ladder.id, 0, 0}})
                  .ok());
  const Block block = store_->GetBlock(ladder.id, 0).value();
  EXPECT_EQ(block.attempt, 1);
  EXPECT_EQ(block.state, BlockState::kRunning);
  EXPECT_EQ(block.block_id, "");
  EXPECT_THAT(block.matches, IsEmpty());
  EXPECT_EQ(store_->GetCompetition(ladder.id).value().replayed, 1);
  FinishBlock finish = FinishOf(ladder, 0);
  EXPECT_TRUE(absl::IsAborted(Apply(store_.get(), {finish})));  // of the attempt that is void
  finish.attempt = 1;
  EXPECT_TRUE(Apply(store_.get(), {finish}).ok());
  EXPECT_EQ(store_->ReadEntrants(ladder.id).value()[0].blocks_begun, 1);
}

TEST_P(StoreContract, AttemptThatCameToNothingStaysOnRecord) {
  const Competition ladder = StartLadder(store_.get(), 1, {"a", "b"});
  FinishBlock finish = FinishOf(ladder, 0);
  finish.attempt = 1;
  ASSERT_TRUE(Apply(store_.get(), {BeginOf(ladder, 0, {0, 1}), BeginOf(ladder, 1, {0, 1}),
                                   RetryOf(ladder, 0), finish, FinishOf(ladder, 1)})
                  .ok());
  Reopen();
  const Block block = store_->GetBlock(ladder.id, 0).value();
  ASSERT_EQ(block.attempts.size(), 1);
  const Attempt& attempt = block.attempts[0];
  EXPECT_EQ(attempt.number, 0);
  EXPECT_EQ(attempt.block_id, "block-0");
  EXPECT_EQ(attempt.ending, match::Ending::kVoid);
  EXPECT_EQ(attempt.reason, "the referee stood still");
  EXPECT_EQ(attempt.cancelled_by, "an organiser");
  EXPECT_EQ(attempt.end_time, At(1));
  ASSERT_EQ(attempt.matches.size(), 2);
  EXPECT_EQ(attempt.matches[1].id, MatchIdOf(1));
  EXPECT_THAT(attempt.matches[0].verdict.ranks, ElementsAre(1, 2));
  EXPECT_THAT(attempt.matches[1].verdict.ranks, IsEmpty());
  EXPECT_EQ(attempt.matches[1].verdict.times.late, Seat(0));
  ASSERT_EQ(attempt.matches[1].verdict.times.seats.size(), 2);
  EXPECT_EQ(attempt.matches[1].verdict.times.seats[0],
            (match::SeatTime{absl::Nanoseconds(1'500'000'001), 1, 0}));
  EXPECT_EQ(attempt.matches[1].verdict.times.seats[1].lost_links, 2);
  const std::vector<Block> all = store_->ListBlocks(ladder.id, 0, 9, absl::nullopt).value();
  EXPECT_EQ(all[0].attempts.size(), 1);
  const std::vector<Block> down = store_->ListBlocksBelow(ladder.id, 9, 9, absl::nullopt).value();
  EXPECT_EQ(down.back().attempts.size(), 1);
  EXPECT_THAT(down[0].attempts, IsEmpty());
  EXPECT_THAT(all[1].attempts, IsEmpty());
}

TEST_P(StoreContract, AttemptSaysOfWhichOfItsMatchesThereIsNoRecord) {
  const Competition ladder = StartLadder(store_.get(), 1, {"a", "b"});
  RetryBlock retry = RetryOf(ladder, 0);
  ASSERT_EQ(retry.failed.matches.size(), 2);
  retry.failed.matches[1] = {MatchIdOf(1), {}, false};
  ASSERT_TRUE(Apply(store_.get(), {BeginOf(ladder, 0, {0, 1}), retry}).ok());
  Reopen();
  const Attempt attempt = store_->GetBlock(ladder.id, 0).value().attempts.at(0);
  ASSERT_EQ(attempt.matches.size(), 2);
  EXPECT_TRUE(attempt.matches[0].recorded);
  EXPECT_THAT(attempt.matches[0].verdict.ranks, ElementsAre(1, 2));
  EXPECT_FALSE(attempt.matches[1].recorded);
  EXPECT_EQ(attempt.matches[1].id, MatchIdOf(1));
}

TEST_P(StoreContract, BlockThatIsVoidSaysWhyAndHoldsUpNoCounting) {
  const Competition ladder = StartLadder(store_.get(), 1, {"a", "b"});
  DropBlock drop = DropOf(ladder, 0);
  drop.state = BlockState::kVoid;
  drop.reason = "void in every attempt";
  drop.failed = FailureOf(ladder, 0);
  ASSERT_TRUE(Apply(store_.get(), {BeginOf(ladder, 0, {0, 1}), drop, CountOf(ladder, 0, 1)}).ok());
  const std::string before = Describe(store_.get());
  EXPECT_TRUE(Apply(store_.get(), {drop}).ok());  // the same again
  EXPECT_TRUE(absl::IsAborted(Apply(store_.get(), {DropOf(ladder, 0)})));
  EXPECT_EQ(Describe(store_.get()), before);
  Reopen();
  const Block block = store_->GetBlock(ladder.id, 0).value();
  EXPECT_EQ(block.state, BlockState::kVoid);
  EXPECT_EQ(block.reason, "void in every attempt");
  EXPECT_EQ(block.attempts.size(), 1);
  EXPECT_THAT(Numbers(store_->ListOpenBlocks(ladder.id).value()), IsEmpty());
}

TEST_P(StoreContract, BlockThatIsForfeitedSaysByWhomAndHasAnOutcome) {
  const Competition ladder = StartLadder(store_.get(), 1, {"a", "b"});
  FinishBlock finish = FinishOf(ladder, 0);
  finish.failed = FailureOf(ladder, 0);
  finish.matches = Forfeited(*finish.failed, {1});
  finish.forfeited_by = {1};
  finish.reason = "it left";
  ASSERT_TRUE(Apply(store_.get(), {BeginOf(ladder, 0, {0, 1}), finish}).ok());
  EXPECT_TRUE(Apply(store_.get(), {finish}).ok());
  Reopen();
  const Block block = store_->GetBlock(ladder.id, 0).value();
  EXPECT_EQ(block.state, BlockState::kPlayed);
  EXPECT_THAT(block.forfeited_by, ElementsAre(1));
  EXPECT_EQ(block.reason, "it left");
  // The bot of place 1 has seat 0 in rotation 1.
  EXPECT_THAT(OutcomeOf(block).ranks, ElementsAre(ElementsAre(1, 2), ElementsAre(1, 2)));
}

TEST(ForfeitedAttempt, WhoIsGoneComesBehindThoseStillInAndBeforeThoseWhoWereOut) {
  Attempt attempt;
  attempt.matches.resize(4);
  for (BlockMatch& match : attempt.matches) {
    match.verdict.forfeits = {{Seat(2), match::Cause::kIllegal}, {Seat(0), match::Cause::kTimeout}};
  }
  attempt.matches[3].verdict.scores = {1, 2, 3, 4};
  attempt.matches[3].verdict.ranks = {4, 3, 2, 1};
  const std::vector<BlockMatch> matches = Forfeited(attempt, {1});
  EXPECT_THAT(matches[0].verdict.ranks, ElementsAre(3, 2, 4, 1));  // place 1 is seat 1
  EXPECT_THAT(matches[1].verdict.ranks, ElementsAre(3, 1, 4, 1));  // seat 0, which was out
  EXPECT_THAT(matches[2].verdict.ranks, ElementsAre(3, 1, 4, 2));  // seat 3
  EXPECT_THAT(matches[3].verdict.ranks, ElementsAre(4, 3, 2, 1));  // decided
  EXPECT_EQ(matches[2].verdict.forfeits.size(), 3);
  EXPECT_EQ(matches[2].verdict.forfeits[2], (match::SeatForfeit{Seat(3), match::Cause::kResigned}));
  EXPECT_EQ(matches[1].verdict.forfeits.size(), 2);
  const std::vector<BlockMatch> two = Forfeited(attempt, {1, 3});
  EXPECT_THAT(two[0].verdict.ranks, ElementsAre(3, 1, 4, 1));
}

TEST(ForfeitedAttempt, ThatCountsIsTheOneWhoseMatchesTheBlockHas) {
  Block block;  // of which the store does not know the id
  block.attempt = 3;
  for (int number = 0; number < 3; ++number) {
    Attempt& attempt = block.attempts.emplace_back();
    attempt.number = number;
    // Those of the last were never made.
    if (number < 2)
      attempt.matches = {{MatchIdOf(10 * number), {}}, {MatchIdOf(10 * number + 1), {}}};
  }
  block.matches = block.attempts[1].matches;
  EXPECT_EQ(CountedAttempt(block), 1);
  block.matches = {{MatchIdOf(30), {}}, {MatchIdOf(31), {}}};  // played to the end
  EXPECT_EQ(CountedAttempt(block), 3);
}

TEST(ForfeitedAttempt, BotHasLostOneThatItWasOutOfOrNotFirstIn) {
  Attempt attempt;
  attempt.matches.resize(3);
  EXPECT_FALSE(HasLost(attempt, 0));
  attempt.matches[1].verdict.forfeits = {{Seat(2), match::Cause::kResigned}};
  EXPECT_TRUE(HasLost(attempt, 0));  // place 0 has seat 2 in rotation 1
  EXPECT_FALSE(HasLost(attempt, 1));
  attempt.matches[0].verdict.ranks = {1, 1, 3};
  EXPECT_FALSE(HasLost(attempt, 1));
  EXPECT_TRUE(HasLost(attempt, 2));
}

TEST_P(StoreContract, BatchHappensWholeOrNotAtAll) {
  const Competition ladder = StartLadder(store_.get(), 1, {"a", "b"});
  const std::string before = Describe(store_.get());
  const absl::Status refused =
      Apply(store_.get(), {BeginOf(ladder, 0, {0, 1}), FinishOf(ladder, 0), CountOf(ladder, 0, 1),
                           BeginOf(ladder, 2, {0, 1})});
  EXPECT_TRUE(absl::IsAborted(refused));
  EXPECT_THAT(std::string(refused.message()), ::testing::HasSubstr("change 4 of 4"));
  EXPECT_EQ(Describe(store_.get()), before);
  EXPECT_TRUE(Apply(store_.get(), {}).ok());
}

TEST_P(StoreContract, PrefixThatIsOverIsCounted) {
  const Competition ladder = StartLadder(store_.get(), 1, {"a", "b", "c"});
  ASSERT_TRUE(
      Apply(store_.get(), {BeginOf(ladder, 0, {0, 1}), BeginOf(ladder, 1, {1, 2}),
                           BeginOf(ladder, 2, {0, 2}), FinishOf(ladder, 0), FinishOf(ladder, 2)})
          .ok());
  EXPECT_TRUE(absl::IsFailedPrecondition(Apply(store_.get(), {CountOf(ladder, 0, 2)})));
  EXPECT_TRUE(absl::IsFailedPrecondition(Apply(store_.get(), {CountOf(ladder, 0, 4)})));
  CountBlocks count = CountOf(ladder, 0, 1);
  count.entrants = {{0, {{26.5, 1.0 / 3}, 1, 1, 1, 0, 0, 3, 0}, ""},
                    {1, {{23.5, 8}, 1, 0, 1, 1, 1, 1, 1}, ""}};
  count.pairs = {{0, 1, {0, 0, 0, 1, 0}, 1}};
  ASSERT_TRUE(Apply(store_.get(), {count}).ok());
  EXPECT_TRUE(absl::IsAborted(Apply(store_.get(), {count})));  // counted once
  ASSERT_TRUE(Apply(store_.get(), {DropOf(ladder, 1)}).ok());
  count.from = 1;
  count.to = 3;
  ASSERT_TRUE(Apply(store_.get(), {count}).ok());
  Reopen();
  EXPECT_EQ(store_->GetCompetition(ladder.id).value().counted, 3);
  const Tally tally = store_->ReadEntrants(ladder.id).value()[0].tally;
  EXPECT_EQ(tally.rating.sigma, 1.0 / 3);
  EXPECT_EQ(tally.half_points, 3);
  const std::vector<PairTotal> pairs = store_->ReadPairTotals(ladder.id).value();
  ASSERT_EQ(pairs.size(), 1);
  EXPECT_THAT(pairs[0].blocks, ElementsAre(0, 0, 0, 2, 0));
  EXPECT_EQ(pairs[0].draws, 2);
}

TEST_P(StoreContract, BlocksBehindADecisionAreDroppedAndKeepTheirResults) {
  const Competition ladder = StartLadder(store_.get(), 1, {"a", "b"});
  for (int64_t number = 0; number < 5; ++number) {
    ASSERT_TRUE(Apply(store_.get(), {BeginOf(ladder, number, {0, 1})}).ok());
  }
  FinishBlock forfeited = FinishOf(ladder, 2);
  forfeited.forfeited_by = {1};
  ASSERT_TRUE(Apply(store_.get(), {FinishOf(ladder, 0), FinishOf(ladder, 1), forfeited,
                                   DropOf(ladder, 3), FinishOf(ladder, 4)})
                  .ok());
  CountBlocks count = CountOf(ladder, 0, 4);
  count.surplus = CountBlocks::Surplus{1, "decided"};
  ASSERT_TRUE(Apply(store_.get(), {count}).ok());
  EXPECT_EQ(store_->GetCompetition(ladder.id).value().version, ladder.version + 1);
  Reopen();
  const std::vector<Block> blocks = store_->ListBlocks(ladder.id, 0, 9, absl::nullopt).value();
  EXPECT_EQ(blocks[0].state, BlockState::kPlayed);
  EXPECT_EQ(blocks[1].state, BlockState::kDropped);
  EXPECT_EQ(blocks[1].reason, "decided");
  EXPECT_TRUE(HasAllResults(blocks[1]));
  EXPECT_THAT(blocks[1].matches[0].verdict.ranks, ElementsAre(1, 2));
  EXPECT_EQ(blocks[2].state, BlockState::kDropped) << "forfeits are no results of matches";
  EXPECT_FALSE(HasAllResults(blocks[2]));
  EXPECT_THAT(blocks[2].forfeited_by, ::testing::IsEmpty());
  EXPECT_NE(blocks[3].reason, "decided");
  EXPECT_EQ(blocks[4].state, BlockState::kPlayed) << "it is not counted yet";
  count = CountOf(ladder, 4, 5);
  count.version = ladder.version + 1;
  count.surplus = CountBlocks::Surplus{4, "decided"};
  ASSERT_TRUE(Apply(store_.get(), {count}).ok());
  EXPECT_EQ(store_->GetBlock(ladder.id, 4).value().state, BlockState::kDropped);
  EXPECT_EQ(store_->GetCompetition(ladder.id).value().version, ladder.version + 1)
      << "it was decided before";
  EXPECT_THAT(store_->ReadPairTotals(ladder.id).value(), ::testing::IsEmpty());
}

TEST_P(StoreContract, BotIsSetAsideWithWhatCountsItAndComesBackWithoutSilences) {
  const Competition ladder = StartLadder(store_.get(), 1, {"a", "b"});
  ASSERT_TRUE(Apply(store_.get(), {BeginOf(ladder, 0, {0, 1}), FinishOf(ladder, 0)}).ok());
  CountBlocks count = CountOf(ladder, 0, 1);
  const Suspension suspension{At(60), absl::Minutes(1)};
  count.entrants.push_back({1, {}, "silent in three matches", suspension});
  count.entrants[0].tally.silences = 3;
  count.entrants[0].tally.silent_until = At(3);
  ASSERT_TRUE(Apply(store_.get(), {count}).ok());
  Entrant entrant = store_->ReadEntrants(ladder.id).value()[1];
  EXPECT_EQ(entrant.presence, Presence::kSetAside);
  EXPECT_EQ(entrant.reason, "silent in three matches");
  EXPECT_EQ(entrant.out_from, 1);
  EXPECT_EQ(entrant.tally.silences, 3);
  EXPECT_EQ(entrant.tally.silent_until, At(3));
  EXPECT_EQ(entrant.suspension, suspension);
  EXPECT_EQ(store_->GetCompetition(ladder.id).value().version, ladder.version + 1);
  entrant = store_->Join(ladder.id, "b", absl::nullopt).value();
  EXPECT_EQ(entrant.presence, Presence::kIn);
  EXPECT_EQ(entrant.tally.silences, 0);
  // What was decided before it came back is refused.
  EXPECT_TRUE(absl::IsAborted(Apply(store_.get(), {CountOf(ladder, 1, 1)})));
}

TEST_P(StoreContract, BlocksAreListedFromANumberOnAllOrOfOneBot) {
  const Competition ladder = StartLadder(store_.get(), 1, {"a", "b", "c"});
  StartLadder(store_.get(), 2, {"a", "b"});
  for (int i = 0; i < 6; ++i) {
    ASSERT_TRUE(Apply(store_.get(), {BeginOf(ladder, i, {i % 3, (i + 1) % 3})}).ok());
  }
  const auto list = [&](int64_t from, int limit, absl::optional<int> entrant) {
    return Numbers(store_->ListBlocks(ladder.id, from, limit, entrant).value());
  };
  EXPECT_THAT(list(0, 2, absl::nullopt), ElementsAre(0, 1));
  EXPECT_THAT(list(4, 9, absl::nullopt), ElementsAre(4, 5));
  EXPECT_THAT(list(0, 9, 0), ElementsAre(0, 2, 3, 5));
  EXPECT_THAT(list(1, 2, 0), ElementsAre(2, 3));
  EXPECT_THAT(list(6, 2, 0), IsEmpty());
  const auto below = [&](int64_t number, int limit, absl::optional<int> entrant) {
    return Numbers(store_->ListBlocksBelow(ladder.id, number, limit, entrant).value());
  };
  EXPECT_THAT(below(std::numeric_limits<int64_t>::max(), 2, absl::nullopt), ElementsAre(5, 4));
  EXPECT_THAT(below(2, 9, absl::nullopt), ElementsAre(1, 0));
  EXPECT_THAT(below(6, 9, 0), ElementsAre(5, 3, 2, 0));
  EXPECT_THAT(below(5, 2, 0), ElementsAre(3, 2));
  EXPECT_THAT(below(0, 2, 0), IsEmpty());
  EXPECT_TRUE(
      absl::IsNotFound(store_->ListBlocks(CompetitionId("none"), 0, 1, absl::nullopt).status()));
  EXPECT_TRUE(absl::IsNotFound(
      store_->ListBlocksBelow(CompetitionId("none"), 9, 1, absl::nullopt).status()));
  EXPECT_TRUE(absl::IsNotFound(store_->GetBlock(ladder.id, 6).status()));
}

TEST_P(StoreContract, PairTotalsAreListedFromAPairOnAllOrOfOneBot) {
  const Competition ladder = StartLadder(store_.get(), 1, {"a", "b", "c", "d"});
  const Competition other = StartLadder(store_.get(), 2, {"a", "b"});
  CountBlocks count = CountOf(ladder, 0, 0);
  for (const auto& [low, high] : {std::pair(0, 1), {0, 2}, {0, 3}, {1, 2}, {2, 3}}) {
    count.pairs.push_back({low, high, {0, 0, 10 * low + high, 0, 0}, 0});
  }
  ASSERT_TRUE(Apply(store_.get(), {count}).ok());
  const auto list = [&](std::pair<int, int> from, int limit, absl::optional<int> entrant) {
    std::vector<int64_t> pairs;
    for (const PairTotal& pair : Value(store_->ListPairTotals(ladder.id, from, limit, entrant))) {
      EXPECT_EQ(pair.blocks[2], 10 * pair.low + pair.high);
      pairs.push_back(pair.blocks[2]);
    }
    return pairs;
  };
  EXPECT_THAT(list({0, 0}, 9, absl::nullopt), ElementsAre(1, 2, 3, 12, 23));
  EXPECT_THAT(list({0, 2}, 2, absl::nullopt), ElementsAre(2, 3));
  EXPECT_THAT(list({1, 3}, 9, absl::nullopt), ElementsAre(23)) << "1-3 have not met";
  EXPECT_THAT(list({2, 4}, 9, absl::nullopt), IsEmpty());
  EXPECT_THAT(list({0, 0}, 9, 2), ElementsAre(2, 12, 23)) << "the higher of two, then the lower";
  EXPECT_THAT(list({0, 2}, 2, 2), ElementsAre(2, 12));
  EXPECT_THAT(list({0, 3}, 9, 2), ElementsAre(12, 23));
  EXPECT_THAT(list({2, 3}, 9, 2), ElementsAre(23));
  EXPECT_THAT(list({2, 4}, 9, 2), IsEmpty());
  EXPECT_THAT(list({3, 0}, 9, 2), IsEmpty());
  EXPECT_THAT(list({0, 0}, 1, 0), ElementsAre(1));
  EXPECT_THAT(list({0, 0}, 9, 7), IsEmpty()) << "nobody has that number";
  EXPECT_THAT(store_->ListPairTotals(other.id, {0, 0}, 9, absl::nullopt).value(), IsEmpty());
  EXPECT_TRUE(absl::IsNotFound(
      store_->ListPairTotals(CompetitionId("none"), {0, 0}, 1, absl::nullopt).status()));
}

TEST_P(StoreContract, OutcomesAreByPlaceAndOnlyOfPlayedBlocks) {
  const Competition ladder = StartLadder(store_.get(), 1, {"a", "b", "c"});
  FinishBlock finish = FinishOf(ladder, 0);
  finish.matches[1] = {MatchIdOf(1), ResultOf({3, 9}, {2, 1})};
  ASSERT_TRUE(Apply(store_.get(), {BeginOf(ladder, 0, {2, 1}), BeginOf(ladder, 1, {0, 1}),
                                   BeginOf(ladder, 2, {0, 1}), BeginOf(ladder, 3, {0, 2}), finish,
                                   DropOf(ladder, 1), FinishOf(ladder, 3)})
                  .ok());
  std::vector<int64_t> numbers;
  rating::BlockOutcome first;
  const auto read = [&](int64_t from, int64_t to, size_t limit) {
    numbers.clear();
    EXPECT_TRUE(store_
                    ->ReadOutcomes(ladder.id, from, to,
                                   [&](int64_t number, const rating::BlockOutcome& outcome) {
                                     if (numbers.empty()) first = outcome;
                                     numbers.push_back(number);
                                     return numbers.size() < limit;
                                   })
                    .ok());
    return numbers;
  };
  EXPECT_THAT(read(1, 9, 9), ElementsAre(3));
  EXPECT_THAT(read(0, 3, 9), ElementsAre(0));
  EXPECT_THAT(read(0, 9, 1), ElementsAre(0));
  EXPECT_THAT(first.pairing.bots, ElementsAre(2, 1));
  EXPECT_THAT(first.ranks[0], ElementsAre(1, 2));
  // In rotation 1, seat 0 is taken by the bot of place 1.
  EXPECT_THAT(first.ranks[1], ElementsAre(1, 2));
}

TEST_P(StoreContract, OfManyWhoDecideAtOnceOneBeginsEachBlock) {
  const Competition ladder = StartLadder(store_.get(), 1, {"a", "b"});
  constexpr int kBlocks = 100;
  std::atomic<int> begun{0};
  const auto play = [&] {
    for (;;) {
      const Competition now = store_->GetCompetition(ladder.id).value();
      if (now.next_block >= kBlocks) return;
      const absl::Status status = Apply(
          store_.get(), {BeginOf(now, now.next_block, {0, 1}), FinishOf(now, now.next_block)});
      if (status.ok()) ++begun;
      EXPECT_TRUE(status.ok() || absl::IsAborted(status)) << status;
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(play);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(begun, kBlocks);
  EXPECT_EQ(store_->ReadEntrants(ladder.id).value()[0].blocks_begun, kBlocks);
}

}  // namespace
}  // namespace referee::store
