// refctl replay and refctl key, on files made by random play.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "referee/ctl/program.h"
#include "referee/ctl/replay/viewer.h"
#include "referee/ctl/rules/selfplay.h"
#include "referee/games/catalogue.h"
#include "referee/replay/data_dir.h"
#include "referee/replay/files.h"
#include "referee/replay/key_files.h"
#include "referee/replay/transcript.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/replay/sample.h"

namespace referee::ctl {
namespace {

using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class ReplayCommandTest : public ::testing::Test {
 protected:
  ReplayCommandTest() {
    Write("good.rpl", file_);
    std::string bad = file_;
    bad.back() = static_cast<char>(bad.back() ^ 1);
    Write("sub/bad.rpl", bad);
    Write("notes.txt", "not a replay\n");
  }
  std::string Path(const std::string& name) const { return folder_.Path(name); }
  void Write(const std::string& name, const std::string& bytes) {
    std::filesystem::create_directories(std::filesystem::path(Path(name)).parent_path());
    std::ofstream(Path(name), std::ios::binary) << bytes;
  }
  Exit Refctl(const std::vector<std::string>& arguments) {
    std::ostringstream out;
    std::ostringstream err;
    const Exit exit = RunProgram(arguments, Output(&out, &err, false));
    out_ = out.str();
    err_ = err.str();
    return exit;
  }

  const replay::Signer signer_ = replay::Signer::FromSeed({1, 2, 3});
  const replay::Replay replay_ =
      Selfplay(games::Find("hypnosia").value().type->Create(2, {}).value(), 7);
  const std::string file_ = replay::Encode(replay_, signer_);
  const testing::TempFolder folder_;
  std::string out_;
  std::string err_;
};

TEST_F(ReplayCommandTest, TimesSaysWhoUsedWhat) {
  Write("eventful.rpl", replay::Encode(replay::PlaySample(replay::EventfulSample()), signer_));
  EXPECT_EQ(Refctl({"replay", "times", Path("eventful.rpl")}), Exit::kOk) << err_;
  EXPECT_THAT(out_, HasSubstr("turn s      limit    charged   started   written       read"));
  // Played for after a time loss; a first move's limit; a link that was lost; a try; a restart.
  EXPECT_THAT(out_, ContainsRegex("\n    5 . +500.000 +500.000 .* played for, TIMEOUT\n"));
  EXPECT_THAT(out_, ContainsRegex("\n    1 . +2500.000 +[0-9.]+ +0.000 "));
  EXPECT_THAT(out_, ContainsRegex("\n    6 . [^\n]* 0.005 +0.250 +5.000 +0.250 +0.000\n"));
  EXPECT_THAT(out_, ContainsRegex("\n    8 . +500.000 +0.000  illegal after "));
  EXPECT_THAT(out_, HasSubstr("\n      the referee was started again at 2026-11-21 "));
  EXPECT_THAT(out_, ContainsRegex("\na +[0-9]+ .* 0.005 +10.000 +1.000 +0.000  bot 0\n"));
}

TEST_F(ReplayCommandTest, TimesAddUp) {
  for (const replay::SampleOptions& options :
       {replay::EventfulSample(), replay::TimedOutSample(), replay::StalledSample()}) {
    const replay::Replay match = replay::PlaySample(options);
    Write("times.rpl", replay::Encode(match, signer_));
    EXPECT_EQ(Refctl({"replay", "times", "--json", Path("times.rpl")}), Exit::kOk) << err_;
    const auto json = nlohmann::json::parse(out_);
    for (const auto& seat : json["seats"]) {
      int64_t total = 0;
      for (const auto& turn : json["turns"]) {
        if (turn.value("seat", "") != seat["seat"]) continue;
        total += turn["charged_ns"].get<int64_t>();
        if (!turn.contains("read_ns") || turn.contains("mark")) continue;
        EXPECT_EQ(turn["charged_ns"].get<int64_t>(),
                  turn["read_ns"].get<int64_t>() - turn["started_ns"].get<int64_t>() -
                      turn["paused_ns"].get<int64_t>() - turn["credited_ns"].get<int64_t>() -
                      turn["given_back_ns"].get<int64_t>());
        EXPECT_LE(turn["charged_ns"], turn["limit_ns"]);
      }
      EXPECT_EQ(seat["total_ns"], total);
    }
  }
}

TEST_F(ReplayCommandTest, TimesOfAFileThatIsNoneSaysSo) {
  EXPECT_EQ(Refctl({"replay", "times", Path("notes.txt")}), Exit::kUsage);
  EXPECT_THAT(err_, HasSubstr("notes.txt"));
}

TEST_F(ReplayCommandTest, VerifySaysOkAndWhoSigned) {
  EXPECT_EQ(Refctl({"replay", "verify", Path("good.rpl")}), Exit::kOk);
  EXPECT_THAT(out_,
              EndsWith(Path("good.rpl") +
                       ": OK (dice pinned by the organiser)\nsigned by the key with fingerprint " +
                       replay::Fingerprint(signer_.public_key()) + ": 1 replay\n"));
}

TEST_F(ReplayCommandTest, VerifyLooksBelowDirectoriesAndIsNegativeIfAnyIsBad) {
  EXPECT_EQ(Refctl({"replay", "verify", folder_.path()}), Exit::kNegative);
  EXPECT_THAT(out_, HasSubstr(Path("good.rpl") + ": OK (dice pinned by the organiser)\n" +
                              Path("sub/bad.rpl") + ": signature: "));
  EXPECT_EQ(err_, "");
}

TEST_F(ReplayCommandTest, VerifySaysFirstThatTheSignerIsNotKnown) {
  EXPECT_EQ(Refctl({"replay", "verify", Path("good.rpl")}), Exit::kOk);
  EXPECT_THAT(out_, StartsWith("the signer is not known"));
  EXPECT_EQ(Refctl({"replay", "verify", "--json", Path("good.rpl")}), Exit::kOk);
  EXPECT_THAT(out_, HasSubstr("good.rpl\",\"signer_known\":false,\"ok\":true"));
}

TEST_F(ReplayCommandTest, VerifyGoesOnAfterAFileThatIsNotThere) {
  EXPECT_EQ(Refctl({"replay", "verify", Path("gone.rpl"), Path("good.rpl")}), Exit::kUsage);
  EXPECT_THAT(out_, HasSubstr(Path("good.rpl") + ": OK (dice pinned by the organiser)\n"));
  EXPECT_THAT(err_, HasSubstr("gone.rpl"));
}

TEST_F(ReplayCommandTest, VerifyCountsOnlyTheKeyThatIsAskedFor) {
  Write("key.pub", dice::Hex(signer_.public_key()) + "\n");
  Write("other.pub", std::string(64, 'a') + "\n");
  EXPECT_EQ(Refctl({"replay", "verify", "--key", Path("key.pub"), Path("good.rpl")}), Exit::kOk);
  EXPECT_EQ(out_, Path("good.rpl") + ": OK (dice pinned by the organiser)\n");
  EXPECT_EQ(Refctl({"replay", "verify", "--key", Path("other.pub"), Path("good.rpl")}),
            Exit::kNegative);
  EXPECT_EQ(Refctl({"replay", "verify", "--key", Path("notes.txt"), Path("good.rpl")}),
            Exit::kUsage);
  EXPECT_THAT(err_, HasSubstr("notes.txt: not a key file"));
}

TEST_F(ReplayCommandTest, VerifySaysThatTheClocksRanByFormerRules) {
  Write("former.rpl", replay::Encode(replay::PlaySample(replay::FormerSample()), signer_));
  EXPECT_EQ(Refctl({"replay", "verify", Path("former.rpl")}), Exit::kOk);
  EXPECT_THAT(out_, HasSubstr(": OK (dice pinned by the organiser) (by the former rules of the "
                              "clocks)\n"));
  EXPECT_EQ(Refctl({"replay", "verify", "--json", Path("former.rpl")}), Exit::kOk);
  EXPECT_THAT(out_, HasSubstr("\"former_clocks\":true"));
}

TEST_F(ReplayCommandTest, VerifyPrintsJson) {
  EXPECT_EQ(Refctl({"replay", "verify", "--json", folder_.path()}), Exit::kNegative);
  EXPECT_THAT(out_, HasSubstr("good.rpl\",\"signer_known\":false,\"ok\":true"));
  EXPECT_THAT(out_,
              HasSubstr("bad.rpl\",\"signer_known\":false,\"ok\":false,\"problem\":\"signature: "));
}

TEST_F(ReplayCommandTest, ExportPrintsTheTranscript) {
  EXPECT_EQ(Refctl({"replay", "export", Path("good.rpl")}), Exit::kOk);
  EXPECT_EQ(out_, replay::Transcript(replay_));
  EXPECT_EQ(Refctl({"replay", "export", "--format", "json", Path("good.rpl")}), Exit::kOk);
  EXPECT_THAT(out_, StartsWith("{\n  \"referee_replay\": 1,"));
}

TEST_F(ReplayCommandTest, ExportOfAnotherFileNamesItAndTheByte) {
  EXPECT_EQ(Refctl({"replay", "export", Path("notes.txt")}), Exit::kUsage);
  EXPECT_EQ(err_, "refctl: " + Path("notes.txt") + ": byte 0: this is not a replay file\n");
  EXPECT_EQ(out_, "");
}

TEST_F(ReplayCommandTest, ShowDrawsTheTurnThatIsAskedFor) {
  EXPECT_EQ(Refctl({"replay", "show", "--turn", "0", Path("good.rpl")}), Exit::kOk);
  EXPECT_THAT(out_, HasSubstr("next: b with 1 1\nposition 36/24/12 1111,1111 - 0,0 - b 11\n"));
  EXPECT_EQ(Refctl({"replay", "show", "--turn", "last", Path("good.rpl")}), Exit::kOk);
  EXPECT_THAT(out_, HasSubstr("\nend: " + replay_.ended()->reason + "; scores "));
  EXPECT_EQ(Refctl({"replay", "show", "--turn", "9999", Path("good.rpl")}), Exit::kUsage);
  EXPECT_THAT(err_, HasSubstr("--turn"));
}

TEST_F(ReplayCommandTest, KeyShowPrintsThePublicKeyAndItsFingerprint) {
  const replay::PublicKey key =
      replay::LoadOrMakeKeys(Path("data"), absl::Now())->signer.public_key();
  EXPECT_EQ(Refctl({"key", "show", "--data-dir", Path("data")}), Exit::kOk);
  EXPECT_THAT(out_, HasSubstr(dice::Hex(key)));
  EXPECT_THAT(out_, HasSubstr(replay::Fingerprint(key)));
  EXPECT_EQ(Refctl({"key", "show", "--data-dir", Path("nothing")}), Exit::kUsage);
  EXPECT_THAT(err_, HasSubstr(Path("nothing/key.pub")));
}

TEST_F(ReplayCommandTest, KeyRotateKeepsTheFormerKeyInTheRingThatVerifyTakes) {
  const auto signer = replay::LoadOrMakeKeys(Path("data"), absl::Now())->signer;
  Write("old.rpl", replay::Encode(replay_, signer));
  EXPECT_EQ(Refctl({"key", "rotate", "--data-dir", Path("data")}), Exit::kOk) << err_;
  EXPECT_THAT(out_, HasSubstr("former key\npublic key   " + dice::Hex(signer.public_key())));
  EXPECT_EQ(Refctl({"replay", "verify", "--key", Path("data/key.ring"), Path("old.rpl")}),
            Exit::kOk);
  EXPECT_EQ(Refctl({"replay", "verify", "--key", Path("data/key.pub"), Path("old.rpl")}),
            Exit::kNegative);
}

TEST_F(ReplayCommandTest, KeyRotateRefusesWhereNoRefereeIsOrOneRuns) {
  EXPECT_EQ(Refctl({"key", "rotate", "--data-dir", Path("nothing")}), Exit::kUsage);
  EXPECT_FALSE(std::filesystem::exists(Path("nothing")));
  ASSERT_TRUE(replay::LoadOrMakeKeys(Path("data"), absl::Now()).ok());
  const std::string before = replay::ReadWholeFile(Path("data/key"), 1000).value();
  const replay::File lock = replay::LockDataDir(Path("data")).value();
  EXPECT_EQ(Refctl({"key", "rotate", "--data-dir", Path("data")}), Exit::kUsage);
  EXPECT_THAT(err_, HasSubstr("another referee records matches there"));
  EXPECT_EQ(replay::ReadWholeFile(Path("data/key"), 1000).value(), before);
}

TEST(ReplayViewer, TakesKeysAsTerminalsSendThem) {
  absl::string_view bytes = "\x1b[C\x1b[D\x1b[5~ Gz\x1b[99;9~";
  std::vector<ViewerKey> keys;
  while (!bytes.empty()) keys.push_back(TakeViewerKey(&bytes));
  EXPECT_THAT(keys,
              ElementsAre(ViewerKey::kNext, ViewerKey::kPrevious, ViewerKey::kPagePrevious,
                          ViewerKey::kNext, ViewerKey::kLast, ViewerKey::kNone, ViewerKey::kNone));
}

TEST(ReplayViewer, StaysWithinTheMatch) {
  EXPECT_EQ(StepAfterKey(ViewerKey::kPrevious, 0, 5), 0u);
  EXPECT_EQ(StepAfterKey(ViewerKey::kPagePrevious, 3, 5), 0u);
  EXPECT_EQ(StepAfterKey(ViewerKey::kNext, 4, 5), 4u);
  EXPECT_EQ(StepAfterKey(ViewerKey::kPageNext, 0, 50), 10u);
  EXPECT_EQ(StepAfterKey(ViewerKey::kPageNext, 0, 5), 4u);
  EXPECT_EQ(StepAfterKey(ViewerKey::kLast, 0, 5), 4u);
}

}  // namespace
}  // namespace referee::ctl
