// Tests of refctl replay and refctl key, on files made by random play.
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "referee/ctl/rules/selfplay.h"
#include "referee/games/catalogue.h"
#include "referee/replay/archive.h"
#include "referee/replay/data_dir.h"
#include "referee/replay/files.h"
#include "referee/replay/key_files.h"
#include "referee/replay/transcript.h"
#include "referee/replay/unknown_game.h"
#include "tests/support/files.h"
#include "tests/unit/ctl/refctl_run.h"
#include "tests/unit/replay/sample.h"

namespace referee::ctl {
namespace {

using ::testing::ContainsRegex;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class ReplayCommandTest : public RefctlTest {
 protected:
  ReplayCommandTest() {
    Write("good.rpl", file_);
    std::string bad = file_;
    bad.back() = static_cast<char>(bad.back() ^ 1);
    Write("sub/bad.rpl", bad);
    Write("notes.txt", "not a replay\n");
  }
  void Write(const std::string& name, const std::string& bytes) {
    testing::WriteFile(Path(name), bytes);
  }

  const replay::Signer signer_ = replay::Signer::FromSeed({1, 2, 3});
  const replay::Replay replay_ =
      Selfplay(games::Find("hypnosia").value().type->Create(2, {}).value(), 7);
  const std::string file_ = replay::Encode(replay_, signer_);
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

TEST_F(ReplayCommandTest, VerifyOfAFolderSaysWhatIsWrongAndHowManyThereWere) {
  EXPECT_EQ(Refctl({"replay", "verify", folder_.path()}), Exit::kNegative);
  EXPECT_THAT(out_, HasSubstr("\n" + Path("sub/bad.rpl") + ": signature: "));
  EXPECT_THAT(out_, HasSubstr("\n2 replays: 1 OK, 1 bad\nof them 1 (dice pinned by the "
                              "organiser)\n"));
  EXPECT_THAT(out_, Not(HasSubstr("good.rpl")));
  EXPECT_EQ(err_, "");
}

TEST_F(ReplayCommandTest, VerifyOfAFolderPrintsALineForEachWhenAskedTo) {
  EXPECT_EQ(Refctl({"replay", "verify", "-v", folder_.path()}), Exit::kNegative);
  EXPECT_THAT(out_, HasSubstr(Path("good.rpl") + ": OK (dice pinned by the organiser)\n" +
                              Path("sub/bad.rpl") + ": signature: "));
  EXPECT_THAT(out_, HasSubstr("\n2 replays: 1 OK, 1 bad\n"));
}

TEST_F(ReplayCommandTest, VerifyOfAFolderSaysOnceWhatItCouldNotCheck) {
  replay::Replay unknown = replay_;
  auto game = std::make_shared<const replay::UnknownGame>("chess", 2, replay_.setup.game->source());
  for (match::Record& record : unknown.records) {
    auto* const turn = std::get_if<match::Played>(&record);
    if (turn == nullptr) continue;
    turn->move = game->ParseMove(replay_.setup.game->MoveText(turn->move)).value();
  }
  unknown.setup.game = game;
  Write("chess/one.rpl", replay::Encode(unknown, signer_));
  Write("chess/two.rpl", replay::Encode(unknown, signer_));
  EXPECT_EQ(Refctl({"replay", "verify", Path("chess")}), Exit::kInPart);
  EXPECT_THAT(out_,
              ContainsRegex("\n2 replays: verified in part[^\n]*chess[^\n]*\n2 replays: 0 OK, "
                            "0 bad, 2 verified in part\n"));
}

TEST_F(ReplayCommandTest, VerifyCountsInAFolderWhatItCannotRead) {
  std::filesystem::remove(Path("sub/bad.rpl"));
  std::filesystem::create_symlink(Path("gone"), Path("sub/broken.rpl"));
  EXPECT_EQ(Refctl({"replay", "verify", folder_.path()}), Exit::kUsage);
  EXPECT_THAT(out_, HasSubstr("\n2 replays: 1 OK, 0 bad, 1 not read\n"));
  EXPECT_THAT(err_, HasSubstr("broken.rpl"));
}

TEST_F(ReplayCommandTest, VerifySaysFirstThatTheSignerIsNotKnown) {
  EXPECT_EQ(Refctl({"replay", "verify", Path("good.rpl")}), Exit::kOk);
  EXPECT_THAT(out_, StartsWith("the signer is not known"));
  EXPECT_EQ(Refctl({"replay", "verify", "--json", Path("good.rpl")}), Exit::kOk);
  EXPECT_THAT(out_, HasSubstr("good.rpl\",\"signer_known\":false,\"ok\":true"));
}

TEST_F(ReplayCommandTest, VerifySaysNothingOfTheSignerOfWhatIsNoReplay) {
  EXPECT_EQ(Refctl({"replay", "verify", "/dev/null"}), Exit::kNegative);
  EXPECT_THAT(out_, StartsWith("/dev/null: "));
}

TEST_F(ReplayCommandTest, VerifyGoesOnAfterAFileThatIsNotThere) {
  EXPECT_EQ(Refctl({"replay", "verify", Path("gone.rpl"), Path("good.rpl")}), Exit::kUsage);
  EXPECT_THAT(out_, HasSubstr(Path("good.rpl") + ": OK (dice pinned by the organiser)\n"));
  EXPECT_THAT(err_, HasSubstr("gone.rpl"));
  EXPECT_EQ(Refctl({"replay", "verify", Path("gone.rpl")}), Exit::kUsage);
  EXPECT_EQ(out_, "") << "of nothing that could be read nobody is the signer";
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

TEST_F(ReplayCommandTest, ExportGoesOnAfterADamagedFileAndNamesItAtTheEnd) {
  Write("cut.rpl", file_.substr(0, file_.size() / 2));
  EXPECT_EQ(Refctl({"replay", "export", Path("cut.rpl"), Path("gone.rpl"), Path("good.rpl")}),
            Exit::kUsage);
  EXPECT_EQ(out_, replay::Transcript(replay_));
  EXPECT_THAT(err_, StartsWith("refctl: " + Path("cut.rpl") + ": "));
  EXPECT_THAT(err_, HasSubstr("gone.rpl' is neither a file nor a match"));
  EXPECT_THAT(err_, EndsWith("refctl: 2 of 3 replays could not be read, see above; the others are "
                             "there\n"));
}

TEST_F(ReplayCommandTest, ExportPrintsAMatchALine) {
  Write("another.rpl", file_);
  EXPECT_EQ(
      Refctl({"replay", "export", "--format", "jsonl", Path("good.rpl"), Path("another.rpl")}),
      Exit::kOk);
  std::istringstream lines(out_);
  std::string line;
  int matches = 0;
  for (; std::getline(lines, line); ++matches) {
    EXPECT_EQ(nlohmann::json::parse(line)["match_id"], replay_.setup.id.text());
  }
  EXPECT_EQ(matches, 2);
}

TEST_F(ReplayCommandTest, ExportWritesAFileOnlyWhenThereIsSomethingToWrite) {
  Write("out.txt", "as it was");
  EXPECT_EQ(Refctl({"replay", "export", "--output", Path("out.txt"), "--force", Path("notes.txt")}),
            Exit::kUsage);
  EXPECT_EQ(replay::ReadWholeFile(Path("out.txt"), 1 << 20).value(), "as it was");
  EXPECT_EQ(Refctl({"replay", "export", "--output", Path("out.txt"), Path("good.rpl")}),
            Exit::kUsage);
  EXPECT_EQ(replay::ReadWholeFile(Path("out.txt"), 1 << 20).value(), "as it was");
  EXPECT_THAT(err_, AllOf(StartsWith("refctl: --output: "), HasSubstr("--force")));
  EXPECT_EQ(Refctl({"replay", "export", "--output", Path("out.txt"), "--force", Path("good.rpl")}),
            Exit::kOk);
  EXPECT_EQ(out_, "");
  EXPECT_EQ(replay::ReadWholeFile(Path("out.txt"), 1 << 20).value(), replay::Transcript(replay_));
  EXPECT_EQ(Refctl({"replay", "export", "--output", Path("no/such/out"), Path("good.rpl")}),
            Exit::kUsage);
  EXPECT_THAT(err_, StartsWith("refctl: --output: "));
}

TEST_F(ReplayCommandTest, ExportAddsThePositionAtEachTurn) {
  const replay::Replay eventful = replay::PlaySample(replay::EventfulSample());
  Write("eventful.rpl", replay::Encode(eventful, signer_));
  EXPECT_EQ(Refctl({"replay", "export", "--positions", Path("eventful.rpl")}), Exit::kOk);
  EXPECT_THAT(out_, ContainsRegex("\nfirst .\nposition [^\n]+\n1 [^\n]+\nposition "));
  EXPECT_EQ(Refctl({"replay", "export", "--positions", "--format", "jsonl", Path("eventful.rpl")}),
            Exit::kOk);
  const auto json = nlohmann::json::parse(out_);
  EXPECT_NE(json["start_position"], "");
  int turns = 0;
  for (const auto& record : json["records"]) {
    if (record["kind"] != "turn" && record["kind"] != "forfeit") continue;
    const auto digest = dice::Digest(record["position"].get<std::string>());
    EXPECT_EQ(record["digest"], dice::DigestText(digest)) << "record " << turns;
    ++turns;
  }
  EXPECT_GT(turns, 10);
}

// --- Matches by their ids ---

// A data directory with the replay of one match in its archive.
class ReplayByIdTest : public ReplayCommandTest {
 protected:
  ReplayByIdTest() {
    const std::string path = replay::Archive(Path("data")).PathOf(replay_.setup.id);
    Write(path.substr(Path("").size()), file_);
  }
  const std::string id_ = replay_.setup.id.text();
};

TEST_F(ReplayByIdTest, EveryCommandTakesOneFromAnArchive) {
  const std::vector<std::string> from = {"--data-dir", Path("data")};
  const auto of = [&](std::vector<std::string> command) {
    command.insert(command.end(), from.begin(), from.end());
    return Refctl(command);
  };
  EXPECT_EQ(of({"replay", "export", id_}), Exit::kOk) << err_;
  EXPECT_EQ(out_, replay::Transcript(replay_));
  EXPECT_EQ(of({"replay", "verify", id_}), Exit::kOk) << err_;
  EXPECT_THAT(out_, HasSubstr("match " + id_ + ": OK"));
  EXPECT_EQ(of({"replay", "times", id_}), Exit::kOk) << err_;
  EXPECT_THAT(out_, StartsWith("match " + id_));
  EXPECT_EQ(of({"replay", "show", "--turn", "last", id_}), Exit::kOk) << err_;
  EXPECT_THAT(out_, HasSubstr("match " + id_));
}

TEST_F(ReplayByIdTest, OneThatIsNotInTheArchiveIsSaidToBeMissingThere) {
  EXPECT_EQ(Refctl({"replay", "export", "--data-dir", Path("other"), id_}), Exit::kUsage);
  EXPECT_EQ(err_, "refctl: --data-dir " + Path("other") + ": match " + id_ +
                      ": there is no replay of it in the archive\n");
}

TEST_F(ReplayByIdTest, WithoutARefereeTheErrorSaysWhereOneWasLookedFor) {
  EXPECT_EQ(
      Refctl({"replay", "export", "--address", "unix:" + Path("socket"), "--wait", "0s", id_}),
      Exit::kUsage);
  EXPECT_THAT(err_, HasSubstr("no referee answers at 'unix:" + Path("socket")));
}

TEST_F(ReplayByIdTest, WhatIsNeitherAFileNorAnIdIsToldSo) {
  for (const char* command : {"export", "verify", "times", "show"}) {
    EXPECT_EQ(Refctl({"replay", command, "01m7"}), Exit::kUsage) << command;
    EXPECT_THAT(err_, HasSubstr("'01m7' is neither a file nor a match: no file has this name, and "
                                "the id of a match has 26 characters"))
        << command;
  }
}

TEST_F(ReplayByIdTest, AFileOfThatNameComesFirst) {
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder_.path());
  Write(id_, "not a replay\n");
  EXPECT_EQ(Refctl({"replay", "export", "--data-dir", Path("data"), id_}), Exit::kUsage);
  std::filesystem::current_path(before);
  EXPECT_EQ(err_, "refctl: " + id_ + ": byte 0: this is not a replay file\n");
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
  EXPECT_THAT(err_, HasSubstr(Path("nothing") + ": there is no such folder"));
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

}  // namespace
}  // namespace referee::ctl
