// A referee that organises competitions, with bots that have accounts: what the tests of
// competitions begin with.
#ifndef REFEREE_TESTS_END_TO_END_COMPETITION_FIXTURE_H_
#define REFEREE_TESTS_END_TO_END_COMPETITION_FIXTURE_H_

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/end_to_end/program.h"

namespace referee::end_to_end {

class CompetitionFixture : public SandboxTest {
 protected:
  // Ends the referee in order, if it runs.
  ~CompetitionFixture() override;

  // Starts the referee on its data directory, and waits until it is ready.
  void StartReferee(const std::vector<std::string>& more = {});
  void StopReferee();  // by SIGTERM
  void KillReferee();  // by SIGKILL
  bool referee_runs() const { return referee_ != 0; }
  // What it has written to stderr so far. REQUIRES: it runs.
  std::string RefereeSaid() const { return sandbox_.Written(referee_).err; }
  // Its machine stands still, and goes on again.
  void SuspendReferee();
  void ContinueReferee();

  // Makes an account for a bot. REQUIRES: the referee runs.
  void AddBot(const std::string& name);
  // Starts a bot by its command, with the token of `name`.
  pid_t StartBot(const std::string& name, std::vector<std::string> command);

  Ran Refctl(std::vector<std::string> arguments, const Sandbox::Environment& environment = {});
  // Runs refgate as an organiser.
  Ran Refgate(std::vector<std::string> arguments);
  // Refctl with "competition" before.
  Ran Competition(std::vector<std::string> arguments);
  // One that is to go well; returns what it says.
  std::string Well(std::vector<std::string> arguments);
  int64_t BlocksCounted(const std::string& competition);
  void AwaitBlocks(const std::string& competition, int64_t counted);
  pid_t StartCompetitionCommand(std::vector<std::string> arguments);
  Ran Audit();

 private:
  Sandbox::Environment Environment() const;
  Sandbox::Environment OrganisersEnvironment() const;

  const std::string address_ = "unix:" + Path("socket");
  std::map<std::string, std::string> tokens_;
  pid_t referee_ = 0;  // 0: none runs
};

}  // namespace referee::end_to_end

#endif  // REFEREE_TESTS_END_TO_END_COMPETITION_FIXTURE_H_
