// bench_referee: measures the referee from outside, beside a plain echo over each of gRPC's server
// APIs. Flags, rounds and output.

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <system_error>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "nlohmann/json.hpp"
#include "tests/bench/bench_referee_apart.h"
#include "tests/bench/bench_referee_beside.h"
#include "tests/bench/bench_referee_durability.h"
#include "tests/bench/bench_referee_load.h"
#include "tests/bench/bench_referee_measure.h"
#include "tests/bench/bench_referee_server.h"

namespace referee::bench {
namespace {

constexpr char kAbout[] =
    "Measures the referee from outside.\n\n"
    "The referee plays Hypnosia between bots that answer at once. Beside it, with messages of the "
    "same sizes and as much under way at once, are measured a bare referee, which has the rules "
    "and "
    "the messages of the protocol and nothing else (no log, no replays, no timers, no guard "
    "against "
    "anybody); a relay, which does nothing but pass on to one stream that something came out of "
    "another, as with two bots; and a plain echo, for each of gRPC's server APIs. The bare referee "
    "is what refereeing takes at the least. The relay is what a referee on gRPC could reach that "
    "gives each bot a "
    "stream of its own; one that gives many matches one stream can do better. Each server is a "
    "process of its own, wired like the real one; the clients are the same code. In all of them "
    "Abseil's search for deadlocks is switched off, as refereed "
    "does. Figures are medians over rounds in which the servers take turns, so that "
    "what else the machine does meets all of them alike; ratios are worth more than figures. "
    "Instructions, where the machine counts them, are hardly changed by it: they tell what a "
    "change "
    "has brought.";

struct Flags {
  std::vector<std::string> scenarios = {"1", "16", "64", "256", "64/2"};
  std::string transport = "tcp";
  std::string connections = "own";
  int rounds = 3;
  double seconds = 3;
  double warm_up = 1;
  std::string dir = "/tmp";
  bool beside = false;
  bool apart = false;
  int idle_bots = 1000;
  std::vector<std::string> durability;
  double load = 1;
  bool quick = false;
  bool json = false;
  ServerSettings server;
};

void AddFlags(CLI::App* app, Flags* flags) {
  app->add_option("--scenarios", flags->scenarios,
                  "What is played: N, that many matches at once, each between two bots of its own; "
                  "or N/2, all of them between the same two bots, on one stream each")
      ->delimiter(',')
      ->capture_default_str();
  app->add_option("--transport", flags->transport, "tcp (over loopback) or unix (a socket)")
      ->check(CLI::IsMember({"tcp", "unix"}))
      ->capture_default_str();
  app->add_option("--connections", flags->connections,
                  "Each stream on a connection of its own, or all on one that is shared")
      ->check(CLI::IsMember({"own", "shared"}))
      ->capture_default_str();
  app->add_option("--rounds", flags->rounds, "How often everything is measured")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app->add_option("--seconds", flags->seconds, "How long each server is measured in a round")
      ->check(CLI::Range(0.1, 3600.0))
      ->capture_default_str();
  app->add_option("--warm-up", flags->warm_up, "How many seconds a server runs before that")
      ->check(CLI::Range(0.1, 3600.0))
      ->capture_default_str();
  app->add_option("--dir", flags->dir,
                  "Where the log and replays are written meanwhile: the file system counts, and "
                  "/dev/shm shows what the rest costs")
      ->check(CLI::ExistingDirectory)
      ->capture_default_str();
  app->add_flag(
      "--beside", flags->beside,
      "Measure no echoes, but what it costs the matches that others are there: idle bots, "
      "each on a connection of its own, and a bot that floods the referee");
  app->add_flag("--apart", flags->apart,
                "Measure no echoes, but what it costs that each bot is a process of its own, as in "
                "a duel; of N/2 only");
  app->add_option("--idle-bots", flags->idle_bots, "How many idle bots")
      ->check(CLI::Range(0, 8000))
      ->capture_default_str();
  app->add_option(
         "--durability", flags->durability,
         "Measure no echoes, but the referee with each of these: none, match, turn, other (none, "
         "while another program syncs a file beside every 10 ms); ratios are to the first")
      ->check(CLI::IsMember({"none", "match", "turn", "other"}))
      ->delimiter(',');
  app->add_option("--load", flags->load,
                  "Measure no echoes, but the referee's own delay when its bots think before each "
                  "answer, so that it does this part of the turns that it can do")
      ->check(CLI::Range(0.01, 0.99));
  app->add_flag("--log", flags->server.log,
                "The referee writes its log as JSON, to a file in --dir");
  app->add_flag("--quick", flags->quick, "One round of one second");
  app->add_flag("--json", flags->json, "Print the figures as JSON");

  constexpr char kServerGroup[] = "The server's process (used by the program itself)";
  app->add_option("--serve", flags->server.kind,
                  "referee, bare, relay, echo-callback, echo-cq, echo-sync or bot")
      ->check(CLI::IsMember({kReferee, kBare, kRelay, kEchoCallback, kEchoQueue, kEchoSync, kBot}))
      ->group(kServerGroup);
  app->add_option("--listen", flags->server.listen, "Where it listens, or what a bot dials")
      ->group(kServerGroup);
  app->add_option("--bot", flags->server.bot, "Which bot it is")->group(kServerGroup);
  app->add_option("--data-dir", flags->server.data_dir, "Where replays go")->group(kServerGroup);
  app->add_flag("--flood", flags->server.flood, "There is a match for a bot that floods it")
      ->group(kServerGroup);
  app->add_option("--response-bytes", flags->server.response_bytes,
                  "The size of an echo's or relay's answers")
      ->check(CLI::Range(4, 1 << 14))
      ->group(kServerGroup);
}

// "64" or "64/2".
absl::StatusOr<Scenario> ParseScenario(absl::string_view text) {
  Scenario scenario;
  absl::string_view number = text;
  scenario.two_bots = absl::ConsumeSuffix(&number, "/2");
  if (!absl::SimpleAtoi(number, &scenario.matches) || scenario.matches < 1 ||
      scenario.matches > 1024) {
    return absl::InvalidArgumentError(
        absl::StrCat("--scenarios: '", text,
                     "' is not a number of matches from 1 to 1024, "
                     "followed by /2 if they are all between the same two bots"));
  }
  return scenario;
}

absl::StatusOr<std::vector<Scenario>> ParseScenarios(const std::vector<std::string>& texts) {
  std::vector<Scenario> scenarios;
  for (const std::string& text : texts) {
    const absl::StatusOr<Scenario> scenario = ParseScenario(text);
    if (!scenario.ok()) return scenario.status();
    scenarios.push_back(*scenario);
  }
  return scenarios;
}

absl::Status RunDurability(const Flags& flags, const Conditions& conditions,
                           const std::vector<Scenario>& scenarios) {
  std::vector<DurabilityCase> cases;
  for (const std::string& name : flags.durability) cases.push_back(DurabilityCaseOf(name));
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  if (!flags.json) {
    std::printf("%-8s %-10s %9s %7s | %9s %9s\n", "matches", "durability", "turns/s", "ratio",
                "own p50", "p99 us");
  }
  for (const Scenario& scenario : scenarios) {
    const auto measured =
        MeasureDurability(conditions, scenario, cases, flags.quick ? 1 : flags.rounds);
    if (!measured.ok()) return measured.status();
    for (const DurabilityFigures& one : *measured) {
      json.push_back({{"matches", scenario.name()},
                      {"durability", one.name},
                      {"turns_per_second", one.turns},
                      {"ratio", one.ratio},
                      {"own_time_us", {{"p50", one.own_p50}, {"p99", one.own_p99}}}});
      if (flags.json) continue;
      std::printf("%-8s %-10s %9.0f %7.3f | %9.1f %9.1f\n", scenario.name().c_str(),
                  one.name.c_str(), one.turns, one.ratio, one.own_p50, one.own_p99);
    }
  }
  if (flags.json) std::cout << json.dump(2) << "\n";
  return absl::OkStatus();
}

absl::Status RunLoad(const Flags& flags, const Conditions& conditions,
                     const std::vector<Scenario>& scenarios) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  if (!flags.json) {
    std::printf("%-8s %9s %6s | %7s %7s %7s | %9s | %7s %7s %7s\n", "matches", "turns", "load",
                "p50", "p99", "p99.9", "CPU", "p50", "p99", "p99.9");
    std::printf("%-8s %9s %6s | %7s %7s %7s | %9s | %23s\n", "at once", "a second", "", "own us",
                "", "", "us a turn", "of the bare referee, us");
  }
  for (const Scenario& scenario : scenarios) {
    const absl::StatusOr<LoadFigures> one =
        MeasureLoad(conditions, scenario, flags.load, flags.quick ? 1 : flags.rounds);
    if (!one.ok()) return one.status();
    json.push_back(
        {{"matches", scenario.name()},
         {"full_turns_per_second", one->full_turns},
         {"load", one->load},
         {"own_time_us", {{"p50", one->own_p50}, {"p99", one->own_p99}, {"p99.9", one->own_p999}}},
         {"bare_own_time_us",
          {{"p50", one->bare_p50}, {"p99", one->bare_p99}, {"p99.9", one->bare_p999}}},
         {"cpu_us_per_turn", one->cpu_micros}});
    if (flags.json) continue;
    std::printf("%-8s %9.0f %6.2f | %7.1f %7.1f %7.1f | %9.1f | %7.1f %7.1f %7.1f\n",
                scenario.name().c_str(), one->load * one->full_turns, one->load, one->own_p50,
                one->own_p99, one->own_p999, one->cpu_micros, one->bare_p50, one->bare_p99,
                one->bare_p999);
  }
  if (flags.json) std::cout << json.dump(2) << "\n";
  return absl::OkStatus();
}

void PrintBesideTable(const std::vector<BesideSummary>& summaries, int idle_bots) {
  std::printf("%-8s %9s %7s | %s %d %-19s | %s\n", "matches", "turns", "p99", "beside", idle_bots,
              "idle bots", "beside a flood");
  std::printf("%-8s %9s %7s | %12s %16s | %12s %12s\n", "at once", "a second", "own us",
              "turns' ratio", "KiB an idle bot", "turns' ratio", "p99's ratio");
  for (const BesideSummary& one : summaries) {
    std::printf("%-8s %9.0f %7.1f | %12.3f %16.1f | %12.3f %12.2f\n", one.scenario.name().c_str(),
                one.turns, one.own_p99, one.idle_ratio, one.idle_kib, one.flood_turns_ratio,
                one.flood_ratio);
  }
}

void PrintBesideJson(const std::vector<BesideSummary>& summaries, int idle_bots) {
  nlohmann::ordered_json json;
  json["idle_bots"] = idle_bots;
  for (const BesideSummary& one : summaries) {
    nlohmann::ordered_json scenario;
    scenario["matches"] = one.scenario.matches;
    scenario["two_bots"] = one.scenario.two_bots;
    scenario["turns_per_second"] = one.turns;
    scenario["own_time_p99_us"] = one.own_p99;
    scenario["beside_idle_bots"] = {{"turns_ratio", one.idle_ratio},
                                    {"kib_per_idle_bot", one.idle_kib}};
    scenario["beside_a_flood"] = {{"turns_ratio", one.flood_turns_ratio},
                                  {"own_time_p99_ratio", one.flood_ratio}};
    json["scenarios"].push_back(scenario);
  }
  std::cout << json.dump(2) << "\n";
}

// The sizes that an echo's messages are to have: those of matches on streams of their own.
absl::StatusOr<MessageSizes> MeasureSizes(Conditions conditions) {
  conditions.warm_up = absl::Milliseconds(200);
  conditions.measured = absl::Milliseconds(500);
  const absl::StatusOr<Figures> figures = MeasureReferee(conditions, Scenario{/*matches=*/16});
  if (!figures.ok()) return figures.status();
  return figures->sizes;
}

absl::StatusOr<std::vector<Summary>> MeasureAll(const Conditions& conditions,
                                                const std::vector<Scenario>& scenarios, int rounds,
                                                const MessageSizes& sizes) {
  std::vector<Summary> summaries;
  for (const Scenario& scenario : scenarios) {
    std::vector<Round> measured;
    for (int i = 0; i < rounds; ++i) {
      std::fprintf(stderr, "\rmatches %s, round %d of %d   ", scenario.name().c_str(), i + 1,
                   rounds);
      absl::StatusOr<Round> round = MeasureRound(conditions, scenario, sizes);
      if (!round.ok()) return round.status();
      measured.push_back(*round);
    }
    summaries.push_back(Summarise(scenario, measured));
  }
  std::fprintf(stderr, "\r%40s\r", "");
  return summaries;
}

void PrintTable(const std::vector<Summary>& summaries, const MessageSizes& sizes) {
  std::printf("message sizes: %.0f bytes from a bot, %.0f from the referee\n\n", sizes.request,
              sizes.response);
  std::printf("%-8s %9s | %9s %6s | %9s %6s | %9s %9s %9s %6s | %7s %7s %7s | %8s\n", "matches",
              "turns", "bare", "ratio", "relay", "ratio", "callback", "cq", "sync", "ratio", "p50",
              "p99", "p99.9", "turns");
  std::printf("%-8s %9s | %9s %6s | %9s %6s | %9s %9s %9s %6s | %7s %7s %7s | %8s\n", "at once",
              "a second", "a second", "", "a second", "", "echoes", "a second", "", "best",
              "own us", "", "", "/message");
  for (const Summary& one : summaries) {
    const Figures& referee = one.referee;
    const auto echo = [&](const char* kind) { return one.echoes.at(kind).per_second; };
    std::printf(
        "%-8s %9.0f | %9.0f %6.2f | %9.0f %6.2f | %9.0f %9.0f %9.0f %6.2f | %7.1f %7.1f %7.1f | "
        "%8.2f\n",
        one.scenario.name().c_str(), referee.per_second, one.bare.per_second, one.to_bare.ratio,
        one.relay.per_second, one.to_relay.ratio, echo(kEchoCallback), echo(kEchoQueue),
        echo(kEchoSync), one.to_echo.ratio, referee.own_p50, referee.own_p99, referee.own_p999,
        referee.turns_message);
  }
  std::printf("\nCPU of the server, us a turn, and beyond that of a message of another\n");
  std::printf("%-8s %9s %12s %12s %12s | %9s %12s | %9s %9s\n", "matches", "referee", "the bare's",
              "the relay's", "the echo's", "bare", "the relay's", "relay", "echo");
  for (const Summary& one : summaries) {
    std::printf("%-8s %9.1f %12.1f %12.1f %12.1f | %9.1f %12.1f | %9.1f %9.1f\n",
                one.scenario.name().c_str(), one.referee.cpu_micros, one.to_bare.own_cpu_micros,
                one.to_relay.own_cpu_micros, one.to_echo.own_cpu_micros, one.bare.cpu_micros,
                one.bare_to_relay.own_cpu_micros, one.relay.cpu_micros,
                one.echoes.at(one.best_echo).cpu_micros);
  }
  if (summaries.empty() || summaries[0].referee.instructions == 0) return;
  std::printf("\nThousands of instructions a turn, and beyond those of a message of another\n");
  std::printf("%-8s %9s %12s %12s %12s\n", "matches", "referee", "the bare's", "the relay's",
              "the echo's");
  for (const Summary& one : summaries) {
    std::printf("%-8s %9.1f %12.1f %12.1f %12.1f\n", one.scenario.name().c_str(),
                one.referee.instructions / 1000, one.to_bare.own_instructions / 1000,
                one.to_relay.own_instructions / 1000, one.to_echo.own_instructions / 1000);
  }
}

void PrintJson(const std::vector<Summary>& summaries, const MessageSizes& sizes) {
  nlohmann::ordered_json json;
  json["request_bytes"] = sizes.request;
  json["response_bytes"] = sizes.response;
  for (const Summary& one : summaries) {
    nlohmann::ordered_json scenario;
    scenario["matches"] = one.scenario.matches;
    scenario["two_bots"] = one.scenario.two_bots;
    scenario["turns_per_second"] = one.referee.per_second;
    scenario["relay"] = {{"messages_per_second", one.relay.per_second},
                         {"cpu_us_per_message", one.relay.cpu_micros}};
    scenario["ratio_to_relay"] = one.to_relay.ratio;
    scenario["bare"] = {{"turns_per_second", one.bare.per_second},
                        {"cpu_us_per_turn", one.bare.cpu_micros},
                        {"ratio_to_relay", one.bare_to_relay.ratio},
                        {"cpu_us_per_turn_beyond_relay", one.bare_to_relay.own_cpu_micros}};
    scenario["ratio_to_bare"] = one.to_bare.ratio;
    scenario["cpu_us_per_turn_beyond_bare"] = one.to_bare.own_cpu_micros;
    for (const auto& [kind, echo] : one.echoes) {
      scenario["echoes"][kind] = {{"round_trips_per_second", echo.per_second},
                                  {"cpu_us_per_round_trip", echo.cpu_micros}};
    }
    scenario["best_echo"] = one.best_echo;
    scenario["ratio_to_best_echo"] = one.to_echo.ratio;
    scenario["own_time_us"] = {{"p50", one.referee.own_p50},
                               {"p99", one.referee.own_p99},
                               {"p99.9", one.referee.own_p999}};
    scenario["cpu_us_per_turn"] = one.referee.cpu_micros;
    scenario["cpu_us_per_turn_beyond_relay"] = one.to_relay.own_cpu_micros;
    scenario["cpu_us_per_turn_beyond_echo"] = one.to_echo.own_cpu_micros;
    scenario["instructions_per_turn"] = one.referee.instructions;
    scenario["instructions_per_turn_beyond_relay"] = one.to_relay.own_instructions;
    scenario["turns_per_message"] = one.referee.turns_message;
    json["scenarios"].push_back(scenario);
  }
  std::cout << json.dump(2) << "\n";
}

absl::Status RunBeside(const Flags& flags, const Conditions& conditions,
                       const std::vector<Scenario>& scenarios) {
  std::vector<BesideSummary> summaries;
  for (const Scenario& scenario : scenarios) {
    std::vector<BesideRound> rounds;
    for (int i = 0; i < (flags.quick ? 1 : flags.rounds); ++i) {
      const absl::StatusOr<BesideRound> round =
          MeasureBeside(conditions, scenario, flags.idle_bots);
      if (!round.ok()) return round.status();
      rounds.push_back(*round);
    }
    summaries.push_back(SummariseBeside(scenario, rounds));
  }
  flags.json ? PrintBesideJson(summaries, flags.idle_bots)
             : PrintBesideTable(summaries, flags.idle_bots);
  return absl::OkStatus();
}

absl::Status RunApart(const Flags& flags, const Conditions& conditions,
                      const std::vector<Scenario>& scenarios) {
  nlohmann::ordered_json json;
  if (!flags.json) {
    std::printf("turns a second with the bots in one process, and with each in its own\n");
    std::printf("%-8s %-8s %9s %9s %9s\n", "matches", "", "together", "apart", "ratio");
  }
  for (const Scenario& scenario : scenarios) {
    if (!scenario.two_bots) return absl::InvalidArgumentError("--apart: --scenarios: of N/2 only");
    for (const char* kind : {kReferee, kBare}) {
      const absl::StatusOr<ApartFigures> figures =
          MeasureTogetherAndApart(conditions, scenario, kind, flags.quick ? 1 : flags.rounds);
      if (!figures.ok()) return figures.status();
      json["scenarios"].push_back({{"matches", scenario.matches},
                                   {"server", kind},
                                   {"together", figures->together},
                                   {"apart", figures->apart},
                                   {"ratio", figures->ratio}});
      if (flags.json) continue;
      std::printf("%-8s %-8s %9.0f %9.0f %9.2f\n", scenario.name().c_str(), kind, figures->together,
                  figures->apart, figures->ratio);
    }
  }
  if (flags.json) std::cout << json.dump(2) << "\n";
  return absl::OkStatus();
}

absl::Status Run(const Flags& flags, const std::string& work_dir) {
  const absl::StatusOr<std::vector<Scenario>> scenarios = ParseScenarios(flags.scenarios);
  if (!scenarios.ok()) return scenarios.status();
  const PreparedGames games;
  Conditions conditions;
  conditions.unix_socket = flags.transport == "unix";
  conditions.shared_connection = flags.connections == "shared";
  conditions.warm_up = absl::Seconds(flags.warm_up);
  conditions.measured = absl::Seconds(flags.quick ? 1 : flags.seconds);
  conditions.log = flags.server.log;
  conditions.work_dir = work_dir;
  conditions.games = &games;
  if (!flags.durability.empty()) return RunDurability(flags, conditions, *scenarios);
  if (flags.load < 1) return RunLoad(flags, conditions, *scenarios);
  if (flags.beside) return RunBeside(flags, conditions, *scenarios);
  if (flags.apart) return RunApart(flags, conditions, *scenarios);
  const absl::StatusOr<MessageSizes> sizes = MeasureSizes(conditions);
  if (!sizes.ok()) return sizes.status();
  const auto summaries = MeasureAll(conditions, *scenarios, flags.quick ? 1 : flags.rounds, *sizes);
  if (!summaries.ok()) return summaries.status();
  flags.json ? PrintJson(*summaries, *sizes) : PrintTable(*summaries, *sizes);
  return absl::OkStatus();
}

int RunServer(Flags flags) {
  const absl::StatusOr<std::vector<Scenario>> scenarios = ParseScenarios(flags.scenarios);
  if (!scenarios.ok()) {
    std::cerr << "bench_referee: " << scenarios.status().message() << "\n";
    return 2;
  }
  flags.server.matches = scenarios->front().matches;
  flags.server.two_bots = scenarios->front().two_bots;
  flags.server.idle_bots = flags.idle_bots;
  if (!flags.durability.empty())
    flags.server.durability = DurabilityCaseOf(flags.durability.front()).durability;
  return flags.server.kind == kBot ? PlayAsBot(flags.server) : Serve(flags.server);
}

int Main(int argc, char** argv) {
  CLI::App app(kAbout, "bench_referee");
  Flags flags;
  AddFlags(&app, &flags);
  CLI11_PARSE(app, argc, argv);
  if (!flags.server.kind.empty()) return RunServer(flags);

  std::string work_dir = absl::StrCat(flags.dir, "/bench_referee.XXXXXX");
  if (mkdtemp(work_dir.data()) == nullptr) {
    std::cerr << "bench_referee: cannot make a directory below " << flags.dir << "\n";
    return 2;
  }
  const absl::Status status = Run(flags, work_dir);
  // Only now: ext4 without a journal passes over what was deleted lately, one inode after the
  // other, whenever it makes a file.
  std::error_code ignored;
  std::filesystem::remove_all(work_dir, ignored);
  if (status.ok()) return 0;
  std::cerr << "bench_referee: " << status.message() << "\n";
  return 2;
}

}  // namespace
}  // namespace referee::bench

int main(int argc, char** argv) { return referee::bench::Main(argc, argv); }
