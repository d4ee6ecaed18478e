// A whole referee inside this program, on a unix socket: what refereed is, for as long as a duel
// takes, for bots that were started here.
#ifndef REFEREE_CTL_DUEL_EMBEDDED_REFEREE_H_
#define REFEREE_CTL_DUEL_EMBEDDED_REFEREE_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/ctl/duel/measuring_recorder.h"
#include "referee/host/host.h"
#include "referee/host/stall_monitor.h"
#include "referee/host/timers.h"
#include "referee/match/record.h"
#include "referee/replay/file_recorder.h"
#include "referee/service/access/credentials.h"
#include "referee/service/server.h"

namespace referee::ctl {

// A match that is over.
struct FinishedMatch {
  MatchId id;
  bool begun = false;  // its bots were seated
  match::Ended ended;
  MatchFigures figures;
  absl::Status sealed;  // whether its replay could be kept
};

// Thread-safe, but for the destructor.
class EmbeddedReferee {
 public:
  struct Options {
    std::string socket_path;
    // Where replays are kept, as a daemon's data dir; empty: they are not.
    std::string data_dir;
    service::Credentials credentials;
    // Told of each match that is over, and of those that never began; thread-safe. Must not call
    // back.
    std::function<void(FinishedMatch)> on_finished;
  };

  // Starts it. Returns an error that names the socket or the data dir.
  static absl::StatusOr<std::unique_ptr<EmbeddedReferee>> Start(Options options);
  ~EmbeddedReferee();

  // What bots dial.
  const std::string& address() const { return server_->address(); }
  host::Host& host() { return *host_; }
  const Clock& clock() const { return clock_; }
  // Matches that have begun and are not over.
  int running() const { return host_->running(); }
  // Where the replay of a match is kept; empty if it is not.
  std::string ReplayPath(const MatchId& id) const;

  // Ends what is open as void, tells the bots, and ends their streams. The second call does
  // nothing.
  void Stop();

 private:
  explicit EmbeddedReferee(Options options);

  absl::Status Listen();
  absl::Status KeepReplays();

  // In the order in which each needs those before it.
  const Options options_;
  const SystemClock clock_;
  std::unique_ptr<replay::FileRecorder> files_;
  std::unique_ptr<MeasuringRecorder> recorder_;
  host::ThreadTimers timers_;
  host::ThreadExecutor executor_;
  host::StallMonitor stalls_;
  std::unique_ptr<host::Host> host_;
  std::unique_ptr<service::Server> server_;
  bool stopped_ = false;
};

}  // namespace referee::ctl

#endif  // REFEREE_CTL_DUEL_EMBEDDED_REFEREE_H_
