// What many watchers cost a gate, and the referee behind it: starts refgate in front of a referee
// that tells recorded matches at a steady pace, and watches them over so many connections; then in
// front of a real one, whose matches are played beside these watchers and without them.
//
//   bench_gate --refgate build/release/bin/refgate --watchers 10000 --matches 10 --rate 5 --seconds
//   20
//
// Prints cores and memory of refgate, the delay from the referee's telling to each watcher's having
// read the event whole, and what watchers missed; and of the real referee, with and without
// watchers, its CPU and its own time of a turn, and their ratios.
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <signal.h>
#include <sodium.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "CLI/App.hpp"
#include "CLI/Config.hpp"
#include "CLI/Formatter.hpp"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "proto/referee/v1/match_service.grpc.pb.h"
#include "referee/match/match.h"
#include "referee/service/convert/convert.h"
#include "referee/service/played_along.h"
#include "tests/bench/bench_gate_beside.h"
#include "tests/bench/bench_gate_program.h"
#include "tests/bench/bench_referee_server.h"
#include "tests/unit/replay/sample.h"

namespace referee::bench {
namespace {

struct Flags {
  std::string refgate;
  size_t watchers = 10'000;
  size_t matches = 10;
  double rate = 5;
  int seconds = 20;
};

int64_t NowMicros() { return absl::GetCurrentTimeNanos() / 1000; }

// A match, as a referee tells it from the start, and when each event was told.
struct Recorded {
  v1::WatchMatchResponse snapshot;
  std::vector<v1::WatchMatchResponse> events;
  std::vector<std::atomic<int64_t>> told;
};

std::unique_ptr<Recorded> Record(uint64_t seed, size_t events) {
  for (;; seed += 1000) {
    replay::SampleOptions options;
    options.seats = 4;
    options.seed = seed;
    const replay::Replay replay = replay::PlaySample(options);
    if (replay.turns() < events) continue;
    std::vector<match::Record> records = replay.records;
    records.pop_back();  // its end
    match::Match match(replay.setup, replay::SampleSeed(options));
    if (!match.Rebuild(records).ok()) continue;
    auto recorded = std::make_unique<Recorded>();
    service::PlayedAlong along(match, &recorded->snapshot);
    v1::WatchMatchResponse all;
    along.TakeAll(match, records, &all);
    service::MatchToWire(match, recorded->snapshot.mutable_snapshot()->mutable_match());
    recorded->events.assign(all.history().begin(), all.history().end());
    recorded->told = std::vector<std::atomic<int64_t>>(recorded->events.size());
    return recorded;
  }
}

// Tells the matches, each on a thread of gRPC, from `begin` on.
class Referee final : public v1::MatchService::Service {
 public:
  Referee(const Flags& flags, const std::vector<std::unique_ptr<Recorded>>& matches)
      : flags_(flags), matches_(matches) {}

  grpc::Status WatchMatch(grpc::ServerContext* context, const v1::WatchMatchRequest* request,
                          grpc::ServerWriter<v1::WatchMatchResponse>* writer) override {
    for (size_t m = 0; m < matches_.size(); ++m) {
      if (matches_[m]->snapshot.snapshot().match().match_id() == request->match_id()) {
        return Tell(m, context, writer);
      }
    }
    return {grpc::StatusCode::NOT_FOUND, "no such match"};
  }

  std::atomic<bool> begun{false};
  std::atomic<bool> ended{false};

 private:
  grpc::Status Tell(size_t m, grpc::ServerContext* context,
                    grpc::ServerWriter<v1::WatchMatchResponse>* writer) {
    Recorded& match = *matches_[m];
    writer->Write(match.snapshot);
    while (!begun && !context->IsCancelled()) absl::SleepFor(absl::Milliseconds(10));
    const absl::Duration interval = absl::Seconds(1) / flags_.rate;
    // Matches do not move at the same instant.
    absl::Time next =
        absl::Now() + interval * static_cast<double>(m) / static_cast<double>(matches_.size());
    const auto events = static_cast<size_t>(flags_.rate * flags_.seconds);
    for (size_t i = 0; i < events && !context->IsCancelled(); ++i) {
      absl::SleepFor(next - absl::Now());
      next += interval;
      match.told[i] = NowMicros();
      writer->Write(match.events[i]);
    }
    while (!ended && !context->IsCancelled()) absl::SleepFor(absl::Milliseconds(10));
    return grpc::Status::OK;
  }

  const Flags& flags_;
  const std::vector<std::unique_ptr<Recorded>>& matches_;
};

struct Connection {
  int fd = -1;
  size_t match = 0;
  std::string bytes;   // of an event that is not whole yet
  int64_t frames = 0;  // that it knows
  int views = 0;
  bool open = true;
};

class Watchers {
 public:
  Watchers(const Flags& flags, uint16_t port, const std::vector<std::unique_ptr<Recorded>>& matches)
      : matches_(matches), connections_(flags.watchers), epoll_(epoll_create1(0)) {
    for (size_t i = 0; i < connections_.size(); ++i) {
      connections_[i].match = i % matches.size();
      Connect(port, &connections_[i]);
      // As a crowd comes: some at a time.
      if (i % 200 == 199) Read(absl::Milliseconds(10));
    }
  }

  ~Watchers() {
    for (const Connection& connection : connections_) {
      if (connection.open) close(connection.fd);
    }
    close(epoll_);
  }
  Watchers(const Watchers&) = delete;
  Watchers& operator=(const Watchers&) = delete;

  // Reads what comes for so long.
  void Read(absl::Duration duration) {
    const absl::Time until = absl::Now() + duration;
    epoll_event events[512];
    do {
      const int count = epoll_wait(epoll_, events, 512, 10);
      for (int i = 0; i < count; ++i) {
        ReadFrom(&connections_[static_cast<size_t>(events[i].data.u64)]);
      }
    } while (absl::Now() < until);
  }
  size_t Opened() const {
    return static_cast<size_t>(std::count_if(connections_.begin(), connections_.end(),
                                             [](const Connection& c) { return c.views > 0; }));
  }

  const std::vector<Connection>& connections() const { return connections_; }
  std::vector<int64_t>& delays() { return delays_; }

 private:
  void Connect(uint16_t port, Connection* connection) {
    connection->fd =
        ConnectToEvents(port, matches_[connection->match]->snapshot.snapshot().match().match_id());
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = static_cast<uint64_t>(connection - connections_.data());
    epoll_ctl(epoll_, EPOLL_CTL_ADD, connection->fd, &event);
  }

  void ReadFrom(Connection* connection) {
    for (;;) {
      const ssize_t got = read(connection->fd, buffer_, sizeof(buffer_));
      if (got == 0 || (got < 0 && errno != EAGAIN)) {
        connection->open = false;
        epoll_ctl(epoll_, EPOLL_CTL_DEL, connection->fd, nullptr);
      }
      if (got <= 0) return;
      connection->bytes.append(buffer_, static_cast<size_t>(got));
      if (static_cast<size_t>(got) < sizeof(buffer_)) break;
    }
    size_t begin = 0;
    for (size_t end; (end = connection->bytes.find("\n\n", begin)) != std::string::npos;
         begin = end + 2) {
      Take(absl::string_view(connection->bytes).substr(begin, end - begin), connection);
    }
    connection->bytes.erase(0, begin);
    if (connection->bytes.empty()) std::string().swap(connection->bytes);
  }

  void Take(absl::string_view event, Connection* connection) {
    const size_t at = event.find("id: ");
    int64_t frames = 0;
    if (at == absl::string_view::npos || at > 64 ||
        !absl::SimpleAtoi(event.substr(at + 4, event.find('\n', at) - at - 4), &frames)) {
      return;
    }
    if (event.find("event: view") != absl::string_view::npos) ++connection->views;
    // The start is a frame, too.
    for (int64_t i = std::max<int64_t>(connection->frames, 1); i < frames; ++i) {
      const int64_t told = matches_[connection->match]->told[static_cast<size_t>(i - 1)];
      delays_.push_back(NowMicros() - told);
    }
    connection->frames = frames;
  }

  const std::vector<std::unique_ptr<Recorded>>& matches_;
  std::vector<Connection> connections_;
  const int epoll_;
  char buffer_[64 * 1024];
  std::vector<int64_t> delays_;
};

double Percentile(std::vector<int64_t>* sorted, double share) {
  if (sorted->empty()) return 0;
  const auto at = static_cast<size_t>(share * static_cast<double>(sorted->size() - 1));
  return static_cast<double>((*sorted)[at]) / 1000;
}

using Usage = GateProgram::Usage;

void Report(const Flags& flags, const Usage& idle, const Usage& begun, const Usage& ended,
            Watchers* watchers) {
  std::vector<int64_t>& delays = watchers->delays();
  std::sort(delays.begin(), delays.end());
  const auto told = static_cast<int64_t>(flags.rate * flags.seconds);
  int64_t missed = 0;
  int skips = 0;
  int lost = 0;
  for (const Connection& connection : watchers->connections()) {
    missed += std::max<int64_t>(0, told + 1 - connection.frames);
    skips += std::max(0, connection.views - 1);
    lost += connection.open ? 0 : 1;
  }
  double loads[3] = {};
  getloadavg(loads, 3);
  std::cout << absl::StrFormat(
      "watchers %d, matches %d, %.1f frames a second each, %d s\n"
      "refgate   %.2f cores, %.1f KB a watcher, %.1f MB in all\n"
      "delay     p50 %.1f ms, p99 %.1f ms, most %.1f ms\n"
      "frames    %d told, %d missed, %d skips to a view, %d connections lost\n"
      "load      %.1f %.1f %.1f\n",
      flags.watchers, flags.matches, flags.rate, flags.seconds,
      (ended.cpu_seconds - begun.cpu_seconds) / flags.seconds,
      (ended.resident_kb - idle.resident_kb) / static_cast<double>(flags.watchers),
      ended.resident_kb / 1000, Percentile(&delays, 0.5), Percentile(&delays, 0.99),
      Percentile(&delays, 1), static_cast<int64_t>(delays.size()), missed, skips, lost, loads[0],
      loads[1], loads[2]);
}

void Run(const Flags& flags) {
  std::vector<std::unique_ptr<Recorded>> matches;
  for (size_t m = 0; m < flags.matches; ++m) {
    matches.push_back(Record(m + 1, static_cast<size_t>(flags.rate * flags.seconds)));
    // Samples have the same id.
    const std::string id = absl::StrFormat("01arz3ndektsv4rrffq69g5%03d", m);
    matches.back()->snapshot.mutable_snapshot()->mutable_match()->set_match_id(id);
  }
  Referee referee(flags, matches);
  int referee_port = 0;
  grpc::ServerBuilder builder;
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &referee_port);
  builder.RegisterService(&referee);
  const std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  const GateProgram gate(flags.refgate, absl::StrCat("127.0.0.1:", referee_port), flags.watchers);

  const Usage idle = gate.Used();
  Watchers watchers(flags, gate.port(), matches);
  for (int i = 0; i < 100 && watchers.Opened() < flags.watchers; ++i) {
    watchers.Read(absl::Milliseconds(200));
  }
  std::cout << watchers.Opened() << " watchers are there" << std::endl;
  const Usage begun = gate.Used();
  referee.begun = true;
  watchers.Read(absl::Seconds(flags.seconds));
  const Usage ended = gate.Used();
  watchers.Read(absl::Seconds(1));  // what is still on its way
  Report(flags, idle, begun, ended, &watchers);
  referee.ended = true;
  server->Shutdown();
}

}  // namespace
}  // namespace referee::bench

int main(int argc, char** argv) {
  referee::bench::Flags flags;
  referee::bench::ServerSettings server;  // of the real referee, a process of its own
  referee::bench::BesideWatchers beside;
  CLI::App app{"Measures what watchers cost refgate"};
  app.add_option("--refgate", flags.refgate, "The program");
  app.add_option("--watchers", flags.watchers, "Connections")->capture_default_str();
  app.add_option("--matches", flags.matches, "Matches that they watch")->capture_default_str();
  app.add_option("--rate", flags.rate, "Frames a second, of each match")->capture_default_str();
  app.add_option("--seconds", flags.seconds, "How long")->capture_default_str();
  app.add_option("--played", beside.matches, "Matches that are played by the real referee at once")
      ->capture_default_str();
  app.add_option("--pace", beside.rate, "Turns a second, of each of them")->capture_default_str();
  app.add_option("--rounds", beside.rounds,
                 "How often it is measured without watchers and with them")
      ->capture_default_str();
  app.add_option("--serve", server.kind)->group("");
  app.add_option("--listen", server.listen)->group("");
  app.add_option("--data-dir", server.data_dir)->group("");
  CLI11_PARSE(app, argc, argv);
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  if (sodium_init() < 0) return 2;
  signal(SIGPIPE, SIG_IGN);
  if (!server.kind.empty()) {
    server.matches = beside.matches;
    return referee::bench::Serve(server);
  }
  if (flags.refgate.empty()) {
    std::cerr
        << "bench_gate: --refgate is needed: the program, such as build/release/bin/refgate\n";
    return 2;
  }
  referee::bench::Run(flags);
  beside.refgate = flags.refgate;
  beside.watchers = flags.watchers;
  beside.watched = flags.matches;
  beside.seconds = flags.seconds;
  const absl::Status measured = referee::bench::MeasureBesideWatchers(beside);
  if (measured.ok()) return 0;
  std::cerr << "bench_gate: " << measured << "\n";
  return 2;
}
