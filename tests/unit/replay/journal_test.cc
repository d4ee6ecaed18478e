#include "referee/replay/journal.h"

#include <sys/stat.h>

#include <filesystem>
#include <iterator>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/base/limits.h"
#include "tests/unit/replay/sample.h"

namespace referee::replay {
namespace {

using ::testing::HasSubstr;

const JournalDisk kDisk(Durability::kNone);

std::string Read(const std::string& path) {
  return ReadWholeFile(path, limits::kMaxReplayBytes).value();
}

// A journal of a few turns, one Flush a record.
class JournalTest : public ::testing::Test {
 protected:
  JournalTest() {
    SampleOptions options;
    options.cancel_at = 6;
    replay_ = PlaySample(options);
    writer_ =
        JournalWriter::Create(&kDisk, path_, path_ + ".new", replay_.setup, dice::PinnedSeed(7))
            .value();
    ends_.push_back(writer_->size());
    for (const match::Record& record : replay_.records) {
      writer_->Add(record);
      EXPECT_TRUE(writer_->Flush().ok());
      ends_.push_back(writer_->size());
    }
    bytes_ = Read(path_);
  }

  const testing::TempFolder directory_;
  const std::string path_ = directory_.path() + "/a.jnl";
  Replay replay_;
  std::unique_ptr<JournalWriter> writer_;
  std::vector<size_t> ends_;  // of the opening and the secret, and of each record
  std::string bytes_;
};

TEST_F(JournalTest, HoldsTheSecretAndIsForItsOwnerOnly) {
  struct stat info;
  ASSERT_EQ(stat(path_.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  EXPECT_EQ(ReadJournal(bytes_)->secret, dice::PinnedSeed(7));
}

TEST_F(JournalTest, HasNoFileOpenBeforeItsFirstRecord) {
  const auto open_files = [] {
    const std::filesystem::directory_iterator all("/proc/self/fd");
    return std::distance(begin(all), end(all));
  };
  const auto before = open_files();
  const std::string path = directory_.path() + "/b.jnl";
  const auto waiting =
      JournalWriter::Create(&kDisk, path, path + ".new", replay_.setup, dice::PinnedSeed(7));
  ASSERT_TRUE(waiting.ok());
  EXPECT_EQ(open_files(), before);
  (*waiting)->Add(replay_.records.front());
  ASSERT_TRUE((*waiting)->Flush().ok());
  EXPECT_EQ(open_files(), before + 1);
  EXPECT_EQ(ReadJournal(Read(path))->records.size(), 1u);
}

TEST_F(JournalTest, KeepsTheRequestThatMadeTheMatch) {
  match::Setup setup = replay_.setup;
  setup.request_id = "monday";
  const std::string path = directory_.path() + "/b.jnl";
  ASSERT_TRUE(JournalWriter::Create(&kDisk, path, path + ".new", setup, {}).ok());
  EXPECT_EQ(ReadJournal(Read(path))->setup.request_id, "monday");
}

TEST_F(JournalTest, ComesBackAsItWent) {
  const absl::StatusOr<Journal> journal = ReadJournal(bytes_);
  ASSERT_TRUE(journal.ok()) << journal.status();
  EXPECT_TRUE(journal->ended);
  EXPECT_EQ(journal->size, bytes_.size());
  EXPECT_EQ(journal->torn, 0u);
  EXPECT_EQ(journal->records.size(), replay_.records.size());
}

TEST_F(JournalTest, TornAtAnyByteGivesWhatWasWrittenBefore) {
  for (size_t size = 0; size < bytes_.size(); ++size) {
    const absl::StatusOr<Journal> journal = ReadJournal(absl::string_view(bytes_).substr(0, size));
    EXPECT_EQ(journal.ok(), size >= ends_[0]) << size;
    if (!journal.ok()) continue;
    size_t whole = 0;
    while (ends_[whole + 1] <= size) ++whole;
    EXPECT_EQ(journal->records.size(), whole) << size;
    EXPECT_EQ(journal->size, ends_[whole]) << size;
    EXPECT_EQ(journal->torn, size - ends_[whole]) << size;
    EXPECT_FALSE(journal->ended) << size;
  }
}

TEST_F(JournalTest, DamagedInTheMiddleIsNotTakenForTorn) {
  std::string damaged = bytes_;
  damaged[ends_[2] + 10] = static_cast<char>(damaged[ends_[2] + 10] ^ 1);
  EXPECT_EQ(ReadJournal(damaged).status().message(),
            "byte " + std::to_string(ends_[2]) + ": a frame is damaged");
}

TEST_F(JournalTest, WithZerosAtItsEndIsTorn) {
  const absl::StatusOr<Journal> journal = ReadJournal(bytes_ + std::string(5000, '\0'));
  ASSERT_TRUE(journal.ok()) << journal.status();
  EXPECT_EQ(journal->torn, 5000u);
}

TEST_F(JournalTest, WithAnyByteChangedNeverGivesAChangedRecord) {
  for (size_t at = 0; at < bytes_.size(); ++at) {
    std::string changed = bytes_;
    changed[at] = static_cast<char>(changed[at] ^ 0x21);
    const absl::StatusOr<Journal> journal = ReadJournal(changed);
    if (!journal.ok()) continue;
    EXPECT_LT(journal->size, bytes_.size()) << at;
    EXPECT_FALSE(RecordsOfJournal(changed).ok()) << at;
  }
}

TEST_F(JournalTest, IsNotMadeWhereThereIsOneAlready) {
  EXPECT_FALSE(
      JournalWriter::Create(&kDisk, path_, path_ + ".new", replay_.setup, dice::PinnedSeed(7))
          .ok());
  EXPECT_EQ(Read(path_), bytes_);
}

TEST_F(JournalTest, GoesOnAfterWhatIsGood) {
  const size_t good = ends_[3];
  auto writer = JournalWriter::Continue(&kDisk, path_, replay_.setup.game, good);
  ASSERT_TRUE(writer.ok());
  (*writer)->Add(replay_.records[3]);
  ASSERT_TRUE((*writer)->Flush().ok());
  EXPECT_EQ(Read(path_), bytes_.substr(0, ends_[4]));
}

TEST(JournalOnAFullDisk, StaysReadableUpToTheLastFlush) {
  const Replay replay = PlaySample({});
  for (const size_t room : {1u, 7u, 9u, 40u, 100u}) {
    const testing::TempFolder directory;
    const std::string path = directory.path() + "/a.jnl";
    auto writer =
        JournalWriter::Create(&kDisk, path, path + ".new", replay.setup, dice::PinnedSeed(7))
            .value();
    writer->Add(replay.records[0]);
    ASSERT_TRUE(writer->Flush().ok());
    const std::string before = Read(path);
    {
      const FullDisk full(before.size() + room);
      // More than there is room for, in one write.
      for (size_t i = 1; i < 8; ++i) writer->Add(replay.records[i]);
      const absl::Status status = writer->Flush();
      EXPECT_TRUE(absl::IsResourceExhausted(status)) << status;
      EXPECT_THAT(std::string(status.message()), HasSubstr(path));
      EXPECT_THAT(std::string(status.message()), HasSubstr("make room"));
    }
    EXPECT_EQ(Read(path), before);
    // There is room again, but a gap may not be written over.
    writer->Add(replay.records[9]);
    EXPECT_TRUE(absl::IsResourceExhausted(writer->Flush()));
    EXPECT_EQ(Read(path), before);
  }
}

TEST(JournalOnAFullDisk, LeavesNoFileWhenItCannotBeOpened) {
  const testing::TempFolder directory;
  const std::string path = directory.path() + "/a.jnl";
  const FullDisk full(30);
  const auto writer =
      JournalWriter::Create(&kDisk, path, path + ".new", SampleSetup({}), dice::PinnedSeed(7));
  EXPECT_TRUE(absl::IsResourceExhausted(writer.status()));
  struct stat info;
  EXPECT_NE(stat(path.c_str(), &info), 0);
}

}  // namespace
}  // namespace referee::replay
