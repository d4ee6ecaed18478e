// Kills a referee and starts it again on the same address, while its bots reconnect.
#ifndef REFEREE_TESTS_END_TO_END_RECOVERY_H_
#define REFEREE_TESTS_END_TO_END_RECOVERY_H_

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "tests/end_to_end/program.h"

namespace referee::end_to_end {

// Who plays a match, and which: dice pinned to a number, bots that always play the same in the same
// position, few turns. So its transcript is known once it was played without trouble.
struct Game {
  std::string first;
  std::string second;
  uint64_t number = 0;

  friend bool operator<(const Game& a, const Game& b) {
    return std::tie(a.first, a.second, a.number) < std::tie(b.first, b.second, b.number);
  }
};

class Recovery : public ::testing::Test {
 protected:
  Recovery();
  ~Recovery() override;

  // Starts a bot, which comes back for as long as the test lasts. Names: alice, bob, carol, dave.
  void StartBot(const std::string& name);

  // Starts the referee on the data directory `data`, and does not wait.
  void LaunchReferee(const std::string& data, const std::vector<std::string>& more = {});
  // Waits until it is ready. Returns false if it ended instead.
  bool AwaitReady();
  bool RefereeHasEnded() const;
  // Has it stop, unless it has ended by itself, and waits for its end.
  Ran Stop();
  // Kills it and waits for its end.
  void KillReferee();
  // Waits for its end, which must be by SIGKILL.
  void AwaitKilled();
  pid_t referee() const { return referee_; }

  // Asks for a match. Returns its id, or Unavailable when the referee did not live to answer.
  absl::StatusOr<std::string> Create(const Game& game, const std::string& request_id) const;

  // The replay files below a data directory, sorted: oldest match first.
  std::vector<std::string> Archived(const std::string& data);
  // The match that a replay file is named after.
  static std::string IdOf(const std::string& replay);
  // What was played in it, and how it ended. The replay must verify.
  static std::string TranscriptOf(const std::string& replay);
  // `refctl replay verify` must agree with all below the data directory.
  void ExpectAllVerify(const std::string& data);

  Sandbox sandbox_;

 private:
  const std::string socket_;
  pid_t referee_ = 0;  // 0: none runs
};

}  // namespace referee::end_to_end

#endif  // REFEREE_TESTS_END_TO_END_RECOVERY_H_
