// A whole referee in this process: all that refereed is beside its flags and signals. The one place
// where the rooms are put together, for the daemon, for a duel, for tests and for measurements.
//
//   node::NodeOptions options;
//   options.listen = "127.0.0.1:7450";
//   options.data_dir = "/var/lib/referee";
//   options.software = "refereed 1.0";
//   std::unique_ptr<node::Node> node = node::Node::Start(std::move(options)).value();
//   ...                                          // bots and organisers dial node->address()
//   node->Stop(absl::Seconds(30), host::Host::Rest::kLeft);
#ifndef REFEREE_NODE_NODE_H_
#define REFEREE_NODE_NODE_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/competition/competitions.h"
#include "referee/host/host.h"
#include "referee/host/load_watch.h"
#include "referee/host/stall_monitor.h"
#include "referee/host/timers.h"
#include "referee/replay/file_recorder.h"
#include "referee/replay/journal.h"
#include "referee/replay/recorder.h"
#include "referee/service/access/access.h"
#include "referee/service/access/accounts.h"
#include "referee/service/access/credentials.h"
#include "referee/service/play/admission.h"
#include "referee/service/server.h"
#include "referee/service/tls.h"
#include "referee/store/store.h"

namespace referee::node {

struct NodeOptions {
  // --- Where it is ---

  // "host:port" (port 0: any free one) or "unix:path".
  std::string listen;
  // With it, TLS. Must outlive the node.
  service::Tls* tls = nullptr;
  // Allows plain text on addresses other than loopback and unix sockets.
  bool insecure = false;

  // Where its key, its journals and replays and, unless it has `credentials`, its store are; made
  // if need be, and one node's at a time. Empty: nothing is kept. Then `credentials` and
  // `wrap_recorder` are REQUIRED.
  std::string data_dir;
  replay::Durability durability = replay::Durability::kNone;

  // --- Who is known ---

  // Names and tokens in memory. Such a node has no store: there are no accounts, no audit log and
  // no competitions. Not set: whoever has an account in the store.
  absl::optional<service::Credentials> credentials;
  // Who may look without a token.
  service::Readers readers = service::Readers::kEverybody;
  // What streams of bots may do.
  service::StreamLimits stream_limits;

  // --- What it runs ---

  // Named in matches and to bots as the referee's software.
  std::string software;
  // Matches that run at once; others wait.
  int max_running = 4096;
  // Fewer run at once while its threads wake up later than this (99th percentile); infinite: never
  // fewer.
  absl::Duration max_stall = absl::InfiniteDuration();
  // Matches that were running when the node before it ended wait so long for their bots.
  absl::Duration resume_timeout = absl::Minutes(1);
  // Not empty: they end as void instead, for this reason; for nodes whose bots end with them.
  std::string void_what_is_left;

  // --- Who is told, and who looks in between; any may be null, all are thread-safe ---

  // What people should know, a line each.
  std::function<void(absl::string_view line)> log;
  // Every match that ended, as HostOptions says. One that an earlier process left may end before
  // Start returns.
  std::function<void(const host::MatchRunner&, const absl::Status& sealed)> on_finished;
  // The referee's own time of each turn, as HostOptions says.
  std::function<void(absl::Duration)> on_own_time;
  // Puts a recorder of the caller's before the one that keeps journals, which is null without a
  // data_dir, and outlives what is returned.
  std::function<std::unique_ptr<replay::Recorder>(replay::Recorder* keeper)> wrap_recorder;
  // For tests: at writes of journals.
  replay::WriteHook at_write;
};

// Thread-safe, but for Stop and the destructor, of which one is called at a time. Its threads:
// gRPC's, which read and write streams; one for timers; one that tells bots and seals replays, or
// several where that waits for the disk; one that watches for stalls; one for the turns of
// competitions; one that looks for new accounts; those of services whose calls read files or the
// store.
class Node {
 public:
  // Starts it; it may be dialled when this returns. Returns what service::Validate says, before
  // anything is made in the data directory; or an error that names the file or the address and what
  // to do about it. Then everything has ended again, and what an earlier process left is still
  // there to go on with.
  static absl::StatusOr<std::unique_ptr<Node>> Start(NodeOptions options);

  // Stops, if that was not done, at once, and leaves what is open to the next node.
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  // What clients dial: the port is the real one.
  const std::string& address() const { return server_->address(); }
  // Of the key that replays are signed with, as replay::Fingerprint has it; empty without a
  // data_dir.
  const std::string& key_fingerprint() const { return key_fingerprint_; }

  host::Host& host() { return *host_; }
  const Clock& clock() const { return clock_; }
  // Null with options.credentials.
  store::Store* store() { return store_.get(); }

  // Takes no more matches and bots, and returns when all that is open is over within `drain` or, if
  // not, has become what `rest` says, and all calls have ended, within `farewell` of that. Blocks
  // that competitions have begun always are left as they are, and go on after the next start. The
  // second call does nothing.
  void Stop(absl::Duration drain, host::Host::Rest rest,
            absl::Duration farewell = absl::Seconds(2));

 private:
  explicit Node(NodeOptions options);

  // The steps of Start, in order. After one that fails, ~Node ends what there is.
  absl::Status OpenRecorder();
  absl::Status OpenStore();
  void MakeCompetitions();
  void MakeHost();
  absl::Status TakeUpWhatIsLeft();
  void WatchLoad();
  absl::Status Listen();

  host::HostOptions MakeHostOptions();
  service::ServerOptions MakeServerOptions();
  void OnFinished(const host::MatchRunner& runner, const absl::Status& sealed);
  void Log(absl::string_view line) const;

  // Each needs those before it, and ends before them.
  NodeOptions options_;  // its credentials are handed out to be asked
  const SystemClock clock_;
  std::string key_fingerprint_;
  std::unique_ptr<replay::FileRecorder> files_;  // null without a data_dir
  std::unique_ptr<replay::Recorder> wrapped_;    // null without options.wrap_recorder
  // One handle for all. Null with options.credentials, as what needs it is.
  std::unique_ptr<store::Store> store_;
  host::ThreadTimers timers_;
  std::unique_ptr<service::Accounts> accounts_;
  std::unique_ptr<host::ThreadExecutor> competition_executor_;
  std::unique_ptr<competition::Competitions> competitions_;
  host::ThreadExecutor executor_;
  host::StallMonitor stalls_;
  std::unique_ptr<host::Host> host_;
  std::unique_ptr<host::LoadWatch> load_;
  std::unique_ptr<service::Server> server_;
  bool stopped_ = false;
};

}  // namespace referee::node

#endif  // REFEREE_NODE_NODE_H_
