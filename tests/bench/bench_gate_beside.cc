#include "tests/bench/bench_gate_beside.h"

#include <sched.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "proto/referee/v1/bot_service.grpc.pb.h"
#include "proto/referee/v1/match_service.grpc.pb.h"
#include "tests/bench/bench_gate_program.h"
#include "tests/bench/bench_referee_client.h"
#include "tests/bench/bench_referee_games.h"
#include "tests/bench/bench_referee_process.h"
#include "tests/bench/bench_referee_server.h"
#include "tests/support/channel.h"
#include "tests/support/temp_folder.h"

namespace referee::bench {
namespace {

// For how long a gate goes on to watch what nobody watches there.
constexpr absl::Duration kLinger = absl::Seconds(12);

// Plays prepared games, and thinks for so long before each answer.
class PacedBot {
 public:
  PacedBot(const std::string& address, std::string token, const PreparedGames* games,
           absl::Duration thinks)
      : stub_(v1::BotService::NewStub(testing::Dial(address))),
        script_(MakeBotScript(std::move(token), 1, games)),
        thread_([this, thinks] { Play(thinks); }) {}
  ~PacedBot() {
    context_.TryCancel();
    thread_.join();
  }
  PacedBot(const PacedBot&) = delete;
  PacedBot& operator=(const PacedBot&) = delete;

 private:
  void Play(absl::Duration thinks) {
    const auto stream = stub_->Play(&context_);
    v1::PlayRequest say;
    v1::PlayResponse heard;
    say.ParseFromString(script_->Opening());
    bool open = stream->Write(say);
    while (open && stream->Read(&heard)) {
      std::string answer;
      const absl::StatusOr<int> turns = script_->Answer(heard.SerializeAsString(), &answer);
      if (!turns.ok()) std::cerr << "a bot: " << turns.status() << "\n";
      if (!turns.ok()) break;
      if (*turns > 0) absl::SleepFor(thinks);
      if (!answer.empty()) open = say.ParseFromString(answer) && stream->Write(say);
    }
    stream->Finish();
  }

  grpc::ClientContext context_;
  const std::unique_ptr<v1::BotService::Stub> stub_;
  const std::unique_ptr<Script> script_;
  std::thread thread_;
};

// A referee in a process of its own, whose matches are played by bots at a pace, and a gate in
// front of it.
class Side {
 public:
  static absl::StatusOr<std::unique_ptr<Side>> Start(const BesideWatchers& conditions,
                                                     int matches) {
    auto side = std::unique_ptr<Side>(new Side);
    absl::StatusOr<std::unique_ptr<ServerProcess>> referee =
        ServerProcess::Start({absl::StrCat("--serve=", kReferee), "--listen=127.0.0.1:0",
                              absl::StrCat("--data-dir=", side->folder_.path(), "/data"),
                              absl::StrCat("--played=", matches)});
    if (!referee.ok()) return referee.status();
    side->referee_ = *std::move(referee);
    const std::string& address = side->referee_->address();
    for (int i = 0; i < Players(matches, false); ++i) {
      side->bots_.push_back(std::make_unique<PacedBot>(address, TokenOf(i), &side->games_,
                                                       absl::Seconds(1) / conditions.rate));
    }
    side->gate_ = std::make_unique<GateProgram>(conditions.refgate, address, conditions.watchers);
    side->matches_ = v1::MatchService::NewStub(testing::Dial(address));
    return side;
  }

  ServerProcess& referee() { return *referee_; }
  const GateProgram& gate() const { return *gate_; }
  v1::MatchService::Stub& matches() { return *matches_; }

 private:
  Side() = default;

  const testing::TempFolder folder_;
  const PreparedGames games_;
  std::unique_ptr<ServerProcess> referee_;
  std::vector<std::unique_ptr<PacedBot>> bots_;
  std::unique_ptr<GateProgram> gate_;
  std::unique_ptr<v1::MatchService::Stub> matches_;
};

// Watches matches of a side that run, over so many connections; when one is over, another, a second
// later at most.
class Crowd {
 public:
  Crowd(Side* side, const BesideWatchers& conditions)
      : side_(*side), conditions_(conditions), epoll_(epoll_create1(0)) {
    fds_.assign(conditions.watchers, kNone);
    ConnectAll();
  }
  ~Crowd() {
    for (const int fd : fds_) {
      if (fd != kNone) close(fd);
    }
    close(epoll_);
  }
  Crowd(const Crowd&) = delete;
  Crowd& operator=(const Crowd&) = delete;

  void Read(absl::Duration duration) {
    const absl::Time until = absl::Now() + duration;
    while (absl::Now() < until) {
      ReadSome();
      if (absl::Now() - looked_ > absl::Seconds(1)) ConnectAll();
    }
  }
  int64_t bytes() const { return bytes_; }

 private:
  static constexpr int kNone = -1;

  void ReadSome() {
    epoll_event events[512];
    const int count = epoll_wait(epoll_, events, 512, 10);
    for (int i = 0; i < count; ++i) ReadFrom(static_cast<size_t>(events[i].data.u64));
  }
  // Has all watch that do not, if any match runs.
  void ConnectAll() {
    Look();
    if (ids_.empty()) return;
    int connected = 0;
    for (size_t i = 0; i < fds_.size(); ++i) {
      if (fds_[i] != kNone) continue;
      Connect(i);
      if (++connected % 200 == 0) ReadSome();
    }
  }
  // Which matches began last: they go on for longest.
  void Look() {
    grpc::ClientContext context;
    v1::ListMatchesRequest request;
    request.set_state(v1::MATCH_STATE_RUNNING);
    request.set_page_size(static_cast<uint32_t>(conditions_.watched));
    v1::ListMatchesResponse response;
    looked_ = absl::Now();
    if (!side_.matches().ListMatches(&context, request, &response).ok() ||
        response.matches_size() == 0) {
      return;
    }
    ids_.clear();
    for (const v1::Match& match : response.matches()) ids_.push_back(match.match_id());
  }
  void Connect(size_t i) {
    fds_[i] = ConnectToEvents(side_.gate().port(), ids_[i % ids_.size()]);
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = i;
    epoll_ctl(epoll_, EPOLL_CTL_ADD, fds_[i], &event);
  }
  void ReadFrom(size_t i) {
    const ssize_t got = read(fds_[i], buffer_, sizeof(buffer_));
    if (got > 0) bytes_ += got;
    if (got > 0 || (got < 0 && errno == EAGAIN)) return;
    close(fds_[i]);
    fds_[i] = kNone;
  }

  Side& side_;
  const BesideWatchers& conditions_;
  const int epoll_;
  std::vector<int> fds_;
  std::vector<std::string> ids_;
  absl::Time looked_;
  int64_t bytes_ = 0;
  char buffer_[64 * 1024];
};

struct Measured {
  double cores = 0;
  double turn_micros = 0;  // of CPU
  double p50 = 0;          // of the own time of a turn, us
  double p999 = 0;
};

// What the referee does while a crowd watches `watched`, which may be another referee's side.
absl::StatusOr<Measured> Measure(ServerProcess* referee, Side* watched,
                                 const BesideWatchers& conditions, absl::string_view name) {
  Crowd crowd(watched, conditions);
  crowd.Read(absl::Seconds(2));
  const absl::StatusOr<ServerProcess::Sample> before = referee->Take();
  if (!before.ok()) return before.status();
  crowd.Read(absl::Seconds(conditions.seconds));
  const absl::StatusOr<ServerProcess::Sample> after = referee->Take();
  if (!after.ok()) return after.status();
  if (after->turns == 0) return absl::UnavailableError("no turn was played");
  if (crowd.bytes() == 0) return absl::UnavailableError("watchers were told nothing");
  const auto cpu = static_cast<double>(after->cpu_micros - before->cpu_micros);
  Measured measured;
  measured.cores = cpu / 1e6 / conditions.seconds;
  measured.turn_micros = cpu / static_cast<double>(after->turns);
  measured.p50 = static_cast<double>(after->own_p50) / 1000;
  measured.p999 = static_cast<double>(after->own_p999) / 1000;
  std::cout << absl::StrFormat(
                   "  %-8s %d turns, %.3f cores, %.0f us a turn; own delay p50 %.0f us, p99 %.0f "
                   "us, p99.9 %.0f us",
                   name, after->turns, measured.cores, measured.turn_micros, measured.p50,
                   static_cast<double>(after->own_p99) / 1000, measured.p999)
            << std::endl;
  return measured;
}

// All threads of a process, and those that they start, run on that processor alone.
void Pin(pid_t pid, int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processor, &set);
  std::error_code ignored;
  for (const auto& task :
       std::filesystem::directory_iterator(absl::StrCat("/proc/", pid, "/task"), ignored)) {
    int thread = 0;
    if (absl::SimpleAtoi(task.path().filename().string(), &thread)) {
      sched_setaffinity(thread, sizeof(set), &set);
    }
  }
}

struct Round {
  Measured without;
  Measured with;
};

// What the machine does else changes from round to round, so each is compared with itself.
double MedianRatio(const std::vector<Round>& rounds, double Measured::*figure) {
  std::vector<double> ratios;
  for (const Round& round : rounds) ratios.push_back(round.with.*figure / round.without.*figure);
  std::sort(ratios.begin(), ratios.end());
  return (ratios[(ratios.size() - 1) / 2] + ratios[ratios.size() / 2]) / 2;
}

}  // namespace

absl::Status MeasureBesideWatchers(const BesideWatchers& conditions) {
  const absl::StatusOr<std::unique_ptr<Side>> side = Side::Start(conditions, conditions.matches);
  if (!side.ok()) return side.status();
  const absl::StatusOr<std::unique_ptr<Side>> other =
      Side::Start(conditions, static_cast<int>(conditions.watched));
  if (!other.ok()) return other.status();
  std::cout << absl::StrFormat(
                   "referee   %d matches at %.1f turns a second; %d watchers of %d of them, or of "
                   "another referee's",
                   conditions.matches, conditions.rate, conditions.watchers, conditions.watched)
            << std::endl;
  ServerProcess& referee = (*side)->referee();
  if (std::thread::hardware_concurrency() >= 2) {
    Pin(referee.pid(), 0);
    for (const pid_t pid :
         {(*side)->gate().pid(), (*other)->gate().pid(), (*other)->referee().pid(), getpid()}) {
      Pin(pid, 1);
    }
  }
  std::vector<Round> rounds;
  for (int round = 0; round < conditions.rounds; ++round) {
    absl::SleepFor(round == 0 ? absl::Seconds(2) : kLinger);
    const absl::StatusOr<Measured> alone = Measure(&referee, other->get(), conditions, "without");
    if (!alone.ok()) return alone.status();
    const absl::StatusOr<Measured> beside = Measure(&referee, side->get(), conditions, "with");
    if (!beside.ok()) return beside.status();
    rounds.push_back({*alone, *beside});
  }
  std::cout << absl::StrFormat(
                   "  with to without, medians of the rounds' ratios: CPU a turn %.3f, "
                   "own delay p50 %.3f, p99.9 %.3f",
                   MedianRatio(rounds, &Measured::turn_micros), MedianRatio(rounds, &Measured::p50),
                   MedianRatio(rounds, &Measured::p999))
            << std::endl;
  return absl::OkStatus();
}

}  // namespace referee::bench
