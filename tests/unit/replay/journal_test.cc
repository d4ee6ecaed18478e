#include "referee/replay/journal.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "referee/replay/framing.h"
#include "referee/replay/record_codec.h"
#include "tests/unit/replay/sample.h"

namespace referee::replay {
namespace {

// A journal of a few turns.
class JournalTest : public ::testing::Test {
 protected:
  JournalTest() {
    SampleOptions options;
    options.cancel_at = 6;
    replay_ = PlaySample(options);
    std::string record;
    encoder_.AppendOpening(replay_.setup, &record);
    Add(record);
    record.clear();
    encoder_.AppendSecret(dice::PinnedSeed(7), &record);
    Add(record);
    ends_ = {JournalOf(records_).size()};
    for (const match::Record& one : replay_.records) {
      record.clear();
      encoder_.AppendRecord(*replay_.setup.game, one, &record);
      Add(record);
      ends_.push_back(JournalOf(records_).size());
    }
    bytes_ = JournalOf(records_);
  }

  void Add(const std::string& record) {
    AppendVarint(static_cast<uint32_t>(record.size()), &records_);
    records_ += record;
  }

  RecordEncoder encoder_;
  Replay replay_;
  std::string records_;
  std::vector<size_t> ends_;  // of the opening and the secret, and of each record
  std::string bytes_;
};

TEST_F(JournalTest, HoldsTheSecret) { EXPECT_EQ(ReadJournal(bytes_)->secret, dice::PinnedSeed(7)); }

TEST_F(JournalTest, GivesBackTheRecordsThatItWasMadeOf) {
  EXPECT_EQ(RecordsOfJournal(bytes_).value(), records_);
}

TEST_F(JournalTest, EndsBeforeARecordThatIsNotWhole) {
  EXPECT_EQ(JournalOf(absl::string_view(records_).substr(0, records_.size() - 1)),
            bytes_.substr(0, ends_[ends_.size() - 2]));
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

}  // namespace
}  // namespace referee::replay
