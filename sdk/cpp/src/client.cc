#include <google/protobuf/stubs/logging.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <list>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "referee/base/mutex.h"
#include "referee/sdk/bot.h"
#include "sdk/cpp/src/backoff.h"
#include "sdk/cpp/src/dispatcher.h"
#include "sdk/cpp/src/durations.h"
#include "sdk/cpp/src/link.h"
#include "sdk/cpp/src/options.h"
#include "sdk/cpp/src/places.h"
#include "sdk/cpp/src/refer.h"
#include "sdk/cpp/src/signals.h"
#include "sdk/cpp/src/stream.h"

namespace referee::sdk {
namespace {

constexpr int kExitTrouble = 2;

std::function<absl::Duration(int)> DefaultBackoff() {
  return [random = std::mt19937_64(std::random_device()())](int attempt) mutable {
    return FullJitter(attempt, random());
  };
}

// Protobuf writes of each text that is not UTF-8 to stderr. The bot's log says what it means.
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

// What a client is while it runs. The links open streams, each on a thread, and send what the
// workers leave to them; the workers, the caller of Run among them, call the bot.
class Client::Session : public Link::Owner, public Dispatcher::ReplySink {
 public:
  Session(Bot* bot, Options options)
      : options_{std::move(options)},
        log_(options_.log_level, options_.log_sink),
        dispatcher_(bot, log_, this,
                    options_.threads == 0 ? Dispatcher::Players::kDeliverer
                                          : Dispatcher::Players::kWorkers),
        referral_(&options_, &log_) {}

  absl::Status Run();
  void Stop();

  // Link::Owner.
  v1::Hello Hello(const Share& share) const override;
  void Hear(Link* link, std::shared_ptr<const Batch> batch) override;
  absl::Duration Backoff(int attempt) override {
    MutexLock lock(&backoff_mutex_);
    return options_.backoff(attempt);
  }
  uint64_t NextStream() override { return ++last_stream_; }
  void Opened(Link* link, const std::shared_ptr<Stream>& stream) override;
  void Closed(uint64_t stream) override { streams_.erase(stream); }
  void Forget(const std::vector<std::string>& match_ids) override;
  void Review() override;
  bool Alone() const override;
  absl::optional<SettledOptions> Next(const Link& link) const override;

  // Dispatcher::ReplySink.
  void Say(uint64_t stream, v1::BotItem* item) override;
  void Send(uint64_t stream) override;
  void SendSoon(uint64_t stream) override;

 private:
  struct Open {
    Link* link;
    std::shared_ptr<Stream> stream;
  };
  struct Home {
    std::unique_ptr<Link> link;
    std::thread thread;
    bool done = false;  // so is the thread
  };

  // Null if the stream with that number is not there any more.
  std::shared_ptr<Stream> Current(uint64_t stream);
  void Hear(Link* link, const v1::Welcome& welcome);
  void Hear(const v1::Fault& fault);
  void Hear(Link* link, const v1::Draining& draining);
  void Hear(Link* link, const v1::Refer& refer);
  void Answer(uint64_t stream, const v1::Ping& ping);

  // Runs the letter box, and then the homes until their matches are over.
  absl::Status Connect();
  // With the mutex: makes these the homes.
  void GoTo(std::vector<SettledOptions> named);
  Link* OpenHome(SettledOptions options);
  void RunHome(Home* home);
  // With the mutex: lets go of homes that are done with.
  void Reap();
  // The number of the shift that it is, and how long that still takes.
  std::pair<int64_t, absl::Duration> Shift() const;
  // With the mutex: from now on the streams that share have their turns, as shifts go by.
  void BeginShifts();
  void TakeShifts();
  void EndShifts();

  SettledOptions options_;
  const Logger log_;
  Dispatcher dispatcher_;
  Referral referral_;  // for the letter box's listener

  Mutex backoff_mutex_;  // one link at a time asks how long to wait
  Mutex mutex_;
  // The rest is guarded by mutex_.
  bool stopped_ = false;
  bool here_ = false;                   // matches are to be expected at the letter box, too
  std::vector<SettledOptions> circle_;  // where the letter box may be, one after the other
  uint64_t last_stream_ = 0;
  absl::flat_hash_map<uint64_t, Open> streams_;
  std::unique_ptr<Link> letter_box_;
  std::list<Home> all_homes_;  // with those that are done with
  std::vector<Link*> homes_;   // the more important first, and those that it leaves
  absl::Status failure_;       // of a home
  std::thread shifts_;         // looks at the end of each, once they are needed
  bool no_more_shifts_ = false;
  CondVar shifts_end_;
};

absl::Status Client::Session::Run() {
  absl::StatusOr<SettledOptions> settled = Settle(options_);
  if (!settled.ok()) return settled.status();
  options_ = *std::move(settled);
  options_.address = CanonicalAddress(options_.address);
  if (!options_.backoff) options_.backoff = DefaultBackoff();
  {
    MutexLock lock(&mutex_);
    letter_box_ = std::make_unique<Link>(this, &mutex_, options_, /*is_home=*/false, &log_);
  }

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
  MutexLock lock(&mutex_);
  stopped_ = true;
  if (letter_box_ != nullptr) letter_box_->Stop();
  for (Link* home : homes_) home->Stop();
}

// --- What the referee says ---

void Client::Session::Hear(Link* link, std::shared_ptr<const Batch> batch) {
  for (const v1::RefereeItem& item : batch->message->items()) {
    if (item.has_welcome()) Hear(link, item.welcome());
    if (item.has_fault()) Hear(item.fault());
    if (item.has_draining()) Hear(link, item.draining());
    if (item.has_notice()) log_.Warning("the referee says: ", item.notice().text());
    if (item.has_refer()) Hear(link, item.refer());
    // Here, not by a worker: the bot may be thinking, and that is none of the network's time.
    if (item.has_ping()) Answer(batch->stream, item.ping());
    if (item.has_capacity()) {
      MutexLock lock(&mutex_);
      link->holding().Answered();
      Review();
    }
    if (item.has_match_start()) {
      MutexLock lock(&mutex_);
      Forget(link->holding().Begun(item.match_start().match().match_id(), batch->stream));
    }
    if (item.has_match_end()) {
      MutexLock lock(&mutex_);
      link->holding().Ended(item.match_end().match_id());
      Review();
    }
  }
  dispatcher_.Deliver(batch);
}

void Client::Session::Hear(Link* link, const v1::Welcome& welcome) {
  log_.Info("connected to ", welcome.referee(), " at ", link->address(), " as ", welcome.bot(),
            ", up to ", welcome.max_matches(), " matches at once");
  {
    MutexLock lock(&mutex_);
    link->SetWelcomed();
    link->holding().Welcomed(static_cast<int>(welcome.max_matches()));
  }
  Hear(link, welcome.refer());
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

void Client::Session::Hear(Link* link, const v1::Draining& draining) {
  log_.Info("the referee", link->is_home() ? absl::StrCat(" at ", link->address()) : "",
            " is about to stop; running matches have ",
            absl::FormatDuration(FromWire(draining.time_left())),
            draining.will_return() ? "; it will be back, and so shall this bot" : " to end");
  MutexLock lock(&mutex_);
  link->SetDraining(draining.will_return());
  Review();
}

// --- Where else the bot is wanted ---

void Client::Session::Hear(Link* link, const v1::Refer& refer) {
  if (link->is_home()) return;  // the first address alone refers the bot to others
  std::vector<SettledOptions> named = referral_.Follow(refer, link->address());
  std::vector<SettledOptions> circle = referral_.Circle(refer, link->options());
  MutexLock lock(&mutex_);
  circle_ = std::move(circle);
  here_ = refer.here();
  GoTo(std::move(named));
  link->SetPatience(FromWire(refer.patience()));
  for (Link* home : homes_) home->SetPatience(FromWire(refer.patience()));
}

void Client::Session::GoTo(std::vector<SettledOptions> named) {
  std::vector<Link*> before = std::move(homes_);
  homes_.clear();
  for (SettledOptions& options : named) {
    const auto found = std::find_if(before.begin(), before.end(), [&](const Link* home) {
      return home->address() == options.address && !(home->leaving() && home->over());
    });
    Link* home = nullptr;
    if (found != before.end()) {
      home = *found;
      before.erase(found);
    } else {
      home = OpenHome(std::move(options));
    }
    home->SetLeaving(false);
    homes_.push_back(home);
  }
  for (Link* home : before) {
    home->SetLeaving(true);
    if (!home->over()) homes_.push_back(home);
  }
  Reap();
  Review();
}

Link* Client::Session::OpenHome(SettledOptions options) {
  Home& home = all_homes_.emplace_back();
  home.link = std::make_unique<Link>(this, &mutex_, std::move(options), /*is_home=*/true, &log_);
  if (stopped_) home.link->Stop();
  home.thread = std::thread([this, &home] { RunHome(&home); });
  return home.link.get();
}

void Client::Session::RunHome(Home* home) {
  const absl::Status status = home->link->Run();
  if (!status.ok()) Stop();
  MutexLock lock(&mutex_);
  failure_.Update(status);
  home->done = true;
}

void Client::Session::Reap() {
  for (auto it = all_homes_.begin(); it != all_homes_.end();) {
    const bool kept = std::find(homes_.begin(), homes_.end(), it->link.get()) != homes_.end();
    if (it->done && !kept) {
      it->thread.join();
      it = all_homes_.erase(it);
    } else {
      ++it;
    }
  }
}

void Client::Session::Review() {
  std::vector<Link*> links = homes_;
  const auto rest = std::stable_partition(links.begin(), links.end(),
                                          [](const Link* home) { return home->wants(); });
  const int homes = static_cast<int>(rest - links.begin());
  links.insert(rest, letter_box_.get());
  const int sharing = here_ || homes == 0 ? homes + 1 : homes;
  const Share promised{options_.max_matches, options_.parallel_turns};
  if (Served(promised, sharing) < sharing) {
    const int64_t shift = Shift().first;
    std::stable_sort(links.begin(), links.begin() + sharing, [&](Link* a, Link* b) {
      return Weight(shift, a->address()) > Weight(shift, b->address());
    });
    BeginShifts();
  }
  std::vector<Share> wanted = Divide(promised, homes, here_);
  wanted.resize(links.size());
  std::vector<Share> held;
  for (Link* link : links) held.push_back(link->holding().held());
  const std::vector<Share> granted = Grant(promised, wanted, held);
  for (size_t i = 0; i < links.size(); ++i) links[i]->Offer(granted[i]);
}

void Client::Session::BeginShifts() {
  if (shifts_.joinable() || no_more_shifts_) return;
  shifts_ = std::thread([this] { TakeShifts(); });
}

std::pair<int64_t, absl::Duration> Client::Session::Shift() const {
  absl::Duration gone;
  const int64_t number = absl::IDivDuration(absl::Now() - absl::UnixEpoch(), options_.shift, &gone);
  return {number, options_.shift - gone};
}

void Client::Session::TakeShifts() {
  MutexLock lock(&mutex_);
  while (!no_more_shifts_) {
    const auto end = std::chrono::steady_clock::now() + absl::ToChronoNanoseconds(Shift().second);
    while (!no_more_shifts_ && shifts_end_.WaitUntil(&mutex_, end)) continue;
    Review();
  }
}

void Client::Session::EndShifts() {
  {
    MutexLock lock(&mutex_);
    no_more_shifts_ = true;
    shifts_end_.NotifyAll();
  }
  if (shifts_.joinable()) shifts_.join();
}

void Client::Session::Forget(const std::vector<std::string>& match_ids) {
  if (!match_ids.empty()) dispatcher_.Forget(match_ids);
}

bool Client::Session::Alone() const {
  return std::none_of(homes_.begin(), homes_.end(),
                      [](const Link* home) { return home->welcomed(); });
}

absl::optional<SettledOptions> Client::Session::Next(const Link& link) const {
  // A second stream to a home would end the first.
  std::set<std::string> homes;
  for (const Link* home : homes_) {
    if (!home->over()) homes.insert(home->address());
  }
  const SettledOptions* const next = NextInCircle(circle_, link.address(), homes);
  return next == nullptr ? absl::nullopt : absl::make_optional(*next);
}

// --- What is said to it ---

void Client::Session::Answer(uint64_t stream, const v1::Ping& ping) {
  v1::BotItem item;
  item.mutable_pong()->set_number(ping.number());
  Say(stream, &item);
  Send(stream);
}

v1::Hello Client::Session::Hello(const Share& share) const {
  v1::Hello hello;
  hello.set_token(options_.token);
  hello.set_software(options_.software);
  for (const std::string& game : options_.games) hello.add_games(game);
  const bool takes_none = share.places == 0;
  hello.set_max_matches(static_cast<uint32_t>(takes_none ? options_.max_matches : share.places));
  hello.set_parallel_turns(static_cast<uint32_t>(share.turns));
  hello.set_takes_none(takes_none);
  hello.set_wants_legal_moves(options_.legal_moves);
  hello.set_wants_notations(true);
  hello.set_news_may_wait(options_.news_may_wait);
  hello.set_keeps_existing(options_.keeps_existing);
  hello.set_version(options_.version);
  return hello;
}

void Client::Session::Opened(Link* link, const std::shared_ptr<Stream>& stream) {
  streams_[stream->number()] = {link, stream};
}

std::shared_ptr<Stream> Client::Session::Current(uint64_t stream) {
  MutexLock lock(&mutex_);
  const auto found = streams_.find(stream);
  return found == streams_.end() ? nullptr : found->second.stream;
}

void Client::Session::Say(uint64_t stream, v1::BotItem* item) {
  if (const auto current = Current(stream)) current->Say(item);
}

void Client::Session::Send(uint64_t stream) {
  if (const auto current = Current(stream)) current->Send();
}

void Client::Session::SendSoon(uint64_t stream) {
  MutexLock lock(&mutex_);
  const auto found = streams_.find(stream);
  if (found != streams_.end()) found->second.link->SendSoon();
}

// --- Streams ---

absl::Status Client::Session::Connect() {
  {
    MutexLock lock(&mutex_);
    if (stopped_) letter_box_->Stop();
    Review();
  }
  absl::Status status = letter_box_->Run();
  if (!status.ok()) Stop();
  {
    MutexLock lock(&mutex_);
    GoTo({});
  }
  EndShifts();
  // Nobody refers the bot to others any more.
  for (Home& home : all_homes_) home.thread.join();
  status.Update(failure_);
  return status;
}

// --- The public face ---

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
