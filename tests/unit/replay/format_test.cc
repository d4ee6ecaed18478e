// The document of the format says what the code does: its examples are read, not believed.
#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "referee/replay/journal.h"
#include "referee/replay/transcript.h"
#include "referee/replay/verifier.h"
#include "tests/unit/replay/sample.h"

namespace referee::replay {
namespace {

// The block of the document that is fenced by ```<name>.
std::string Block(const std::string& name) {
  std::ifstream file(REFEREE_SOURCE_DIR "/referee/replay/FORMAT.md");
  std::stringstream text;
  text << file.rdbuf();
  const std::string all = text.str();
  const size_t start = all.find("```" + name + "\n") + name.size() + 4;
  return all.substr(start, all.find("```", start) - start);
}

// The bytes that `hexdump -C` shows.
std::string BytesOf(const std::string& dump) {
  std::string bytes;
  for (const absl::string_view line : absl::StrSplit(dump, '\n')) {
    if (line.size() < 10) continue;
    for (const absl::string_view word : absl::StrSplit(line.substr(10, 49), ' ')) {
      uint32_t byte;
      if (absl::SimpleHexAtoi(word, &byte)) bytes.push_back(static_cast<char>(byte));
    }
  }
  return bytes;
}

TEST(FormatDocument, ShowsAReplayThatVerifies) {
  const std::string file = BytesOf(Block("replay"));
  ASSERT_EQ(file.size(), 0x170u);
  EXPECT_EQ(Verify(file, KeyRing(SampleSigner().public_key())).problem, "");
  EXPECT_EQ(Transcript(Parse(file).value()), Block("transcript"));
}

TEST(FormatDocument, ShowsTheJournalOfTheSameMatch) {
  const std::string bytes = BytesOf(Block("journal"));
  ASSERT_EQ(bytes.size(), 0x13au);
  const absl::StatusOr<Journal> journal = ReadJournal(bytes);
  ASSERT_TRUE(journal.ok()) << journal.status();
  EXPECT_TRUE(journal->ended);
  EXPECT_EQ(journal->secret, dice::PinnedSeed(7));
  const Replay replay{journal->setup, journal->records};
  EXPECT_EQ(Transcript(replay), Block("transcript"));
  EXPECT_EQ(*RecordsOfJournal(bytes), [] {
    const Replay shown = Parse(BytesOf(Block("replay"))).value();
    RecordEncoder encoder;
    std::string opening;
    std::string end;
    encoder.AppendOpening(shown.setup, &opening);
    encoder.AppendRecord(*shown.setup.game, shown.records[0], &end);
    return absl::StrCat("\xba\x01", opening, "\x3c", end);
  }());
}

}  // namespace
}  // namespace referee::replay
