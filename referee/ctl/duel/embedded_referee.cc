#include "referee/ctl/duel/embedded_referee.h"

#include <sodium.h>

#include <future>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "referee/replay/archive.h"
#include "referee/replay/signer.h"

namespace referee::ctl {
namespace {

// How long bots have to hear that the last match is over.
constexpr absl::Duration kFarewell = absl::Milliseconds(100);

}  // namespace

absl::StatusOr<std::unique_ptr<EmbeddedReferee>> EmbeddedReferee::Start(Options options) {
  // Secret seeds need it; it fails on no system that this runs on, and may be called again.
  if (sodium_init() < 0) return absl::InternalError("libsodium does not start");
  // Debian builds Abseil so that each of its locks, of which gRPC takes many, looks for deadlocks.
  // The referee itself uses none of these locks.
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
  std::unique_ptr<EmbeddedReferee> referee(new EmbeddedReferee(std::move(options)));
  if (absl::Status kept = referee->KeepReplays(); !kept.ok()) return kept;
  if (absl::Status listening = referee->Listen(); !listening.ok()) return listening;
  return referee;
}

EmbeddedReferee::EmbeddedReferee(Options options)
    : options_(std::move(options)), timers_(&clock_), stalls_(&clock_) {}

EmbeddedReferee::~EmbeddedReferee() { Stop(); }

absl::Status EmbeddedReferee::KeepReplays() {
  if (!options_.data_dir.empty()) {
    absl::StatusOr<replay::Signer> signer = replay::Signer::LoadOrCreate(options_.data_dir);
    if (!signer.ok()) return signer.status();
    auto files = replay::FileRecorder::Make({options_.data_dir}, *std::move(signer));
    if (!files.ok()) return files.status();
    files_ = *std::move(files);
    // What a duel left that was killed. Its bots died with it.
    for (replay::Recovered& left : files_->Recover()) {
      if (!left.unfinished) continue;
      // One that cannot be archived now stays for the next time.
      replay::EndAsVoid(&*left.unfinished, "the duel was killed while the match was running",
                        clock_.WallNow())
          .IgnoreError();
    }
  }
  recorder_ = std::make_unique<MeasuringRecorder>(files_.get());
  return absl::OkStatus();
}

absl::Status EmbeddedReferee::Listen() {
  host::HostOptions host;
  host.clock = &clock_;
  host.timers = &timers_;
  host.executor = &executor_;
  host.stalls = &stalls_.log();
  host.recorder = recorder_.get();
  host.entropy = [](absl::Span<uint8_t> bytes) { randombytes_buf(bytes.data(), bytes.size()); };
  host.software = "refctl " REFEREE_VERSION;
  host.on_finished = [this](const host::MatchRunner& runner, const absl::Status& sealed) {
    options_.on_finished({runner.id(), runner.match() != nullptr, *runner.ended(),
                          recorder_->Take(runner.id()), sealed});
  };
  host_ = std::make_unique<host::Host>(std::move(host));

  service::ServerOptions server;
  server.listen = absl::StrCat("unix:", options_.socket_path);
  server.data_dir = options_.data_dir;
  server.authenticator = &options_.credentials;
  server.host = host_.get();
  server.clock = &clock_;
  server.timers = &timers_;
  absl::StatusOr<std::unique_ptr<service::Server>> started = service::Server::Start(server);
  if (!started.ok()) return started.status();
  server_ = *std::move(started);
  return absl::OkStatus();
}

std::string EmbeddedReferee::ReplayPath(const MatchId& id) const {
  return options_.data_dir.empty() ? "" : replay::Archive(options_.data_dir).PathOf(id);
}

void EmbeddedReferee::Stop() {
  if (std::exchange(stopped_, true) || server_ == nullptr) return;
  host_->Drain(absl::ZeroDuration(), host::Host::Rest::kVoid);
  // What the executor has left to do is to tell bots that their matches are over.
  std::promise<void> told;
  executor_.Run([&told] { told.set_value(); });
  told.get_future().wait();
  server_->Shutdown(kFarewell);
}

}  // namespace referee::ctl
