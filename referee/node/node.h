// A whole referee in this process: refereed without its flags and signals. It puts the parts of the
// referee together, for the daemon, for duels, for tests and for measurements.
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

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/base/limits.h"
#include "referee/base/mutex.h"
#include "referee/competition/competitions.h"
#include "referee/host/disk_watch.h"
#include "referee/host/host.h"
#include "referee/host/load_watch.h"
#include "referee/host/stall_monitor.h"
#include "referee/host/timers.h"
#include "referee/node/archive_keeper.h"
#include "referee/replay/archive_index.h"
#include "referee/replay/durability.h"
#include "referee/replay/file_recorder.h"
#include "referee/replay/key_ring.h"
#include "referee/replay/log_folder.h"
#include "referee/replay/pack_shelf.h"
#include "referee/replay/recorder.h"
#include "referee/replay/retention.h"
#include "referee/service/accept/endpoint.h"
#include "referee/service/access/access.h"
#include "referee/service/access/accounts.h"
#include "referee/service/access/call_admission.h"
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
  // Set: the node serves TLS. Must outlive the node.
  service::Tls* tls = nullptr;
  // Allows plain text on addresses other than loopback and unix sockets.
  bool insecure = false;

  // The directory of its key, log, replays and, unless it has `credentials`, its store. Made
  // if need be; only one node may use it at a time. Empty: nothing is kept. Then `credentials` and
  // `wrap_recorder` are REQUIRED.
  std::string data_dir;
  replay::Durability durability = replay::Durability::kNone;
  // Whether replays are put into packs; else each is a file of its own, as people keep those of
  // duels. Both are read.
  bool pack_replays = true;
  // How much of its packs is kept, beside the replays of competitions of these names, and of blocks
  // that are not counted.
  replay::Retention retention;
  std::set<std::string> kept_competitions;
  // Of the log, which has a few: a referee of few matches needs less.
  size_t log_segment_bytes = limits::kLogSegmentBytes;
  // What is in the log of versions, or of games, that this program does not know is moved to
  // journals/broken, and such matches given up; replays of such versions are not looked at. Else
  // the node does not start where there are any.
  bool set_aside_unknown = false;

  // --- Who is known ---

  // Names and tokens in memory. Such a node has no store: there are no accounts, no audit log and
  // no competitions. Not set: the accounts in the store count.
  absl::optional<service::Credentials> credentials;
  // Who may read without a token.
  service::Readers readers = service::Readers::kEverybody;
  // What streams of bots may do.
  service::StreamLimits stream_limits;
  // What all other calls may do.
  service::CallLimits call_limits;
  // What the transport may take for connections and the calls on them, in bytes.
  size_t transport_bytes = limits::kMemoryLimit / 2;
  // How many connections there may be, and who says for whom they are, as ServerOptions says.
  size_t max_connections = 0;
  size_t max_connections_per_address = 0;
  std::vector<service::IpRange> trusted_proxies;

  // --- What it runs ---

  // Named in matches and to bots as the referee's software.
  std::string software;
  // Matches that run at once; others wait.
  int max_running = 4096;
  // Fewer run at once while its threads wake up later than this (99th percentile); infinite: never
  // fewer.
  absl::Duration max_stall = absl::InfiniteDuration();
  // No match begins while the disk of data_dir has fewer bytes free; 0: whatever it has.
  uint64_t min_free = 0;
  // How long matches that the node before it left running wait for their bots.
  absl::Duration resume_timeout = absl::Minutes(1);
  // Not empty: those matches end as void instead, for this reason. For nodes whose bots end with
  // them.
  std::string void_what_is_left;

  // --- Who is told, and who looks in between; any may be null, all are thread-safe ---

  // Takes log lines, for people.
  std::function<void(absl::string_view line)> log;
  // That nobody can connect any more, as ServerOptions says. Null: it is not found out.
  std::function<void()> on_deaf;
  // Every match that ended, as HostOptions says. One that an earlier process left may end before
  // Start returns.
  std::function<void(const host::MatchRunner&, const absl::Status& sealed)> on_finished;
  // The referee's own time of each turn, as HostOptions says.
  std::function<void(absl::Duration)> on_own_time;
  // Wraps the recorder that keeps the log in one of the caller's. `keeper` is null without a
  // data_dir, and outlives the returned recorder.
  std::function<std::unique_ptr<replay::Recorder>(replay::Recorder* keeper)> wrap_recorder;
  // For tests: called at writes to the log, and at its syncs.
  replay::WriteHook at_write;
  replay::SyncHook at_sync;
};

// Thread-safe, but for Stop and the destructor, of which one is called at a time. Its threads:
// gRPC's, which read and write streams; one that accepts connections, and a few that hand them
// over; one for timers; one that tells bots and seals replays, or several where something is to
// last; two of the log, and then one more, and some that go on with matches whose records last; one
// that watches for stalls; one for the turns of competitions; one that looks for new accounts;
// those of services whose calls read files or the store.
class Node {
 public:
  // Starts a node; clients may dial it when this returns. Returns the error of service::Validate
  // before it makes anything in the data directory; or an error that names the file or the address
  // and what to do about it. After an error nothing runs, and matches that an earlier process left
  // can still be resumed.
  static absl::StatusOr<std::unique_ptr<Node>> Start(NodeOptions options);

  // Stops at once, unless Stop was called, and leaves open matches to the next node.
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  // What clients dial: the port is the real one.
  const std::string& address() const { return server_->address(); }
  // The fingerprint (replay::Fingerprint) of the key that signs replays; empty without a data_dir.
  const std::string& key_fingerprint() const { return key_fingerprint_; }

  host::Host& host() { return *host_; }
  const Clock& clock() const { return clock_; }
  // Null with options.credentials.
  store::Store* store() { return store_.get(); }

  // Accepts no more matches and bots, waits up to `drain` until all matches are over, treats those
  // still open as `rest` says, and then waits up to `farewell` until all calls have ended. Blocks
  // that competitions have begun are always left as they are, and go on after the next start. The
  // second call does nothing.
  void Stop(absl::Duration drain, host::Host::Rest rest,
            absl::Duration farewell = absl::Seconds(2));

 private:
  explicit Node(NodeOptions options);

  // The steps of Start, in order. After one that fails, ~Node ends what there is.
  absl::Status CheckDataDir() const;
  absl::Status OpenRecorder();
  // Opens the archive, and has the recorder put replays into it.
  absl::Status OpenArchive(replay::FileRecorder::Options* recorder);
  absl::Status OpenStore();
  void MakeCompetitions();
  void MakeHost();
  absl::Status TakeUpWhatIsLeft();
  void WatchLoad();
  void WatchDisk();
  void KeepArchive();
  absl::Status Listen();

  host::HostOptions MakeHostOptions();
  service::ServerOptions MakeServerOptions();
  void OnFinished(const host::MatchRunner& runner, const absl::Status& sealed);
  void Log(absl::string_view line) const;

  // Each member needs those before it, and is destroyed before them.
  NodeOptions options_;  // its credentials are handed out to be asked
  const SystemClock clock_;
  replay::KeyRing keys_;  // without any, without a data_dir
  std::string key_fingerprint_;
  std::unique_ptr<replay::ArchiveIndex> archive_;
  replay::PackShelf* packs_ = nullptr;           // of files_; null unless replays are packed
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
  std::unique_ptr<host::ThreadExecutor> mailboxes_;  // null unless records are to last
  std::unique_ptr<host::Host> host_;
  std::unique_ptr<host::LoadWatch> load_;
  Mutex holding_mutex_;  // held while the server is told
  bool held_back_ ABSL_GUARDED_BY(holding_mutex_) = false;
  std::unique_ptr<service::Server> server_;
  std::unique_ptr<host::ThreadExecutor> disk_executor_;  // null without options.min_free
  std::unique_ptr<host::DiskWatch> disk_;                // likewise
  std::unique_ptr<ArchiveKeeper> keeper_;                // null without options.retention
  bool stopped_ = false;
};

}  // namespace referee::node

#endif  // REFEREE_NODE_NODE_H_
