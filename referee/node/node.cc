#include "referee/node/node.h"

#include <sodium.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <future>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "referee/base/errors.h"
#include "referee/node/former_lease.h"
#include "referee/node/left.h"
#include "referee/node/match_events.h"
#include "referee/replay/data_dir.h"
#include "referee/replay/found_data.h"
#include "referee/replay/key_files.h"
#include "referee/replay/log_origin.h"
#include "referee/replay/pack_shelf.h"
#include "referee/service/address.h"
#include "referee/shelf/limits.h"
#include "referee/shelf/open.h"
#include "referee/store/place.h"

namespace referee::node {
namespace {

void FillWithEntropy(absl::Span<uint8_t> bytes) { randombytes_buf(bytes.data(), bytes.size()); }

// How many bytes the referee may still write on the disk of `path`.
absl::StatusOr<uint64_t> FreeBytes(const std::string& path) {
  struct statvfs info;
  if (statvfs(path.c_str(), &info) != 0) return FileError("cannot look at", path, errno);
  if (info.f_blocks == 0) {
    return absl::UnavailableError(absl::StrCat(path, ": its file system does not tell its size"));
  }
  return static_cast<uint64_t>(info.f_bavail) * info.f_frsize;
}

// How long a node that is stopped waits for others to take what lives here. They look each 5 s.
constexpr absl::Duration kHandOverLimit = absl::Seconds(7);
// How long it waits until the store knows what was played, and the replays are shared.
constexpr absl::Duration kEndsLimit = absl::Seconds(5);

std::string HostName() {
  char name[HOST_NAME_MAX + 1] = {};
  return gethostname(name, sizeof(name) - 1) == 0 ? name : "localhost";
}

bool WaitsForDisk(const NodeOptions& options) {
  return options.durability != replay::Durability::kNone;
}

service::Traffic TrafficOf(const std::vector<std::unique_ptr<service::Server>>& servers) {
  service::Traffic all;
  for (const auto& server : servers) {
    const service::Traffic one = server->traffic();
    all.known_connections += one.known_connections;
    all.unknown_connections += one.unknown_connections;
    all.watches += one.watches;
    all.answer_bytes += one.answer_bytes;
  }
  return all;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Node>> Node::Start(NodeOptions options) {
  // Secret seeds need it; it fails on no system that this runs on, and may be called again.
  if (sodium_init() < 0) return absl::InternalError("libsodium does not start");
  // Debian builds Abseil so that each of its locks, of which gRPC takes many, looks for deadlocks.
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
  if (status.ok()) status = node->OpenRecorder();
  node->Step("opens its store");
  if (status.ok()) status = node->OpenStore();
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
  node->WatchHealth();
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
      archive_(std::make_unique<replay::ArchiveIndex>(replay::Archive(options_.data_dir))),
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
  if (health_ != nullptr) health_->LookSoon();
  if (std::exchange(stopped_, true) || host_ == nullptr) return;
  const Instant until_drained = clock_.Now() + drain;
  const auto drain_left = [&] {
    return std::max(absl::ZeroDuration(), until_drained - clock_.Now());
  };
  if (competitions_ != nullptr) {
    competitions_->Drain();
    // Bots are told where to go before they are told that this is the end.
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
  // What the executor has left to do is to tell bots that their matches are over.
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

store::Place Node::StorePlace() const { return {options_.data_dir, options_.store}; }

absl::Status Node::AtStore(const absl::Status& status) const {
  return options_.store.empty() ? status : At("--store", status);
}

// Before anything is changed there.
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
  // What fails is tried again by the keeper.
  absl::StatusOr<std::unique_ptr<shelf::SharedShelf>> shelf =
      shelf::OpenShelf(options_.shelf, absl::ZeroDuration());
  if (!shelf.ok()) return At("--shelf", shelf.status());
  shelf_ = *std::move(shelf);
  return absl::OkStatus();
}

// The original goes on with the pinned dice of the same competitions. A database is not copied with
// the directory.
absl::Status Node::BeginLifeOfCopy() const {
  if (!HasStore() || !options_.store.empty()) return absl::OkStatus();
  const absl::StatusOr<std::unique_ptr<store::Store>> store =
      store::OpenStore(StorePlace(), {WaitsForDisk(options_), options_.clock});
  if (!store.ok()) return AtStore(store.status());
  return (*store)->BeginLife(store::RandomLife());
}

absl::Status Node::GiveUpCopiedLog() const {
  const std::string& data_dir = options_.data_dir;
  const absl::StatusOr<std::vector<std::string>> names = Instances::Find(data_dir);
  if (!names.ok()) return names.status();
  const absl::StatusOr<bool> copied = replay::IsCopiedLog(data_dir, !names->empty());
  if (!copied.ok() || !*copied) return copied.status();
  const int64_t open_matches = replay::FindData(data_dir).open_matches;
  // The names last: as long as they are there, a directory without a log is known to be a copy.
  const absl::StatusOr<std::string> folder = replay::MoveCopiedLog(data_dir);
  if (!folder.ok()) return folder.status();
  if (absl::Status s = BeginLifeOfCopy(); !s.ok()) return s;
  if (absl::Status s = Instances::Disown(data_dir); !s.ok()) return s;
  Tell(
      {log::Level::kWarning, "data_dir_copied",
       absl::StrCat("data directory ", data_dir,
                    " is a copy, or has lost its log: nothing of the referee before is taken over. "
                    "Matches in the log, which are void here: ",
                    open_matches, ". The log is kept in ", *folder)});
  return absl::OkStatus();
}

absl::Status Node::OpenRecorder() {
  if (!options_.data_dir.empty()) {
    absl::StatusOr<replay::File> lock = replay::LockDataDir(options_.data_dir);
    if (!lock.ok()) return lock.status();
    absl::StatusOr<replay::RefereeKeys> keys =
        replay::LoadOrMakeKeys(options_.data_dir, clock_.WallNow());
    if (!keys.ok()) return keys.status();
    absl::Status own = GiveUpCopiedLog();
    if (own.ok()) own = replay::MarkLog(options_.data_dir);
    if (!own.ok()) return own;
    keys_ = std::move(keys->ring);
    key_fingerprint_ = replay::Fingerprint(keys->signer.public_key());
    replay::FileRecorder::Options recorder;
    recorder.data_dir = options_.data_dir;
    recorder.durability = options_.durability;
    recorder.at_write = options_.at_write;
    recorder.at_sync = options_.at_sync;
    if (meter_ != nullptr) {
      recorder.on_synced = [this](absl::Duration took) { meter_->OnLogSynced(took); };
    }
    recorder.set_aside_unknown = options_.set_aside_unknown;
    recorder.memory = options_.log_memory;
    recorder.segment_bytes = options_.log_segment_bytes;
    if (absl::Status s = OpenArchive(&recorder); !s.ok()) return s;
    absl::StatusOr<std::unique_ptr<replay::FileRecorder>> files =
        replay::FileRecorder::Make(recorder, std::move(keys->signer), *std::move(lock));
    if (!files.ok()) return files.status();
    files_ = *std::move(files);
  }
  if (options_.wrap_recorder) wrapped_ = options_.wrap_recorder(files_.get());
  return absl::OkStatus();
}

absl::Status Node::OpenArchive(replay::FileRecorder::Options* recorder) {
  if (!options_.pack_replays) {
    archive_ = std::make_unique<replay::ArchiveIndex>(replay::Archive(options_.data_dir));
    recorder->on_archived = [this](const MatchId& id) { archive_->Note(id); };
    return absl::OkStatus();
  }
  absl::StatusOr<std::unique_ptr<replay::PackShelf>> shelf =
      replay::PackShelf::Open({options_.data_dir, [this](absl::string_view line) {
                                 Tell({log::Level::kWarning, "archive_mended", line});
                               }});
  if (!shelf.ok()) return shelf.status();
  archive_ = std::make_unique<replay::ArchiveIndex>((*shelf)->archive());
  packs_ = shelf->get();
  recorder->shelf = *std::move(shelf);
  return absl::OkStatus();
}

absl::Status Node::OpenStore() {
  if (!HasStore()) return absl::OkStatus();
  absl::StatusOr<std::unique_ptr<store::Store>> store =
      store::OpenStore(StorePlace(), {WaitsForDisk(options_), options_.clock});
  if (!store.ok()) return AtStore(store.status());
  store_ = *std::move(store);
  absl::StatusOr<Instances> instances =
      Instances::Begin(options_.data_dir, clock_.WallNow(), BootId());
  if (!instances.ok()) return instances.status();
  instances_ = *std::move(instances);
  if (absl::Status ended = AwaitFormer(); !ended.ok()) return ended;
  accounts_ = std::make_unique<service::Accounts>(store_.get(), &clock_,
                                                  std::make_unique<host::ThreadExecutor>());
  return accounts_->Refresh();
}

absl::Status Node::AwaitFormer() {
  // Nobody has a store in the data directory without its lock.
  if (options_.store.empty() || instances_->former_have_ended()) return absl::OkStatus();
  const auto wait = [this](absl::Duration duration) {
    Step("waits for the lease of the referee before it to end");
    std::promise<void> over;
    const host::Timer timer = timers_.At(clock_.Now() + duration, [&over] { over.set_value(); });
    over.get_future().wait();
  };
  return AtStore(AwaitLeaseEnd(store_.get(), instances_->former(), wait));
}

void Node::KeepOnShelf() {
  if (shelf_ == nullptr) return;
  shelf_executor_ = std::make_unique<host::ThreadExecutor>(limits::kShelfTries);
  ShelfKeeper::Options keeper;
  keeper.shelf = shelf_.get();
  keeper.clock = &clock_;
  keeper.timers = &timers_;
  keeper.executor = shelf_executor_.get();
  keeper.read = [this](const MatchId& id) { return archive_->archive().Read(id); };
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
      archive_->archive(), [this](const MatchId& id) -> absl::StatusOr<replay::Replay> {
        if (files_ == nullptr) return absl::NotFoundError("nothing is kept");
        return files_->ReadKept(id);
      });
  options.shared_replays = shelf_keeper_.get();
  options.log = options_.log;
  options.on_applied = [this](absl::Span<const store::Change> changes, const absl::Status& done,
                              absl::Duration took) { OnApplied(changes, done, took); };
  competitions_ = std::make_unique<competition::Competitions>(std::move(options));
}

absl::Status Node::MakeHost() {
  host_ = std::make_unique<host::Host>(MakeHostOptions());
  absl::StatusOr<std::unique_ptr<host::PausedGames>> paused = host::PausedGames::Open(
      options_.data_dir.empty() ? "" : host::PausedGames::PathIn(options_.data_dir), host_.get());
  if (!paused.ok()) return paused.status();
  paused_games_ = *std::move(paused);
  return absl::OkStatus();
}

absl::Status Node::TakeUpWhatIsLeft() {
  if (files_ != nullptr && !options_.void_what_is_left.empty()) {
    EndWhatIsLeft(files_.get(), options_.void_what_is_left, clock_.WallNow());
  } else if (files_ != nullptr) {
    GoOnWithWhatIsLeft(files_.get(), archive_->archive(), host_.get(), options_.resume_timeout,
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
  const auto log = [this](int most, absl::Duration stall) {
    Tell({log::Level::kWarning, "load_limited",
          absl::StrCat("load: at most ", most,
                       " matches at once from here on, or one block of them; the referee's "
                       "threads wake up ",
                       absl::FormatDuration(stall), " late")});
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
  watch.free_bytes = [dir = options_.data_dir] { return FreeBytes(dir); };
  watch.min_free = options_.min_free;
  watch.on_change = [this](const std::string& why) {
    Tell(why.empty()
             ? log::Event(log::Level::kInfo, "disk_has_room",
                          "disk: there is room again, and matches begin")
             : log::Event(log::Level::kWarning, "disk_full",
                          absl::StrCat("disk: no match begins, and those that run go on: ", why)));
  };
  watch.on_answer = [this](const absl::Status& free) {
    Tell(free.ok() ? log::Event(log::Level::kInfo, "disk_answers",
                                "disk: it says again how much room there is")
                   : log::Event(log::Level::kWarning, "disk_silent",
                                absl::StrCat("disk: --min-free changes nothing for now: ",
                                             free.message())));
  };
  disk_ = std::make_unique<host::DiskWatch>(std::move(watch));
}

void Node::KeepArchive() {
  const replay::Retention& retention = options_.retention;
  if (packs_ == nullptr || store_ == nullptr || (!retention.age && !retention.bytes)) return;
  ArchiveKeeper::Options keeper;
  keeper.shelf = packs_;
  keeper.store = store_.get();
  keeper.clock = &clock_;
  keeper.data_dir = options_.data_dir;
  keeper.retention = retention;
  keeper.on_removing = [this](const absl::flat_hash_set<std::string>& match_ids) {
    // On a full disk the log may have no room. To have some matters more than that a replay may
    // come back, should the power fail before the log has left its match behind.
    files_->Forget(match_ids).IgnoreError();
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

void Node::WatchHealth() {
  health_ = std::make_unique<HealthWatch>([this] {
    const Readiness now = Look();
    for (const auto& server : servers_) {
      server->TellHealth({now.any.empty(), now.matches.empty(), now.store.empty()});
    }
    if (told_readiness_ == now.why_not()) return;
    if (told_readiness_.has_value() || !now.why_not().empty()) {
      Tell(now.why_not().empty()
               ? log::Event(log::Level::kInfo, "ready", "health: all of it serves again")
               : log::Event(log::Level::kWarning, "not_ready",
                            absl::StrCat("health: not all of it serves: ", now.why_not())));
    }
    told_readiness_ = now.why_not();
    if (options_.on_readiness) options_.on_readiness(*told_readiness_);
  });
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

// --- What the rooms are told ---

host::HostOptions Node::MakeHostOptions() {
  host::HostOptions options;
  options.clock = &clock_;
  options.timers = &timers_;
  options.executor = &executor_;
  options.mailboxes = mailboxes_.get();
  options.recorder = wrapped_ != nullptr ? wrapped_.get() : files_.get();
  options.entropy = FillWithEntropy;
  options.software = options_.software;
  options.max_running = options_.max_running;
  options.oversubscribe = options_.oversubscribe;
  options.stalls = &stalls_.log();
  options.on_finished = [this](const host::MatchRunner& runner, const absl::Status& sealed) {
    OnFinished(runner, sealed);
  };
  options.on_sealed = [this](const MatchId& id) {
    Tell(log::Event(log::Level::kInfo, "archived_late",
                    absl::StrCat("match ", id.text(), ": is in the archive now"))
             .With(log::kMatch, id.text()));
    if (shelf_keeper_ != nullptr) shelf_keeper_->Archived(id);
  };
  if (competitions_ != nullptr || options_.on_connection) {
    options.on_connection = [this](absl::string_view bot) {
      if (competitions_ != nullptr) competitions_->Wake();
      if (options_.on_connection) options_.on_connection(bot);
    };
  }
  options.on_own_time = options_.on_own_time;
  if (meter_ != nullptr || options_.log || options_.on_record) {
    options.on_record = [this](const match::Match& match, const match::Record& record) {
      OnRecord(match, record);
    };
  }
  return options;
}

std::vector<service::ServerOptions> Node::MakeServerOptions() {
  service::ServerOptions common = CommonServerOptions();
  if (options_.doors.empty()) {
    common.listen = options_.listen;
    common.authenticator = accounts_.get();
    if (options_.credentials) common.authenticator = &*options_.credentials;
    return {common};
  }
  std::vector<service::ServerOptions> servers;
  for (Door& door : options_.doors) {
    servers.push_back(common);
    servers.back().listen = door.listen;
    servers.back().authenticator = &door.credentials;
    servers.back().check_peer = door.check_peer;
  }
  return servers;
}

service::ServerOptions Node::CommonServerOptions() {
  service::ServerOptions options;
  options.tls = options_.tls;
  options.insecure = options_.insecure;
  options.stream_limits = options_.stream_limits;
  options.call_limits = options_.call_limits;
  options.transport_bytes = options_.transport_bytes;
  options.archive = archive_.get();
  options.keys = keys_;
  options.max_connections = options_.max_connections;
  options.max_connections_per_address = options_.max_connections_per_address;
  options.trusted_proxies = options_.trusted_proxies;
  options.log = options_.log;
  options.on_deaf = options_.on_deaf;
  options.readers = options_.readers;
  options.store = store_.get();
  options.competitions = competitions_.get();
  options.metrics = options_.metrics;
  options.host = host_.get();
  options.paused_games = paused_games_.get();
  options.clock = &clock_;
  options.timers = &timers_;
  return options;
}

void Node::OnRecord(const match::Match& match, const match::Record& record) const {
  if (meter_ != nullptr) meter_->OnRecord(match, record);
  if (options_.on_record) options_.on_record(match, record);
  if (!options_.log || std::holds_alternative<match::Played>(record)) return;
  if (absl::optional<log::Event> event = EventOf(match.setup(), record)) Tell(*std::move(event));
}

void Node::OnFinished(const host::MatchRunner& runner, const absl::Status& sealed) {
  if (options_.log) Tell(EndOf(runner));
  if (!sealed.ok()) {
    Tell(log::Event(log::Level::kError, "not_archived",
                    absl::StrCat("match ", runner.id().text(), ": ", sealed.message()))
             .With(log::kMatch, runner.id().text()));
  }
  if (competitions_ != nullptr) competitions_->MatchFinished(runner, sealed);
  if (meter_ != nullptr) meter_->OnFinished(runner, sealed);
  if (options_.on_finished) options_.on_finished(runner, sealed);
}

// --- What operators see ---

metrics::Names MetricNames(const NodeOptions& options) {
  return MetricNames(options.software, WaitsForDisk(options),
                     !options.credentials && options.doors.empty());
}

void Node::OnApplied(absl::Span<const store::Change> changes, const absl::Status& done,
                     absl::Duration took) {
  store_takes_changes_ = done.ok() || absl::IsAborted(done) || absl::IsNotFound(done) ||
                         absl::IsAlreadyExists(done) || absl::IsFailedPrecondition(done);
  if (meter_ != nullptr) meter_->OnApplied(changes, done, took);
}

bool Node::StoreIsUp() {
  if (store_ == nullptr) return true;
  // The accounts are refreshed anyway; it is asked once more only if that does not happen.
  return store_takes_changes_ && accounts_->StoreAnswers(2 * limits::kTokenRecheck);
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
    now.matches = "the latest replay could not be archived";
  }
  if (!StoreIsUp()) now.store = "the store does not answer, or takes no changes";
  return now;
}

void Node::SetGauges() {
  meter_->Note(host_->Count());
  meter_->Note(TrafficOf(servers_), options_.call_limits.answer_bytes);
  meter_->NoteStalls(stalls_.log().total());
  if (competitions_ != nullptr) meter_->Note(competitions_->vitals());
  meter_->NoteStore(StoreIsUp());
}

void Node::Step(absl::string_view what) const {
  if (options_.on_step) options_.on_step(what);
}

}  // namespace referee::node
