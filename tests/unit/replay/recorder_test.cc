// Claims about what a recorder leaves: of matches that end, of those that its end cuts short, and
// of journals and disks that are not as they should be.
#include <filesystem>
#include <fstream>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/base/limits.h"
#include "referee/replay/journal.h"
#include "referee/replay/verifier.h"
#include "tests/unit/replay/recorder_under_test.h"

namespace referee::replay {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const absl::Time kLater = absl::FromUnixSeconds(1'795'300'000);

TEST_F(RecorderTest, ArchivesASealedMatchByItsDayAndRemovesTheJournal) {
  const Replay replay = PlaySample({});
  ASSERT_TRUE(Record(replay, replay.records.size())->Seal().ok());
  EXPECT_THAT(Journals(), IsEmpty());
  EXPECT_EQ(archive_.PathOf(replay.setup.id),
            data_dir_ + "/replays/2026/11/21/" + replay.setup.id.text() + ".rpl");
  const std::string file = archive_.Read(replay.setup.id).value();
  EXPECT_EQ(file, Encode(replay, SampleSigner()));
  EXPECT_EQ(Verify(file).problem, "");
}

TEST_F(RecorderTest, UsesTheFilesOfJournalsAgain) {
  const auto spares = [&] {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(data_dir_ + "/journals")) {
      if (entry.path().stem() == "spare") ++count;
    }
    return count;
  };
  for (int i = 0; i < 3; ++i) {
    SampleOptions options;
    options.seed = i;
    const Replay replay = PlaySample(options);
    ASSERT_TRUE(Record(replay, replay.records.size())->Seal().ok());
    EXPECT_EQ(spares(), 1);
    Restart();
  }
}

TEST_F(RecorderTest, LeavesNothingOfAnEarlierMatchInAFileUsedAgain) {
  const Replay earlier = PlaySample({});
  ASSERT_TRUE(Record(earlier, earlier.records.size())->Seal().ok());
  SampleOptions options;
  options.seed = 8;
  const Replay replay = PlaySample(options);
  const std::unique_ptr<Recording> recording = Record(replay, 2);
  const auto journal = ReadJournal(ReadFile(JournalPath(replay)).value());
  ASSERT_TRUE(journal.ok()) << journal.status();
  EXPECT_EQ(journal->setup.id, replay.setup.id);
  EXPECT_EQ(journal->records.size(), 2u);
  EXPECT_EQ(journal->torn, 0u);
}

TEST_F(RecorderTest, GivesAMatchBackThatWasRunningWhenTheRefereeStopped) {
  const Replay replay = PlaySample({});
  for (size_t count = 0; count < replay.records.size(); ++count) {
    if (count == 0) {
      Record(replay, 0);
    } else {
      // What the restart before it has added goes on.
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
  EXPECT_THAT(Journals(), IsEmpty());
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
  EXPECT_THAT(Journals(), IsEmpty());
}

TEST_F(RecorderTest, SetsAsideAJournalThatItsMatchCannotBeRebuiltFrom) {
  Replay replay = PlaySample({});
  for (match::Record& record : replay.records) {
    auto* const turn = std::get_if<match::Played>(&record);
    if (turn != nullptr && turn->number == 3) turn->digest ^= 1;
  }
  Record(replay, 20);
  const std::string bytes = ReadWholeFile(JournalPath(replay), limits::kMaxReplayBytes).value();
  Restart();
  const Recovered recovered = Recover();
  match::Match match(recovered.unfinished->setup, recovered.unfinished->secret);
  const absl::Status rebuilt = match.Rebuild(recovered.unfinished->records);
  ASSERT_FALSE(rebuilt.ok());
  Recording& recording = *recovered.unfinished->recording;
  ASSERT_TRUE(recording.SetAside(rebuilt.message()).ok());
  EXPECT_THAT(Journals(), IsEmpty());
  const std::string aside = data_dir_ + "/journals/broken/" + replay.setup.id.text() + ".jnl";
  EXPECT_EQ(ReadWholeFile(aside, limits::kMaxReplayBytes).value(), bytes);
  EXPECT_EQ(ReadWholeFile(aside + ".reason", 1000).value(), std::string(rebuilt.message()) + "\n");
  recording.Add(replay.records[20]);
  EXPECT_TRUE(absl::IsFailedPrecondition(recording.Flush()));
  EXPECT_EQ(ReadWholeFile(aside, limits::kMaxReplayBytes).value(), bytes);
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

TEST_F(RecorderTest, ArchivesAMatchOnceWhenTheRefereeDiedBetweenArchiveAndJournal) {
  const Replay replay = PlaySample({});
  const auto recording = Record(replay, replay.records.size());
  const std::string journal = ReadWholeFile(JournalPath(replay), limits::kMaxReplayBytes).value();
  ASSERT_TRUE(recording->Seal().ok());
  std::ofstream(JournalPath(replay), std::ios::binary) << journal;
  Restart();
  EXPECT_EQ(Recover().action, Recovered::Action::kSealed);
  EXPECT_EQ(archive_.Read(replay.setup.id).value(), Encode(replay, SampleSigner()));
  EXPECT_EQ(archive_.List(0, "")->replays.size(), 1u);
  EXPECT_THAT(recorder_->Recover(), IsEmpty());
}

TEST_F(RecorderTest, RecoversAJournalThatIsTornAtAnyByte) {
  SampleOptions options;
  options.cancel_at = 4;
  const Replay replay = PlaySample(options);
  Record(replay, replay.records.size());
  const std::string whole = ReadWholeFile(JournalPath(replay), limits::kMaxReplayBytes).value();
  for (size_t size = 0; size < whole.size(); ++size) {
    std::filesystem::remove_all(data_dir_ + "/replays/2026");
    std::ofstream(JournalPath(replay), std::ios::binary) << whole.substr(0, size);
    Recovered recovered = Recover();
    if (recovered.action == Recovered::Action::kBroken) continue;
    ASSERT_EQ(recovered.action, Recovered::Action::kRunning) << size;
    const size_t kept = std::filesystem::file_size(JournalPath(replay));
    const bool torn = kept < size;
    EXPECT_EQ(torn,
              absl::StrContains(recovered.detail, absl::StrCat("cut off ", size - kept, " bytes")))
        << size << recovered.detail;
    EXPECT_TRUE(EndAsVoid(&*recovered.unfinished, "torn", kLater).ok());
    EXPECT_EQ(Verify(archive_.Read(replay.setup.id).value()).problem, "") << size;
    EXPECT_THAT(Journals(), IsEmpty()) << size;
  }
}

TEST_F(RecorderTest, MovesAJournalThatCannotBeReadAside) {
  const Replay replay = PlaySample({});
  Record(replay, 20);
  std::string bytes = ReadWholeFile(JournalPath(replay), limits::kMaxReplayBytes).value();
  bytes[200] = static_cast<char>(bytes[200] ^ 1);
  std::ofstream(JournalPath(replay), std::ios::binary) << bytes;
  const std::vector<Recovered> recovered = recorder_->Recover();
  ASSERT_EQ(recovered.size(), 1u);
  EXPECT_EQ(recovered[0].action, Recovered::Action::kBroken);
  const std::string aside = data_dir_ + "/journals/broken/" + replay.setup.id.text() + ".jnl";
  EXPECT_EQ(ReadWholeFile(aside, limits::kMaxReplayBytes).value(), bytes);
  EXPECT_THAT(ReadWholeFile(aside + ".reason", 1000).value(), HasSubstr("a frame is damaged"));
  EXPECT_THAT(recorder_->Recover(), IsEmpty());
}

TEST_F(RecorderTest, KeepsTheJournalWhenTheArchiveCannotBeWritten) {
  const Replay replay = PlaySample({});
  const auto recording = Record(replay, replay.records.size());
  {
    const FullDisk full(500);
    EXPECT_TRUE(absl::IsResourceExhausted(recording->Seal()));
    EXPECT_THAT(Journals(), ElementsAre(replay.setup.id.text() + ".jnl"));
    EXPECT_FALSE(archive_.Read(replay.setup.id).ok());
    const std::vector<Recovered> recovered = recorder_->Recover();
    ASSERT_EQ(recovered.size(), 1u);
    EXPECT_EQ(recovered[0].action, Recovered::Action::kKept);
    EXPECT_THAT(recovered[0].detail, HasSubstr("make room"));
    ASSERT_TRUE(recovered[0].over.has_value());
    EXPECT_EQ(recovered[0].over->setup.id, replay.setup.id);
    EXPECT_EQ(recovered[0].over->ended.scores, replay.ended()->scores);
    EXPECT_EQ(recovered[0].over->turns, replay.turns());
    EXPECT_EQ(Encode(ReadKept(data_dir_, replay.setup.id).value(), SampleSigner()),
              Encode(replay, SampleSigner()));
  }
  EXPECT_EQ(recorder_->Recover()[0].action, Recovered::Action::kSealed);
  EXPECT_TRUE(absl::IsNotFound(ReadKept(data_dir_, replay.setup.id).status()));
  EXPECT_EQ(archive_.Read(replay.setup.id).value(), Encode(replay, SampleSigner()));
}

TEST_F(RecorderTest, KeepsNothingOfAMatchThatGoesOn) {
  const Replay replay = PlaySample({});
  const auto recording = Record(replay, replay.records.size() - 1);
  EXPECT_TRUE(absl::IsNotFound(ReadKept(data_dir_, replay.setup.id).status()));
}

TEST_F(RecorderTest, TakesNoMatchOnAFullDiskAndLeavesNothing) {
  {
    const FullDisk full(100);
    EXPECT_TRUE(absl::IsResourceExhausted(recorder_->Check()));
    EXPECT_TRUE(
        absl::IsResourceExhausted(recorder_->Open(SampleSetup({}), dice::PinnedSeed(7)).status()));
    EXPECT_THAT(Journals(), IsEmpty());
  }
  EXPECT_TRUE(recorder_->Check().ok());
  EXPECT_THAT(Journals(), IsEmpty());
}

TEST_F(RecorderTest, SaysUnavailableWhenTheDataDirIsGone) {
  std::filesystem::remove_all(data_dir_);
  EXPECT_TRUE(absl::IsUnavailable(recorder_->Check()));
  const absl::Status status = recorder_->Open(SampleSetup({}), dice::PinnedSeed(7)).status();
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
  // As a loss of power may leave it: a journal that was sealed, without its last records.
  recorder_.reset();
  std::filesystem::rename(data_dir_ + "/replays", data_dir_ + "/kept");
  Start({data_dir_});
  Record(replay, 20);
  recorder_.reset();
  std::filesystem::remove_all(data_dir_ + "/replays");
  std::filesystem::rename(data_dir_ + "/kept", data_dir_ + "/replays");
  Start({data_dir_});
  const Recovered recovered = Recover();
  EXPECT_EQ(recovered.action, Recovered::Action::kSealed);
  EXPECT_EQ(recovered.over->setup.id, replay.setup.id);
  EXPECT_THAT(Journals(), IsEmpty());
  EXPECT_EQ(archive_.Read(replay.setup.id).value(), file);
}

TEST(FileRecorder, NamesADataDirThatCannotBe) {
  const auto recorder = FileRecorder::Make({"/dev/null/data"}, SampleSigner());
  EXPECT_THAT(std::string(recorder.status().message()), HasSubstr("/dev/null"));
}

}  // namespace
}  // namespace referee::replay
