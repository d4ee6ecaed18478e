// Claims about what becomes of the journals and the ledger of a former referee.
#include "referee/replay/former.h"

#include <filesystem>
#include <fstream>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/replay/framing.h"
#include "referee/replay/journal.h"
#include "referee/replay/record_codec.h"
#include "tests/unit/replay/recorder_under_test.h"

namespace referee::replay {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class FormerTest : public RecorderTest {
 protected:
  // A journal with the first `count` records of a match.
  static std::string Journal(const Replay& replay, size_t count) {
    RecordEncoder encoder;
    std::string records;
    const auto add = [&](const std::string& record) {
      AppendVarint(static_cast<uint32_t>(record.size()), &records);
      records += record;
    };
    std::string record;
    encoder.AppendOpening(replay.setup, &record);
    add(record);
    record.clear();
    encoder.AppendSecret(dice::PinnedSeed(7), &record);
    add(record);
    for (size_t i = 0; i < count; ++i) {
      record.clear();
      encoder.AppendRecord(*replay.setup.game, replay.records[i], &record);
      add(record);
    }
    return JournalOf(records);
  }
  std::string Path(const std::string& name) const { return data_dir_ + "/journals/" + name; }
  std::string JournalPath(const Replay& replay) const {
    return Path(replay.setup.id.text() + ".jnl");
  }
  void Write(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
  }
  // A ledger with one entry.
  void WriteLedger(char kind, const Replay& replay, const std::string& bytes) {
    const std::string generation("\1\0\0\0\0\0\0\0", 8);
    const std::string body =
        absl::StrCat(generation, std::string(1, kind), replay.setup.id.text(), bytes);
    std::string ledger = absl::StrCat("refldgr\x01", generation);
    AppendU32(static_cast<uint32_t>(body.size()), &ledger);
    AppendU32(Crc32c(body), &ledger);
    Write(Path("ledger.0"), ledger + body);
  }
  // Names below journals, but for what is broken.
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(data_dir_ + "/journals")) {
      const std::string name = entry.path().filename();
      if (name != "lock" && name != "broken") names.push_back(name);
    }
    return names;
  }

  const Replay replay_ = PlaySample({});
};

TEST_F(FormerTest, MatchThatWasRunningGoesOn) {
  for (const Durability durability : {Durability::kNone, Durability::kTurn}) {
    recorder_.reset();
    std::filesystem::remove_all(LogDir(data_dir_));
    std::filesystem::remove_all(data_dir_ + "/replays");
    Write(JournalPath(replay_), Journal(replay_, 20));
    Write(Path("spare.7"), "an old journal");
    Start({data_dir_, durability});
    EXPECT_THAT(Names(), IsEmpty());
    for (int i = 0; i < 2; ++i) {
      Recovered recovered = Recover();
      EXPECT_EQ(recovered.action, Recovered::Action::kRunning);
      EXPECT_EQ(recovered.unfinished->secret, dice::PinnedSeed(7));
      EXPECT_EQ(recovered.unfinished->records.size(), 20u);
      Restart({data_dir_, durability});
    }
  }
}

TEST_F(FormerTest, MatchThatWasOverIsArchived) {
  Write(JournalPath(replay_), Journal(replay_, replay_.records.size()));
  Restart();
  EXPECT_EQ(Recover().action, Recovered::Action::kSealed);
  EXPECT_EQ(archive_.Read(replay_.setup.id).value(), Encode(replay_, SampleSigner()));
  EXPECT_THAT(Names(), IsEmpty());
}

TEST_F(FormerTest, TornWriteIsCutOff) {
  const std::string journal = Journal(replay_, 20);
  Write(JournalPath(replay_), journal.substr(0, journal.size() - 3));
  Restart();
  const std::vector<Recovered> recovered = recorder_->Recover();
  ASSERT_EQ(recovered.size(), 2u);
  EXPECT_THAT(recovered[0].detail, HasSubstr("of a write that was not finished"));
  EXPECT_EQ(recovered[1].unfinished->records.size(), 19u);
}

TEST_F(FormerTest, IsTakenOverOnceWhenThatWasInterrupted) {
  Write(JournalPath(replay_), Journal(replay_, 20));
  Restart();
  Recovered recovered = Recover();
  recovered.unfinished->recording->Add(replay_.records[20]);
  ASSERT_TRUE(recovered.unfinished->recording->Flush().ok());
  Write(JournalPath(replay_), Journal(replay_, 20));
  Restart();
  EXPECT_EQ(Recover().unfinished->records.size(), 21u);
  EXPECT_THAT(Names(), IsEmpty());
}

TEST_F(FormerTest, JournalThatCannotBeReadIsMovedAside) {
  std::string journal = Journal(replay_, 20);
  journal[200] = static_cast<char>(journal[200] ^ 1);
  Write(JournalPath(replay_), journal);
  Restart();
  const Recovered recovered = Recover();
  EXPECT_EQ(recovered.action, Recovered::Action::kBroken);
  EXPECT_EQ(ReadWholeFile(Aside(replay_), 1 << 20).value(), journal);
  EXPECT_THAT(ReadWholeFile(Aside(replay_) + ".reason", 1000).value(),
              HasSubstr("a frame is damaged"));
}

TEST_F(FormerTest, JournalOfAnotherProgramStaysWhereItIs) {
  const std::string journal = "refjrnl\x02 what is to come";
  Write(JournalPath(replay_), journal);
  Restart();
  EXPECT_EQ(Recover().action, Recovered::Action::kKept);
  EXPECT_EQ(ReadWholeFile(JournalPath(replay_), 1000).value(), journal);
}

TEST_F(FormerTest, ReplayThatOnlyTheLedgerHasIsArchived) {
  const std::string file = Encode(replay_, SampleSigner());
  WriteLedger(2, replay_, file);
  Restart();
  EXPECT_EQ(archive_.Read(replay_.setup.id).value(), file);
  EXPECT_THAT(recorder_->Recover(), IsEmpty());
  EXPECT_THAT(Names(), IsEmpty());
}

TEST_F(FormerTest, OpeningThatOnlyTheLedgerHasIsAMatchThatBeginsAgain) {
  WriteLedger(1, replay_, Journal(replay_, 0));
  Restart();
  const Recovered recovered = Recover();
  EXPECT_EQ(recovered.action, Recovered::Action::kRunning);
  EXPECT_THAT(recovered.unfinished->records, IsEmpty());
  EXPECT_THAT(Names(), IsEmpty());
}

TEST_F(FormerTest, OpeningInTheLedgerIsOfNoUseWhereThereIsAJournal) {
  WriteLedger(1, replay_, Journal(replay_, 0));
  Write(JournalPath(replay_), Journal(replay_, 20));
  Restart();
  EXPECT_EQ(Recover().unfinished->records.size(), 20u);
}

}  // namespace
}  // namespace referee::replay
