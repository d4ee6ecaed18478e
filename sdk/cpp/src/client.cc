#include <grpcpp/channel.h>
#include <grpcpp/support/status.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "referee/sdk/bot.h"
#include "sdk/cpp/src/backoff.h"
#include "sdk/cpp/src/channel.h"
#include "sdk/cpp/src/dispatcher.h"
#include "sdk/cpp/src/durations.h"
#include "sdk/cpp/src/mutex.h"
#include "sdk/cpp/src/options.h"
#include "sdk/cpp/src/signals.h"
#include "sdk/cpp/src/stream.h"

namespace referee::sdk {
namespace {

constexpr int kExitTrouble = 2;

// How long what is to be sent soon waits for more.
constexpr auto kSoon = std::chrono::milliseconds(1);

std::function<absl::Duration(int)> DefaultBackoff() {
  return [random = std::mt19937_64(std::random_device()())](int attempt) mutable {
    return FullJitter(attempt, random());
  };
}

// What to tell people when there is no point in trying again; OK if there is.
absl::Status WhyFinal(const grpc::Status& status, const std::string& address) {
  const std::string& said = status.error_message();
  switch (status.error_code()) {
    case grpc::UNAUTHENTICATED:
      return absl::UnauthenticatedError(
          absl::StrCat("the referee at ", address, " does not know this bot's token: ", said));
    case grpc::PERMISSION_DENIED:
      return absl::PermissionDeniedError(
          absl::StrCat("the referee at ", address, " does not admit this bot: ", said));
    case grpc::INVALID_ARGUMENT:
      return absl::InvalidArgumentError(
          absl::StrCat("the referee at ", address, " did not understand this bot: ", said));
    case grpc::ABORTED:
      return absl::AbortedError(absl::StrCat(
          "another process has connected with this bot's token, and took its place: ", said));
    case grpc::ALREADY_EXISTS:
      return absl::AlreadyExistsError(absl::StrCat(
          "another process is connected with this bot's token, and keeps its place: ", said));
    case grpc::UNIMPLEMENTED:
      return absl::UnimplementedError(
          absl::StrCat("what listens at ", address, " is not a referee: ", said));
    default:
      return absl::OkStatus();
  }
}

}  // namespace

// What a client is while it runs. The control thread opens streams, one after the other, and sends
// what the workers leave to it; the workers, the caller of Run among them, call the bot.
class Client::Session : public Stream::Listener, public Dispatcher::ReplySink {
 public:
  Session(Bot* bot, Options options)
      : options_{std::move(options)},
        log_(options_.log_level, options_.log_sink),
        dispatcher_(bot, log_, this) {}

  absl::Status Run();
  void Stop();

  // Stream::Listener.
  void OnBatch(std::shared_ptr<const Batch> batch) override;
  void OnClosed(const grpc::Status& status) override;

  // Dispatcher::ReplySink.
  void Say(uint64_t stream, v1::BotItem* item) override;
  void Send(uint64_t stream) override;
  void SendSoon(uint64_t stream) override;

 private:
  // How one stream came to its end.
  struct Closed {
    grpc::Status status;
    bool welcomed = false;
  };

  v1::Hello Hello() const;
  // Null if the stream with that number is not there any more.
  std::shared_ptr<Stream> Current(uint64_t stream);
  void Hear(const v1::Welcome& welcome);
  void Hear(const v1::Fault& fault);
  void Hear(const v1::Draining& draining);
  void Hear(const v1::Notice& notice);
  void Answer(uint64_t stream, const v1::Ping& ping);

  absl::Status Connect();
  Closed Serve(std::shared_ptr<grpc::Channel> channel);
  // Waits for something to send soon on the current stream, and then kSoon; returns false when it
  // is closed.
  bool WaitToSend();
  // Returns false when the client is to stop.
  bool Wait(absl::Duration delay);
  bool Over();

  SettledOptions options_;
  const Logger log_;
  Dispatcher dispatcher_;

  Mutex mutex_;
  CondVar changed_;
  bool stopped_ ABSL_GUARDED_BY(mutex_) = false;
  bool ends_ ABSL_GUARDED_BY(mutex_) = false;      // once the referee closes the stream
  bool welcomed_ ABSL_GUARDED_BY(mutex_) = false;  // on the current stream
  uint64_t streams_ ABSL_GUARDED_BY(mutex_) = 0;
  bool to_send_ ABSL_GUARDED_BY(mutex_) = false;  // soon, on the current stream
  std::shared_ptr<Stream> stream_ ABSL_GUARDED_BY(mutex_);
  absl::optional<grpc::Status> closed_ ABSL_GUARDED_BY(mutex_);  // of the current stream
};

absl::Status Client::Session::Run() {
  absl::StatusOr<SettledOptions> settled = Settle(options_);
  if (!settled.ok()) return settled.status();
  options_ = *std::move(settled);
  if (!options_.backoff) options_.backoff = DefaultBackoff();

  absl::optional<SignalWatch> signals;
  if (options_.handle_signals) signals.emplace([this] { Stop(); });
  std::vector<std::thread> workers;
  for (int i = 1; i < options_.threads; ++i) {
    workers.emplace_back([this] { dispatcher_.Work(); });
  }
  absl::Status status;
  std::thread control([&] {
    status = Connect();
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
  std::shared_ptr<Stream> stream;
  {
    MutexLock lock(&mutex_);
    stopped_ = true;
    stream = stream_;
    changed_.NotifyAll();
  }
  if (stream != nullptr) stream->Cancel();
}

// --- What the referee says ---

void Client::Session::OnBatch(std::shared_ptr<const Batch> batch) {
  for (const v1::RefereeItem& item : batch->message->items()) {
    if (item.has_welcome()) Hear(item.welcome());
    if (item.has_fault()) Hear(item.fault());
    if (item.has_draining()) Hear(item.draining());
    if (item.has_notice()) Hear(item.notice());
    // Here, not by a worker: the bot may be thinking, and that is none of the network's time.
    if (item.has_ping()) Answer(batch->stream, item.ping());
  }
  dispatcher_.Deliver(batch);
}

void Client::Session::OnClosed(const grpc::Status& status) {
  MutexLock lock(&mutex_);
  closed_ = status;
  changed_.NotifyAll();
}

void Client::Session::Hear(const v1::Welcome& welcome) {
  log_.Info("connected to ", welcome.referee(), " at ", options_.address, " as ", welcome.bot(),
            ", up to ", welcome.max_matches(), " matches at once");
  dispatcher_.SetMaxMatches(welcome.max_matches());
  MutexLock lock(&mutex_);
  welcomed_ = true;
}

void Client::Session::Hear(const v1::Fault& fault) {
  // A Ready or a nonce that is said again after a lost link may have arrived the first time; and a
  // seat may forfeit while the bot thinks.
  const bool harmless = fault.kind() == v1::FAULT_KIND_UNEXPECTED_READY ||
                        fault.kind() == v1::FAULT_KIND_UNEXPECTED_NONCE ||
                        fault.kind() == v1::FAULT_KIND_REPLACED_REQUEST;
  const LogLevel level = harmless ? LogLevel::kDebug : LogLevel::kWarning;
  log_.Log(level, "the referee objects: ", fault.message(),
           fault.match_id().empty() ? "" : absl::StrCat(" (match ", fault.match_id(), ")"));
}

void Client::Session::Hear(const v1::Draining& draining) {
  log_.Info("the referee is about to stop; running matches have ",
            absl::FormatDuration(FromWire(draining.time_left())),
            draining.will_return() ? "; it will be back, and so shall this bot" : " to end");
  MutexLock lock(&mutex_);
  ends_ = !draining.will_return();
}

void Client::Session::Hear(const v1::Notice& notice) {
  log_.Warning("the referee says: ", notice.text());
}

// --- What is said to it ---

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
  hello.set_max_matches(options_.max_matches);
  hello.set_parallel_turns(options_.parallel_turns);
  hello.set_wants_legal_moves(options_.legal_moves);
  hello.set_news_may_wait(options_.news_may_wait);
  hello.set_keeps_existing(options_.keeps_existing);
  hello.set_version(options_.version);
  return hello;
}

std::shared_ptr<Stream> Client::Session::Current(uint64_t stream) {
  MutexLock lock(&mutex_);
  return stream_ != nullptr && stream_->number() == stream ? stream_ : nullptr;
}

void Client::Session::Say(uint64_t stream, v1::BotItem* item) {
  if (const auto current = Current(stream)) current->Say(item);
}

void Client::Session::Send(uint64_t stream) {
  if (const auto current = Current(stream)) current->Send();
}

void Client::Session::SendSoon(uint64_t stream) {
  MutexLock lock(&mutex_);
  if (to_send_ || stream_ == nullptr || stream_->number() != stream) return;
  // Else it goes out when the write that is under way is done.
  if (!stream_->CanSend()) return;
  to_send_ = true;
  changed_.NotifyOne();
}

// --- Streams, one after the other ---

absl::Status Client::Session::Connect() {
  const auto credentials = CredentialsFor(options_);
  if (!credentials.ok()) return credentials.status();
  absl::Time lost = absl::Now();
  int attempt = 0;
  bool was_welcomed = false;
  while (true) {
    const Closed closed = Serve(NewChannel(options_, *credentials));
    if (Over()) return absl::OkStatus();
    // What exists may be this client's own stream, whose end the referee has not noticed yet.
    const bool own_exists =
        was_welcomed && closed.status.error_code() == grpc::StatusCode::ALREADY_EXISTS;
    if (absl::Status final = WhyFinal(closed.status, options_.address);
        !final.ok() && !own_exists) {
      return final;
    }
    if (closed.welcomed) {
      was_welcomed = true;
      attempt = 0;
      lost = absl::Now();
    }
    const std::string why = absl::StrCat(
        closed.welcomed ? "lost the referee at " : "cannot reach a referee at ", options_.address,
        ": ", closed.status.ok() ? "it closed the stream" : closed.status.error_message(),
        closed.welcomed ? "" : TlsAdvice(options_, closed.status.error_message()));
    if (absl::Now() - lost >= options_.give_up_after) return absl::UnavailableError(why);
    const absl::Duration delay = options_.backoff(attempt++);
    log_.Warning(why, "; trying again in ",
                 absl::FormatDuration(absl::Trunc(delay, absl::Milliseconds(1))));
    if (!Wait(delay)) return absl::OkStatus();
  }
}

// Opens a stream and returns when it is closed.
Client::Session::Closed Client::Session::Serve(std::shared_ptr<grpc::Channel> channel) {
  std::shared_ptr<Stream> stream;
  {
    MutexLock lock(&mutex_);
    if (stopped_) return {};
    welcomed_ = false;
    to_send_ = false;
    closed_.reset();
    stream = std::make_shared<Stream>(std::move(channel), ++streams_, this);
    stream_ = stream;
  }
  stream->Start(Hello());
  while (WaitToSend()) stream->Send();
  MutexLock lock(&mutex_);
  stream_ = nullptr;
  return {*closed_, welcomed_};
}

bool Client::Session::WaitToSend() {
  MutexLock lock(&mutex_);
  while (!to_send_ && !closed_.has_value()) changed_.Wait(&mutex_);
  const auto until = std::chrono::steady_clock::now() + kSoon;
  while (!closed_.has_value() && changed_.WaitUntil(&mutex_, until)) continue;
  to_send_ = false;
  return !closed_.has_value();
}

bool Client::Session::Wait(absl::Duration delay) {
  const auto until = std::chrono::steady_clock::now() + absl::ToChronoNanoseconds(delay);
  MutexLock lock(&mutex_);
  while (!stopped_ && changed_.WaitUntil(&mutex_, until)) {
  }
  return !stopped_;
}

bool Client::Session::Over() {
  MutexLock lock(&mutex_);
  return stopped_ || ends_;
}

// --- The public face ---

Client::Client(Bot& bot, Options options)
    : session_(std::make_unique<Session>(&bot, std::move(options))) {}
Client::~Client() = default;
absl::Status Client::Run() { return session_->Run(); }
void Client::Stop() { session_->Stop(); }

absl::Status Run(Bot& bot, Options options) { return Client(bot, std::move(options)).Run(); }

int Run(Bot& bot, int argc, const char* const* argv, Options defaults) {
  defaults.handle_signals = true;
  // What gRPC would write to stderr says nothing that the bot's own log does not.
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
