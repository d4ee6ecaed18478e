#include "referee/replay/ledger.h"

#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/replay/errors.h"
#include "referee/replay/framing.h"
#include "tests/support/temp_folder.h"

namespace referee::replay {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

MatchId EntryId(uint64_t number) {
  uint8_t random[10] = {};
  std::memcpy(random, &number, sizeof(number));
  return MatchId::Make(absl::FromUnixSeconds(1'795'300'000), random);
}

std::string Generation(uint64_t generation) {
  std::string bytes;
  AppendU32(static_cast<uint32_t>(generation), &bytes);
  AppendU32(static_cast<uint32_t>(generation >> 32), &bytes);
  return bytes;
}

std::string Head(uint64_t generation) {
  return absl::StrCat(absl::string_view("refldgr\x01", 8), Generation(generation));
}

std::string Entry(uint64_t generation, char kind, uint64_t number, absl::string_view bytes) {
  const std::string body =
      absl::StrCat(Generation(generation), std::string(1, kind), EntryId(number).text(), bytes);
  std::string entry;
  AppendU32(static_cast<uint32_t>(body.size()), &entry);
  AppendU32(Crc32c(body), &entry);
  return entry + body;
}

class LedgerTest : public ::testing::Test {
 protected:
  void Write(int index, const std::string& bytes) {
    std::ofstream(absl::StrCat(directory_.path(), "/ledger.", index), std::ios::binary) << bytes;
  }
  std::vector<std::string> Contents() const {
    std::vector<std::string> contents;
    const std::vector<LedgerEntry> entries = ReadLedger(directory_.path()).value();
    for (const LedgerEntry& entry : entries) {
      contents.push_back(absl::StrCat(
          entry.kind == LedgerEntry::Kind::kOpening ? "opening " : "replay ", entry.bytes));
    }
    return contents;
  }

  const testing::TempFolder directory_;
};

TEST_F(LedgerTest, IsReadInOrderOlderFileFirst) {
  Write(0, Head(4) + Entry(4, 1, 1, "three") + Entry(4, 2, 2, "four"));
  Write(1, Head(3) + Entry(3, 1, 1, "one") + Entry(3, 2, 2, "two"));
  EXPECT_THAT(Contents(), ElementsAre("opening one", "replay two", "opening three", "replay four"));
  EXPECT_EQ(ReadLedger(directory_.path())->at(1).id, EntryId(2));
}

TEST_F(LedgerTest, IsEmptyWhereThereIsNone) { EXPECT_THAT(Contents(), IsEmpty()); }

TEST_F(LedgerTest, EndsWithWhatIsOfAnotherGeneration) {
  Write(0, Head(4) + Entry(4, 1, 1, "one") + Entry(2, 1, 2, "of before"));
  EXPECT_THAT(Contents(), ElementsAre("opening one"));
}

TEST_F(LedgerTest, LeavesOutAnEntryThatIsTornAtAnyByte) {
  const std::string whole = Head(1) + Entry(1, 1, 1, "one");
  const std::string last = Entry(1, 2, 2, "two");
  for (size_t cut = 0; cut < last.size(); ++cut) {
    // What was not written yet is zeros, or what was there before.
    for (const std::string& tail : {std::string(64, '\0'), std::string(64, 'x')}) {
      Write(0, whole + last.substr(0, cut) + tail);
      EXPECT_THAT(Contents(), ElementsAre("opening one")) << cut;
    }
  }
}

TEST_F(LedgerTest, OfAVersionThatIsNotKnownIsNotRead) {
  Write(0, absl::StrCat("refldgr\x02", std::string(100, 'x')));
  EXPECT_TRUE(IsUnknownHere(ReadLedger(directory_.path()).status()));
}

TEST_F(LedgerTest, IsRemoved) {
  Write(0, Head(1) + Entry(1, 1, 1, "one"));
  EXPECT_TRUE(RemoveLedger(directory_.path()).ok());
  EXPECT_THAT(Contents(), IsEmpty());
  EXPECT_TRUE(RemoveLedger(directory_.path()).ok());
}

}  // namespace
}  // namespace referee::replay
