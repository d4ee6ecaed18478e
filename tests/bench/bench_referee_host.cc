// The referee, as refereed has it, which keeps a number of matches open by itself.

#include <fcntl.h>

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "referee/host/host.h"
#include "referee/log/log_writer.h"
#include "referee/node/node.h"
#include "referee/replay/files.h"
#include "referee/replay/log_memory.h"
#include "referee/service/access/credentials.h"
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
  explicit Referee(const ServerSettings& settings) : settings_(settings), game_(TheGame()) {}

  ~Referee() override {
    if (node_) node_->Stop(absl::ZeroDuration(), host::Host::Rest::kVoid, absl::ZeroDuration());
  }

  absl::Status Start() {
    absl::StatusOr<std::unique_ptr<node::Node>> node = StartNode();
    if (!node.ok()) return node.status();
    node_ = *std::move(node);
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

  std::string address() const override { return node_->address(); }
  Histogram* own_times() override { return &own_times_; }

 private:
  static std::string BotName(int index) { return absl::StrCat("b", index); }

  absl::StatusOr<std::unique_ptr<node::Node>> StartNode() {
    node::NodeOptions options;
    options.listen = settings_.listen;
    options.data_dir = settings_.data_dir;
    options.durability = settings_.durability;
    options.log_memory = replay::kSharedMemory;
    options.credentials.emplace();
    const int bots = Players(settings_.matches, settings_.two_bots) + settings_.idle_bots +
                     (settings_.flood ? 2 : 0);
    for (int i = 0; i < bots; ++i) {
      const absl::Status added =
          options.credentials->Add(TokenOf(i), {BotName(i), service::Role::kBot});
      if (!added.ok()) return added;
    }
    options.software = "bench_referee";
    if (settings_.log) {
      const std::string path = settings_.data_dir + ".log";
      log_file_ = replay::File(open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
      log_ = std::make_unique<log::LogWriter>(
          log::LogWriter::Options{log::Format::kJson, log::Level::kInfo, log_file_.fd()});
      options.log = log_->log();
    }
    // The next match waits until the bots' places are free. While stopping none is made.
    options.on_finished = [this](const host::MatchRunner& runner, const absl::Status&) {
      Create(runner.request().bots).IgnoreError();
    };
    options.on_own_time = [this](absl::Duration own) {
      own_times_.Add(absl::ToInt64Nanoseconds(own));
    };
    return node::Node::Start(std::move(options));
  }

  absl::Status Create(const std::vector<std::string>& bots) {
    host::MatchRequest request;
    request.game = game_;
    request.bots = bots;
    request.time_control.per_move = kPerMove;
    request.dice_source.pinned_number = next_number_.fetch_add(1) % kPreparedGames;
    return node_->host().Create(std::move(request), "").status();
  }

  const ServerSettings settings_;
  const std::shared_ptr<const games::Game> game_;
  Histogram own_times_;
  replay::File log_file_;                // none without settings.log
  std::unique_ptr<log::LogWriter> log_;  // null without settings.log
  std::atomic<uint64_t> next_number_{0};
  std::unique_ptr<node::Node> node_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Server>> StartReferee(const ServerSettings& settings) {
  auto referee = std::make_unique<Referee>(settings);
  if (absl::Status started = referee->Start(); !started.ok()) return started;
  return std::unique_ptr<Server>(std::move(referee));
}

}  // namespace referee::bench
