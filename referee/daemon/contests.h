// The competitions of the daemon, with what they need for themselves: the store, opened to write as
// safely as journals are written, and a thread for their turns, which wait for the disk.
#ifndef REFEREE_DAEMON_CONTESTS_H_
#define REFEREE_DAEMON_CONTESTS_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "referee/base/clock.h"
#include "referee/competition/competitions.h"
#include "referee/daemon/flags.h"
#include "referee/host/timers.h"
#include "referee/store/store.h"

namespace referee::daemon {

class Contests {
 public:
  // Opens the store in flags.data_dir. `owner` names the referee, the same after a restart. `clock`
  // and `timers` must outlive it. Returns what store::OpenSqliteStore does.
  static absl::StatusOr<std::unique_ptr<Contests>> Make(const Flags& flags,
                                                        const std::string& owner,
                                                        const Clock* clock, host::Timers* timers,
                                                        void (*log)(absl::string_view line));

  competition::Competitions& competitions() { return competitions_; }

 private:
  Contests(std::unique_ptr<store::Store> store, competition::CompetitionsOptions options);

  const std::unique_ptr<store::Store> store_;
  host::ThreadExecutor executor_;
  competition::Competitions competitions_;
};

}  // namespace referee::daemon

#endif  // REFEREE_DAEMON_CONTESTS_H_
