#include "tests/bench/bench_referee_measure.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/types/optional.h"
#include "tests/bench/bench_referee_client.h"
#include "tests/bench/bench_referee_flood.h"
#include "tests/bench/bench_referee_process.h"
#include "tests/bench/bench_referee_server.h"
#include "tests/support/channel.h"

namespace referee::bench {
namespace {

constexpr char kEchoMethod[] = "/referee.bench.EchoService/Echo";

using Clients = std::vector<std::unique_ptr<Client>>;

// Opens `count` streams; `script(i)` makes what each says.
template <typename MakeScript>
Clients Connect(const Conditions& conditions, const std::string& address, const char* method,
                int count, MakeScript script, Pace* pace = nullptr) {
  std::shared_ptr<grpc::Channel> channel;
  Clients clients;
  for (int i = 0; i < count; ++i) {
    if (channel == nullptr || !conditions.shared_connection) channel = testing::Dial(address);
    clients.push_back(std::make_unique<Client>(channel, method, script(i), pace));
  }
  return clients;
}

Traffic TrafficOf(const Clients& clients) {
  Traffic sum;
  for (const auto& client : clients) sum += client->traffic();
  return sum;
}

absl::Status FailureOf(const Clients& clients) {
  for (const auto& client : clients) {
    if (absl::Status failure = client->failure(); !failure.ok()) return failure;
  }
  return absl::OkStatus();
}

double Ratio(int64_t a, int64_t b) {
  return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b);
}

// Lets warm up, then measures, a load that runs, and says what has gone through it.
absl::StatusOr<Figures> Measure(const Conditions& conditions, ServerProcess* server,
                                absl::FunctionRef<absl::StatusOr<Traffic>()> load) {
  absl::SleepFor(conditions.warm_up);
  const absl::StatusOr<ServerProcess::Sample> before = server->Take();
  if (!before.ok()) return before.status();
  const absl::Time start = absl::Now();
  const absl::StatusOr<Traffic> traffic_before = load();
  if (!traffic_before.ok()) return traffic_before.status();
  absl::SleepFor(conditions.measured);
  const absl::StatusOr<Traffic> traffic_after = load();
  if (!traffic_after.ok()) return traffic_after.status();
  const Traffic traffic = *traffic_after - *traffic_before;
  const absl::Duration took = absl::Now() - start;
  const absl::StatusOr<ServerProcess::Sample> after = server->Take();
  if (!after.ok()) return after.status();
  if (traffic.turns == 0) return absl::UnavailableError("nothing was answered");

  Figures figures;
  figures.per_second = static_cast<double>(traffic.turns) / absl::ToDoubleSeconds(took);
  figures.cpu_micros = Ratio(after->cpu_micros - before->cpu_micros, traffic.turns);
  figures.instructions = Ratio(after->instructions - before->instructions, traffic.turns);
  figures.turns_message = Ratio(traffic.turns, traffic.messages_in);
  figures.sizes.request = Ratio(traffic.bytes_out, traffic.messages_out);
  figures.sizes.response = Ratio(traffic.bytes_in, traffic.messages_in);
  figures.own_p50 = static_cast<double>(after->own_p50) / 1000;
  figures.own_p99 = static_cast<double>(after->own_p99) / 1000;
  figures.own_p999 = static_cast<double>(after->own_p999) / 1000;
  return figures;
}

absl::StatusOr<Figures> Measure(const Conditions& conditions, ServerProcess* server,
                                const Clients& clients) {
  return Measure(conditions, server, [&]() -> absl::StatusOr<Traffic> {
    if (absl::Status failure = FailureOf(clients); !failure.ok()) return failure;
    return TrafficOf(clients);
  });
}

// With each bot that plays in a process of its own.
absl::StatusOr<Figures> MeasureApart(const Conditions& conditions, const Scenario& scenario,
                                     ServerProcess* server) {
  std::vector<std::unique_ptr<ServerProcess>> bots;
  for (int i = 0; i < Players(scenario.matches, scenario.two_bots); ++i) {
    auto bot = ServerProcess::Start({absl::StrCat("--serve=", kBot), absl::StrCat("--bot=", i),
                                     absl::StrCat("--listen=", server->address()),
                                     absl::StrCat("--scenarios=", scenario.name())});
    if (!bot.ok()) return bot.status();
    bots.push_back(*std::move(bot));
  }
  return Measure(conditions, server, [&]() -> absl::StatusOr<Traffic> {
    Traffic sum;
    for (const auto& bot : bots) {
      const absl::StatusOr<ServerProcess::Sample> sample = bot->Take();
      if (!sample.ok()) return sample.status();
      sum.turns += static_cast<int64_t>(sample->turns);
    }
    return sum;
  });
}

// Connects the bots that play nothing, and waits until all are welcome. Returns what one of them
// takes of the server's memory, in KiB.
template <typename MakeScript>
absl::StatusOr<double> ConnectIdle(const Conditions& conditions, ServerProcess* server,
                                   MakeScript script, Clients* idle) {
  const absl::StatusOr<ServerProcess::Sample> before = server->Take();
  if (!before.ok()) return before.status();
  *idle = Connect(conditions, server->address(), kPlayMethod, conditions.idle_bots, script);
  const absl::Time until = absl::Now() + absl::Seconds(60);
  const auto welcome = [](const auto& client) { return client->traffic().messages_in > 0; };
  while (!std::all_of(idle->begin(), idle->end(), welcome)) {
    if (absl::Status failure = FailureOf(*idle); !failure.ok()) return failure;
    if (absl::Now() > until) return absl::DeadlineExceededError("idle bots are not welcome");
    absl::SleepFor(absl::Milliseconds(10));
  }
  const absl::StatusOr<ServerProcess::Sample> after = server->Take();
  if (!after.ok()) return after.status();
  return Ratio(after->resident_bytes - before->resident_bytes, conditions.idle_bots) / 1024;
}

std::vector<std::string> ServerArguments(const Conditions& conditions, const std::string& kind) {
  const std::string listen = conditions.unix_socket
                                 ? absl::StrCat("unix:", conditions.work_dir, "/socket")
                                 : "127.0.0.1:0";
  return {absl::StrCat("--serve=", kind), absl::StrCat("--listen=", listen)};
}

// The median of what `figure` says of each.
template <typename Items, typename Figure>
double Median(const Items& items, Figure figure) {
  std::vector<double> values;
  for (const auto& item : items) values.push_back(figure(item));
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Figures MedianOf(const std::vector<Figures>& rounds) {
  const auto median = [&](double Figures::*figure) {
    return Median(rounds, [&](const Figures& one) { return one.*figure; });
  };
  Figures figures;
  figures.per_second = median(&Figures::per_second);
  figures.cpu_micros = median(&Figures::cpu_micros);
  figures.instructions = median(&Figures::instructions);
  figures.turns_message = median(&Figures::turns_message);
  figures.own_p50 = median(&Figures::own_p50);
  figures.own_p99 = median(&Figures::own_p99);
  figures.own_p999 = median(&Figures::own_p999);
  figures.sizes.request = Median(rounds, [](const Figures& one) { return one.sizes.request; });
  figures.sizes.response = Median(rounds, [](const Figures& one) { return one.sizes.response; });
  return figures;
}

// Compares a server of each round with another.
using OfRound = const Figures& (*)(const Round& round);
Summary::Comparison Compare(const std::vector<Round>& rounds, OfRound one, OfRound other) {
  const auto ratio = [&](const Round& round) {
    return one(round).per_second / other(round).per_second;
  };
  const auto beyond = [&](const Round& round) {
    return one(round).cpu_micros - other(round).cpu_micros;
  };
  const auto instructions = [&](const Round& round) {
    return one(round).instructions - other(round).instructions;
  };
  return {Median(rounds, ratio), Median(rounds, instructions), Median(rounds, beyond)};
}

const Figures& RefereeOf(const Round& round) { return round.referee; }
const Figures& BareOf(const Round& round) { return round.bare; }
const Figures& RelayOf(const Round& round) { return round.relay; }
const Figures& BestEcho(const Round& round) {
  const auto slower = [](const auto& a, const auto& b) {
    return a.second.per_second < b.second.per_second;
  };
  return std::max_element(round.echoes.begin(), round.echoes.end(), slower)->second;
}

}  // namespace

double MedianOf(std::vector<double> values) {
  return Median(values, [](double value) { return value; });
}

std::string Scenario::name() const {
  return two_bots ? absl::StrCat(matches, "/2") : absl::StrCat(matches);
}

absl::StatusOr<Figures> MeasureReferee(const Conditions& conditions, const Scenario& scenario,
                                       const std::string& kind) {
  std::vector<std::string> arguments = ServerArguments(conditions, kind);
  arguments.push_back(absl::StrCat("--data-dir=", conditions.work_dir, "/data"));
  arguments.push_back(absl::StrCat("--scenarios=", scenario.name()));
  arguments.push_back(absl::StrCat("--idle-bots=", conditions.idle_bots));
  if (conditions.flood) arguments.push_back("--flood");
  if (conditions.log) arguments.push_back("--log");
  arguments.push_back(absl::StrCat("--durability=", replay::DurabilityName(conditions.durability)));
  auto server = ServerProcess::Start(arguments);
  if (!server.ok()) return server.status();
  const int bots = Players(scenario.matches, scenario.two_bots);
  const int matches_each = scenario.two_bots ? scenario.matches : 1;
  if (conditions.bots_apart) return MeasureApart(conditions, scenario, server->get());
  const std::string& address = (*server)->address();
  const auto bot = [&](int i) { return MakeBotScript(TokenOf(i), matches_each, conditions.games); };
  Clients idle;
  const absl::StatusOr<double> idle_kib = ConnectIdle(
      conditions, server->get(), [&](int i) { return bot(bots + i); }, &idle);
  if (!idle_kib.ok()) return idle_kib.status();
  absl::optional<Flood> flood;
  Clients victim;
  if (conditions.flood) {
    const int first = bots + conditions.idle_bots;
    flood.emplace(address, TokenOf(first));
    victim = Connect(conditions, address, kPlayMethod, 1, [&](int) { return bot(first + 1); });
  }
  absl::optional<Pace> pace;
  if (conditions.think > absl::ZeroDuration()) pace.emplace(conditions.think);
  const Clients clients =
      Connect(conditions, address, kPlayMethod, bots, bot, pace.has_value() ? &*pace : nullptr);
  absl::StatusOr<Figures> figures = Measure(conditions, server->get(), clients);
  if (pace.has_value()) pace->Stop();
  if (figures.ok()) figures->idle_kib = *idle_kib;
  return figures;
}

absl::StatusOr<Figures> MeasureEcho(const Conditions& conditions, const Scenario& scenario,
                                    const std::string& kind, const MessageSizes& sizes) {
  std::vector<std::string> arguments = ServerArguments(conditions, kind);
  arguments.push_back(absl::StrCat("--response-bytes=", std::lround(sizes.response)));
  auto server = ServerProcess::Start(arguments);
  if (!server.ok()) return server.status();
  const auto request_bytes = static_cast<size_t>(std::lround(sizes.request));
  const int streams = kind == kRelay ? 2 * scenario.matches : scenario.matches;
  const Clients clients = Connect(conditions, (*server)->address(), kEchoMethod, streams,
                                  [&](int) { return MakeEchoScript(request_bytes); });
  return Measure(conditions, server->get(), clients);
}

absl::StatusOr<Round> MeasureRound(const Conditions& conditions, const Scenario& scenario,
                                   const MessageSizes& sizes) {
  Round round;
  for (const char* kind : {kEchoCallback, kEchoQueue, kEchoSync}) {
    const absl::StatusOr<Figures> echo = MeasureEcho(conditions, scenario, kind, sizes);
    if (!echo.ok()) return echo.status();
    round.echoes.emplace(kind, *echo);
  }
  const absl::StatusOr<Figures> relay = MeasureEcho(conditions, scenario, kRelay, sizes);
  if (!relay.ok()) return relay.status();
  round.relay = *relay;
  const absl::StatusOr<Figures> bare = MeasureReferee(conditions, scenario, kBare);
  if (!bare.ok()) return bare.status();
  round.bare = *bare;
  const absl::StatusOr<Figures> referee = MeasureReferee(conditions, scenario);
  if (!referee.ok()) return referee.status();
  round.referee = *referee;
  return round;
}

Summary Summarise(const Scenario& scenario, const std::vector<Round>& rounds) {
  Summary summary;
  summary.scenario = scenario;
  std::vector<Figures> referee;
  std::vector<Figures> relay;
  std::vector<Figures> bare;
  std::map<std::string, std::vector<Figures>> echoes;
  for (const Round& round : rounds) {
    referee.push_back(round.referee);
    relay.push_back(round.relay);
    bare.push_back(round.bare);
    for (const auto& [kind, figures] : round.echoes) echoes[kind].push_back(figures);
  }
  summary.referee = MedianOf(referee);
  summary.relay = MedianOf(relay);
  summary.bare = MedianOf(bare);
  for (const auto& [kind, figures] : echoes) {
    summary.echoes[kind] = MedianOf(figures);
    if (summary.best_echo.empty() ||
        summary.echoes[kind].per_second > summary.echoes[summary.best_echo].per_second) {
      summary.best_echo = kind;
    }
  }
  summary.to_relay = Compare(rounds, RefereeOf, RelayOf);
  summary.to_echo = Compare(rounds, RefereeOf, BestEcho);
  summary.to_bare = Compare(rounds, RefereeOf, BareOf);
  summary.bare_to_relay = Compare(rounds, BareOf, RelayOf);
  return summary;
}

}  // namespace referee::bench
