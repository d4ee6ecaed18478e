// Tests that the examples of the format document match the code.
#include <gmock/gmock.h>

#include <fstream>
#include <sstream>
#include <string>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "referee/replay/framing.h"
#include "referee/replay/log_format.h"
#include "referee/replay/pack.h"
#include "referee/replay/record_codec.h"
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

// The bytes that `hexdump -C` shows; zeros where it leaves lines out.
std::string BytesOf(const std::string& dump) {
  std::string bytes;
  for (const absl::string_view line : absl::StrSplit(dump, '\n')) {
    uint32_t offset;
    if (line.size() < 10 || !absl::SimpleHexAtoi(line.substr(0, 8), &offset)) continue;
    bytes.resize(offset);
    for (const absl::string_view word : absl::StrSplit(line.substr(10, 49), ' ')) {
      uint32_t byte;
      if (absl::SimpleHexAtoi(word, &byte)) bytes.push_back(static_cast<char>(byte));
    }
  }
  return bytes;
}

// The records of the match that the replay shows: opening and secret, and the rest.
std::pair<std::string, std::string> ShownRecords() {
  const Replay shown = Parse(BytesOf(Block("replay"))).value();
  RecordEncoder encoder;
  const auto sized = [](const std::string& record) {
    std::string out;
    AppendSized(record, &out);
    return out;
  };
  std::string opening;
  std::string secret;
  std::string end;
  encoder.AppendOpening(shown.setup, &opening);
  encoder.AppendSecret(dice::PinnedSeed(7), &secret);
  encoder.AppendRecord(*shown.setup.game, shown.records[0], &end);
  return {sized(opening) + sized(secret), sized(end)};
}

TEST(FormatDocument, ShowsAReplayThatVerifies) {
  const std::string file = BytesOf(Block("replay"));
  ASSERT_EQ(file.size(), 0x186u);
  EXPECT_EQ(Verify(file, KeyRing(SampleSigner().public_key())).problem, "");
  EXPECT_EQ(Transcript(Parse(file).value()), Block("transcript"));
}

TEST(FormatDocument, ShowsHowThePackOfTheSameMatchBegins) {
  const std::string file = BytesOf(Block("replay"));
  const MatchId id = Parse(file).value().setup.id;
  const std::string pack = absl::StrCat(PackHeader(), EncodePackEntry(id, file));
  EXPECT_EQ(pack.substr(0, 0x40), BytesOf(Block("pack")));
  EXPECT_EQ(pack.substr(0x2a), file);
}

TEST(FormatDocument, ShowsTheLogOfTheSameMatch) {
  const auto [opening, end] = ShownRecords();
  const MatchId id = Parse(BytesOf(Block("replay")))->setup.id;
  const LogHead head = {1, false, 0x0807060504030201};
  std::string expected = EncodeHead(head);
  expected.resize(kLogPageBytes);
  AppendLogFrame(head, {LogFrame::Kind::kMatch, id, 0, opening}, &expected);
  AppendLogFrame(head, {LogFrame::Kind::kMore, id, 2, end}, &expected);
  absl::StrAppend(&expected, kNoFrame);
  const std::string bytes = BytesOf(Block("log"));
  EXPECT_EQ(absl::BytesToHexString(bytes), absl::BytesToHexString(expected));
  const LogContent content = ReadLogSegment(bytes).value();
  ASSERT_EQ(content.frames.size(), 2u);
  EXPECT_EQ(content.frames[1].records, end);
}

}  // namespace
}  // namespace referee::replay
