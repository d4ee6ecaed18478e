// Tests of what a recorder leaves: finished matches, interrupted matches, damaged logs and disks.
#include <filesystem>
#include <fstream>
#include <map>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/base/limits.h"
#include "referee/replay/verifier.h"
#include "tests/unit/replay/recorder_under_test.h"

namespace referee::replay {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const absl::Time kLater = absl::FromUnixSeconds(1'795'300'000);

TEST_F(RecorderTest, ArchivesASealedMatchByItsDayAndForgetsItsRecords) {
  const Replay replay = PlaySample({});
  ASSERT_TRUE(Record(replay, replay.records.size())->Seal().ok());
  EXPECT_THAT(Open(), IsEmpty());
  EXPECT_EQ(archive_.PathOf(replay.setup.id),
            data_dir_ + "/replays/2026/11/21/" + replay.setup.id.text() + ".rpl");
  const std::string file = archive_.Read(replay.setup.id).value();
  EXPECT_EQ(file, Encode(replay, SampleSigner()));
  EXPECT_EQ(Verify(file).problem, "");
}

TEST_F(RecorderTest, MakesNoFileForAMatchButItsReplay) {
  const auto files = [&] {
    size_t count = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(data_dir_)) {
      if (entry.is_regular_file() && entry.path().extension() != ".rpl") ++count;
    }
    return count;
  };
  const auto record = [&](int seed) {
    SampleOptions options;
    options.seed = static_cast<uint64_t>(seed);
    const Replay replay = PlaySample(options);
    ASSERT_TRUE(Record(replay, replay.records.size())->Seal().ok());
  };
  for (int i = 0; i < 10; ++i) record(i);
  const size_t before = files();
  for (int i = 10; i < 40; ++i) record(i);
  // The log makes and removes segments on a thread of its own: some files, but not one a match.
  EXPECT_LT(files(), before + 15);
}

TEST_F(RecorderTest, KeepsTheRequestThatMadeTheMatchAndItsSecretForItsOwnerOnly) {
  match::Setup setup = SampleSetup({});
  setup.request_id = "monday";
  ASSERT_TRUE(recorder_->Open(setup, dice::PinnedSeed(7)).ok());
  Restart();
  const Recovered recovered = Recover();
  EXPECT_EQ(recovered.unfinished->setup.request_id, "monday");
  EXPECT_EQ(recovered.unfinished->secret, dice::PinnedSeed(7));
  for (const auto& entry : std::filesystem::directory_iterator(LogDir(data_dir_))) {
    EXPECT_EQ(entry.status().permissions(),
              std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  }
}

TEST_F(RecorderTest, GivesAMatchBackThatWasRunningWhenTheRefereeStopped) {
  const Replay replay = PlaySample({});
  for (size_t count = 0; count < replay.records.size(); ++count) {
    if (count == 0) {
      Record(replay, 0);
    } else {
      // What the restart before it has added goes on.
      Restart();
      Recovered before = Recover();
      before.unfinished->recording->Add(replay.records[count - 1]);
      ASSERT_TRUE(before.unfinished->recording->Flush().ok());
    }
    Restart();
    const Recovered recovered = Recover();
    ASSERT_EQ(recovered.action, Recovered::Action::kRunning) << count;
    EXPECT_EQ(recovered.match_id, replay.setup.id);
    EXPECT_EQ(recovered.unfinished->setup.id, replay.setup.id);
    EXPECT_EQ(recovered.unfinished->secret, dice::PinnedSeed(7));
    EXPECT_EQ(recovered.unfinished->records.size(), count);
    match::Match match(recovered.unfinished->setup, recovered.unfinished->secret);
    EXPECT_TRUE(match.Rebuild(recovered.unfinished->records).ok()) << count;
  }
}

TEST_F(RecorderTest, SealsAMatchThatWentOnLikeAnyOther) {
  const Replay replay = PlaySample({});
  Record(replay, 20);
  Restart();
  const Recovered recovered = Recover();
  for (size_t i = 20; i < replay.records.size(); ++i) {
    recovered.unfinished->recording->Add(replay.records[i]);
  }
  ASSERT_TRUE(recovered.unfinished->recording->Flush().ok());
  ASSERT_TRUE(recovered.unfinished->recording->Seal().ok());
  EXPECT_EQ(archive_.Read(replay.setup.id).value(), Encode(replay, SampleSigner()));
  EXPECT_THAT(Open(), IsEmpty());
}

// A shelf that keeps what it is told of replays, and no replay.
class SummaryShelf final : public Shelf {
 public:
  absl::Status Put(const ReplaySummary& summary, absl::string_view) override {
    told_.push_back(summary);
    return absl::OkStatus();
  }
  absl::StatusOr<std::string> Read(const MatchId& id) const override {
    return absl::NotFoundError(id.text());
  }
  absl::Status Sync() override { return absl::OkStatus(); }

  const std::vector<ReplaySummary>& told() const { return told_; }

 private:
  std::vector<ReplaySummary> told_;
};

TEST_F(RecorderTest, TellsTheShelfOfAMatchWhatItsReplaySaysThoughItWasRecordedInTwoLives) {
  const auto shelf = std::make_shared<SummaryShelf>();
  FileRecorder::Options options{data_dir_};
  options.shelf = shelf;
  Restart(options);
  const Replay replay = PlaySample({});
  Record(replay, 20);
  Restart(options);
  const Recovered recovered = Recover();
  for (size_t i = 20; i < replay.records.size(); ++i) {
    recovered.unfinished->recording->Add(replay.records[i]);
  }
  ASSERT_TRUE(recovered.unfinished->recording->Flush().ok());
  ASSERT_TRUE(recovered.unfinished->recording->Seal().ok());
  EXPECT_THAT(shelf->told(), ElementsAre(Summarise(replay)));
}

TEST_F(RecorderTest, TellsTheShelfOfAMatchThatWasOverWhenTheRefereeStoppedWhatItsReplaySays) {
  const auto shelf = std::make_shared<SummaryShelf>();
  FileRecorder::Options options{data_dir_};
  options.shelf = shelf;
  const Replay replay = PlaySample({});
  Record(replay, replay.records.size());
  Restart(options);
  EXPECT_EQ(Recover().action, Recovered::Action::kSealed);
  EXPECT_THAT(shelf->told(), ElementsAre(Summarise(replay)));
}

TEST_F(RecorderTest, LeavesAMatchThatNobodyWentOnWithForTheNextStart) {
  Record(PlaySample({}), 20);
  for (int i = 0; i < 3; ++i) {
    Restart();
    EXPECT_EQ(Recover().unfinished->records.size(), 20u);
  }
}

TEST_F(RecorderTest, EndsAMatchThatWillNotGoOnAsVoid) {
  const Replay replay = PlaySample({});
  Record(replay, 20);
  Restart();
  Recovered recovered = Recover();
  EXPECT_EQ(EndAsVoid(&*recovered.unfinished, "nobody came back", kLater)->time, kLater);
  const std::string file = archive_.Read(replay.setup.id).value();
  EXPECT_EQ(Verify(file).problem, "");
  const Replay read = Parse(file).value();
  EXPECT_EQ(read.ended()->ending, match::Ending::kVoid);
  EXPECT_EQ(read.ended()->reason, "nobody came back");
  EXPECT_EQ(read.records.size(), 22u);  // with Resumed and Ended
  EXPECT_THAT(Open(), IsEmpty());
}

TEST_F(RecorderTest, SetsAsideRecordsThatTheirMatchCannotBeRebuiltFrom) {
  Replay replay = PlaySample({});
  for (match::Record& record : replay.records) {
    auto* const turn = std::get_if<match::Played>(&record);
    if (turn != nullptr && turn->number == 3) turn->digest ^= 1;
  }
  Record(replay, 20);
  Restart();
  const Recovered recovered = Recover();
  match::Match match(recovered.unfinished->setup, recovered.unfinished->secret);
  const absl::Status rebuilt = match.Rebuild(recovered.unfinished->records);
  ASSERT_FALSE(rebuilt.ok());
  Recording& recording = *recovered.unfinished->recording;
  ASSERT_TRUE(recording.SetAside(rebuilt.message()).ok());
  EXPECT_THAT(Open(), IsEmpty());
  const std::string bytes = ReadWholeFile(Aside(replay), limits::kMaxReplayBytes).value();
  EXPECT_EQ(ReadMatch(bytes)->records.size(), 20u);
  EXPECT_EQ(ReadWholeFile(Aside(replay) + ".reason", 1000).value(),
            std::string(rebuilt.message()) + "\n");
  recording.Add(replay.records[20]);
  EXPECT_TRUE(absl::IsFailedPrecondition(recording.Flush()));
  EXPECT_THAT(Open(), IsEmpty());
}

TEST_F(RecorderTest, SealsAMatchThatWasOverWhenTheRefereeStopped) {
  const Replay replay = PlaySample({});
  Record(replay, replay.records.size());
  Restart();
  const std::vector<Recovered> recovered = recorder_->Recover();
  ASSERT_EQ(recovered.size(), 1u);
  EXPECT_EQ(recovered[0].action, Recovered::Action::kSealed);
  EXPECT_EQ(archive_.Read(replay.setup.id).value(), Encode(replay, SampleSigner()));
}

TEST_F(RecorderTest, ArchivesAMatchOnceWhenTheRefereeDiedBetweenArchiveAndLog) {
  const Replay replay = PlaySample({});
  const auto recording = Record(replay, replay.records.size());
  const LogFolder folder = LogFolder::Of(data_dir_);
  const std::string before = folder.Read(0).value();
  ASSERT_TRUE(recording->Seal().ok());
  recorder_.reset();
  Overwrite({folder.NameOf(0), 0}, before);
  Start({data_dir_});
  EXPECT_EQ(Recover().action, Recovered::Action::kSealed);
  EXPECT_EQ(archive_.Read(replay.setup.id).value(), Encode(replay, SampleSigner()));
  EXPECT_EQ(archive_.List(0, "")->replays.size(), 1u);
  EXPECT_THAT(recorder_->Recover(), IsEmpty());
}

TEST_F(RecorderTest, SetsRecordsAsideThatCannotBeReadAndGoesOnWithOthers) {
  const Replay replay = PlaySample({});
  Record(replay, 20);
  SampleOptions options;
  options.seed = 8;
  const Replay other = PlaySample(options);
  Record(other, 20);
  recorder_.reset();
  auto place = Find(replay.setup.id.text());
  place.second += 100;  // in its opening
  Overwrite(place, "damage");
  Start({data_dir_});
  const std::vector<Recovered> recovered = recorder_->Recover();
  ASSERT_EQ(recovered.size(), 3u);
  EXPECT_EQ(recovered[0].action, Recovered::Action::kNoted);
  std::map<std::string, const Recovered*> matches = {{recovered[1].what, &recovered[1]},
                                                     {recovered[2].what, &recovered[2]}};
  const Recovered& broken = *matches.at("match " + replay.setup.id.text());
  EXPECT_EQ(broken.action, Recovered::Action::kBroken);
  EXPECT_THAT(broken.detail, HasSubstr("its opening is missing"));
  EXPECT_EQ(matches.at("match " + other.setup.id.text())->unfinished->records.size(), 20u);
  EXPECT_TRUE(std::filesystem::exists(Aside(replay)));
  EXPECT_THAT(ReadWholeFile(Aside(replay) + ".reason", 1000).value(), HasSubstr("missing"));
  EXPECT_THAT(recorder_->Recover(), IsEmpty());
}

TEST_F(RecorderTest, KeepsTheRecordsWhenTheArchiveCannotBeWritten) {
  const Replay replay = PlaySample({});
  const auto recording = Record(replay, replay.records.size());
  {
    const FullDisk full(500);
    EXPECT_TRUE(absl::IsResourceExhausted(recording->Seal()));
    EXPECT_THAT(Open(), ElementsAre(replay.setup.id.text()));
    EXPECT_FALSE(archive_.Read(replay.setup.id).ok());
    EXPECT_EQ(Encode(recorder_->ReadKept(replay.setup.id).value(), SampleSigner()),
              Encode(replay, SampleSigner()));
  }
  Restart();
  {
    const FullDisk full(500);
    const std::vector<Recovered> recovered = recorder_->Recover();
    ASSERT_EQ(recovered.size(), 1u);
    EXPECT_EQ(recovered[0].action, Recovered::Action::kKept);
    EXPECT_THAT(recovered[0].detail, HasSubstr("make room"));
    ASSERT_TRUE(recovered[0].over.has_value());
    EXPECT_EQ(recovered[0].over->setup.id, replay.setup.id);
    EXPECT_EQ(recovered[0].over->ended.scores, replay.ended()->scores);
    EXPECT_EQ(recovered[0].over->turns, replay.turns());
    EXPECT_TRUE(recorder_->ReadKept(replay.setup.id).ok());
  }
  EXPECT_EQ(recorder_->Recover()[0].action, Recovered::Action::kSealed);
  EXPECT_TRUE(absl::IsNotFound(recorder_->ReadKept(replay.setup.id).status()));
  EXPECT_EQ(archive_.Read(replay.setup.id).value(), Encode(replay, SampleSigner()));
}

TEST_F(RecorderTest, TakesAMatchBackOfWhichTheReplayWasLostAndCannotBePutBack) {
  Restart({data_dir_, Durability::kMatch});
  const Replay replay = PlaySample({});
  ASSERT_TRUE(Record(replay, replay.records.size())->Seal().ok());
  recorder_.reset();
  std::filesystem::remove(archive_.PathOf(replay.setup.id));
  Start({data_dir_, Durability::kMatch});
  {
    const FullDisk full(500);
    const std::vector<Recovered> recovered = recorder_->Recover();
    ASSERT_FALSE(recovered.empty());
    EXPECT_EQ(recovered.front().action, Recovered::Action::kNoted);
    EXPECT_EQ(recovered.back().action, Recovered::Action::kKept);
    EXPECT_NE(recovered.back().unsealed, nullptr);
  }
  Restart({data_dir_, Durability::kMatch});
  EXPECT_EQ(Recover().action, Recovered::Action::kSealed);
  EXPECT_EQ(archive_.Read(replay.setup.id).value(), Encode(replay, SampleSigner()));
}

TEST_F(RecorderTest, DoesNotGoOnWithAMatchThatWasGivenUpThoughItCouldNotBeKept) {
  const auto recording = Record(PlaySample({}), 20);
  std::ofstream(data_dir_ + "/quarantine") << "no folder";
  EXPECT_FALSE(recording->SetAside("its disk is broken").ok());
  EXPECT_THAT(Open(), IsEmpty());
}

TEST_F(RecorderTest, KeepsNothingOfAMatchThatGoesOn) {
  const Replay replay = PlaySample({});
  const auto recording = Record(replay, replay.records.size() - 1);
  EXPECT_TRUE(absl::IsNotFound(recorder_->ReadKept(replay.setup.id).status()));
}

TEST_F(RecorderTest, TakesNoMatchOnAFullDiskThoughThoseItHasGoOn) {
  const Replay replay = PlaySample({});
  const auto running = Record(replay, 1);
  absl::Status status;
  {
    const FullDisk full(100);
    EXPECT_TRUE(absl::IsResourceExhausted(recorder_->Check()));
    for (uint64_t seed = 100; status.ok() && seed < 2000; ++seed) {
      SampleOptions options;
      options.seed = seed;
      status = recorder_->Open(SampleSetup(options), dice::PinnedSeed(7)).status();
    }
    EXPECT_TRUE(absl::IsResourceExhausted(status)) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr("make room"));
    for (size_t i = 1; i < replay.records.size(); ++i) running->Add(replay.records[i]);
    EXPECT_TRUE(running->Flush().ok());
  }
  EXPECT_TRUE(recorder_->Check().ok());
  SampleOptions options;
  options.seed = 3000;
  EXPECT_TRUE(recorder_->Open(SampleSetup(options), dice::PinnedSeed(7)).ok());
}

TEST_F(RecorderTest, SaysUnavailableWhenTheDataDirIsGone) {
  std::filesystem::remove_all(data_dir_);
  const absl::Status status = recorder_->Check();
  EXPECT_TRUE(absl::IsUnavailable(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr(data_dir_));
}

TEST_F(RecorderTest, IsTheOnlyOneInItsDataDir) {
  const auto second = FileRecorder::Make({data_dir_}, SampleSigner());
  EXPECT_TRUE(absl::IsFailedPrecondition(second.status()));
}

TEST_F(RecorderTest, WritesTheSameWithEveryDurability) {
  const Replay replay = PlaySample({});
  for (const Durability durability : {Durability::kNone, Durability::kMatch, Durability::kTurn}) {
    const std::string data_dir = absl::StrCat(data_dir_, "-", DurabilityName(durability));
    Restart({data_dir, durability});
    Record(replay, 20);
    Restart({data_dir, durability});
    const Recovered recovered = Recover();
    ASSERT_TRUE(recovered.unfinished.has_value());
    for (size_t i = 20; i < replay.records.size(); ++i) {
      recovered.unfinished->recording->Add(replay.records[i]);
      ASSERT_TRUE(recovered.unfinished->recording->Flush().ok());
    }
    ASSERT_TRUE(recovered.unfinished->recording->Seal().ok());
    EXPECT_EQ(Archive(data_dir).Read(replay.setup.id).value(), Encode(replay, SampleSigner()));
  }
}

TEST_F(RecorderTest, DoesNotGoOnWithAMatchThatIsInTheArchive) {
  const Replay replay = PlaySample({});
  ASSERT_TRUE(Record(replay, replay.records.size())->Seal().ok());
  const std::string file = archive_.Read(replay.setup.id).value();
  // As a loss of power may leave it: a match that was sealed, without its last records.
  recorder_.reset();
  std::filesystem::rename(data_dir_ + "/replays", data_dir_ + "/kept");
  std::filesystem::remove_all(LogDir(data_dir_));
  Start({data_dir_});
  Record(replay, 20);
  recorder_.reset();
  std::filesystem::remove_all(data_dir_ + "/replays");
  std::filesystem::rename(data_dir_ + "/kept", data_dir_ + "/replays");
  Start({data_dir_});
  const Recovered recovered = Recover();
  EXPECT_EQ(recovered.action, Recovered::Action::kSealed);
  EXPECT_EQ(recovered.over->setup.id, replay.setup.id);
  EXPECT_THAT(Open(), IsEmpty());
  EXPECT_EQ(archive_.Read(replay.setup.id).value(), file);
}

TEST(FileRecorder, NamesADataDirThatCannotBe) {
  const auto recorder = FileRecorder::Make({"/dev/null/data"}, SampleSigner());
  EXPECT_THAT(std::string(recorder.status().message()), HasSubstr("/dev/null"));
}

}  // namespace
}  // namespace referee::replay
