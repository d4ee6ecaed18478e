// Tests of reading the file of a pack: whole, cut anywhere, or damaged.
#include "referee/replay/pack.h"

#include <fcntl.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/replay/errors.h"
#include "referee/replay/files.h"
#include "tests/support/match_id.h"
#include "tests/unit/replay/sample.h"

namespace referee::replay {
namespace {

using ::referee::testing::NumberedId;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Pack : public ::testing::Test {
 protected:
  void Write(const std::string& bytes) {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes;
  }
  PackScan Scan(uint64_t from = 0) {
    entries_.clear();
    const absl::StatusOr<PackScan> scan =
        ScanPack(path_, name_, from, [this](PackedReplay entry) { entries_.push_back(entry); });
    EXPECT_TRUE(scan.ok()) << scan.status();
    return scan.value_or(PackScan());
  }
  absl::StatusOr<std::string> Read(const PackedReplay& replay) {
    const File file = OpenFile(path_, O_RDONLY).value();
    return ReadPackEntry(file.fd(), path_, replay);
  }
  std::vector<std::string> Ids() const {
    std::vector<std::string> ids;
    for (const PackedReplay& entry : entries_) ids.push_back(entry.id.text());
    return ids;
  }

  const testing::TempFolder directory_{testing::TempFolderOn::kMemory};
  const std::string path_ = directory_.path() + "/a.pack";
  const PackName name_ = PackName::OfDay(absl::FromUnixSeconds(1'700'000'000));
  const std::string first_ = "refrepl: one";
  const std::string second_ = "refrepl: another one";
  const std::string whole_ = absl::StrCat(PackHeader(), EncodePackEntry(NumberedId(1), first_),
                                          EncodePackEntry(NumberedId(2), second_));
  std::vector<PackedReplay> entries_;
};

TEST_F(Pack, GivesWhatWasPutIntoItByteForByte) {
  Write(whole_);
  const PackScan scan = Scan();
  EXPECT_EQ(scan.end, whole_.size());
  EXPECT_EQ(scan.tail, PackTail::kNone);
  ASSERT_THAT(Ids(), ElementsAre(NumberedId(1).text(), NumberedId(2).text()));
  EXPECT_EQ(Read(entries_[0]).value(), first_);
  EXPECT_EQ(Read(entries_[1]).value(), second_);
}

TEST_F(Pack, IsReadFromTheEndOfAnyEntry) {
  Write(whole_);
  const size_t middle = PackHeader().size() + EncodePackEntry(NumberedId(1), first_).size();
  EXPECT_EQ(Scan(middle).end, whole_.size());
  EXPECT_THAT(Ids(), ElementsAre(NumberedId(2).text()));
  EXPECT_EQ(Scan(whole_.size()).end, whole_.size());
  EXPECT_THAT(Ids(), IsEmpty());
}

TEST_F(Pack, CutInItsLastEntryHasTheOthersAndIsTorn) {
  const size_t middle = PackHeader().size() + EncodePackEntry(NumberedId(1), first_).size();
  for (size_t size = middle + 1; size < whole_.size(); ++size) {
    Write(whole_.substr(0, size));
    const PackScan scan = Scan();
    EXPECT_EQ(scan.end, middle) << size;
    EXPECT_EQ(scan.tail, PackTail::kTorn) << size;
    EXPECT_THAT(Ids(), ElementsAre(NumberedId(1).text())) << size;
  }
}

// The property of all readers: what is not said to be torn is whole.
TEST_F(Pack, CutAtAnyByteHasWholeEntriesOnlyOrNamesTheTear) {
  const size_t middle = PackHeader().size() + EncodePackEntry(NumberedId(1), first_).size();
  const std::vector<size_t> ends = {PackHeader().size(), middle, whole_.size()};
  for (size_t size = 0; size <= whole_.size(); ++size) {
    Write(whole_.substr(0, size));
    const PackScan scan = Scan();
    const absl::Status problem = PackProblem(path_, scan);
    const auto next = std::lower_bound(ends.begin(), ends.end(), size);
    const size_t whole = static_cast<size_t>(next - ends.begin()) + (*next == size ? 1 : 0);
    EXPECT_EQ(entries_.size(), whole > 0 ? whole - 1 : 0) << size;
    if (*next == size) {
      EXPECT_TRUE(problem.ok()) << size << " " << problem;
      continue;
    }
    const size_t end = whole > 0 ? ends[whole - 1] : 0;
    EXPECT_TRUE(absl::IsDataLoss(problem)) << size;
    EXPECT_THAT(std::string(problem.message()),
                AllOf(HasSubstr(path_), HasSubstr(absl::StrCat("byte ", end))))
        << size;
    if (size < end + 8 || whole == 0) continue;  // its size is not there
    EXPECT_EQ(scan.missing, *next - size) << size;
    if (size < end + 34) continue;  // its match is not there
    EXPECT_THAT(std::string(problem.message()),
                AllOf(HasSubstr(NumberedId(static_cast<uint8_t>(whole)).text()),
                      HasSubstr(absl::StrCat(*next - size, " bytes"))))
        << size;
  }
}

TEST_F(Pack, EntryThatIsBeingWrittenIsNotThereYet) {
  Write(whole_.substr(0, whole_.size() - 5));
  const size_t middle = PackHeader().size() + EncodePackEntry(NumberedId(1), first_).size();
  const File file = OpenFile(path_, O_WRONLY | O_APPEND).value();
  {
    const PackWriting writing(file.fd());
    const PackScan scan = Scan();
    EXPECT_TRUE(PackProblem(path_, scan).ok());
    EXPECT_EQ(scan.end, middle);
    EXPECT_THAT(Ids(), ElementsAre(NumberedId(1).text()));
  }
  EXPECT_EQ(Scan().tail, PackTail::kTorn) << "its writer has ended";
}

TEST_F(Pack, IsNeverTornWhileItsWriterGoesOn) {
  Write(PackHeader());
  std::atomic<bool> done{false};
  std::thread writer([&] {
    const File file = OpenFile(path_, O_WRONLY | O_APPEND).value();
    const std::string entry = EncodePackEntry(NumberedId(1), first_);
    for (int i = 0; i < 2000; ++i) {
      const PackWriting writing(file.fd());
      // In pieces, as the system may take them.
      for (size_t at = 0; at < entry.size(); at += 20) {
        ASSERT_TRUE(WriteAll(file.fd(), entry.substr(at, 20), path_).ok());
      }
    }
    done = true;
  });
  uint64_t end = 0;
  for (bool last = false; !last;) {
    last = done;
    const PackScan scan = Scan(end);
    EXPECT_TRUE(PackProblem(path_, scan).ok()) << PackProblem(path_, scan);
    end = scan.end;
  }
  writer.join();
  EXPECT_EQ(end, PackHeader().size() + 2000 * EncodePackEntry(NumberedId(1), first_).size());
}

TEST_F(Pack, PassesOverADamagedEntryAndGoesOn) {
  for (size_t at = PackHeader().size() + 4; at < whole_.size() - second_.size() - 34; ++at) {
    std::string bytes = whole_;
    bytes[at] = static_cast<char>(bytes[at] ^ 1);
    Write(bytes);
    const PackScan scan = Scan();
    EXPECT_EQ(scan.damaged, 1u) << at;
    EXPECT_THAT(std::string(PackProblem(path_, scan).message()),
                HasSubstr("1 entry is damaged and cannot be read, the first at byte 8;"))
        << at;
    EXPECT_EQ(scan.end, whole_.size()) << at;
    EXPECT_THAT(Ids(), ElementsAre(NumberedId(2).text())) << at;
  }
}

// What goes on where the size of an entry is damaged is never taken for a write that was cut short.
TEST_F(Pack, WithADamagedSizeIsNotCutOff) {
  for (size_t byte = 0; byte < 4; ++byte) {
    for (int bit = 3; bit < 8; ++bit) {
      std::string bytes = whole_;
      bytes[8 + byte] = static_cast<char>(bytes[8 + byte] ^ (1 << bit));
      Write(bytes);
      EXPECT_NE(Scan().tail, PackTail::kTorn) << byte << " " << bit;
    }
  }
}

TEST_F(Pack, EndsWhereOnlyZerosFollow) {
  Write(whole_ + std::string(4096, '\0'));
  const PackScan scan = Scan();
  EXPECT_EQ(scan.end, whole_.size());
  EXPECT_EQ(scan.tail, PackTail::kUnreadable);
}

TEST_F(Pack, OfAnotherKindIsUnreadable) {
  for (const std::string bytes : {"", "refpac", "another file"}) {
    Write(bytes);
    EXPECT_EQ(Scan().tail, PackTail::kUnreadable) << bytes;
    EXPECT_THAT(Ids(), IsEmpty());
  }
}

TEST_F(Pack, OfANewerVersionIsRefusedByName) {
  std::string bytes = whole_;
  bytes[7] = 9;
  Write(bytes);
  const absl::Status status = ScanPack(path_, name_, 0, [](PackedReplay) {}).status();
  EXPECT_TRUE(IsUnknownHere(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr(path_));
}

TEST_F(Pack, DoesNotGiveWhatIsNotTheReplayAskedFor) {
  Write(whole_);
  Scan();
  PackedReplay other = entries_[0];
  other.id = NumberedId(3);
  EXPECT_TRUE(absl::IsDataLoss(Read(other).status()));
  PackedReplay shifted = entries_[0];
  shifted.offset += 1;
  EXPECT_TRUE(absl::IsDataLoss(Read(shifted).status()));
  for (const uint64_t offset : {uint64_t{0}, uint64_t{41}}) {
    shifted.offset = offset;
    EXPECT_TRUE(absl::IsDataLoss(Read(shifted).status()));
  }
  PackedReplay larger = entries_[0];
  larger.size = 0xffffffff;
  EXPECT_TRUE(absl::IsDataLoss(Read(larger).status()));
}

TEST(PackNames, AreThoseOfDaysAndParts) {
  const PackName name = PackName::OfDay(absl::FromUnixSeconds(1'700'000'000));
  EXPECT_EQ(name.text(), "2023-11-14.0.pack");
  EXPECT_EQ(name.next().text(), "2023-11-14.1.pack");
  EXPECT_EQ(name.next().first(), name);
  EXPECT_EQ(PackName::Parse("2023-11-14.1.pack"), name.next());
  EXPECT_LT(name.next(), PackName::Parse("2023-11-15.0.pack").value());
  for (const char* const other :
       {"2023-11-14.pack", "2023-11-14.01.pack", "2023-11-14.4096.pack", "2023-11-14.-1.pack",
        "2023-11-14.0.pack.tmp", "2023-11-31.0.pack", "1969-11-14.0.pack", "x.0.pack"}) {
    EXPECT_FALSE(PackName::Parse(other)) << other;
  }
}

}  // namespace
}  // namespace referee::replay
