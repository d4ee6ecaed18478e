// A complete referee in this process: refereed without its flags and signals.
//
// It assembles the parts of the referee for the daemon, for duels, for tests and for measurements.
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

// One of several addresses of a node. Its credentials are valid at this address only.
struct Door {
  std::string listen;
  service::Credentials credentials;
  service::PeerCheck check_peer = {};
};

struct NodeOptions {
  // --- Addresses and storage ---

  // "host:port" (port 0: any free port) or "unix:path".
  std::string listen;
  // If not empty, the node listens at these instead of `listen`, with their own credentials.
  std::vector<Door> doors;
  // Serving options for every address: TLS, limits, read access. The node itself sets the address
  // and the services.
  service::ServerOptions server;

  // The directory of the key, the log and the replays. It also has the store, unless `credentials`,
  // `doors` or `store` is set. Created if missing; one node at a time may use it. If empty, nothing
  // is stored on disk, and `credentials` or `doors` are REQUIRED.
  std::string data_dir;
  replay::Durability durability = replay::Durability::kNone;
  // The URL of the PostgreSQL database with the store, made by refctl store migrate; several
  // referees may share it. Empty: the store is in data_dir.
  std::string store;
  // A directory for a store besides `credentials` or `doors`. Its competitions are not served to
  // clients. It is data_dir, or a directory to delete after the end of the node. Empty: none.
  std::string store_dir;
  // The address at which bots dial this node, published to the fleet: "host:port" or "unix:/path".
  // Empty: derived from `listen` by service::DialledAddress.
  std::string advertise;
  // The CA certificates (PEM) for TLS connections to other referees; empty: the system's.
  std::string peer_ca;
  // How long this node owns competitions and blocks after it last renewed its lease. REQUIRES: from
  // limits::kMinBlockLease to kMaxBlockLease.
  absl::Duration lease = limits::kBlockLease;
  // Whether new replays go into packs; otherwise each is a file, which suits duels. The node reads
  // both.
  bool pack_replays = true;
  // How much of the packs to keep, besides kept replays of competitions and those of uncounted
  // blocks.
  replay::Retention retention;
  // The address (shelf/SHELF.md) of the fleet's replay store. A competition's match has its replay
  // there before its block is finished in the store. Empty: none.
  std::string shelf;
  // The folder of the log's memory (replay/log_memory.h). On a tmpfs, a disk that hangs delays no
  // turn. Empty: the data directory.
  std::string log_memory;
  // The size of each log segment; the log has a few. A referee with few matches needs less.
  size_t log_segment_bytes = limits::kLogSegmentBytes;
  // Whether to start in spite of unknown data. Log data of unknown versions or games then moves to
  // quarantine/, and its matches are given up; replays of unknown versions are ignored. Otherwise
  // the node refuses to start.
  bool set_aside_unknown = false;

  // --- Accounts ---

  // Names and tokens in memory. Such a node has no accounts, no audit log and no competitions,
  // unless store_dir is set. Unset: the accounts in the store apply.
  absl::optional<service::Credentials> credentials;

  // --- Matches ---

  // The name of the referee's software in matches and for bots.
  std::string software;
  // The number of matches that run at the same time; others wait.
  int max_running = 4096;
  // As in HostOptions.
  bool oversubscribe = false;
  bool blocks_apart = false;
  // As in CompetitionsOptions.
  int64_t max_blocks = limits::kMaxBlocks;
  // Fewer matches run at once while the node's threads wake up later than this (99th percentile).
  // Infinite: never fewer.
  absl::Duration max_stall = absl::InfiniteDuration();
  // No match starts while the disk of data_dir has less free space, in bytes; 0: no limit.
  uint64_t min_free = 0;
  // How long recovered matches wait for their bots.
  absl::Duration resume_timeout = absl::Minutes(1);
  // If not empty, recovered matches end as void instead, for this reason. For nodes whose bots end
  // with them.
  std::string void_what_is_left;

  // --- Callbacks and test hooks: any may be null, all must be thread-safe ---

  // Receives log events (log/LOG.md).
  log::Log log;
  // Describes what Start is doing, in a few words; called for each step and each recovered match.
  std::function<void(absl::string_view what)> on_step;
  // Receives WhyNotReady() during Start and after each change.
  std::function<void(const std::string& why_not)> on_readiness;
  // Called every beat_period while timers and executors make progress (host/pulse.h). Executors
  // that wait for a store or a replay store are not watched, because a restart would not help them.
  // Must be short.
  std::function<void()> on_beat;
  absl::Duration beat_period = absl::InfiniteDuration();
  // Called for each ended match, as in HostOptions. A recovered match may end before Start returns.
  std::function<void(const host::MatchRunner&, const absl::Status& sealed)> on_finished;
  // Called for each change of a bot's connection, and for each record, as in HostOptions.
  std::function<void(absl::string_view bot)> on_connection;
  std::function<void(const match::Match&, const match::Record&)> on_record;
  // The referee's own time in each turn, as in HostOptions.
  std::function<void(absl::Duration)> on_own_time;
  // The metrics to update, made with MetricNames. Must outlive the node. Null: none.
  metrics::Metrics* metrics = nullptr;
  // For tests: a clock, and timers that use it. Both must outlive the node. Null: the system's.
  const Clock* clock = nullptr;
  host::Timers* timers = nullptr;
  // For tests: called for each write and each sync of the log.
  replay::WriteHook at_write;
  replay::SyncHook at_sync;
};

// Why parts of a node do not serve, one line each; empty: the part serves.
struct Readiness {
  std::string any;      // nothing serves
  std::string matches;  // no match starts
  std::string store;    // competitions pause, and accounts cannot change
  std::string shelf;    // no block of a competition counts; everything else serves

  // The first reason why a part does not serve; empty: everything serves.
  const std::string& why_not() const {
    for (const std::string* why : {&any, &matches, &store}) {
      if (!why->empty()) return *why;
    }
    return shelf;
  }
};

// The metric labels for a node with these options.
metrics::Names MetricNames(const NodeOptions& options);

// Thread-safe, except for Stop and the destructor: call one of them at a time.
//
// Its threads are:
// - gRPC's, which read and write streams;
// - one that accepts connections, and a few that hand them over to gRPC;
// - one each for readiness, timers, stalls, competitions, and new accounts;
// - one that sends to bots and seals replays;
// - two for the log; with durability one more, and some that continue matches after a sync;
// - some that upload replays, with a replay store;
// - those of services whose calls read files or the store.
class Node {
 public:
  // Starts a node; clients may connect once this returns. Returns the error of service::Validate
  // before it creates anything in the data directory. Other errors name the file or address and the
  // remedy. After an error nothing runs, and the matches of an earlier process can still be
  // resumed.
  static absl::StatusOr<std::unique_ptr<Node>> Start(NodeOptions options);

  // Stops at once, unless Stop was called, and leaves open matches for the next node.
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  // The address for clients, with the actual port. With several doors, that of the first.
  const std::string& address() const { return servers_.front()->address(); }
  // The fingerprint (replay::Fingerprint) of the key that signs replays; empty without data_dir.
  const std::string& key_fingerprint() const { return storage_.key_fingerprint(); }

  host::Host& host() { return *host_; }
  const Clock& clock() const { return clock_; }
  // Both are null with options.credentials or options.doors, unless options.store_dir is set.
  store::Store* store() { return store_.get(); }
  competition::Competitions* competitions() { return competitions_.get(); }

  // Why the node does not serve now, in one line; empty while it serves. May query the store. The
  // gRPC health service (grpc.health.v1) reports the same within a second.
  std::string WhyNotReady() { return Look().why_not(); }

  // Stops accepting matches and bots, and offers its competitions to other referees. Waits up to
  // `drain` for open matches, then treats the remaining ones as `rest` says. Waits up to `farewell`
  // for open calls. Blocks of competitions stay open, and continue after the next start. A second
  // call does nothing.
  void Stop(absl::Duration drain, host::Host::Rest rest,
            absl::Duration farewell = absl::Seconds(2));

 private:
  explicit Node(NodeOptions options);

  // The steps of Start, in order. After a failure, ~Node ends what has been started.
  absl::Status CheckDataDir() const;
  bool HasAccounts() const { return !options_.credentials && options_.doors.empty(); }
  bool HasStore() const { return HasAccounts() || !options_.store_dir.empty(); }
  store::Place StorePlace() const;
  // The error of opening the store, with the name of the flag.
  absl::Status AtStore(const absl::Status& status) const;
  absl::Status BeginLifeOfCopy() const;
  absl::Status OpenShelf();
  absl::Status OpenStore();
  // Waits until the earlier referee of the data directory has no lease, unless it is known to have
  // ended.
  absl::Status AwaitFormer();
  // Makes the streams to the other referees of the fleet, if options.store is set.
  absl::Status MakePeers();
  // Prepares the upload of replays, if there is a replay store.
  void KeepOnShelf();
  void MakeCompetitions();
  absl::Status MakeHost();
  absl::Status TakeUpWhatIsLeft();
  void WatchLoad();
  void WatchDisk();
  void KeepArchive();
  absl::Status Listen();
  // Publishes the address at which bots dial this node to the fleet, if there may be one.
  void Advertise();
  void Beat();

  host::HostOptions MakeHostOptions();
  // The options of each server, in the order of options.doors.
  std::vector<service::ServerOptions> MakeServerOptions();
  service::ServerOptions CommonServerOptions();
  void OnFinished(const host::MatchRunner& runner, const absl::Status& sealed);
  void OnConnection(absl::string_view bot);
  // Called when no match is open: closes the streams to other referees before those of bots.
  void EndPeers();
  // Whether the store answered lately and accepts changes. True without a store.
  bool StoreIsUp();
  Readiness Look();
  // Checks the readiness and reports it to the gRPC health service and to on_readiness.
  void TellHealth();
  void SetGauges();
  void OnRecord(const match::Match& match, const match::Record& record) const;
  void Tell(log::Event event) const { log::Tell(options_.log, event); }
  void Step(absl::string_view what) const {
    if (options_.on_step) options_.on_step(what);
  }

  // Each member needs those before it, and is destroyed before them.
  NodeOptions options_;                 // servers use its credentials
  const std::unique_ptr<Meter> meter_;  // null without options.metrics
  const SystemClock system_clock_;
  const Clock& clock_;
  Storage storage_;
  absl::optional<Instances> instances_;  // unset without a store
  // One handle for all users. Null unless HasStore(), like all that depends on it.
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
  std::unique_ptr<host::ThreadExecutor> mailboxes_;  // null without durability
  std::unique_ptr<host::Host> host_;
  std::unique_ptr<host::PausedGames> paused_games_;
  std::unique_ptr<host::LoadWatch> load_;
  std::vector<std::unique_ptr<service::Server>> servers_;
  std::unique_ptr<host::ThreadExecutor> disk_executor_;  // null without options.min_free
  std::unique_ptr<host::DiskWatch> disk_;                // likewise
  std::unique_ptr<ArchiveKeeper> keeper_;                // null without options.retention
  bool stopped_ = false;
  std::atomic<bool> draining_{false};
  absl::optional<std::string> told_readiness_;  // used by the thread of health_ only, after Start
  std::unique_ptr<Repeater> health_;
  std::shared_ptr<host::Pulse> pulse_;  // null without options.on_beat
};

}  // namespace referee::node

#endif  // REFEREE_NODE_NODE_H_
