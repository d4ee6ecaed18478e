#include "referee/node/node.h"

#include <sodium.h>
#include <sys/statvfs.h>

#include <cerrno>
#include <future>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "referee/base/errors.h"
#include "referee/node/left.h"
#include "referee/replay/data_dir.h"
#include "referee/replay/key_files.h"
#include "referee/replay/pack_shelf.h"
#include "referee/service/store_file.h"

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

bool WaitsForDisk(const NodeOptions& options) {
  return options.durability != replay::Durability::kNone;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Node>> Node::Start(NodeOptions options) {
  // Secret seeds need it; it fails on no system that this runs on, and may be called again.
  if (sodium_init() < 0) return absl::InternalError("libsodium does not start");
  // Debian builds Abseil so that each of its locks, of which gRPC takes many, looks for deadlocks.
  // The referee itself uses none of these locks.
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
  std::unique_ptr<Node> node(new Node(std::move(options)));
  absl::Status status = service::Validate(node->MakeServerOptions());
  if (status.ok()) status = node->CheckDataDir();
  if (status.ok()) status = node->OpenRecorder();
  if (status.ok()) status = node->OpenStore();
  if (!status.ok()) return status;
  node->MakeCompetitions();
  node->MakeHost();
  status = node->TakeUpWhatIsLeft();
  if (!status.ok()) return status;
  node->WatchLoad();
  node->WatchDisk();
  status = node->Listen();
  if (!status.ok()) return status;
  node->KeepArchive();
  return node;
}

Node::Node(NodeOptions options)
    : options_(std::move(options)),
      archive_(std::make_unique<replay::ArchiveIndex>(replay::Archive(options_.data_dir))),
      timers_(&clock_),
      stalls_(&clock_) {
  if (WaitsForDisk(options_)) {
    mailboxes_ = std::make_unique<host::ThreadExecutor>(host::kMailboxThreads);
  }
}

Node::~Node() { Stop(absl::ZeroDuration(), host::Host::Rest::kLeft); }

void Node::Stop(absl::Duration drain, host::Host::Rest rest, absl::Duration farewell) {
  if (std::exchange(stopped_, true) || host_ == nullptr) return;
  if (competitions_ != nullptr) competitions_->Drain();
  host_->Drain(drain, rest);
  if (competitions_ != nullptr) competitions_->Close();
  disk_ = nullptr;
  keeper_ = nullptr;
  if (server_ == nullptr) return;
  // What the executor has left to do is to tell bots that their matches are over.
  std::promise<void> told;
  executor_.Run([&told] { told.set_value(); });
  told.get_future().wait();
  server_->Shutdown(farewell);
}

// --- The steps of Start ---

// Before anything is changed there.
absl::Status Node::CheckDataDir() const {
  if (options_.data_dir.empty()) return absl::OkStatus();
  if (!options_.credentials) {
    const absl::Status store = service::CheckStoreVersionIn(options_.data_dir);
    if (!store.ok()) return store;
  }
  return options_.set_aside_unknown ? absl::OkStatus() : replay::CheckVersions(options_.data_dir);
}

absl::Status Node::OpenRecorder() {
  if (!options_.data_dir.empty()) {
    absl::StatusOr<replay::File> lock = replay::LockDataDir(options_.data_dir);
    if (!lock.ok()) return lock.status();
    absl::StatusOr<replay::RefereeKeys> keys =
        replay::LoadOrMakeKeys(options_.data_dir, clock_.WallNow());
    if (!keys.ok()) return keys.status();
    keys_ = std::move(keys->ring);
    key_fingerprint_ = replay::Fingerprint(keys->signer.public_key());
    replay::FileRecorder::Options recorder;
    recorder.data_dir = options_.data_dir;
    recorder.durability = options_.durability;
    recorder.at_write = options_.at_write;
    recorder.at_sync = options_.at_sync;
    recorder.set_aside_unknown = options_.set_aside_unknown;
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
      replay::PackShelf::Open({options_.data_dir, [this](absl::string_view line) { Log(line); }});
  if (!shelf.ok()) return shelf.status();
  archive_ = std::make_unique<replay::ArchiveIndex>((*shelf)->archive());
  packs_ = shelf->get();
  recorder->shelf = *std::move(shelf);
  return absl::OkStatus();
}

absl::Status Node::OpenStore() {
  if (options_.credentials) return absl::OkStatus();
  store::SqliteOptions options;
  options.sync_blocks = WaitsForDisk(options_);
  absl::StatusOr<std::unique_ptr<store::Store>> store =
      service::OpenStoreIn(options_.data_dir, options);
  if (!store.ok()) return store.status();
  store_ = *std::move(store);
  accounts_ = std::make_unique<service::Accounts>(store_.get(), &clock_,
                                                  std::make_unique<host::ThreadExecutor>());
  return accounts_->Refresh();
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
  options.owner = key_fingerprint_;
  options.find_replay = competition::ReadsArchive(
      archive_->archive(), [this](const MatchId& id) -> absl::StatusOr<replay::Replay> {
        if (files_ == nullptr) return absl::NotFoundError("nothing is kept");
        return files_->ReadKept(id);
      });
  options.log = [this](absl::string_view line) { Log(line); };
  competitions_ = std::make_unique<competition::Competitions>(std::move(options));
}

void Node::MakeHost() { host_ = std::make_unique<host::Host>(MakeHostOptions()); }

absl::Status Node::TakeUpWhatIsLeft() {
  if (files_ != nullptr && !options_.void_what_is_left.empty()) {
    EndWhatIsLeft(files_.get(), options_.void_what_is_left, clock_.WallNow());
  } else if (files_ != nullptr) {
    GoOnWithWhatIsLeft(files_.get(), archive_->archive(), host_.get(), options_.resume_timeout,
                       [this](absl::string_view line) { Log(line); });
  }
  return competitions_ == nullptr ? absl::OkStatus() : competitions_->Open(host_.get());
}

void Node::WatchLoad() {
  const auto log = [this](int most, absl::Duration stall) {
    Log(absl::StrCat("load: at most ", most,
                     " matches at once from here on; the referee stands still for ",
                     absl::FormatDuration(stall)));
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
    Log(why.empty() ? "disk: there is room again, and matches begin"
                    : absl::StrCat("disk: no match begins, and those that run go on: ", why));
    const MutexLock lock(&holding_mutex_);
    held_back_ = !why.empty();
    if (server_ != nullptr) server_->TellWhetherMatchesBegin(!held_back_);
  };
  watch.on_answer = [this](const absl::Status& free) {
    Log(free.ok() ? "disk: it says again how much room there is"
                  : absl::StrCat("disk: --min-free changes nothing for now: ", free.message()));
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
  keeper.kept_competitions = options_.kept_competitions;
  keeper.on_removing = [this](const absl::flat_hash_set<std::string>& match_ids) {
    // On a full disk the log may have no room. To have some matters more than that a replay may
    // come back, should the power fail before the log has left its match behind.
    files_->Forget(match_ids).IgnoreError();
  };
  keeper.log = [this](absl::string_view line) { Log(line); };
  keeper_ = std::make_unique<ArchiveKeeper>(std::move(keeper));
}

absl::Status Node::Listen() {
  absl::StatusOr<std::unique_ptr<service::Server>> server =
      service::Server::Start(MakeServerOptions());
  if (!server.ok()) return server.status();
  const MutexLock lock(&holding_mutex_);
  server_ = *std::move(server);
  server_->TellWhetherMatchesBegin(!held_back_);
  return absl::OkStatus();
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
  options.stalls = &stalls_.log();
  options.on_finished = [this](const host::MatchRunner& runner, const absl::Status& sealed) {
    OnFinished(runner, sealed);
  };
  options.on_sealed = [this](const MatchId& id) {
    Log(absl::StrCat("match ", id.text(), ": is in the archive now"));
  };
  if (competitions_ != nullptr) {
    options.on_connection = [this](absl::string_view) { competitions_->Wake(); };
  }
  options.on_own_time = options_.on_own_time;
  return options;
}

service::ServerOptions Node::MakeServerOptions() {
  service::ServerOptions options;
  options.listen = options_.listen;
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
  options.log = [this](absl::string_view line) { Log(line); };
  options.on_deaf = options_.on_deaf;
  options.readers = options_.readers;
  options.store = store_.get();
  options.competitions = competitions_.get();
  options.authenticator = accounts_.get();
  if (options_.credentials) options.authenticator = &*options_.credentials;
  options.host = host_.get();
  options.clock = &clock_;
  options.timers = &timers_;
  return options;
}

void Node::OnFinished(const host::MatchRunner& runner, const absl::Status& sealed) {
  if (!sealed.ok()) Log(absl::StrCat("match ", runner.id().text(), ": ", sealed.message()));
  if (competitions_ != nullptr) competitions_->MatchFinished(runner, sealed);
  if (options_.on_finished) options_.on_finished(runner, sealed);
}

void Node::Log(absl::string_view line) const {
  if (options_.log) options_.log(line);
}

}  // namespace referee::node
