// Tests of refctl archive's commands on an archive of a few replays, as files and in packs.
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "referee/ctl/program.h"
#include "referee/replay/archive.h"
#include "referee/replay/data_dir.h"
#include "referee/replay/pack_index.h"
#include "referee/replay/replay.h"
#include "tests/support/files.h"
#include "tests/support/match_id.h"
#include "tests/unit/ctl/refctl_run.h"
#include "tests/unit/replay/sample.h"

namespace referee::ctl {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

namespace fs = std::filesystem;

class ArchiveCommands : public RefctlTest {
 protected:
  ArchiveCommands() {
    for (uint8_t number = 0; number < 4; ++number) {
      replay::SampleOptions options;
      options.seed = number + 1u;
      if (number == 3) options.resign_at = 4;
      replay::Replay replay = replay::PlaySample(options);
      replay.setup.id = testing::IdOfDay(number, number);
      replay.setup.bots = {"ann", number % 2 == 0 ? "bob" : "cyd, \"the\" first"};
      const std::string file = replay::Encode(replay, replay::SampleSigner());
      testing::WriteFile(archive_.PathOf(replay.setup.id), file);
      ids_.insert(ids_.begin(), replay.setup.id.text());
      files_.insert(files_.begin(), file);
    }
  }

  Exit Run(std::vector<std::string> command) {
    command.insert(command.begin(), "archive");
    command.push_back("--data-dir");
    command.push_back(Path("data"));
    return Refctl(command);
  }
  void Pack() { ASSERT_EQ(Run({"pack"}), Exit::kOk) << err_; }
  std::vector<std::string> Lines() const {
    return absl::StrSplit(out_, absl::ByAnyChar("\r\n"), absl::SkipEmpty());
  }
  std::vector<std::string> ListedIds() const {
    std::vector<std::string> ids;
    for (const std::string& line : Lines()) {
      ids.push_back(nlohmann::json::parse(line)["match_id"]);
    }
    return ids;
  }

  const replay::Archive archive_{folder_.path() + "/data"};
  std::vector<std::string> ids_;    // newest first
  std::vector<std::string> files_;  // likewise
};

TEST_F(ArchiveCommands, PackMovesFilesIntoPacksOnce) {
  Pack();
  EXPECT_EQ(out_, "packed: 4, left as they are: 0\n");
  EXPECT_FALSE(fs::exists(Path("data/replays/2023")));
  Pack();
  EXPECT_EQ(out_, "packed: 0, left as they are: 0\n");
}

TEST_F(ArchiveCommands, PackLeavesTheDirectoryToTheRefereeThatUsesIt) {
  const replay::File lock = replay::LockDataDir(Path("data")).value();
  EXPECT_EQ(Run({"pack"}), Exit::kUsage);
  EXPECT_THAT(err_, HasSubstr("another referee records matches there"));
  EXPECT_EQ(Run({"index"}), Exit::kUsage);
}

TEST_F(ArchiveCommands, ThatFindNothingSayNoAndWhy) {
  Pack();
  for (const char* command : {"list", "stats", "export"}) {
    std::vector<std::string> asked = {command};
    if (asked[0] == "export") asked.insert(asked.end(), {"--output", Path("turns")});
    const auto with = [&](const std::string& flag, const std::string& value) {
      std::vector<std::string> more = asked;
      more.insert(more.end(), {flag, value});
      return Run(more);
    };
    EXPECT_EQ(with("--bot", "nobody"), Exit::kNegative) << command;
    EXPECT_THAT(err_, HasSubstr("'nobody'")) << command;
    EXPECT_EQ(with("--min-turns", "100000"), Exit::kNegative) << command;
    EXPECT_EQ(err_, "refctl: no replay fits: none is as the flags say, or the archive is empty\n");
  }
  EXPECT_FALSE(std::filesystem::exists(Path("turns"))) << "no file is made for nothing";
  EXPECT_EQ(Run({"list", "--before", ids_.back()}), Exit::kOk) << "the end of the pages";
  EXPECT_EQ(out_ + err_, "");
}

TEST_F(ArchiveCommands, NameADirectoryThatDoesNotExist) {
  fs::remove_all(Path("data"));
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"list"}, {"stats"}, {"audit"}, {"pack"}, {"export"}}) {
    EXPECT_EQ(Run(command), Exit::kUsage);
    EXPECT_THAT(err_,
                HasSubstr(absl::StrCat("--data-dir ", Path("data"), ": there is no such folder")));
  }
}

TEST_F(ArchiveCommands, ListShowsWhatTheFlagsSayNewestFirst) {
  Pack();
  ASSERT_EQ(Run({"list", "--json"}), Exit::kOk) << err_;
  EXPECT_EQ(ListedIds(), ids_);
  ASSERT_EQ(Run({"find", "--bot", "bob", "--json"}), Exit::kOk) << err_;
  EXPECT_THAT(ListedIds(), ElementsAre(ids_[1], ids_[3]));
  ASSERT_EQ(Run({"list", "--forfeit", "resigned", "--json"}), Exit::kOk) << err_;
  EXPECT_THAT(ListedIds(), ElementsAre(ids_[0]));
  ASSERT_EQ(Run({"list", "--from", "2023-11-15", "--until", "2023-11-17", "--json"}), Exit::kOk);
  EXPECT_THAT(ListedIds(), ElementsAre(ids_[1], ids_[2]));
  ASSERT_EQ(Run({"list", "--limit", "2", "--before", ids_[0], "--json"}), Exit::kOk) << err_;
  EXPECT_THAT(ListedIds(), ElementsAre(ids_[1], ids_[2]));
  ASSERT_EQ(Run({"list"}), Exit::kOk) << err_;
  EXPECT_THAT(Lines(), SizeIs(5));
  EXPECT_THAT(out_, HasSubstr(" FINISHED  ann "));
}

TEST_F(ArchiveCommands, StatsCountByTheKeysAskedFor) {
  Pack();
  ASSERT_EQ(Run({"stats", "--by", "opponent", "--bot", "ann", "--format", "csv"}), Exit::kOk);
  ASSERT_THAT(Lines(), SizeIs(3));
  EXPECT_EQ(Lines()[0], "opponent,matches,finished,won,tied,lost,forfeits,turns,used_ms");
  EXPECT_THAT(Lines()[1], HasSubstr("bob,2,2,"));
  EXPECT_THAT(Lines()[2], HasSubstr("\"cyd, \"\"the\"\" first\",2,2,"));
  ASSERT_EQ(Run({"stats", "--by", "bot,seat", "--format", "json"}), Exit::kOk) << err_;
  ASSERT_THAT(Lines(), SizeIs(3));
  EXPECT_EQ(nlohmann::json::parse(Lines()[0])["matches"], 4);
  EXPECT_EQ(nlohmann::json::parse(Lines()[0])["seat"], "a");
  EXPECT_TRUE(nlohmann::json::parse(Lines()[0])["used_ns"].is_number());
  ASSERT_EQ(Run({"stats", "--by", "game", "--format", "json"}), Exit::kOk) << err_;
  EXPECT_TRUE(nlohmann::json::parse(Lines()[0])["used_ns"].is_null());
  ASSERT_EQ(Run({"stats", "--by", "game", "--format", "csv"}), Exit::kOk) << err_;
  EXPECT_EQ(Lines()[1].back(), ',');
  ASSERT_EQ(Run({"stats"}), Exit::kOk) << err_;
  EXPECT_THAT(Lines(), SizeIs(2));
}

TEST_F(ArchiveCommands, GetWritesTheFilesOfBothForms) {
  for (const bool packed : {false, true}) {
    if (packed) Pack();
    const std::string to = Path(packed ? "packed" : "files");
    const std::string all = to + "-all";
    ASSERT_EQ(Run({"get", ids_[1], ids_[2], "--to", to}), Exit::kOk) << err_;
    EXPECT_EQ(testing::ReadFile(to + "/" + ids_[1] + ".rpl"), files_[1]);
    EXPECT_EQ(testing::ReadFile(to + "/" + ids_[2] + ".rpl"), files_[2]);
    ASSERT_EQ(Run({"get", "--all", all}), Exit::kOk) << err_;
    ASSERT_EQ(Run({"get", "--all", all}), Exit::kOk) << err_ << "once more";
    const replay::Archive got(all);
    for (size_t i = 0; i < ids_.size(); ++i) {
      EXPECT_EQ(testing::ReadFile(got.PathOf(MatchId::Parse(ids_[i]).value())), files_[i]);
    }
  }
}

TEST_F(ArchiveCommands, GetWritesNoTornReplayAndAllOthers) {
  const MatchId torn = MatchId::Parse(ids_[1]).value();
  fs::resize_file(archive_.PathOf(torn), files_[1].size() - 1);
  const MatchId renamed = MatchId::Parse(ids_[2]).value();
  testing::WriteFile(archive_.PathOf(renamed), files_[3]);
  EXPECT_EQ(Run({"get", "--all", Path("all")}), Exit::kUsage);
  EXPECT_THAT(err_, AllOf(HasSubstr(archive_.PathOf(torn) + ": match " + ids_[1] +
                                    ": is no whole replay, and was not written: "),
                          HasSubstr("is a replay of another match, " + ids_[3]),
                          HasSubstr("2 of 4 replays could not be read")));
  const replay::Archive got(Path("all"));
  EXPECT_FALSE(got.Has(torn));
  EXPECT_FALSE(got.Has(renamed));
  EXPECT_EQ(testing::ReadFile(got.PathOf(MatchId::Parse(ids_[0]).value())), files_[0]);
  EXPECT_EQ(Run({"get", ids_[1], ids_[3], "--to", Path("some")}), Exit::kUsage);
  EXPECT_THAT(err_, HasSubstr("is no whole replay"));
  EXPECT_EQ(out_, Path("some/") + ids_[3] + ".rpl\n");
  EXPECT_FALSE(fs::exists(Path("some/" + ids_[1] + ".rpl")));
}

TEST_F(ArchiveCommands, GetWritesOverNoOtherFile) {
  ASSERT_EQ(Run({"get", ids_[0], "--to", Path("")}), Exit::kOk) << err_;
  ASSERT_EQ(Run({"get", ids_[0], "--to", Path("")}), Exit::kOk) << err_;
  std::ofstream(Path(ids_[1] + ".rpl")) << "mine";
  EXPECT_EQ(Run({"get", ids_[1], "--to", Path("")}), Exit::kUsage);
  EXPECT_THAT(err_, HasSubstr("another file is there"));
  EXPECT_EQ(testing::ReadFile(Path(ids_[1] + ".rpl")), "mine");
}

TEST_F(ArchiveCommands, GetAllWritesIntoNoFolderOfSomebodyElse) {
  fs::create_directories(Path("etc"));
  std::ofstream(Path("etc/passwd")) << "mine";
  EXPECT_EQ(Run({"get", "--all", Path("etc")}), Exit::kUsage);
  EXPECT_THAT(err_, AllOf(HasSubstr("--all: '" + Path("etc") + "': holds other files"),
                          HasSubstr("name a new or empty folder")));
  EXPECT_FALSE(fs::exists(Path("etc/replays")));
}

TEST_F(ArchiveCommands, ExportWritesOverAFileOnlyByForce) {
  Pack();
  std::ofstream(Path("turns.zst")) << "mine";
  EXPECT_EQ(Run({"export", "--output", Path("turns.zst")}), Exit::kUsage);
  EXPECT_THAT(err_, AllOf(HasSubstr("--output: " + Path("turns.zst") + ": there is such a file"),
                          HasSubstr("--force")));
  EXPECT_EQ(testing::ReadFile(Path("turns.zst")), "mine");
  EXPECT_EQ(Run({"export", "--output", Path("turns.zst"), "--force"}), Exit::kOk) << err_;
  EXPECT_NE(testing::ReadFile(Path("turns.zst")), "mine");
  EXPECT_EQ(Run({"export", "--output", "/dev/null"}), Exit::kOk) << "a device is no file";
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(ArchiveCommands, ExportWritesALineATurn) {
  Pack();
  size_t turns = 0;
  for (const std::string& file : files_) turns += replay::Parse(file)->turns();
  ASSERT_EQ(Run({"export", "--output", Path("turns.zst")}), Exit::kOk) << err_;
  EXPECT_EQ(testing::ReadFile(Path("turns.zst")).substr(0, 4), "\x28\xb5\x2f\xfd");
  ASSERT_EQ(system(("zstd -dqf " + Path("turns.zst") + " -o " + Path("turns")).c_str()), 0);
  std::ifstream lines(Path("turns"));
  std::set<std::string> matches;
  std::string line;
  size_t count = 0;
  for (; std::getline(lines, line); ++count) {
    matches.insert(nlohmann::json::parse(line)["match_id"]);
  }
  EXPECT_EQ(count, turns);
  EXPECT_THAT(matches, SizeIs(4));
}

TEST_F(ArchiveCommands, ExportSendsNothingCompressedToATerminal) {
  Pack();
  std::ostringstream out;
  std::ostringstream err;
  const Output terminal(&out, &err, false, false, /*out_is_terminal=*/true);
  EXPECT_EQ(RunProgram({"archive", "export", "--data-dir", Path("data")}, terminal), Exit::kUsage);
  EXPECT_EQ(out.str(), "");
  EXPECT_THAT(err.str(), HasSubstr("--output"));
  EXPECT_EQ(RunProgram({"archive", "export", "--data-dir", Path("data"), "--output", Path("turns")},
                       terminal),
            Exit::kOk)
      << err.str();
}

TEST_F(ArchiveCommands, GetNamesAReplayThatIsNotThere) {
  ASSERT_EQ(Run({"get", "01hf7ygxa0s000000000000000", "--to", Path("got")}), Exit::kUsage);
  EXPECT_THAT(err_, HasSubstr("01hf7ygxa0s000000000000000"));
}

TEST_F(ArchiveCommands, SayWhatTheyDoNotSee) {
  EXPECT_EQ(Run({"list"}), Exit::kUsage);
  EXPECT_THAT(err_, AllOf(HasSubstr("there is no index"), HasSubstr("'refctl archive pack'")));
  Pack();
  EXPECT_EQ(Run({"list", "--bot", "zoe", "--json"}), Exit::kNegative);
  EXPECT_EQ(out_, "");
  EXPECT_THAT(err_, HasSubstr("bot 'zoe': is in no replay of the archive"));
  const replay::PackName day =
      replay::PackName::OfDay(MatchId::Parse(ids_[0])->created() + absl::Hours(24));
  const MatchId later = MatchId::Parse(ids_[0]).value();
  std::ofstream(replay::PackPath(Path("data"), day), std::ios::binary)
      << replay::PackHeader() << replay::EncodePackEntry(later, files_[0]);
  EXPECT_EQ(Run({"list"}), Exit::kOk);
  EXPECT_EQ(err_, "");
  ASSERT_EQ(Run({"index"}), Exit::kOk) << err_;
  EXPECT_EQ(out_, "replays in the index: 4\n");
  fs::remove_all(Path("data"));
  EXPECT_EQ(Run({"stats"}), Exit::kUsage);
  EXPECT_THAT(err_, HasSubstr("there is no such folder; name the data directory"));
}

TEST_F(ArchiveCommands, LookingLeavesTheArchiveAsItIs) {
  Pack();
  const auto bytes = [this] {
    std::vector<std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(Path("data"))) {
      const std::string content = entry.is_directory() ? "" : testing::ReadFile(entry.path());
      all.push_back(entry.path().string() + content);
    }
    return all;
  };
  const std::vector<std::string> before = bytes();
  EXPECT_THAT(before, Not(SizeIs(0)));
  EXPECT_EQ(Run({"list"}), Exit::kOk);
  EXPECT_EQ(Run({"stats", "--by", "ending"}), Exit::kOk);
  EXPECT_EQ(Run({"export", "--output", Path("turns.zst")}), Exit::kOk);
  EXPECT_EQ(Run({"get", ids_[0], "--to", Path("")}), Exit::kOk);
  EXPECT_EQ(bytes(), before);
}

// Of a pack that ends anywhere all commands show what they can, name the rest and end with 2.
class TornPack : public ArchiveCommands {
 protected:
  // One pack of three replays, the newest last, without an index unless it was made.
  TornPack() {
    fs::remove_all(Path("data"));
    fs::create_directories(replay::PacksDir(Path("data")));
    bytes_ = replay::PackHeader();
    ids_.clear();
    ends_ = {bytes_.size()};
    for (uint8_t number = 0; number < 3; ++number) {
      replay::SampleOptions options;
      options.seed = number + 1u;
      replay::Replay replay = replay::PlaySample(options);
      replay.setup.id = testing::NumberedId(number);
      ids_.push_back(replay.setup.id.text());
      bytes_ +=
          replay::EncodePackEntry(replay.setup.id, replay::Encode(replay, replay::SampleSigner()));
      ends_.push_back(bytes_.size());
    }
    pack_ = replay::PackPath(Path("data"),
                             replay::PackName::OfDay(absl::FromUnixSeconds(1'700'000'000)));
    Cut(bytes_.size());
  }

  void Cut(size_t size) {
    std::ofstream(pack_, std::ios::binary | std::ios::trunc) << bytes_.substr(0, size);
  }
  Exit Verify(const std::string& path) { return Refctl({"replay", "verify", path}); }
  // Runs every command that reads the pack, of which so many replays are whole.
  void ExpectAllSay(const std::string& problem, size_t whole, bool verify_says) {
    fs::remove_all(Path("got"));
    fs::remove(Path("turns.zst"));
    EXPECT_EQ(Run({"list", "--json"}), Exit::kUsage);
    EXPECT_THAT(err_, HasSubstr(problem));
    const bool lists_any = !out_.empty();
    EXPECT_EQ(Run({"stats"}), Exit::kUsage);
    EXPECT_THAT(err_, HasSubstr(problem));
    EXPECT_EQ(Run({"export", "--output", Path("turns.zst")}), Exit::kUsage);
    EXPECT_THAT(err_, HasSubstr(problem));
    EXPECT_EQ(fs::exists(Path("turns.zst")), lists_any);
    EXPECT_EQ(Run({"get", "--all", Path("got")}), Exit::kUsage);
    EXPECT_THAT(err_, HasSubstr(problem));
    const replay::Archive got(Path("got"));
    for (size_t i = 0; i < ids_.size(); ++i) {
      EXPECT_EQ(got.Has(MatchId::Parse(ids_[i]).value()), i < whole) << i;
    }
    if (!verify_says) return;
    for (const std::string& path : {pack_, Path("data")}) {
      EXPECT_EQ(Verify(path), Exit::kUsage);
      EXPECT_THAT(err_, HasSubstr(problem));
      EXPECT_THAT(out_, HasSubstr(absl::StrCat(whole, " OK, 0 bad, 1 not read")));
    }
  }

  std::string bytes_;
  std::vector<size_t> ends_;
  std::string pack_;
};

TEST_F(TornPack, IsNamedByEveryCommandThatReadsIt) {
  for (const size_t whole : {0, 1, 2}) {
    const size_t end = ends_[whole];
    for (const size_t size : {end + 1, end + 8, end + 100, ends_[whole + 1] - 1}) {
      Cut(size);
      ExpectAllSay(absl::StrCat(pack_, ": it is torn: the entry at byte ", end), whole, true);
    }
  }
  Cut(3);
  ExpectAllSay(absl::StrCat(pack_, ": from byte 0 on it cannot be read"), 0, true);
}

TEST_F(TornPack, IsMissedByItsIndexWhereverItIsCut) {
  ASSERT_EQ(Run({"index"}), Exit::kOk) << err_;
  for (const size_t whole : {2, 1, 0}) {
    Cut(ends_[whole]);
    ExpectAllSay(absl::StrCat(pack_, ": ends at byte ", ends_[whole],
                              ", and the index has its entries up to byte ", bytes_.size()),
                 whole, true);
  }
}

TEST_F(TornPack, IsMissedByReplayCommandsOnEveryFolderAroundIt) {
  ASSERT_EQ(Run({"index"}), Exit::kOk) << err_;
  Cut(ends_[2]);
  for (const std::string& path : {Path(""), Path("data/"), Path("data/replays"),
                                  Path("data/replays/packs"), Path("data/replays/packs/")}) {
    EXPECT_EQ(Verify(path), Exit::kUsage) << path;
    EXPECT_THAT(err_, HasSubstr("the index has its entries up to byte")) << path;
    EXPECT_THAT(out_, HasSubstr("3 replays: 2 OK, 0 bad, 1 not read")) << path;
  }
  for (const std::string command : {"export", "html"}) {
    EXPECT_EQ(Refctl({"replay", command, Path("data"), "--output", Path(command)}), Exit::kUsage);
    EXPECT_THAT(err_, HasSubstr("the index has its entries up to byte")) << command;
    EXPECT_TRUE(fs::exists(Path(command))) << "the other replays are there";
  }
}

TEST_F(TornPack, ThatIsMissingIsMissedByReplayCommands) {
  const std::string other =
      replay::PackPath(Path("data"), replay::PackName::OfDay(absl::FromUnixSeconds(1'600'000'000)));
  fs::copy(pack_, other);
  ASSERT_EQ(Run({"index"}), Exit::kOk) << err_;
  fs::remove(other);
  EXPECT_EQ(Verify(Path("data")), Exit::kUsage);
  EXPECT_THAT(err_, HasSubstr("is missing, and the index has its entries up to byte"));
}

TEST_F(TornPack, IsNamedWhenTheIndexIsMadeAnew) {
  for (const char* command : {"index", "pack"}) {
    Cut(bytes_.size());
    ASSERT_EQ(Run({"index"}), Exit::kOk) << err_;
    Cut(ends_[1]);
    EXPECT_EQ(Run({command}), Exit::kUsage);
    EXPECT_THAT(err_, HasSubstr(absl::StrCat("refctl: ", pack_, ": ends at byte ", ends_[1],
                                             ", and the index has its entries up to byte ",
                                             bytes_.size())));
    EXPECT_EQ(Run({"index"}), Exit::kOk) << "the index no longer has what was lost: " << err_;
    EXPECT_EQ(out_, "replays in the index: 1\n");
  }
  fs::remove(pack_);
  EXPECT_EQ(Run({"index"}), Exit::kUsage);
  EXPECT_THAT(err_, HasSubstr(pack_ + ": is missing, and the index has its entries up to byte"));
  EXPECT_EQ(out_, "replays in the index: 0\n");
}

TEST_F(TornPack, WithoutReplaysIsNamedByReplayCommands) {
  Cut(ends_[0]);
  const std::vector<std::vector<std::string>> commands = {
      {"verify"}, {"verify", "--json"}, {"export"}, {"html", "--output", Path("page")}};
  for (std::vector<std::string> command : commands) {
    command.insert(command.begin(), "replay");
    command.push_back(pack_);
    EXPECT_EQ(Refctl(command), Exit::kUsage);
    EXPECT_EQ(err_, "refctl: " + pack_ + ": there are no replays in it\n");
    EXPECT_EQ(out_, "");
    command.back() = Path("data");
    EXPECT_EQ(Refctl(command), Exit::kUsage);
    EXPECT_THAT(err_, HasSubstr("there is no .rpl file in it, and no pack with replays"));
  }
}

TEST_F(TornPack, WithADamagedEntryIsNamedThoughItsIndexPassesItOver) {
  bytes_[ends_[0] + 50] = static_cast<char>(bytes_[ends_[0] + 50] ^ 1);
  Cut(bytes_.size());
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"index"}, {"get", "--all", Path("got")}}) {
    EXPECT_EQ(Run(command), Exit::kUsage);
    EXPECT_THAT(err_, HasSubstr("1 entry is damaged and cannot be read, the first at byte 8"));
  }
  EXPECT_EQ(Verify(pack_), Exit::kUsage);
  const auto expect_all_say = [this](const std::string& problem) {
    fs::remove(Path("turns.zst"));
    EXPECT_EQ(Run({"stats"}), Exit::kUsage);
    EXPECT_THAT(err_, HasSubstr(problem));
    EXPECT_EQ(Run({"export", "--output", Path("turns.zst")}), Exit::kUsage);
    EXPECT_THAT(err_, HasSubstr(problem));
    EXPECT_EQ(Run({"list", "--json"}), Exit::kUsage);
    EXPECT_THAT(err_, HasSubstr(problem));
    EXPECT_THAT(ListedIds(), ElementsAre(ids_[2], ids_[1]));
  };
  expect_all_say(
      absl::StrCat(pack_, ": 1 entry is damaged and cannot be read, the first at byte 8"));
  bytes_[ends_[0] + 50] = static_cast<char>(bytes_[ends_[0] + 50] ^ 1);
  Cut(bytes_.size());
  expect_all_say(absl::StrCat(pack_, ": the index lacks entries"));
  ASSERT_EQ(Run({"index"}), Exit::kOk) << err_;
  EXPECT_EQ(Run({"list", "--json"}), Exit::kOk);
  EXPECT_THAT(ListedIds(), SizeIs(3));
}

TEST_F(TornPack, IsGotOfAsFarAsItGoes) {
  Cut(ends_[2] - 1);
  EXPECT_EQ(Run({"get", ids_[1], ids_[0], "--to", Path("some")}), Exit::kUsage);
  EXPECT_THAT(err_, AllOf(HasSubstr(ids_[1]), HasSubstr("it is torn")));
  EXPECT_EQ(out_, Path("some/") + ids_[0] + ".rpl\n");
}

// 'refctl replay' reads packs as it reads folders of files.
TEST_F(ArchiveCommands, ReplaysInPacksVerifyWhereverTheyAreNamed) {
  Pack();
  EXPECT_EQ(Refctl({"replay", "verify", Path("data/replays")}), Exit::kOk) << err_;
  EXPECT_THAT(out_, HasSubstr("4 replays: 4 OK, 0 bad"));
}

}  // namespace
}  // namespace referee::ctl
