// Replays that were written once verify for ever: replays/README.md.
#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/replay/cursor.h"
#include "referee/replay/key_ring.h"
#include "referee/replay/replay.h"
#include "referee/replay/transcript.h"
#include "referee/replay/verifier.h"

namespace referee {
namespace {

namespace fs = std::filesystem;

// The paths in a folder, sorted: folders, or files of the given kind.
std::vector<std::string> PathsIn(const fs::path& folder, const std::string& extension) {
  std::vector<std::string> paths;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const bool wanted =
        extension.empty() ? entry.is_directory() : entry.path().extension() == extension;
    if (wanted) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<std::string> Forms() { return PathsIn(REFEREE_GOLDEN_REPLAYS, ""); }

TEST(GoldenReplays, OfEveryFormVerifyWithTheirKeys) {
  ASSERT_GE(Forms().size(), 5u);
  for (const std::string& form : Forms()) {
    const absl::StatusOr<replay::KeyRing> keys = replay::ReadKeyRing(form + "/key.ring");
    ASSERT_TRUE(keys.ok()) << keys.status();
    const std::vector<std::string> files = PathsIn(form, ".rpl");
    EXPECT_FALSE(files.empty()) << form;
    for (const std::string& file : files) {
      const replay::Verification found = replay::Verify(replay::ReadFile(file).value(), *keys);
      EXPECT_TRUE(found.ok) << file << ": " << found.problem;
    }
  }
}

TEST(GoldenReplays, OfEveryFormAreShownAndExported) {
  for (const std::string& form : Forms()) {
    for (const std::string& file : PathsIn(form, ".rpl")) {
      const absl::StatusOr<replay::Replay> replay = replay::Parse(replay::ReadFile(file).value());
      ASSERT_TRUE(replay.ok()) << file << ": " << replay.status();
      EXPECT_THAT(replay::Transcript(*replay), ::testing::StartsWith("referee-transcript 1\n"));
      absl::optional<replay::Cursor> cursor = replay::CursorOf(*replay);
      EXPECT_EQ(cursor.has_value(), replay->started() != nullptr) << file;
      if (!cursor.has_value()) continue;
      for (const match::Record& record : replay->records) {
        const absl::Status taken = cursor->Take(record);
        ASSERT_TRUE(taken.ok()) << file << ": " << taken;
      }
    }
  }
}

// A seat that did not resign, but was interrupted, thought for longer than one move.
TEST(GoldenReplays, WithAnInterruptedTurnVerifyOnlyIfItSaysSo) {
  const std::vector<std::string> files = PathsIn(REFEREE_GOLDEN_REPLAYS "/7-interrupted", ".rpl");
  ASSERT_FALSE(files.empty());
  for (const std::string& file : files) {
    absl::StatusOr<replay::Replay> replay = replay::Parse(replay::ReadFile(file).value());
    ASSERT_TRUE(replay.ok()) << replay.status();
    int interrupts = 0;
    for (match::Record& record : replay->records) {
      auto* const forfeit = std::get_if<match::Forfeited>(&record);
      if (forfeit != nullptr && std::exchange(forfeit->interrupts_turn, false)) ++interrupts;
    }
    EXPECT_EQ(interrupts, 1) << file;
    const replay::Verification found = replay::VerifyMatch(*replay);
    EXPECT_FALSE(found.ok) << file;
    EXPECT_THAT(found.problem, ::testing::HasSubstr("but the limit was 300000000 ns")) << file;
  }
}

}  // namespace
}  // namespace referee
