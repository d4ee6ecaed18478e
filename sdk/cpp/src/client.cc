#include <google/protobuf/stubs/logging.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/mutex.h"
#include "referee/sdk/bot.h"
#include "sdk/cpp/src/backoff.h"
#include "sdk/cpp/src/dispatcher.h"
#include "sdk/cpp/src/fleet.h"
#include "sdk/cpp/src/link.h"
#include "sdk/cpp/src/options.h"
#include "sdk/cpp/src/signals.h"

namespace referee::sdk {
namespace {

constexpr int kExitTrouble = 2;

std::function<absl::Duration(int)> DefaultBackoff() {
  return [random = std::mt19937_64(std::random_device()())](int attempt) mutable {
    return FullJitter(attempt, random());
  };
}

// Protobuf reports texts that are not UTF-8 to stderr. The bot's log reports them in its own way.
void SilenceProtobuf() {
  static const bool silent = [] {
    google::protobuf::SetLogHandler([](google::protobuf::LogLevel level, const char* file, int line,
                                       const std::string& message) {
      if (level != google::protobuf::LOGLEVEL_FATAL) return;
      std::fprintf(stderr, "protobuf: %s:%d: %s\n", file, line, message.c_str());
    });
    return true;
  }();
  static_cast<void>(silent);
}

}  // namespace

// The running client. The link opens streams, each with a thread, and sends what the workers leave
// to it. The workers call the bot; one of them is the thread that called Run.
class Client::Session : public Link::Owner, public Dispatcher::ReplySink {
 public:
  Session(Bot* bot, Options options)
      : options_{std::move(options)},
        log_(options_.log_level, options_.log_sink),
        dispatcher_(bot, log_, this,
                    options_.threads == 0 ? Dispatcher::Players::kDeliverer
                                          : Dispatcher::Players::kWorkers) {}

  absl::Status Run();
  void Stop();

  // Link::Owner.
  v1::Hello Hello() const override;
  void Hear(const std::shared_ptr<const Batch>& batch) override;
  void ForgetAllBut(uint64_t stream) override { dispatcher_.ForgetAllBut(stream); }

  // Dispatcher::ReplySink.
  void Say(uint64_t stream, v1::BotItem* item) override { link_->Say(stream, item); }
  void Send(uint64_t stream) override { link_->Send(stream); }
  void SendSoon(uint64_t stream) override { link_->SendSoon(stream); }

 private:
  void Hear(const v1::Fault& fault);
  void Answer(uint64_t stream, const v1::Ping& ping);

  SettledOptions options_;
  const Logger log_;
  Dispatcher dispatcher_;
  std::unique_ptr<Link> link_;  // set by Run

  Mutex mutex_;
  bool stopped_ ABSL_GUARDED_BY(mutex_) = false;
  Link* running_ ABSL_GUARDED_BY(mutex_) = nullptr;  // link_, once Run has set it
};

absl::Status Client::Session::Run() {
  absl::StatusOr<SettledOptions> settled = Settle(options_);
  if (!settled.ok()) return settled.status();
  options_ = *std::move(settled);
  options_.address = CanonicalAddress(options_.address);
  if (!options_.backoff) options_.backoff = DefaultBackoff();
  LinkLimits limits;
  // While a bot without threads runs, the SDK reads nothing; only gRPC reads, every 5 s.
  if (options_.threads == 0) limits.keepalive.answer = absl::Seconds(10);
  link_ = std::make_unique<Link>(this, options_, &log_, limits);
  {
    MutexLock lock(&mutex_);
    running_ = link_.get();
    if (stopped_) link_->Stop();
  }

  absl::optional<SignalWatch> signals;
  if (options_.handle_signals) signals.emplace([this] { Stop(); });
  std::vector<std::thread> workers;
  for (int i = 1; i < options_.threads; ++i) {
    workers.emplace_back([this] { dispatcher_.Work(); });
  }
  absl::Status status;
  std::thread control([&] {
    status = link_->Run();
    dispatcher_.Close();
  });
  dispatcher_.Work();
  control.join();
  for (std::thread& worker : workers) worker.join();
  const int mismatches = dispatcher_.dice_mismatches();
  if (!status.ok() || mismatches == 0) return status;
  return absl::DataLossError(
      absl::StrCat("the dice of ", mismatches, mismatches == 1 ? " match" : " matches",
                   " did not fit what the referee had told of them; the log says which, and how"));
}

void Client::Session::Stop() {
  MutexLock lock(&mutex_);
  stopped_ = true;
  if (running_ != nullptr) running_->Stop();
}

// --- From the referee ---

void Client::Session::Hear(const std::shared_ptr<const Batch>& batch) {
  for (const v1::RefereeItem& item : batch->message->items()) {
    if (item.has_fault()) Hear(item.fault());
    if (item.has_notice()) log_.Warning("the referee says: ", item.notice().text());
    // Answered here, not by a worker: the thinking time of the bot is not network time.
    if (item.has_ping()) Answer(batch->stream, item.ping());
  }
  dispatcher_.Deliver(batch);
}

void Client::Session::Hear(const v1::Fault& fault) {
  // After a lost connection, a repeated Ready or nonce may already have arrived; and a seat may
  // forfeit while the bot thinks.
  const bool harmless = fault.kind() == v1::FAULT_KIND_UNEXPECTED_READY ||
                        fault.kind() == v1::FAULT_KIND_UNEXPECTED_NONCE ||
                        fault.kind() == v1::FAULT_KIND_REPLACED_REQUEST;
  const LogLevel level = harmless ? LogLevel::kDebug : LogLevel::kWarning;
  log_.Log(level, "the referee objects: ", fault.message(),
           fault.match_id().empty() ? "" : absl::StrCat(" (match ", fault.match_id(), ")"));
}

// --- To the referee ---

void Client::Session::Answer(uint64_t stream, const v1::Ping& ping) {
  v1::BotItem item;
  item.mutable_pong()->set_number(ping.number());
  Say(stream, &item);
  Send(stream);
}

v1::Hello Client::Session::Hello() const {
  v1::Hello hello;
  hello.set_token(options_.token);
  hello.set_software(options_.software);
  for (const std::string& game : options_.games) hello.add_games(game);
  hello.set_max_matches(static_cast<uint32_t>(options_.max_matches));
  hello.set_parallel_turns(static_cast<uint32_t>(options_.parallel_turns));
  hello.set_wants_legal_moves(options_.legal_moves);
  hello.set_wants_notations(true);
  hello.set_news_may_wait(options_.news_may_wait);
  hello.set_keeps_existing(options_.keeps_existing);
  hello.set_version(options_.version);
  return hello;
}

// --- Public interface ---

Client::Client(Bot& bot, Options options)
    : session_(std::make_unique<Session>(&bot, std::move(options))) {
  SilenceProtobuf();
}
Client::~Client() = default;
absl::Status Client::Run() { return session_->Run(); }
void Client::Stop() { session_->Stop(); }

absl::Status Run(Bot& bot, Options options) { return Client(bot, std::move(options)).Run(); }

int Run(Bot& bot, int argc, const char* const* argv, Options defaults) {
  defaults.handle_signals = true;
  // gRPC's output on stderr adds nothing to the bot's own log.
  setenv("GRPC_VERBOSITY", "NONE", /*overwrite=*/0);
  absl::StatusOr<CommandLine> line = ParseCommandLine(argc, argv, std::move(defaults));
  absl::Status status = line.status();
  if (line.ok() && !line->text.empty()) {
    std::fputs(line->text.c_str(), stdout);
    return 0;
  }
  if (line.ok()) status = Run(bot, std::move(line->options));
  if (status.ok()) return 0;
  std::fprintf(stderr, "%s: %s\n", argc > 0 ? argv[0] : "bot",
               std::string(status.message()).c_str());
  return kExitTrouble;
}

}  // namespace referee::sdk
