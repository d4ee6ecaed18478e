#include "tests/bench/bench_gate_beside.h"

#include <grpcpp/create_channel.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <iostream>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
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
      : stub_(v1::BotService::NewStub(
            grpc::CreateChannel(address, grpc::InsecureChannelCredentials()))),
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

// Watches matches that run, over so many connections; when one is over, another.
class Crowd {
 public:
  Crowd(uint16_t port, v1::MatchService::Stub* matches, const BesideWatchers& conditions)
      : port_(port), matches_(*matches), conditions_(conditions), epoll_(epoll_create1(0)) {
    fds_.resize(conditions.watchers);
    Look();
    for (size_t i = 0; i < fds_.size(); ++i) {
      Connect(i);
      if (i % 200 == 199) Read(absl::Milliseconds(10));
    }
  }
  ~Crowd() {
    for (const int fd : fds_) close(fd);
    close(epoll_);
  }
  Crowd(const Crowd&) = delete;
  Crowd& operator=(const Crowd&) = delete;

  void Read(absl::Duration duration) {
    const absl::Time until = absl::Now() + duration;
    epoll_event events[512];
    do {
      const int count = epoll_wait(epoll_, events, 512, 10);
      for (int i = 0; i < count; ++i) ReadFrom(static_cast<size_t>(events[i].data.u64));
      if (absl::Now() - looked_ > absl::Seconds(1)) Look();
    } while (absl::Now() < until);
  }
  int64_t bytes() const { return bytes_; }

 private:
  // Which matches run.
  void Look() {
    grpc::ClientContext context;
    v1::ListMatchesRequest request;
    request.set_state(v1::MATCH_STATE_RUNNING);
    request.set_page_size(1000);
    v1::ListMatchesResponse response;
    looked_ = absl::Now();
    if (!matches_.ListMatches(&context, request, &response).ok() || response.matches_size() == 0) {
      return;
    }
    ids_.clear();
    for (const v1::Match& match : response.matches()) {
      if (ids_.size() < conditions_.watched) ids_.push_back(match.match_id());
    }
  }
  void Connect(size_t i) {
    fds_[i] = ConnectToEvents(port_, ids_[i % ids_.size()]);
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
    Connect(i);
  }

  const uint16_t port_;
  v1::MatchService::Stub& matches_;
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

absl::StatusOr<Measured> Measure(ServerProcess* referee, int seconds, Crowd* crowd) {
  const absl::StatusOr<ServerProcess::Sample> before = referee->Take();
  if (!before.ok()) return before.status();
  if (crowd != nullptr) {
    crowd->Read(absl::Seconds(seconds));
  } else {
    absl::SleepFor(absl::Seconds(seconds));
  }
  const absl::StatusOr<ServerProcess::Sample> after = referee->Take();
  if (!after.ok()) return after.status();
  if (after->turns == 0) return absl::UnavailableError("no turn was played");
  const auto cpu = static_cast<double>(after->cpu_micros - before->cpu_micros);
  Measured measured;
  measured.cores = cpu / 1e6 / seconds;
  measured.turn_micros = cpu / static_cast<double>(after->turns);
  measured.p50 = static_cast<double>(after->own_p50) / 1000;
  measured.p999 = static_cast<double>(after->own_p999) / 1000;
  std::cout << absl::StrFormat(
                   "  %-8s %d turns, %.3f cores, %.0f us a turn; own delay p50 %.0f us, p99 %.0f "
                   "us, p99.9 %.0f us",
                   crowd == nullptr ? "without" : "with", after->turns, measured.cores,
                   measured.turn_micros, measured.p50, static_cast<double>(after->own_p99) / 1000,
                   measured.p999)
            << std::endl;
  return measured;
}

double Median(const std::vector<Measured>& all, double Measured::*figure) {
  std::vector<double> values;
  for (const Measured& one : all) values.push_back(one.*figure);
  std::sort(values.begin(), values.end());
  return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

}  // namespace

absl::Status MeasureBesideWatchers(const BesideWatchers& conditions) {
  const testing::TempFolder folder;
  absl::StatusOr<std::unique_ptr<ServerProcess>> referee =
      ServerProcess::Start({absl::StrCat("--serve=", kReferee), "--listen=127.0.0.1:0",
                            absl::StrCat("--data-dir=", folder.path(), "/data"),
                            absl::StrCat("--played=", conditions.matches)});
  if (!referee.ok()) return referee.status();
  const std::string& address = (*referee)->address();
  const PreparedGames games;
  std::vector<std::unique_ptr<PacedBot>> bots;
  for (int i = 0; i < Players(conditions.matches, false); ++i) {
    bots.push_back(std::make_unique<PacedBot>(address, TokenOf(i), &games,
                                              absl::Seconds(1) / conditions.rate));
  }
  const GateProgram gate(conditions.refgate, address, conditions.watchers);
  const auto matches =
      v1::MatchService::NewStub(grpc::CreateChannel(address, grpc::InsecureChannelCredentials()));
  std::cout << absl::StrFormat(
                   "referee   %d matches at %.1f turns a second, %d of them watched by %d",
                   conditions.matches, conditions.rate, conditions.watched, conditions.watchers)
            << std::endl;
  std::vector<Measured> without;
  std::vector<Measured> with;
  for (int round = 0; round < conditions.rounds; ++round) {
    absl::SleepFor(round == 0 ? absl::Seconds(2) : kLinger);
    const absl::StatusOr<Measured> alone = Measure(referee->get(), conditions.seconds, nullptr);
    if (!alone.ok()) return alone.status();
    without.push_back(*alone);
    Crowd crowd(gate.port(), matches.get(), conditions);
    crowd.Read(absl::Seconds(2));
    const absl::StatusOr<Measured> beside = Measure(referee->get(), conditions.seconds, &crowd);
    if (!beside.ok()) return beside.status();
    if (crowd.bytes() == 0) return absl::UnavailableError("watchers were told nothing");
    with.push_back(*beside);
  }
  const auto ratio = [&](double Measured::*figure) {
    return Median(with, figure) / Median(without, figure);
  };
  std::cout << absl::StrFormat("  with to without: CPU a turn %.3f, own delay p50 %.3f, p99.9 %.3f",
                               ratio(&Measured::turn_micros), ratio(&Measured::p50),
                               ratio(&Measured::p999))
            << std::endl;
  return absl::OkStatus();
}

}  // namespace referee::bench
