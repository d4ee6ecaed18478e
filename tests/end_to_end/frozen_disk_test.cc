// A ladder whose disk hangs for longer than a bot may think: nobody's clock pays for it. The disk
// is a file system in a file, frozen as for a snapshot, which only root may mount.
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/end_to_end/competition_fixture.h"
#include "tests/end_to_end/own_mounts.h"

namespace referee::end_to_end {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kDiskBytes = uint64_t{512} << 20;
constexpr absl::Duration kHang = absl::Seconds(3);

class LadderOnAFrozenDisk : public CompetitionFixture {
 protected:
  void SetUp() override {
    fs::create_directory(Path("data"));
    std::ofstream(Path("disk")).close();
    fs::resize_file(Path("disk"), kDiskBytes);
    if (!HaveOwnMounts() || !Done({"/sbin/mkfs.ext4", "-q", Path("disk")}) ||
        !Done({"/bin/mount", "-o", "loop", Path("disk"), Path("data")})) {
      GTEST_SKIP() << "cannot mount a disk";
    }
    disk_ = open(Path("data").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ASSERT_GE(disk_, 0) << strerror(errno);
  }
  void TearDown() override {
    if (disk_ < 0) return;
    ioctl(disk_, FITHAW, 0);
    if (referee_runs()) StopReferee();
    close(disk_);
    EXPECT_EQ(umount(Path("data").c_str()), 0) << strerror(errno);
  }

  bool Done(const std::vector<std::string>& command) { return sandbox_.Run(command).status == 0; }
  void HangFor(absl::Duration duration) {
    ASSERT_EQ(ioctl(disk_, FIFREEZE, 0), 0) << strerror(errno);
    const absl::Time until = absl::Now() + duration;
    EXPECT_TRUE(Eventually([until] { return absl::Now() >= until; }));
    ASSERT_EQ(ioctl(disk_, FITHAW, 0), 0) << strerror(errno);
  }
  nlohmann::json Stats() {
    const Ran ran = Refctl({"archive", "stats", "--data-dir", Path("data"), "--format", "json"});
    EXPECT_EQ(ran.status, 0) << ran.err;
    return nlohmann::json::parse(ran.out, nullptr, false);
  }

  const std::vector<std::string> kBots = {"ann", "ben", "cem", "dot"};
  int disk_ = -1;
};

TEST_F(LadderOnAFrozenDisk, ChargesNobodyForWhatTheDiskTakes) {
  StartReferee({"--durability", "match", "--min-free", "0"});
  for (const std::string& bot : kBots) AddBot(bot);
  Well({"create", "ladder", "--format", "ladder", "--game", "hypnosia", "--time", "1s",
        "--max-running", "24", "--pace", "0", "--bots", absl::StrJoin(kBots, ","), "--start"});
  for (const std::string& bot : kBots) StartBot(bot, {"bots/random"});
  for (int hang = 0; hang < 2; ++hang) {
    AwaitBlocks("ladder", BlocksCounted("ladder") + 50);
    HangFor(kHang);
  }
  AwaitBlocks("ladder", BlocksCounted("ladder") + 50);
  StopReferee();
  const Ran audit = Audit();
  EXPECT_EQ(audit.status, 0) << audit.out << audit.err;
  EXPECT_EQ(Stats()["forfeits"], 0) << Stats();
}

}  // namespace
}  // namespace referee::end_to_end
