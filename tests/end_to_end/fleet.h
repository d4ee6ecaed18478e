// Starts a fleet for tests: referees on one database, bots at each, and a ladder.
//
// The programs are the real ones.
#ifndef REFEREE_TESTS_END_TO_END_FLEET_H_
#define REFEREE_TESTS_END_TO_END_FLEET_H_

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/postgres/postgres.h"
#include "tests/end_to_end/program.h"

namespace referee::end_to_end {

// Asks the database, also while it is restarted or its standby takes over. For one thread at a
// time.
class FleetQueries {
 public:
  explicit FleetQueries(std::string url) : url_(std::move(url)) {}

  // The first column of the only row: a number, or a text; none while the database does not
  // answer, and if there is no row.
  absl::optional<int64_t> Number(const std::string& sql);
  absl::optional<std::string> Text(const std::string& sql);
  // All rows, their columns of text joined by two spaces.
  std::vector<std::string> Lines(const std::string& sql, int columns);

 private:
  // Null while nobody takes writes.
  postgres::Connection* Connect();
  // Calls `take` with the statement at each row; with none while nobody takes writes.
  template <typename Take>
  void Ask(const std::string& sql, const Take& take);

  const std::string url_;
  std::unique_ptr<postgres::Connection> db_;
};

struct FleetOptions {
  std::string store;  // the URL of the database
  // How a command that runs a referee begins, and the URL by which it reaches the database, by
  // referee. May be empty.
  struct Place {
    std::vector<std::string> entry;
    std::string store;
  };
  std::vector<Place> places;
  absl::Duration lease;
  int referees = 3;
  int bots = 6;   // each dials one referee, which tells it of the others
  int homes = 1;  // on which the ladder is played
};

// For one thread. What goes wrong is returned as an error that says what a program had to say.
class Fleet {
 public:
  // `sandbox` must outlive the fleet.
  Fleet(Sandbox* sandbox, FleetOptions options);

  // Starts the referees, makes the accounts, and has the bots play.
  absl::Status Begin();
  // Ends the ladder in order, and then bots and referees, by SIGTERM.
  absl::Status Finish();

  // --- Faults of one referee ---

  absl::Status Start(int referee);  // returns once it is ready
  absl::Status Stop(int referee);   // by SIGTERM; returns once it has ended
  void Kill(int referee);           // by SIGKILL
  void Suspend(int referee);
  void Resume(int referee);
  absl::Status Drain(int referee);  // by refctl; until it is started again

  // --- How it goes ---

  int referees() const { return options_.referees; }
  // Where the ladder lives, by the lease that its home has; none while that has ended.
  absl::optional<int> Home();
  // Whether the lease of a referee has ended.
  bool HasLapsed(int referee);
  // Returns an error if a program has ended that was not told to.
  absl::Status CheckAlive();
  // Has an audit look at all replays that are on the shelf. Returns what it says when it finds
  // something.
  absl::Status Audit();
  FleetQueries& queries() { return queries_; }

 private:
  std::string Path(const std::string& name) const { return sandbox_.path() + "/" + name; }
  std::string DataDir(int referee) const;
  std::string Address(int referee) const;
  // Runs refctl, as the organiser at a referee that runs; returns what it prints.
  absl::StatusOr<std::string> Refctl(std::vector<std::string> arguments);
  absl::Status AddAccounts();
  absl::Status StartBots();
  absl::Status StopBots();

  Sandbox& sandbox_;
  const FleetOptions options_;
  FleetQueries queries_;
  std::vector<pid_t> referees_;  // 0: it does not run
  std::vector<pid_t> bots_;
  std::string organiser_;            // the token
  std::vector<std::string> tokens_;  // of the bots
};

// Whether somebody has asked this program to end: see ListenToSignals.
bool Interrupted();
// SIGINT and SIGTERM make Interrupted true, once this was called.
void ListenToSignals();
// Waits as Eventually does. Returns DeadlineExceeded that names `what` if `condition` does not come
// to hold; Cancelled when Interrupted.
absl::Status AwaitCondition(const std::string& what, const std::function<bool()>& condition);

}  // namespace referee::end_to_end

#endif  // REFEREE_TESTS_END_TO_END_FLEET_H_
