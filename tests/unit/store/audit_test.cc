// Tests that an audit finds each inconsistency between a store and its archive, and nothing else.
#include "referee/store/audit.h"

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/replay/retention.h"
#include "tests/support/change_spec.h"
#include "tests/unit/store/audited.h"

namespace referee::store {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

TEST_F(Audited, FindsNothingWhereAllIsWell) {
  Make();
  EXPECT_THAT(Findings(), IsEmpty());
  EXPECT_EQ(report_.competitions, 1);
  EXPECT_EQ(report_.blocks, 3);
  EXPECT_EQ(report_.replays, 6);
  EXPECT_EQ(report_.other_replays + report_.void_replays, 0);
  EXPECT_GT(store_->ReadEntrants(id_).value()[0].tally.forfeits +
                store_->ReadEntrants(id_).value()[2].tally.forfeits,
            0)
      << "nothing was forfeited, so that nothing was claimed of forfeits";
}

TEST_F(Audited, MissesAReplay) {
  Make();
  std::filesystem::remove(archive_.PathOf(NumberedMatch(3)));
  EXPECT_THAT(Findings(), ElementsAre(absl::StrCat("spring/1/", NumberedMatch(3).text(),
                                                   ": its replay is not in the archive")));
  EXPECT_EQ(report_.replays, 5);
}

TEST_F(Audited, LooksElsewhereForWhatIsNotInTheArchiveAndVerifiesIt) {
  Make();
  std::map<std::string, std::string> shelf;
  for (const uint8_t number : {1, 3}) {
    shelf[NumberedMatch(number).text()] = ReadFile(NumberedMatch(number));
    std::filesystem::remove(archive_.PathOf(NumberedMatch(number)));
  }
  find_elsewhere = [&shelf](const MatchId& id) -> absl::StatusOr<std::string> {
    const auto found = shelf.find(id.text());
    if (found == shelf.end()) return absl::NotFoundError("it is not there");
    return found->second;
  };
  EXPECT_THAT(Findings(), IsEmpty());
  EXPECT_EQ(report_.replays, 6);
  shelf[NumberedMatch(1).text()] = shelf[NumberedMatch(3).text()];
  EXPECT_THAT(Findings(), Contains(HasSubstr(absl::StrCat("spring/0/", NumberedMatch(1).text()))));
  shelf.erase(NumberedMatch(1).text());
  EXPECT_THAT(Findings(), ElementsAre(absl::StrCat("spring/0/", NumberedMatch(1).text(),
                                                   ": its replay is not in the archive")));
}

TEST_F(Audited, EndsWhereAnotherPlaceDoesNotAnswer) {
  Make();
  std::filesystem::remove(archive_.PathOf(NumberedMatch(3)));
  AuditOptions options;
  options.store = store_.get();
  options.data_dir = directory_.path();
  options.find_elsewhere = [](const MatchId&) { return absl::UnavailableError("it is away"); };
  EXPECT_TRUE(absl::IsUnavailable(Audit(options, [](const Finding&) {}).status()));
}

TEST_F(Audited, DoesNotMissAsManyAsWereRemovedOfADay) {
  Make();
  const auto remove = [&](uint8_t number) {
    std::filesystem::remove(archive_.PathOf(NumberedMatch(number)));
    const replay::RemovedPack removed = {replay::PackName::OfDay(NumberedMatch(number).created()),
                                         1, absl::UnixEpoch()};
    ASSERT_TRUE(replay::RecordRemoval(directory_.path(), removed).ok());
  };
  remove(2);
  remove(4);
  EXPECT_THAT(Findings(), IsEmpty());
  EXPECT_EQ(report_.expired_replays, 2);
  std::filesystem::remove(archive_.PathOf(NumberedMatch(5)));
  EXPECT_THAT(Findings(), SizeIs(1));
}

TEST_F(Audited, SeesThatOtherThanItsAttemptsWerePlayedAgain) {
  Make();
  Sql("UPDATE competition SET replayed = replayed + 2");
  EXPECT_THAT(Findings(), ElementsAre(HasSubstr("2 attempts were followed by another, but its "
                                                "blocks have 0 such")));
}

TEST_F(Audited, SeesThatAReplayIsDamaged) {
  Make();
  std::string bytes = ReadFile(NumberedMatch(2));
  bytes[bytes.size() / 2] ^= 1;
  WriteFile(NumberedMatch(2), bytes);
  EXPECT_THAT(Findings(), ElementsAre(HasSubstr(NumberedMatch(2).text())));
}

// By PositionOf, blocks 0 to 2 start from the second, the third and the first.
const std::vector<std::string>& Positions() {
  static const auto* const positions = new std::vector<std::string>{
      "36/24/12 1111,1111 - 0,0 - b -", "36/24/12 1111,1111 - 0,0 - a -",
      "36/24/12 1111,1111 - 1,-1 - a -"};
  return *positions;
}

TEST_F(Audited, FindsNothingWhereBlocksStartFromTheirPositions) {
  positions = Positions();
  Make();
  EXPECT_THAT(Findings(), IsEmpty());
  EXPECT_EQ(report_.replays, 6);
}

TEST_F(Audited, SeesThatBlocksStartFromOtherPositions) {
  positions = Positions();
  Make();
  Sql("UPDATE position SET text = '36/24/12 1111,1111 - 2,-2 - a -' WHERE number = 2");
  EXPECT_THAT(Findings(),
              Each(AllOf(HasSubstr("its replay has the option position '36/24/12 1111,1111 - "),
                         HasSubstr("', its block '36/24/12 1111,1111 - 2,-2 - a -'"))));
  EXPECT_THAT(Findings(), SizeIs(2));
}

TEST_F(Audited, SeesThatMatchesStartFromPositionsWhereNoneWereAskedFor) {
  positions = Positions();
  Make();
  Sql("DELETE FROM position");
  EXPECT_THAT(Findings(), SizeIs(6));
  EXPECT_THAT(Findings(), Each(HasSubstr(", its block none")));
}

TEST_F(Audited, SeesThatMatchesHadOtherOptions) {
  Make();
  ASSERT_TRUE(testing::ChangeSpec(store_.get(), id_, [](schedule::Spec* spec) {
                spec->options = {{"turn_limit", "21"}};
              }).ok());
  EXPECT_THAT(Findings(), SizeIs(6));
  EXPECT_THAT(Findings(), Each(HasSubstr("its replay has the option turn_limit '20', its block "
                                         "'21'")));
}

// A store may leave out what a replay writes out.
TEST_F(Audited, TakesDefaultsForTheOptionsThatTheyAre) {
  Make();
  ASSERT_TRUE(testing::ChangeSpec(store_.get(), id_, [](schedule::Spec* spec) {
                spec->options.emplace_back("stack_bridges", "true");
              }).ok());
  EXPECT_THAT(Findings(), IsEmpty());
}

// Terms with which the first block of all decides.
constexpr char kQuickTerms[] = "elo0=-1000,elo1=999,alpha=0.499,beta=0.499";

class AuditedTest : public Audited {
 protected:
  void MakeATest(const char* terms) {
    const auto change = [terms](schedule::Spec* spec) {
      spec->format = schedule::Format::kTest;
      spec->sprt = rating::ParseSprtTerms(terms).value();
    };
    ASSERT_TRUE(testing::ChangeSpec(store_.get(), id_, change).ok());
  }
};

TEST_F(AuditedTest, SeesThatBlocksCountBehindTheDecisionOfATest) {
  Make();
  MakeATest(kQuickTerms);
  EXPECT_THAT(Findings(), ElementsAre(HasSubstr("it counts, though block 0 decided the test"),
                                      HasSubstr("it counts, though block 0 decided the test")));
}

TEST_F(AuditedTest, SeesThatABlockOfATestDoesNotCountThatShould) {
  Make();
  MakeATest("elo0=0,elo1=1,alpha=0.05,beta=0.05");
  Sql("UPDATE block SET state = 'DROPPED' WHERE number = 1");
  EXPECT_THAT(Findings(),
              ::testing::Contains(HasSubstr(
                  "it was played and does not count, though no block before it decided")));
}

TEST_F(Audited, ComparesResultsBehindADecisionWithTheirReplays) {
  change_results = [](std::vector<BlockMatch>* matches) {
    matches->front().verdict.scores[0] += 7;
  };
  Make();
  Sql("UPDATE block SET state = 'DROPPED'");
  EXPECT_THAT(Findings(), ::testing::Contains(HasSubstr("scores")));
}

TEST_F(AuditedTest, CountsTheMatchesOfDroppedAndVoidBlocksApart) {
  Make();
  // Played ahead of the block that decided the test, and cancelled when it was decided.
  MakeATest(kQuickTerms);
  Sql("UPDATE block SET state = 'DROPPED' WHERE number = 1");
  Sql("UPDATE block SET state = 'DROPPED', results = '' WHERE number = 2");
  Findings();
  EXPECT_EQ(report_.blocks, 1);
  EXPECT_EQ(report_.replays, 2);
  EXPECT_EQ(report_.void_replays, 4);
  EXPECT_EQ(report_.other_replays, 0);
  Sql("UPDATE block SET state = 'VOID', results = '' WHERE number = 1");
  Findings();
  EXPECT_EQ(report_.void_replays, 4);
  EXPECT_EQ(report_.other_replays, 0);
}

TEST_F(Audited, TakesNobodyElsesSignature) {
  Make();
  Archive(PlayMatch(0, 0, {0, 1}), NumberedMatch(0), 2);
  EXPECT_THAT(Findings(), ElementsAre(AllOf(HasSubstr("by the key with fingerprint"),
                                            HasSubstr("of 1 replay: " + NumberedMatch(0).text()))));
}

TEST_F(Audited, SaysOnceWhichKeySignedManyReplaysAndHoldsThemToTheStoreAllTheSame) {
  Make();
  Archive(PlayMatch(0, 0, {0, 1}), NumberedMatch(0), 2);
  Archive(PlayMatch(0, 1, {0, 1}), NumberedMatch(1), 2);
  EXPECT_THAT(Findings(), ElementsAre(HasSubstr("of 2 replays: ")));
  Archive(PlayMatch(0, 1, {0, 2}), NumberedMatch(1), 2);
  EXPECT_THAT(Findings(), ElementsAre(HasSubstr(NumberedMatch(1).text() + ": its"),
                                      HasSubstr("of 2 replays: ")));
}

TEST_F(Audited, SaysWhoCancelledHowOftenAndWhatMadeMatchesVoid) {
  Make();
  const auto archive = [&](uint8_t number, replay::SampleOptions options, const std::string& by) {
    replay::Replay replay = replay::PlaySample(options);
    replay.setup.id = NumberedMatch(number);
    std::get<match::Ended>(replay.records.back()).cancelled_by = by;
    Archive(replay, replay.setup.id);
  };
  replay::SampleOptions cancelled;
  cancelled.cancel_at = 3;
  archive(50, cancelled, "ann");
  archive(51, cancelled, "ann");
  archive(52, cancelled, "local");
  archive(53, cancelled, "");
  archive(54, replay::StalledSample(), "");
  EXPECT_THAT(Findings(), IsEmpty());
  EXPECT_THAT(report_.endings.cancelled, ElementsAre(Pair("ann", 2), Pair("local", 1)));
  EXPECT_EQ(report_.endings.cancelled_by_referee, 1);
  EXPECT_THAT(report_.endings.void_ones, ElementsAre(Pair(VoidCause::kStall, 1)));
}

TEST_F(Audited, SeesThatAFileIsOfAnotherMatch) {
  Make();
  WriteFile(NumberedMatch(0), ReadFile(NumberedMatch(4)));
  EXPECT_THAT(
      Findings(),
      ElementsAre(HasSubstr(absl::StrCat("the file is of match ", NumberedMatch(4).text()))));
}

TEST_F(Audited, SeesThatAMatchIsOfAnotherBlock) {
  change_replay = [](replay::Replay* replay) {
    if (replay->setup.id == NumberedMatch(0)) {
      replay->setup.block->block = BlockId::Parse(NumberedBlock(99)).value();
    }
  };
  Make();
  EXPECT_THAT(Findings(), ElementsAre(HasSubstr("its replay says that it is in block")));
}

TEST_F(Audited, SeesThatAMatchIsOfNoBlock) {
  change_replay = [](replay::Replay* replay) {
    if (replay->setup.id == NumberedMatch(0)) replay->setup.block.reset();
  };
  Make();
  EXPECT_THAT(Findings(), ElementsAre(HasSubstr("in no block")));
}

TEST_F(Audited, IsContentWithBlocksThatWerePlayedApart) {
  named = false;
  change_replay = [](replay::Replay* replay) { replay->setup.block.reset(); };
  Make();
  EXPECT_THAT(Findings(), IsEmpty());
}

TEST_F(Audited, SeesThatAMatchIsAnotherRotation) {
  change_replay = [](replay::Replay* replay) {
    if (replay->setup.id == NumberedMatch(0)) replay->setup.block->rotation = 1;
  };
  Make();
  EXPECT_THAT(Findings(), ElementsAre(HasSubstr("it is rotation 1, the store 0")));
}

TEST_F(Audited, SeesThatDiceArePinnedInACommittedCompetition) {
  committed = false;
  Make();
  EXPECT_THAT(Findings(), Each(HasSubstr("its dice are pinned, and those of the competition")));
  EXPECT_THAT(Findings(), SizeIs(6));
}

TEST_F(Audited, SeesThatDiceAreNotPinnedAsThoseOfTheCompetitionAre) {
  Make();
  Sql("UPDATE competition SET dice_seed = zeroblob(32)");
  EXPECT_THAT(Findings(), Each(HasSubstr("its dice are not pinned")));
  EXPECT_THAT(Findings(), SizeIs(6));
}

TEST_F(Audited, SeesThatPinnedDiceDoNotFollowFromTheCompetitionsSeed) {
  committed = false;
  Make();
  Sql("UPDATE competition SET dice_seed = zeroblob(32)");
  EXPECT_THAT(Findings(), Each(HasSubstr("do not follow from the seed of the competition")));
  EXPECT_THAT(Findings(), SizeIs(6));
}

// In a block of which the second match is whole by itself, but has the dice of `how`.
class AuditedDice : public Audited {
 protected:
  void Make(replay::SampleOptions how) {
    how.committed = true;
    how.options = {{"turn_limit", "20"}};
    change_replay = [this, how](replay::Replay* replay) {
      if (replay->setup.id != NumberedMatch(1)) return;
      replay::Replay other = replay::PlaySample(how);
      other.setup.id = replay->setup.id;
      other.setup.block = replay->setup.block;
      other.setup.bots = replay->setup.bots;
      *replay = std::move(other);
      played_ = *replay->ended();
    };
    change_results = [this](std::vector<BlockMatch>* matches) {
      if (matches->back().id == NumberedMatch(1)) matches->back().verdict = played_;
    };
    Audited::Make();
  }

  match::Verdict played_;
};

TEST_F(AuditedDice, AreFoundToHaveAnotherSeedInAMatchOfABlock) {
  replay::SampleOptions options;
  options.seed = 77;
  Make(options);
  EXPECT_THAT(Findings(), ElementsAre(HasSubstr("another seed than that of rotation 0")));
}

TEST_F(AuditedDice, AreFoundToHaveOtherNoncesInAMatchOfABlock) {
  replay::SampleOptions options;
  options.seed = 1;  // as in rotation 0
  options.nonce = "another";
  Make(options);
  EXPECT_THAT(Findings(), ElementsAre(HasSubstr("other nonces than that of rotation 0")));
}

TEST_F(Audited, SeesThatAnotherGameWasPlayed) {
  Make();
  ASSERT_TRUE(testing::ChangeSpec(store_.get(), id_, [](schedule::Spec* spec) {
                spec->game = "isaac";
              }).ok());
  EXPECT_THAT(Findings(), Each(HasSubstr("its replay is of hypnosia, the competition of isaac")));
}

TEST_F(Audited, SeesThatAMatchHasNoResult) {
  Make();
  replay::SampleOptions cancelled;
  cancelled.cancel_at = 3;
  cancelled.committed = true;                  // as the competition's are
  cancelled.options = {{"turn_limit", "20"}};  // the same
  replay::Replay replay = replay::PlaySample(cancelled);
  const match::Setup played = PlayMatch(0, 0, {0, 1}).setup;
  replay.setup.id = played.id;
  replay.setup.block = played.block;
  replay.setup.bots = played.bots;
  Archive(replay, replay.setup.id);
  EXPECT_THAT(Findings(), ElementsAre(HasSubstr("its replay has no result")));
}

TEST_F(Audited, SeesThatOthersPlayed) {
  change_replay = [](replay::Replay* replay) {
    if (replay->setup.id == NumberedMatch(0))
      std::swap(replay->setup.bots[0], replay->setup.bots[1]);
  };
  Make();
  EXPECT_THAT(Findings(),
              ElementsAre(HasSubstr("has the bots 'bob', 'alice', the store 'alice', 'bob'")));
}

TEST_F(Audited, SeesAResultThatWasNotPlayed) {
  change_results = [](std::vector<BlockMatch>* matches) {
    if ((*matches)[0].id == NumberedMatch(0)) ++(*matches)[0].verdict.scores[1];
  };
  Make();
  // Ratings and points do not depend on scores, so nothing else is wrong.
  EXPECT_THAT(Findings(), ElementsAre(HasSubstr("its replay has scores [")));
}

TEST_F(Audited, SeesAForfeitThatWasNotPlayed) {
  change_results = [](std::vector<BlockMatch>* matches) {
    if ((*matches)[0].id == NumberedMatch(0)) {
      (*matches)[0].verdict.forfeits.push_back({Seat(1), match::Cause::kResigned});
    }
  };
  Make();
  EXPECT_THAT(Findings(),
              ElementsAre(HasSubstr("forfeits [seat 1 RESIGNED]"), HasSubstr("1 forfeits")));
}

TEST_F(Audited, SeesATallyThatIsNotWhatWasPlayed) {
  change_count = [](CountBlocks* change) { ++change->entrants[0].tally.wins; };
  Make();
  EXPECT_THAT(Findings(), ElementsAre(HasSubstr("spring//: bot 'alice': ")));
}

TEST_F(Audited, SeesARatingThatIsNotWhatWasPlayed) {
  change_count = [](CountBlocks* change) { change->entrants[1].tally.rating.mu += 0.01; };
  Make();
  EXPECT_THAT(Findings(), ElementsAre(HasSubstr("bot 'bob': the pairing's estimate is")));
}

TEST_F(Audited, SeesATotalOfAPairThatIsNotWhatWasPlayed) {
  change_count = [](CountBlocks* change) { ++change->pairs[0].draws; };
  Make();
  EXPECT_THAT(Findings(), ElementsAre(HasSubstr("entrants 0 and 1: ")));
}

TEST_F(Audited, SeesAPairThatIsMissing) {
  change_count = [](CountBlocks* change) { change->pairs.pop_back(); };
  Make();
  EXPECT_THAT(Findings(), ElementsAre(HasSubstr("nothing in the store")));
}

TEST_F(Audited, SeesAMatchInTwoBlocks) {
  change_results = [](std::vector<BlockMatch>* matches) {
    if ((*matches)[0].id == NumberedMatch(4)) (*matches)[0].id = NumberedMatch(0);
  };
  Make();
  EXPECT_THAT(Findings(), ElementsAre(HasSubstr("another block has this match, too"),
                                      HasSubstr("of which the store has other matches")));
}

TEST_F(Audited, TellsHowFarItIs) {
  Make();
  AuditOptions options;
  options.store = store_.get();
  options.data_dir = directory_.path();
  int64_t last = 0;
  options.progress = [&](int64_t verified, int64_t total) {
    EXPECT_GE(verified, last);
    EXPECT_EQ(total, 6);
    last = verified;
  };
  ASSERT_TRUE(Audit(options, [](const Finding&) {}).ok());
  EXPECT_EQ(last, 6);
}

}  // namespace
}  // namespace referee::store
