// The referee, wired as refereed wires it, which keeps a number of matches open by itself.

#include <sodium.h>

#include <atomic>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/host/host.h"
#include "referee/host/timers.h"
#include "referee/replay/file_recorder.h"
#include "referee/replay/signer.h"
#include "referee/service/access/credentials.h"
#include "referee/service/server.h"
#include "tests/bench/bench_referee_games.h"
#include "tests/bench/bench_referee_server.h"

namespace referee::bench {
namespace {

// Long enough that nobody loses on time on a busy machine.
constexpr absl::Duration kPerMove = absl::Seconds(60);

// As whoever runs many matches does, so that bots do not wait for one to be made: one that is
// played, one that waits for its bots.
constexpr int kMadeAhead = 2;

class Referee final : public Server {
 public:
  explicit Referee(const ServerSettings& settings)
      : settings_(settings), game_(TheGame()), timers_(&clock_) {
    const bool syncs = settings.durability != replay::Durability::kNone;
    executor_.emplace(syncs ? host::kSyncingThreads : 1);
  }

  ~Referee() override {
    if (host_) host_->Drain(absl::ZeroDuration(), host::Host::Rest::kVoid);
    // What the executor has left to do is to tell bots that their matches are over.
    executor_.reset();
    if (server_) server_->Shutdown(absl::ZeroDuration());
  }

  absl::Status Start() {
    if (sodium_init() < 0) return absl::InternalError("libsodium does not start");
    absl::StatusOr<replay::Signer> signer = replay::Signer::LoadOrCreate(settings_.data_dir);
    if (!signer.ok()) return signer.status();
    auto recorder =
        replay::FileRecorder::Make({settings_.data_dir, settings_.durability}, *std::move(signer));
    if (!recorder.ok()) return recorder.status();
    recorder_ = *std::move(recorder);
    MakeHost();
    if (absl::Status listening = Listen(); !listening.ok()) return listening;
    if (settings_.flood) {
      const int first = Players(settings_.matches, settings_.two_bots) + settings_.idle_bots;
      if (absl::Status s = Create({BotName(first), BotName(first + 1)}); !s.ok()) return s;
    }
    for (int i = 0; i < kMadeAhead * settings_.matches; ++i) {
      const int first = settings_.two_bots ? 0 : 2 * (i % settings_.matches);
      if (absl::Status s = Create({BotName(first), BotName(first + 1)}); !s.ok()) return s;
    }
    return absl::OkStatus();
  }

  std::string address() const override { return server_->address(); }
  Histogram* own_times() override { return &own_times_; }

 private:
  static std::string BotName(int index) { return absl::StrCat("b", index); }

  void MakeHost() {
    host::HostOptions options;
    options.clock = &clock_;
    options.timers = &timers_;
    options.executor = &*executor_;
    options.recorder = recorder_.get();
    options.entropy = [](absl::Span<uint8_t> bytes) {
      randombytes_buf(bytes.data(), bytes.size());
    };
    options.software = "bench_referee";
    // The next match waits until the bots' places are free. While draining none is made.
    options.on_finished = [this](const host::MatchRunner& runner, const absl::Status&) {
      Create(runner.request().bots).IgnoreError();
    };
    options.on_own_time = [this](absl::Duration own) {
      own_times_.Add(absl::ToInt64Nanoseconds(own));
    };
    host_.emplace(std::move(options));
  }

  absl::Status Listen() {
    const int bots = Players(settings_.matches, settings_.two_bots) + settings_.idle_bots +
                     (settings_.flood ? 2 : 0);
    for (int i = 0; i < bots; ++i) {
      const absl::Status added = credentials_.Add(TokenOf(i), {BotName(i), service::Role::kBot});
      if (!added.ok()) return added;
    }
    service::ServerOptions options;
    options.listen = settings_.listen;
    options.data_dir = settings_.data_dir;
    options.authenticator = &credentials_;
    options.host = &*host_;
    options.clock = &clock_;
    options.timers = &timers_;
    auto server = service::Server::Start(options);
    if (!server.ok()) return server.status();
    server_ = *std::move(server);
    return absl::OkStatus();
  }

  absl::Status Create(const std::vector<std::string>& bots) {
    host::MatchRequest request;
    request.game = game_;
    request.bots = bots;
    request.time_control.per_move = kPerMove;
    request.dice_source.pinned_number = next_number_.fetch_add(1) % kPreparedGames;
    return host_->Create(std::move(request), "").status();
  }

  const ServerSettings settings_;
  const std::shared_ptr<const games::Game> game_;
  const SystemClock clock_;
  Histogram own_times_;
  std::atomic<uint64_t> next_number_{0};
  service::Credentials credentials_;
  std::unique_ptr<replay::FileRecorder> recorder_;
  absl::optional<host::Host> host_;
  // Destroyed before what their threads call into.
  host::ThreadTimers timers_;
  absl::optional<host::ThreadExecutor> executor_;
  std::unique_ptr<service::Server> server_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Server>> StartReferee(const ServerSettings& settings) {
  auto referee = std::make_unique<Referee>(settings);
  if (absl::Status started = referee->Start(); !started.ok()) return started;
  return std::unique_ptr<Server>(std::move(referee));
}

}  // namespace referee::bench
