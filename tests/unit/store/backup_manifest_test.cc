// Tests of the manifest of a backup: it reads as written, and rejects bad bytes.
#include "referee/store/backup_manifest.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace referee::store {
namespace {

using ::testing::HasSubstr;

BackupManifest Sample() {
  BackupManifest manifest;
  manifest.number = 3;
  manifest.time = absl::FromUnixSeconds(1'700'000'000);
  manifest.parts.push_back({"replays/packs/2026-11-23.0.pack",
                            "1/replays/packs/2026-11-23.0.pack",
                            1234,
                            "ab",
                            true,
                            {5, 1234, 17}});
  return manifest;
}

TEST(BackupManifest, ReadsAsItWasWritten) {
  const auto read = ParseManifest(EncodeManifest(Sample()));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(EncodeManifest(*read), EncodeManifest(Sample()));
  ASSERT_EQ(read->parts.size(), 1u);
  EXPECT_EQ(read->parts[0].seen, Sample().parts[0].seen);
}

TEST(BackupManifest, LeadsNowhereElse) {
  const std::string text = EncodeManifest(Sample());
  for (const char* const path : {"../key", "/etc/passwd", "a//b", "a/../b", "", "."}) {
    const std::string bad = absl::StrReplaceAll(
        text, {{"\"replays/packs/2026-11-23.0.pack\"", absl::StrCat("\"", path, "\"")}});
    EXPECT_TRUE(absl::IsInvalidArgument(ParseManifest(bad).status())) << path;
  }
}

TEST(BackupManifest, RefusesWhatIsNone) {
  const std::string text = EncodeManifest(Sample());
  for (size_t size = 0; size + 1 < text.size(); ++size) {
    EXPECT_TRUE(absl::IsInvalidArgument(ParseManifest(text.substr(0, size)).status())) << size;
  }
  for (const char* const name : {"path", "stored", "size", "blake2b", "public", "inode"}) {
    const std::string bad = absl::StrReplaceAll(text, {{name, "other"}});
    EXPECT_TRUE(absl::IsInvalidArgument(ParseManifest(bad).status())) << name;
  }
}

TEST(BackupManifest, NamesAVersionThatItDoesNotKnow) {
  const std::string text = absl::StrReplaceAll(
      EncodeManifest(Sample()), {{"\"referee_backup\": 1", "\"referee_backup\": 2"}});
  const absl::Status status = ParseManifest(text).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr("version 2"));
}

}  // namespace
}  // namespace referee::store
