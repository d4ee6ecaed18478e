// An audit finds each thing that can be wrong between a store and its archive, and nothing else.
// The archive is made of real matches; the tallies are those that a running competition counts.
#include "referee/store/audit.h"

#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/host/competition_count.h"
#include "referee/replay/archive.h"
#include "referee/replay/files.h"
#include "referee/store/sqlite_store.h"
#include "tests/unit/replay/sample.h"

namespace referee::store {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char kOwner[] = "daemon";

MatchId NumberedMatch(uint8_t number) {
  const uint8_t random[10] = {number};
  return MatchId::Make(absl::FromUnixSeconds(1'700'000'000 + number), random);
}

std::string NumberedBlock(uint8_t number) {
  const uint8_t random[10] = {number, 1};
  return BlockId::Make(absl::FromUnixSeconds(1'700'000'000), random).text();
}

std::vector<SeatForfeit> ForfeitsOf(const replay::Replay& replay) {
  std::vector<SeatForfeit> forfeits;
  for (const match::Record& record : replay.records) {
    const auto* forfeited = std::get_if<match::Forfeited>(&record);
    if (forfeited != nullptr) forfeits.push_back({forfeited->seat.index(), forfeited->cause});
  }
  return forfeits;
}

// A round robin of three bots: blocks 0 (alice, bob), 1 (carol, alice), 2 (bob, carol), all played
// and counted, unless a test says otherwise before it is made.
class Audited : public ::testing::Test {
 protected:
  // What a test changes on the way from the matches to the store.
  std::function<void(replay::Replay*)> change_replay = [](replay::Replay*) {};
  std::function<void(std::vector<BlockMatch>*)> change_results = [](std::vector<BlockMatch>*) {};
  std::function<void(CountBlocks*)> change_count = [](CountBlocks*) {};

  void Make() {
    store_ = OpenSqliteStore(directory_.path() + "/store.db", {}).value();
    Competition competition;
    competition.id = CompetitionId(NumberedMatch(200).text());
    competition.spec.name = "spring";
    competition.spec.game = "hypnosia";
    competition.spec.entrants = {"alice", "bob", "carol"};
    competition.create_time = absl::FromUnixSeconds(1'700'000'000);
    id_ = store_->CreateCompetition(competition, absl::nullopt).value().id;
    ASSERT_TRUE(store_
                    ->SetState(id_, CompetitionState::kNew, CompetitionState::kRunning,
                               competition.create_time, absl::nullopt)
                    .ok());
    Play(0, {0, 1});
    Play(1, {2, 0});
    Play(2, {1, 2});
    Count();
  }

  // Plays block `number`, archives it and stores its result.
  void Play(int64_t number, std::vector<int> bots) {
    const Competition competition = store_->GetCompetition(id_).value();
    BeginBlock begin{id_, competition.version, number, {bots}, kOwner, competition.create_time};
    ASSERT_TRUE(store_->Apply({begin}).ok());
    const std::string block_id = NumberedBlock(static_cast<uint8_t>(number));
    std::vector<BlockMatch> matches;
    for (int rotation = 0; rotation < 2; ++rotation) {
      replay::Replay replay = PlayMatch(number, rotation, bots);
      matches.push_back(
          {replay.setup.id, replay.ended()->scores, replay.ended()->ranks, ForfeitsOf(replay)});
      change_replay(&replay);
      Archive(replay, replay.setup.id);
    }
    change_results(&matches);
    FinishBlock finish{id_, number, 0, kOwner, block_id, matches, competition.create_time};
    ASSERT_TRUE(store_->Apply({finish}).ok());
  }

  replay::Replay PlayMatch(int64_t number, int rotation, const std::vector<int>& bots) {
    replay::SampleOptions options;
    options.seed = static_cast<uint64_t>(number) + 1;
    options.options = {{"turn_limit", "20"}};
    if (number == 1 && rotation == 1) options.time_out_at = 5;
    replay::Replay replay = replay::PlaySample(options);
    const std::vector<std::string> names = {"alice", "bob", "carol"};
    replay.setup.id = NumberedMatch(static_cast<uint8_t>(2 * number + rotation));
    replay.setup.block = {BlockId::Parse(NumberedBlock(static_cast<uint8_t>(number))).value(),
                          rotation};
    for (size_t seat = 0; seat < 2; ++seat) {
      replay.setup.bots[seat] = names[bots[(seat + rotation) % 2]];
    }
    return replay;
  }

  void Archive(const replay::Replay& replay, const MatchId& id, uint8_t key = 1) {
    WriteFile(id, replay::Encode(replay, replay::SampleSigner(key)));
  }
  void WriteFile(const MatchId& id, const std::string& bytes) {
    const std::string path = archive_.PathOf(id);
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
  }
  std::string ReadFile(const MatchId& id) { return archive_.Read(id).value(); }

  void Count() {
    const Competition competition = store_->GetCompetition(id_).value();
    const std::vector<Entrant> entrants = store_->ReadEntrants(id_).value();
    host::CompetitionCount count(competition, entrants);
    for (int64_t number = 0; number < 3; ++number) {
      count.Add(store_->GetBlock(id_, number).value());
    }
    CountBlocks change = count.change();
    change_count(&change);
    ASSERT_TRUE(store_->Apply({change}).ok());
  }

  // Everything that an audit finds, as text.
  std::vector<std::string> Findings() {
    AuditOptions options;
    options.store = store_.get();
    options.data_dir = directory_.path();
    options.key = replay::SampleSigner().public_key();
    options.threads = 2;
    std::vector<std::string> found;
    const absl::StatusOr<AuditReport> report = Audit(options, [&](const Finding& finding) {
      found.push_back(absl::StrCat(finding.competition, "/",
                                   finding.block ? absl::StrCat(*finding.block) : "", "/",
                                   finding.match_id, ": ", finding.problem));
    });
    EXPECT_TRUE(report.ok()) << report.status();
    if (report.ok()) report_ = *report;
    EXPECT_EQ(report_.findings, static_cast<int64_t>(found.size()));
    return found;
  }

  replay::TemporaryDirectory directory_;
  const replay::Archive archive_{directory_.path()};
  std::unique_ptr<Store> store_;
  CompetitionId id_;
  AuditReport report_;
};

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

TEST_F(Audited, SeesThatAReplayIsDamaged) {
  Make();
  std::string bytes = ReadFile(NumberedMatch(2));
  bytes[bytes.size() / 2] ^= 1;
  WriteFile(NumberedMatch(2), bytes);
  EXPECT_THAT(Findings(), ElementsAre(HasSubstr(NumberedMatch(2).text())));
}

TEST_F(Audited, TakesNobodyElsesSignature) {
  Make();
  Archive(PlayMatch(0, 0, {0, 1}), NumberedMatch(0), 2);
  EXPECT_THAT(Findings(), ElementsAre(HasSubstr("signature: by the key")));
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

TEST_F(Audited, SeesThatAMatchIsAnotherRotation) {
  change_replay = [](replay::Replay* replay) {
    if (replay->setup.id == NumberedMatch(0)) replay->setup.block->rotation = 1;
  };
  Make();
  EXPECT_THAT(Findings(), ElementsAre(HasSubstr("it is rotation 1, the store 0")));
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
    if ((*matches)[0].id == NumberedMatch(0)) ++(*matches)[0].scores[1];
  };
  Make();
  // Ratings and points do not depend on scores, so nothing else is wrong.
  EXPECT_THAT(Findings(), ElementsAre(HasSubstr("its replay has scores [")));
}

TEST_F(Audited, SeesAForfeitThatWasNotPlayed) {
  change_results = [](std::vector<BlockMatch>* matches) {
    if ((*matches)[0].id == NumberedMatch(0)) {
      (*matches)[0].forfeits.push_back({1, match::Cause::kResigned});
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
  EXPECT_THAT(Findings(), ElementsAre(HasSubstr("bot 'bob': mu is")));
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

TEST_F(Audited, ListsABlockThatNoCompetitionHas) {
  Make();
  for (const int rotation : {0, 1}) {
    const replay::Replay replay = PlayMatch(7, rotation, {0, 1});
    Archive(replay, replay.setup.id);
  }
  EXPECT_THAT(Findings(), ElementsAre(HasSubstr("which no competition of the store has"),
                                      HasSubstr("which no competition of the store has")));
}

TEST_F(Audited, LetsABlockBeThatWasVoid) {
  Make();
  for (const int rotation : {0, 1}) {
    replay::Replay replay = PlayMatch(7, rotation, {0, 1});
    if (rotation == 1) {
      replay::SampleOptions cancelled;
      cancelled.cancel_at = 3;
      const match::Setup setup = replay.setup;
      replay = replay::PlaySample(cancelled);
      replay.setup.id = setup.id;
      replay.setup.block = setup.block;
    }
    Archive(replay, replay.setup.id);
  }
  EXPECT_THAT(Findings(), IsEmpty());
  EXPECT_EQ(report_.void_replays, 2);
}

TEST_F(Audited, LetsABlockBeThatIsBeingPlayed) {
  Make();
  const Competition competition = store_->GetCompetition(id_).value();
  ASSERT_TRUE(
      store_
          ->Apply(
              {BeginBlock{id_, competition.version, 3, {{0, 1}}, kOwner, competition.create_time},
               NameMatches{
                   id_, 3, 0, kOwner, NumberedBlock(3), {NumberedMatch(6), NumberedMatch(7)}}})
          .ok());
  const replay::Replay replay = PlayMatch(3, 0, {0, 1});
  Archive(replay, replay.setup.id);
  EXPECT_THAT(Findings(), IsEmpty());
  EXPECT_EQ(report_.other_replays, 1);
}

TEST_F(Audited, VerifiesMatchesThatAreInNoBlock) {
  Make();
  replay::Replay replay = PlayMatch(50, 0, {0, 1});
  replay.setup.block.reset();
  Archive(replay, replay.setup.id);
  EXPECT_THAT(Findings(), IsEmpty());
  EXPECT_EQ(report_.other_replays, 1);
  WriteFile(replay.setup.id, "no replay");
  EXPECT_THAT(Findings(), ElementsAre(HasSubstr(replay.setup.id.text())));
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
