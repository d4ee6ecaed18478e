#include "referee/node/node.h"

#include <sodium.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <climits>
#include <future>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "referee/base/errors.h"
#include "referee/node/entropy.h"
#include "referee/node/events.h"
#include "referee/node/left.h"
#include "referee/replay/data_dir.h"
#include "referee/service/address.h"
#include "referee/shelf/limits.h"
#include "referee/shelf/shared_shelf.h"
#include "referee/store/place.h"

namespace referee::node {
namespace {

// How long a stopping node waits for others to take over its competitions. They poll every 5 s.
constexpr absl::Duration kHandOverLimit = absl::Seconds(7);
// How long it waits until results are in the store and replays in the replay store.
constexpr absl::Duration kEndsLimit = absl::Seconds(5);

// How long the replay store may fail before the node reports it. One retry is not an outage.
constexpr absl::Duration kShelfPatience = absl::Seconds(30);

// The period of the readiness check.
constexpr std::chrono::seconds kHealthPeriod{1};

std::string HostName() {
  char name[HOST_NAME_MAX + 1] = {};
  return gethostname(name, sizeof(name) - 1) == 0 ? name : "localhost";
}

bool WaitsForDisk(const NodeOptions& options) {
  return options.durability != replay::Durability::kNone;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Node>> Node::Start(NodeOptions options) {
  // Secret seeds need libsodium. sodium_init may be called again.
  if (sodium_init() < 0) return absl::InternalError("libsodium does not start");
  // Debian builds Abseil with deadlock detection in each of its locks, of which gRPC takes many.
  // The referee itself uses none of these locks.
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
  std::unique_ptr<Node> node(new Node(std::move(options)));
  absl::Status status;
  for (const service::ServerOptions& server : node->MakeServerOptions()) {
    if (status.ok()) status = service::Validate(server);
  }
  if (status.ok()) status = node->CheckDataDir();
  if (status.ok()) status = node->OpenShelf();
  node->Step("opens its log and its archive");
  if (status.ok()) status = node->storage_.Open([&] { return node->BeginLifeOfCopy(); });
  node->Step("opens its store");
  if (status.ok()) status = node->OpenStore();
  if (status.ok()) status = node->MakePeers();
  if (!status.ok()) return status;
  node->KeepOnShelf();
  node->MakeCompetitions();
  status = node->MakeHost();
  node->Step("goes on with what was left");
  if (status.ok()) status = node->TakeUpWhatIsLeft();
  if (!status.ok()) return status;
  node->WatchLoad();
  node->WatchDisk();
  status = node->Listen();
  if (!status.ok()) return status;
  node->Advertise();
  node->TellHealth();
  node->health_ =
      std::make_unique<Repeater>(kHealthPeriod, [node = node.get()] { node->TellHealth(); });
  node->Beat();
  node->KeepArchive();
  if (node->meter_ != nullptr) {
    node->options_.metrics->RefreshBy([node = node.get()] { node->SetGauges(); });
  }
  return node;
}

Node::Node(NodeOptions options)
    : options_(std::move(options)),
      meter_(options_.metrics == nullptr ? nullptr : std::make_unique<Meter>(options_.metrics)),
      clock_(options_.clock == nullptr ? system_clock_ : *options_.clock),
      storage_(options_, clock_, meter_.get()),
      own_timers_(options_.timers == nullptr ? std::make_unique<host::ThreadTimers>(&clock_)
                                             : nullptr),
      timers_(options_.timers == nullptr ? *own_timers_ : *options_.timers),
      stalls_(&clock_) {
  if (WaitsForDisk(options_)) {
    mailboxes_ = std::make_unique<host::ThreadExecutor>(host::kMailboxThreads);
  }
}

Node::~Node() {
  if (pulse_ != nullptr) pulse_->Close();
  if (meter_ != nullptr) options_.metrics->RefreshBy(nullptr);
  Stop(absl::ZeroDuration(), host::Host::Rest::kLeft);
}

void Node::Stop(absl::Duration drain, host::Host::Rest rest, absl::Duration farewell) {
  draining_ = true;
  if (health_ != nullptr) health_->RunSoon();
  if (std::exchange(stopped_, true) || host_ == nullptr) return;
  const Instant until_drained = clock_.Now() + drain;
  const auto drain_left = [&] {
    return std::max(absl::ZeroDuration(), until_drained - clock_.Now());
  };
  if (competitions_ != nullptr) {
    competitions_->Drain();
    competitions_->AwaitHandOver(std::min(drain, kHandOverLimit));
  }
  host_->Drain(drain_left(), rest);
  if (competitions_ != nullptr) {
    competitions_->AwaitEnds(std::min(drain_left(), kEndsLimit));
    competitions_->Close();
  }
  if (shelf_keeper_ != nullptr) shelf_keeper_->Close();
  disk_ = nullptr;
  keeper_ = nullptr;
  if (servers_.empty()) return;
  // Waits for the executor: its last tasks tell bots that their matches have ended.
  std::promise<void> told;
  executor_.Run([&told] { told.set_value(); });
  told.get_future().wait();
  health_ = nullptr;
  const Instant until = clock_.Now() + farewell;
  for (const auto& server : servers_) {
    server->Shutdown(std::max(absl::ZeroDuration(), until - clock_.Now()));
  }
}

// --- The steps of Start ---

store::Place Node::StorePlace() const {
  return {options_.store_dir.empty() ? options_.data_dir : options_.store_dir, options_.store};
}

absl::Status Node::AtStore(const absl::Status& status) const {
  return options_.store.empty() ? status : At("--store", status);
}

// Runs before anything is changed in the data directory.
absl::Status Node::CheckDataDir() const {
  if (options_.data_dir.empty()) return absl::OkStatus();
  if (HasStore()) {
    const absl::Status store = store::CheckPlace(StorePlace());
    if (!store.ok()) return AtStore(store);
  }
  return options_.set_aside_unknown ? absl::OkStatus() : replay::CheckVersions(options_.data_dir);
}

absl::Status Node::OpenShelf() {
  if (options_.shelf.empty() || !HasStore()) return absl::OkStatus();
  // The replay store need not answer yet: the keeper retries.
  absl::StatusOr<std::unique_ptr<shelf::SharedShelf>> shelf =
      shelf::OpenShelf(options_.shelf, absl::ZeroDuration());
  if (!shelf.ok()) return At("--shelf", shelf.status());
  shelf_ = *std::move(shelf);
  return absl::OkStatus();
}

// A copied data directory must not continue the pinned dice of its original's competitions. A
// database is not copied with the directory.
absl::Status Node::BeginLifeOfCopy() const {
  if (!HasStore() || !options_.store.empty()) return absl::OkStatus();
  const absl::StatusOr<std::unique_ptr<store::Store>> store =
      store::OpenStore(StorePlace(), {WaitsForDisk(options_), options_.clock});
  if (!store.ok()) return AtStore(store.status());
  return (*store)->BeginLife(store::RandomLife());
}

absl::Status Node::OpenStore() {
  if (!HasStore()) return absl::OkStatus();
  absl::StatusOr<std::unique_ptr<store::Store>> store =
      store::OpenStore(StorePlace(), {WaitsForDisk(options_), options_.clock});
  if (!store.ok()) return AtStore(store.status());
  store_ = *std::move(store);
  absl::StatusOr<Instances> instances = Instances::Begin(StorePlace().data_dir, clock_.WallNow(),
                                                         {BootId(), storage_.lock_identity()});
  if (!instances.ok()) return instances.status();
  instances_ = *std::move(instances);
  if (absl::Status ended = AwaitFormer(); !ended.ok()) return ended;
  if (!HasAccounts()) return absl::OkStatus();
  accounts_ = std::make_unique<service::Accounts>(store_.get(), &clock_,
                                                  std::make_unique<host::ThreadExecutor>());
  return accounts_->Refresh();
}

absl::Status Node::AwaitFormer() {
  // Without a database, the lock of the data directory protects the store.
  if (options_.store.empty() || instances_->former_have_ended()) return absl::OkStatus();
  const auto wait = [this](absl::Duration duration) {
    Step("waits for the lease of the referee before it to end");
    std::promise<void> over;
    const host::Timer timer = timers_.At(clock_.Now() + duration, [&over] { over.set_value(); });
    over.get_future().wait();
  };
  return AtStore(AwaitLeaseEnd(store_.get(), instances_->former(), wait));
}

absl::Status Node::MakePeers() {
  if (options_.store.empty() || store_ == nullptr) return absl::OkStatus();
  absl::StatusOr<std::unique_ptr<Peers>> peers =
      Peers::Make(options_, store_.get(), instances_->name(), &clock_, &timers_);
  if (!peers.ok()) return AtStore(peers.status());
  peers_ = *std::move(peers);
  return absl::OkStatus();
}

void Node::KeepOnShelf() {
  if (shelf_ == nullptr) return;
  shelf_executor_ = std::make_unique<host::ThreadExecutor>(limits::kShelfTries);
  ShelfKeeper::Options keeper;
  keeper.shelf = shelf_.get();
  keeper.clock = &clock_;
  keeper.timers = &timers_;
  keeper.executor = shelf_executor_.get();
  keeper.read = [this](const MatchId& id) { return storage_.archive()->Read(id); };
  keeper.log = options_.log;
  shelf_keeper_ = ShelfKeeper::Make(std::move(keeper));
}

void Node::MakeCompetitions() {
  if (store_ == nullptr) return;
  competition_executor_ = std::make_unique<host::ThreadExecutor>();
  competition::CompetitionsOptions options;
  options.clock = &clock_;
  options.timers = &timers_;
  options.executor = competition_executor_.get();
  options.store = store_.get();
  options.entropy = FillWithEntropy;
  options.owner = instances_->name();
  options.lease = options_.lease;
  options.former = instances_->former();
  options.find_replay = competition::ReadsArchive(
      *storage_.archive(), [this](const MatchId& id) -> absl::StatusOr<replay::Replay> {
        if (storage_.files() == nullptr) return absl::NotFoundError("nothing is kept");
        return storage_.files()->ReadKept(id);
      });
  options.shared_replays = shelf_keeper_.get();
  options.max_blocks = options_.max_blocks;
  options.log = options_.log;
  if (peers_ != nullptr) {
    options.on_daemons = [this](absl::Span<const store::Daemon> daemons) {
      peers_->streams().Update(daemons);
    };
  }
  if (meter_ != nullptr) {
    options.on_applied = [this](absl::Span<const store::Change> changes, const absl::Status& done,
                                absl::Duration took) { meter_->OnApplied(changes, done, took); };
  }
  competitions_ = std::make_unique<competition::Competitions>(std::move(options));
}

absl::Status Node::MakeHost() {
  host_ = std::make_unique<host::Host>(MakeHostOptions());
  if (peers_ != nullptr) peers_->SetHost(host_.get());
  absl::StatusOr<std::unique_ptr<host::PausedGames>> paused = host::PausedGames::Open(
      options_.data_dir.empty() ? "" : host::PausedGames::PathIn(options_.data_dir), host_.get());
  if (!paused.ok()) return paused.status();
  paused_games_ = *std::move(paused);
  return absl::OkStatus();
}

absl::Status Node::TakeUpWhatIsLeft() {
  replay::FileRecorder* const files = storage_.files();
  if (files != nullptr && !options_.void_what_is_left.empty()) {
    EndWhatIsLeft(files, options_.void_what_is_left, clock_.WallNow());
  } else if (files != nullptr) {
    GoOnWithWhatIsLeft(files, *storage_.archive(), host_.get(), options_.resume_timeout,
                       [this](const log::Event& event) {
                         Step(event.message);
                         Tell(event);
                       });
  }
  if (competitions_ == nullptr) return absl::OkStatus();
  const absl::Status opened = competitions_->Open(host_.get());
  return opened.ok() ? instances_->ForgetFormer() : opened;
}

void Node::WatchLoad() {
  const auto log = [this](int limit, absl::Duration stall) {
    Tell(LoadChanged(limit, options_.max_running, stall));
  };
  load_ = std::make_unique<host::LoadWatch>(
      host::LoadWatch::Options{host_.get(), &clock_, &timers_, &stalls_.log(), options_.max_running,
                               options_.max_stall, log});
}

void Node::WatchDisk() {
  if (options_.data_dir.empty() || options_.min_free == 0) return;
  disk_executor_ = std::make_unique<host::ThreadExecutor>();
  host::DiskWatch::Options watch;
  watch.host = host_.get();
  watch.clock = &clock_;
  watch.timers = &timers_;
  watch.executor = disk_executor_.get();
  watch.free_bytes = [this] { return storage_.FreeBytes(); };
  watch.min_free = options_.min_free;
  watch.on_change = [this](const std::string& why) { Tell(DiskChanged(why)); };
  watch.on_answer = [this](const absl::Status& free) { Tell(DiskAnswered(free)); };
  disk_ = std::make_unique<host::DiskWatch>(std::move(watch));
}

void Node::KeepArchive() {
  const replay::Retention& retention = options_.retention;
  if (storage_.packs() == nullptr || store_ == nullptr || (!retention.age && !retention.bytes))
    return;
  ArchiveKeeper::Options keeper;
  keeper.shelf = storage_.packs();
  keeper.store = store_.get();
  keeper.clock = &clock_;
  keeper.data_dir = options_.data_dir;
  keeper.retention = retention;
  keeper.on_removing = [this](const absl::flat_hash_set<std::string>& match_ids) {
    // Ignores errors, such as a full disk. If the log cannot take the note and the power fails
    // before the log has dropped the match, the replay may reappear. Freeing space matters more.
    storage_.files()->Forget(match_ids).IgnoreError();
  };
  keeper.log = options_.log;
  keeper_ = std::make_unique<ArchiveKeeper>(std::move(keeper));
}

absl::Status Node::Listen() {
  for (const service::ServerOptions& options : MakeServerOptions()) {
    absl::StatusOr<std::unique_ptr<service::Server>> server = service::Server::Start(options);
    if (!server.ok()) return server.status();
    servers_.push_back(*std::move(server));
  }
  return absl::OkStatus();
}

void Node::Advertise() {
  if (options_.store.empty() || competitions_ == nullptr) return;
  competitions_->Advertise(options_.advertise.empty()
                               ? service::DialledAddress(address(), HostName())
                               : options_.advertise);
}

void Node::TellHealth() {
  const Readiness now = Look();
  for (const auto& server : servers_) {
    server->TellHealth(
        {now.any.empty(), now.matches.empty(), now.store.empty(), now.shelf.empty()});
  }
  if (told_readiness_ == now.why_not()) return;
  if (told_readiness_.has_value() || !now.why_not().empty()) Tell(HealthChanged(now.why_not()));
  told_readiness_ = now.why_not();
  if (options_.on_readiness) options_.on_readiness(*told_readiness_);
}

void Node::Beat() {
  if (!options_.on_beat || options_.beat_period == absl::InfiniteDuration()) return;
  host::Pulse::Options pulse;
  pulse.clock = &clock_;
  pulse.timers = &timers_;
  pulse.executors = {&executor_};
  if (mailboxes_ != nullptr) pulse.executors.push_back(mailboxes_.get());
  pulse.period = options_.beat_period;
  pulse.beat = options_.on_beat;
  pulse_ = host::Pulse::Make(std::move(pulse));
}

// --- What operators see ---

metrics::Names MetricNames(const NodeOptions& options) {
  return MetricNames(options.software, WaitsForDisk(options),
                     !options.credentials && options.doors.empty());
}

bool Node::StoreIsUp() {
  if (store_ == nullptr) return true;
  // Accounts poll the store anyway. Queries the store only if the last poll is too old.
  return competitions_->vitals().store_takes_changes &&
         (accounts_ == nullptr || accounts_->StoreAnswers(2 * limits::kTokenRecheck));
}

Readiness Node::Look() {
  Readiness now;
  if (draining_) {
    now.any = "it is draining: no match begins any more";
    return now;
  }
  for (const auto& server : servers_) {
    if (!server->hears()) now.any = "it does not answer its own connections";
  }
  const host::HostCounts counts = host_->Count();
  if (!counts.held_back.empty()) {
    now.matches = absl::StrCat("no match begins: ", counts.held_back);
  } else if (counts.storage_failed) {
    now.matches = "the disk failed: a match could not be recorded, or its replay not archived";
  }
  if (!StoreIsUp()) now.store = "the store does not answer, or takes no changes";
  const std::string shelf =
      shelf_keeper_ == nullptr ? "" : shelf_keeper_->WhyFailing(kShelfPatience);
  if (!shelf.empty()) now.shelf = absl::StrCat("blocks wait for the shelf: ", shelf);
  return now;
}

void Node::SetGauges() {
  meter_->Note(host_->Count());
  meter_->Note(servers_, options_.server.call_limits.answer_bytes);
  meter_->NoteStalls(stalls_.log().total());
  if (competitions_ != nullptr) meter_->Note(competitions_->vitals());
  meter_->NoteStore(StoreIsUp());
  meter_->NoteShelf(shelf_keeper_ == nullptr ||
                    shelf_keeper_->WhyFailing(absl::ZeroDuration()).empty());
}

}  // namespace referee::node
