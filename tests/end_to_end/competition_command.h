// Fixture for tests of refctl competition: a referee with three bots, and a competition of theirs.
#ifndef REFEREE_TESTS_END_TO_END_COMPETITION_COMMAND_H_
#define REFEREE_TESTS_END_TO_END_COMPETITION_COMMAND_H_

#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "tests/end_to_end/competition_fixture.h"
#include "tests/support/files.h"

namespace referee::end_to_end {

class CompetitionCommand : public CompetitionFixture {
 protected:
  void SetUp() override {
    StartReferee();
    for (const char* name : {"alice", "bob", "carol"}) AddBot(name);
  }

  void StartBots() {
    StartBot("alice", {"bots/greedy"});
    StartBot("bob", {"bots/random"});
    StartBot("carol", {"bots/random"});
  }
  // Makes "spring": a round robin of short matches.
  Ran CreateSpring(std::vector<std::string> more = {}) {
    std::vector<std::string> command = {"create",   "spring",        "--format", "round-robin",
                                        "--game",   "hypnosia",      "--bots",   "alice,bob,carol",
                                        "--option", "turn_limit=20", "--time",   "30s"};
    command.insert(command.end(), more.begin(), more.end());
    return Competition(command);
  }
  // Waits until it is over, and returns what a watcher has seen.
  Ran Watch() { return sandbox_.Await(StartCompetitionCommand({"watch", "spring"})); }

  static std::vector<std::string> Lines(const std::string& text) {
    return absl::StrSplit(text, '\n', absl::SkipEmpty());
  }
  std::string ReadFile(const std::string& name) const { return testing::ReadFile(Path(name)); }
};

}  // namespace referee::end_to_end

#endif  // REFEREE_TESTS_END_TO_END_COMPETITION_COMMAND_H_
