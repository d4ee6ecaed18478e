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

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/base/limits.h"
#include "referee/competition/competitions.h"
#include "referee/host/disk_watch.h"
#include "referee/host/host.h"
#include "referee/host/load_watch.h"
#include "referee/host/paused_games.h"
#include "referee/host/pulse.h"
#include "referee/host/stall_log.h"
#include "referee/host/timers.h"
#include "referee/log/event.h"
#include "referee/metrics/metrics.h"
#include "referee/node/archive_keeper.h"
#include "referee/node/instances.h"
#include "referee/node/meter.h"
#include "referee/node/peers.h"
#include "referee/node/repeater.h"
#include "referee/node/shelf_keeper.h"
#include "referee/node/storage.h"
#include "referee/replay/durability.h"
#include "referee/replay/log_folder.h"
#include "referee/replay/recorder.h"
#include "referee/replay/retention.h"
#include "referee/service/access/accounts.h"
#include "referee/service/access/credentials.h"
#include "referee/service/server.h"
#include "referee/shelf/shared_shelf.h"
#include "referee/store/place.h"
#include "referee/store/store.h"

namespace referee::node {

// One of several addresses of a node. Its credentials are of no use at the others.
struct Door {
  std::string listen;
  service::Credentials credentials;
  service::PeerCheck check_peer = {};
};

struct NodeOptions {
  // --- Where it is ---

  // "host:port" (port 0: any free one) or "unix:path".
  std::string listen;
  // Not empty: the node listens at these, in place of `listen` and `credentials`.
  std::vector<Door> doors;
  // How it serves at each of its addresses: TLS, limits, who may read. The node itself sets the
  // address, and what is served.
  service::ServerOptions server;

  // The directory of its key, log, replays and, unless it has `credentials`, `doors` or `store`,
  // its store. Made if need be; only one node may use it at a time. Empty: nothing is kept. Then
  // `credentials` or `doors` are REQUIRED.
  std::string data_dir;
  replay::Durability durability = replay::Durability::kNone;
  // Not empty: the URL of the PostgreSQL database that its store is in, which referees may share;
  // refctl store migrate has made it. Empty: the store is in data_dir.
  std::string store;
  // Not empty: a directory for a store in place of one of accounts, also with `credentials` or
  // `doors`: its competitions are not served. It is the data_dir, or goes when the node has ended.
  std::string store_dir;
  // Where bots dial it, as other referees of the same `store` tell them: "host:port" or
  // "unix:/path". Empty: as service::DialledAddress says of `listen`.
  std::string advertise;
  // The certificates to trust when this node dials the others with TLS, PEM; empty: the system's.
  std::string peer_ca;
  // How long competitions and blocks are this node's after it last told the store that it is there.
  // REQUIRES: from limits::kMinBlockLease to kMaxBlockLease.
  absl::Duration lease = limits::kBlockLease;
  // Whether replays are put into packs; else each is a file of its own, as people keep those of
  // duels. Both are read.
  bool pack_replays = true;
  // How much of its packs is kept, beside the replays of competitions that are to be kept, and of
  // blocks that are not counted.
  replay::Retention retention;
  // Not empty: the address (shelf/SHELF.md) of the shelf on which a fleet's replays are. The replay
  // of a competition's match is there before its block is finished in the store.
  std::string shelf;
  // A folder for the memory of the log (replay/log_memory.h), on a tmpfs if a disk that hangs is to
  // hold up no turn; empty: the data directory.
  std::string log_memory;
  // Of the log, which has a few: a referee of few matches needs less.
  size_t log_segment_bytes = limits::kLogSegmentBytes;
  // What is in the log of versions, or of games, that this program does not know is moved to
  // quarantine/, and such matches given up; replays of such versions are not looked at. Else
  // the node does not start where there are any.
  bool set_aside_unknown = false;

  // --- Who is known ---

  // Names and tokens in memory. Such a node has no store: there are no accounts, no audit log and
  // no competitions. Not set: the accounts in the store count.
  absl::optional<service::Credentials> credentials;

  // --- What it runs ---

  // Named in matches and to bots as the referee's software.
  std::string software;
  // Matches that run at once; others wait.
  int max_running = 4096;
  // As HostOptions says, both.
  bool oversubscribe = false;
  bool blocks_apart = false;
  // As CompetitionsOptions says.
  int64_t max_blocks = limits::kMaxBlocks;
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

  // Takes events (log/LOG.md).
  log::Log log;
  // What Start is doing, in a few words: with each of its steps, and each match that was left.
  std::function<void(absl::string_view what)> on_step;
  // Why the node does not serve, as WhyNotReady: once it has started, and with each change.
  std::function<void(const std::string& why_not)> on_readiness;
  // Every beat_period while its timers and executors go on (host/pulse.h); but for those of which
  // the work waits for a store or a shelf, as to start again would not help. It must be short.
  std::function<void()> on_beat;
  absl::Duration beat_period = absl::InfiniteDuration();
  // Every match that ended, as HostOptions says. One that an earlier process left may end before
  // Start returns.
  std::function<void(const host::MatchRunner&, const absl::Status& sealed)> on_finished;
  // Every change of a bot's connection, and every record, as HostOptions says.
  std::function<void(absl::string_view bot)> on_connection;
  std::function<void(const match::Match&, const match::Record&)> on_record;
  // The referee's own time of each turn, as HostOptions says.
  std::function<void(absl::Duration)> on_own_time;
  // Where the node observes, made with MetricNames. Must outlive it.
  metrics::Metrics* metrics = nullptr;
  // For tests: a clock, and timers that go by it. Both must outlive the node. Null: the machine's.
  const Clock* clock = nullptr;
  host::Timers* timers = nullptr;
  // For tests: called at writes to the log, and at its syncs.
  replay::WriteHook at_write;
  replay::SyncHook at_sync;
};

// Why something of a node does not serve, each in one line; empty: it does.
struct Readiness {
  std::string any;      // nothing does
  std::string matches;  // none begins
  std::string store;    // no competition goes on, and no account changes
  std::string shelf;    // no block of a competition counts; the rest serves

  // Why not all of it serves; empty: all does.
  const std::string& why_not() const {
    for (const std::string* why : {&any, &matches, &store}) {
      if (!why->empty()) return *why;
    }
    return shelf;
  }
};

// For the metrics of a node with these options.
metrics::Names MetricNames(const NodeOptions& options);

// Thread-safe, but for Stop and the destructor, of which one is called at a time. Its threads:
// gRPC's, which read and write streams; one that accepts connections, and a few that hand them
// over; one that looks what serves; one for timers; one that tells bots and seals replays, or
// several where something is to last; two of the log, and then one more, and some that go on with
// matches whose records last; one that watches for stalls; one for the turns of competitions; with
// a shelf some that put replays there; one that looks for new accounts; those of services whose
// calls read files or the store.
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

  // What clients dial: the port is the real one. With several doors, the first.
  const std::string& address() const { return servers_.front()->address(); }
  // The fingerprint (replay::Fingerprint) of the key that signs replays; empty without a data_dir.
  const std::string& key_fingerprint() const { return storage_.key_fingerprint(); }

  host::Host& host() { return *host_; }
  const Clock& clock() const { return clock_; }
  // Null with options.credentials or options.doors, but for options.store_dir; both.
  store::Store* store() { return store_.get(); }
  competition::Competitions* competitions() { return competitions_.get(); }

  // Why it does not serve now, in one line; empty while it does. Asks the store. The health service
  // (grpc.health.v1) says the same within a second.
  std::string WhyNotReady() { return Look().why_not(); }

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
  bool HasAccounts() const { return !options_.credentials && options_.doors.empty(); }
  bool HasStore() const { return HasAccounts() || !options_.store_dir.empty(); }
  store::Place StorePlace() const;
  // An error of opening the store, with the flag that it is about.
  absl::Status AtStore(const absl::Status& status) const;
  absl::Status BeginLifeOfCopy() const;
  absl::Status OpenShelf();
  absl::Status OpenStore();
  // Waits until the referee that used the data directory before has no lease that lasts, unless it
  // is known to have ended.
  absl::Status AwaitFormer();
  // Makes what the others of the fleet are dialed with, if options.store names it.
  absl::Status MakePeers();
  // Has replays put on the shelf, if there is one.
  void KeepOnShelf();
  void MakeCompetitions();
  absl::Status MakeHost();
  absl::Status TakeUpWhatIsLeft();
  void WatchLoad();
  void WatchDisk();
  void KeepArchive();
  absl::Status Listen();
  // Says to the fleet where bots dial this node, if there may be one.
  void Advertise();
  void Beat();

  host::HostOptions MakeHostOptions();
  // The options of each server, in the order of options.doors.
  std::vector<service::ServerOptions> MakeServerOptions();
  service::ServerOptions CommonServerOptions();
  void OnFinished(const host::MatchRunner& runner, const absl::Status& sealed);
  void OnConnection(absl::string_view bot);
  // No match is open any more: the streams of referees end before the links of bots do.
  void EndPeers();
  // Whether the store answers, and takes changes, as far as is known. True without one.
  bool StoreIsUp();
  Readiness Look();
  // Looks what serves and tells it: one source for the gRPC health service, for the service manager
  // and, when it is asked, for /readyz.
  void TellHealth();
  void SetGauges();
  void OnRecord(const match::Match& match, const match::Record& record) const;
  void Tell(log::Event event) const { log::Tell(options_.log, event); }
  void Step(absl::string_view what) const {
    if (options_.on_step) options_.on_step(what);
  }

  // Each member needs those before it, and is destroyed before them.
  NodeOptions options_;                 // its credentials are handed out to be asked
  const std::unique_ptr<Meter> meter_;  // null without options.metrics
  const SystemClock system_clock_;
  const Clock& clock_;
  Storage storage_;
  absl::optional<Instances> instances_;  // none without a store
  // One handle for all. Null unless HasStore(), as what needs it is.
  std::unique_ptr<store::Store> store_;
  std::unique_ptr<host::Timers> own_timers_;  // null with options.timers
  host::Timers& timers_;
  std::unique_ptr<service::Accounts> accounts_;
  std::unique_ptr<shelf::SharedShelf> shelf_;             // null without options.shelf
  std::unique_ptr<host::ThreadExecutor> shelf_executor_;  // likewise
  std::shared_ptr<ShelfKeeper> shelf_keeper_;             // likewise
  std::unique_ptr<Peers> peers_;                          // null without options.store
  std::unique_ptr<host::ThreadExecutor> competition_executor_;
  std::unique_ptr<competition::Competitions> competitions_;
  host::ThreadExecutor executor_;
  host::StallMonitor stalls_;
  std::unique_ptr<host::ThreadExecutor> mailboxes_;  // null unless records are to last
  std::unique_ptr<host::Host> host_;
  std::unique_ptr<host::PausedGames> paused_games_;
  std::unique_ptr<host::LoadWatch> load_;
  std::vector<std::unique_ptr<service::Server>> servers_;
  std::unique_ptr<host::ThreadExecutor> disk_executor_;  // null without options.min_free
  std::unique_ptr<host::DiskWatch> disk_;                // likewise
  std::unique_ptr<ArchiveKeeper> keeper_;                // null without options.retention
  bool stopped_ = false;
  std::atomic<bool> draining_{false};
  absl::optional<std::string> told_readiness_;  // touched by looks of health_ only
  std::unique_ptr<Repeater> health_;
  std::shared_ptr<host::Pulse> pulse_;  // null without options.on_beat
};

}  // namespace referee::node

#endif  // REFEREE_NODE_NODE_H_
