// Tests of refctl's commands on a shared replay store.
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "referee/replay/folders.h"
#include "referee/replay/replay.h"
#include "referee/shelf/shared_shelf.h"
#include "tests/support/files.h"
#include "tests/support/match_id.h"
#include "tests/unit/ctl/refctl_run.h"
#include "tests/unit/replay/sample.h"

namespace referee::ctl {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ShelfCommands : public RefctlTest {
 protected:
  ShelfCommands() {
    fs::create_directory(Path("shelf"));
    const auto shelf = shelf::OpenShelf(Path("shelf")).value();
    for (uint8_t number = 0; number < 4; ++number) {
      replay::SampleOptions options;
      options.seed = number + 1u;
      replay::Replay replay = replay::PlaySample(options);
      replay.setup.id = testing::IdOfDay(number, number);
      ids_.push_back(replay.setup.id.text());
      files_.push_back(replay::Encode(replay, replay::SampleSigner()));
      EXPECT_EQ(shelf->Put(replay.setup.id, files_.back()), absl::OkStatus());
    }
  }

  Exit Run(std::vector<std::string> command, const std::string& shelf = "") {
    command.push_back("--shelf");
    command.push_back(shelf.empty() ? "dir:" + Path("shelf") : shelf);
    return Refctl(command);
  }
  std::vector<std::string> ListedIds(std::vector<std::string> flags) {
    std::vector<std::string> command = {"archive", "list", "--json"};
    command.insert(command.end(), flags.begin(), flags.end());
    EXPECT_EQ(Run(command), Exit::kOk) << err_;
    std::vector<std::string> ids;
    for (const absl::string_view line : absl::StrSplit(out_, '\n', absl::SkipEmpty())) {
      ids.push_back(nlohmann::json::parse(std::string(line))["match_id"]);
    }
    return ids;
  }

  std::vector<std::string> ids_;  // oldest first
  std::vector<std::string> files_;
};

TEST_F(ShelfCommands, ListShowsWhatTheTimesSayOldestFirst) {
  EXPECT_EQ(ListedIds({}), ids_);
  EXPECT_THAT(ListedIds({"--from", "2023-11-15", "--until", "2023-11-17"}),
              ElementsAre(ids_[1], ids_[2]));
  EXPECT_THAT(ListedIds({"--limit", "2", "--after", ids_[0]}), ElementsAre(ids_[1], ids_[2]));
  EXPECT_THAT(ListedIds({"--from", "2023-11-14", "--after", ids_[2]}), ElementsAre(ids_[3]));
  // To the millisecond of the match itself.
  EXPECT_THAT(ListedIds({"--from", "2023-11-14T22:13:20Z", "--until", "2023-11-15T22:13:20Z"}),
              ElementsAre(ids_[0]));
  ASSERT_EQ(Run({"archive", "list"}), Exit::kOk) << err_;
  EXPECT_THAT(out_, HasSubstr(ids_[0] + "  2023-11-14T22:13:20Z"));
}

TEST_F(ShelfCommands, ListRefusesWhatOnlyAnIndexAnswers) {
  EXPECT_EQ(Run({"archive", "list", "--bot", "ann"}), Exit::kUsage);
  EXPECT_THAT(err_, HasSubstr("--bot"));
  EXPECT_EQ(Run({"archive", "list", "--before", ids_[0]}), Exit::kUsage);
}

TEST_F(ShelfCommands, GetWritesTheFiles) {
  ASSERT_EQ(Run({"archive", "get", ids_[1], "--to", Path("one")}), Exit::kOk) << err_;
  EXPECT_EQ(testing::ReadFile(Path("one/" + ids_[1] + ".rpl")), files_[1]);
  ASSERT_EQ(Run({"archive", "get", "--all", Path("all")}), Exit::kOk) << err_;
  const replay::Folders got(Path("all"));
  for (size_t i = 0; i < ids_.size(); ++i) {
    EXPECT_EQ(got.Read(MatchId::Parse(ids_[i]).value()).value(), files_[i]);
  }
}

TEST_F(ShelfCommands, GetWritesNoTornReplay) {
  fs::resize_file(Path("shelf/2023/11/15/" + ids_[1] + ".rpl"), 100);
  EXPECT_EQ(Run({"archive", "get", "--all", Path("all")}), Exit::kUsage);
  EXPECT_THAT(err_, HasSubstr("match " + ids_[1] + ": is no whole replay, and was not written"));
  const replay::Folders got(Path("all"));
  EXPECT_FALSE(got.Find(MatchId::Parse(ids_[1]).value()));
  EXPECT_TRUE(got.Find(MatchId::Parse(ids_[2]).value()));
}

TEST_F(ShelfCommands, ReplayCommandsTakeMatchesFromIt) {
  EXPECT_EQ(Run({"replay", "verify", ids_[2]}), Exit::kOk) << err_;
  fs::remove_all(Path("shelf/2023/11/16"));
  EXPECT_EQ(Run({"replay", "verify", ids_[2]}), Exit::kUsage);
  EXPECT_THAT(err_, HasSubstr("there is no replay of it on the shelf"));
}

TEST_F(ShelfCommands, ErrorsNameTheFlagOrThePlace) {
  EXPECT_EQ(Run({"archive", "list"}, Path("none")), Exit::kUsage);
  EXPECT_THAT(err_, HasSubstr("--shelf: " + Path("none") + ": there is no such directory"));
  EXPECT_EQ(Run({"archive", "get", ids_[0]}, "s3://x"), Exit::kUsage);
  EXPECT_THAT(err_, HasSubstr("--shelf: shelf address: bucket 'x'"));
  EXPECT_EQ(Run({"archive", "get", ids_[0], "--data-dir", Path("data")}), Exit::kUsage);
  EXPECT_THAT(err_, HasSubstr("--data-dir"));
  EXPECT_EQ(Refctl({"archive", "list"}), Exit::kUsage);
  EXPECT_THAT(err_, HasSubstr("give --data-dir"));
}

}  // namespace
}  // namespace referee::ctl
