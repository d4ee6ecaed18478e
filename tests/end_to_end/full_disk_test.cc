// A ladder whose disk fills up: nothing is lost, it is said, and the ladder goes on by itself when
// there is room again. The disk is a small file system in memory, which only root may mount.
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/end_to_end/competition_fixture.h"
#include "tests/end_to_end/own_mounts.h"

namespace referee::end_to_end {
namespace {

namespace fs = std::filesystem;

using ::testing::HasSubstr;

constexpr uint64_t kMebibyte = 1 << 20;
constexpr uint64_t kDisk = 256 * kMebibyte;

// Mounts a file system of `bytes` that only this process and those it starts see, and that goes
// with them. Returns false, with errno, when it may not.
bool MountSmallDisk(const std::string& path, uint64_t bytes) {
  if (!HaveOwnMounts()) return false;
  const std::string size = absl::StrCat("mode=0755,size=", bytes);
  return mount("tmpfs", path.c_str(), "tmpfs", 0, size.c_str()) == 0;
}

class LadderOnASmallDisk : public CompetitionFixture {
 protected:
  void SetUp() override {
    fs::create_directory(Path("data"));
    if (!MountSmallDisk(Path("data"), kDisk)) {
      GTEST_SKIP() << "cannot mount a small disk: " << strerror(errno);
    }
    mounted_ = true;
  }
  void TearDown() override {
    if (referee_runs()) StopReferee();
    if (!mounted_) return;
    EXPECT_EQ(umount(Path("data").c_str()), 0) << strerror(errno);
  }

  void StartLadder(const std::string& min_free) {
    StartReferee({"--min-free", min_free});
    for (const std::string& bot : kBots) AddBot(bot);
    Well({"create", "ladder", "--format", "ladder", "--game", "hypnosia", "--option",
          "turn_limit=20", "--max-running", "16", "--pace", "0", "--bots",
          absl::StrJoin(kBots, ","), "--start"});
    for (const std::string& bot : kBots) StartBot(bot, {"bots/random"});
    AwaitBlocks("ladder", 1);
  }
  uint64_t FreeBytes() const {
    struct statvfs disk;
    EXPECT_EQ(statvfs(Path("data").c_str(), &disk), 0);
    return disk.f_bavail * disk.f_frsize;
  }
  // Somebody else's file takes the disk until so much is free.
  void FillTo(uint64_t free) {
    const int file = open(Path("data/ballast").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC);
    ASSERT_GE(file, 0);
    const std::string block(4096, 'x');
    while (FreeBytes() > free) {
      if (write(file, block.data(), block.size()) <= 0) break;
    }
    close(file);
  }
  void MakeRoom() { fs::remove(Path("data/ballast")); }
  void AwaitLog(const std::string& text) {
    EXPECT_TRUE(Eventually([&] { return absl::StrContains(RefereeSaid(), text); }))
        << text << "\nis not in\n"
        << RefereeSaid();
  }
  nlohmann::json Shown() {
    return nlohmann::json::parse(Well({"show", "ladder", "--json"}), nullptr, false);
  }
  std::string RunningMatches() {
    const Ran listed = Refctl({"match", "list", "--state", "running", "--json"});
    EXPECT_EQ(listed.status, 0) << listed.err;
    return listed.out;
  }
  // The ladder goes on, and its archive agrees with what was counted.
  void ExpectGoesOn() {
    AwaitBlocks("ladder", BlocksCounted("ladder") + 10);
    StopReferee();
    const Ran audit = Audit();
    EXPECT_EQ(audit.status, 0) << audit.out << audit.err;
  }

  const std::vector<std::string> kBots = {"ann", "ben", "cem", "dot"};
  bool mounted_ = false;
};

TEST_F(LadderOnASmallDisk, BeginsNoMatchBelowTheMarkAndGoesOnWhenThereIsRoom) {
  StartLadder("64MiB");
  FillTo(32 * kMebibyte);
  AwaitLog("disk: no match begins");
  // A block that had begun, but had no matches yet, waits.
  EXPECT_TRUE(Eventually([&] { return RunningMatches().empty(); }));
  EXPECT_THAT(std::string(Shown()["waits_for"]), HasSubstr("--min-free"));
  MakeRoom();
  AwaitLog("disk: there is room again");
  ExpectGoesOn();
}

TEST_F(LadderOnASmallDisk, LosesNothingWhenItIsFullAndGoesOnWhenThereIsRoom) {
  StartLadder("0");
  FillTo(0);
  AwaitLog("could not be archived, which is tried again");
  EXPECT_TRUE(Eventually([&] {
    return absl::StrContains(std::string(Shown()["waits_for"]), "make room on that disk");
  }));
  const int64_t counted = BlocksCounted("ladder");
  MakeRoom();
  AwaitLog("is in the archive now");
  EXPECT_GE(BlocksCounted("ladder"), counted);
  ExpectGoesOn();
}

}  // namespace
}  // namespace referee::end_to_end
