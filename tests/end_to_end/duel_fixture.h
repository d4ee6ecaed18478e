// Fixture for tests of refctl duel: bots to play with, and a check that nothing is left behind.
#ifndef REFEREE_TESTS_END_TO_END_DUEL_FIXTURE_H_
#define REFEREE_TESTS_END_TO_END_DUEL_FIXTURE_H_

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/end_to_end/program.h"

namespace referee::end_to_end {

class Duel : public ::testing::Test {
 protected:
  using Json = nlohmann::json;

  ~Duel() override {
    // What is killed goes as soon as it gets to run.
    EXPECT_TRUE(Eventually([this] { return sandbox_.Running().empty(); }));
    EXPECT_TRUE(sandbox_.TempIsEmpty());
  }

  static std::string Faulty(const std::string& flags) {
    return absl::StrCat(Program("tests/faulty"), " ", flags);
  }

  std::vector<std::string> Command(const std::vector<std::string>& bots,
                                   const std::vector<std::string>& more) const {
    std::vector<std::string> command = {"refctl", "duel", "--game", game_};
    for (const std::string& bot : bots) command.insert(command.end(), {"--bot", bot});
    command.insert(command.end(), more.begin(), more.end());
    return command;
  }

  Ran Play(const std::vector<std::string>& bots, const std::vector<std::string>& more = {}) {
    return sandbox_.Run(Command(bots, more));
  }

  // Plays with --json, and returns what it printed.
  Json PlayForJson(const std::vector<std::string>& bots, std::vector<std::string> more) {
    more.push_back("--json");
    const Ran ran = Play(bots, more);
    Json json = Json::parse(ran.out, nullptr, false);
    EXPECT_TRUE(json.is_object()) << ran.out << ran.err;
    json["status"] = ran.status;
    return json;
  }

  std::string Path(const std::string& name) const {
    return absl::StrCat(sandbox_.path(), "/", name);
  }

  // The transcripts of the replays in a folder, sorted.
  std::vector<std::string> Transcripts(const std::string& below) {
    std::vector<std::string> transcripts;
    for (const std::string& file : sandbox_.Files(below, ".rpl")) {
      const Ran ran = sandbox_.Run({"refctl", "replay", "export", "--format", "text", file});
      EXPECT_EQ(ran.status, 0) << ran.err;
      transcripts.push_back(ran.out);
    }
    std::sort(transcripts.begin(), transcripts.end());
    return transcripts;
  }

  Sandbox sandbox_;
  std::string game_ = "hypnosia";
  const std::string greedy_ = Program("bots/greedy");
  const std::string random_ = Program("bots/random");
};

}  // namespace referee::end_to_end

#endif  // REFEREE_TESTS_END_TO_END_DUEL_FIXTURE_H_
