// Runs the simulation: one seed, many, or without end. See run --help.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <random>
#include <string>
#include <thread>

#include "CLI/CLI.hpp"
#include "nlohmann/json.hpp"
#include "tests/simulation/trial.h"
#include "tests/simulation/trials.h"

namespace referee::simulation {
namespace {

struct Options {
  uint64_t seed = 0;
  bool one = false;
  uint64_t first = 1;
  uint64_t seeds = 2000;
  double minutes = 0;
  bool forever = false;
  bool fresh = false;
  bool log = false;
  bool json = false;
  bool relays = false;
  int jobs = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
};

struct Totals {
  uint64_t seeds = 0;
  uint64_t digest = 0;
  int64_t matches = 0;
  int64_t turns = 0;
  int64_t steps = 0;
  int64_t lives = 0;
  int64_t compared = 0;
  double simulated_seconds = 0;
  double seconds = 0;
};

// Set by SIGINT and SIGTERM: the seed that runs is the last.
volatile std::sig_atomic_t stopped = 0;

double SecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void Add(const Trial& trial, Totals* totals) {
  ++totals->seeds;
  totals->digest = Mixed(totals->digest, trial.outcome.digest);
  totals->matches += trial.matches;
  totals->turns += trial.turns;
  totals->steps += trial.outcome.steps;
  totals->lives += trial.outcome.lives;
  totals->compared += trial.compared;
  totals->simulated_seconds += absl::ToDoubleSeconds(trial.outcome.simulated);
}

void Print(const Totals& totals, bool json) {
  const double per_second = static_cast<double>(totals.matches) / totals.seconds;
  char digest[17];
  std::snprintf(digest, sizeof(digest), "%016llx", static_cast<unsigned long long>(totals.digest));
  if (json) {
    std::cout << nlohmann::json{{"seeds", totals.seeds},
                                {"matches", totals.matches},
                                {"turns", totals.turns},
                                {"steps", totals.steps},
                                {"referee_lives", totals.lives},
                                {"compared_matches", totals.compared},
                                {"simulated_seconds", totals.simulated_seconds},
                                {"seconds", totals.seconds},
                                {"matches_per_second", per_second},
                                {"digest", digest}}
                     .dump()
              << std::endl;
    return;
  }
  std::printf(
      "%llu seeds, %lld matches, %lld turns, %lld lives of the referee, %.1f simulated hours, "
      "%lld matches compared\n%.2f s, %.0f matches a second, digest %s\n",
      static_cast<unsigned long long>(totals.seeds), static_cast<long long>(totals.matches),
      static_cast<long long>(totals.turns), static_cast<long long>(totals.lives),
      totals.simulated_seconds / 3600, static_cast<long long>(totals.compared), totals.seconds,
      per_second, digest);
  std::fflush(stdout);
}

void PrintFailure(uint64_t seed, const std::string& problem, const Options& options) {
  if (options.json) {
    std::cout << nlohmann::json{{"seed", seed}, {"problem", problem}}.dump() << '\n';
  } else {
    std::cout << "seed " << seed << ": " << problem << "\nto see it again: tests/simulation/run "
              << "--seed " << seed << (options.relays ? " --relays" : "") << " --log\n";
  }
}

void PrintFirst(uint64_t seed, bool json) {
  if (json) {
    std::cout << nlohmann::json{{"first_seed", seed}}.dump() << std::endl;
  } else {
    std::cout << "first seed " << seed << std::endl;
  }
}

// Small enough to be typed again, and for every JSON reader.
uint64_t DrawSeed() { return 1 + std::random_device()(); }

bool IsEnough(const Options& options, const Totals& totals) {
  if (options.forever) return false;
  return options.minutes > 0 ? totals.seconds >= options.minutes * 60
                             : totals.seeds >= options.seeds;
}

int RunOne(const Options& options) {
  const auto start = std::chrono::steady_clock::now();
  const auto attempt = options.relays ? TryRelay : Try;
  const Trial trial = attempt(options.seed, options.log ? &std::cout : nullptr);
  if (!trial.problem.empty()) {
    PrintFailure(options.seed, trial.problem, options);
    return 1;
  }
  Totals totals;
  Add(trial, &totals);
  totals.seconds = SecondsSince(start);
  Print(totals, options.json);
  return 0;
}

int RunMany(const Options& options) {
  const auto start = std::chrono::steady_clock::now();
  if (options.fresh) PrintFirst(options.first, options.json);
  Totals totals;
  Trials trials(options.first, options.jobs, options.relays ? TryRelay : Try);
  for (uint64_t seed = options.first;; ++seed) {
    const Trial trial = trials.Next();
    Add(trial, &totals);
    totals.seconds = SecondsSince(start);
    if (!trial.problem.empty()) {
      PrintFailure(seed, trial.problem, options);
      return 1;
    }
    if (options.forever && totals.seeds % 10'000 == 0) Print(totals, options.json);
    if (stopped != 0 || IsEnough(options, totals)) break;
  }
  Print(totals, options.json);
  return 0;
}

}  // namespace
}  // namespace referee::simulation

int main(int argc, char** argv) {
  referee::simulation::Options options;
  CLI::App app(
      "Simulates the referee: one seed is one run of many matches on a virtual clock.\n"
      "Status 0 if nothing that must not happen did, 1 with the seed if something did. Ctrl-C ends "
      "a\n"
      "long run with the figures so far.");
  CLI::Option* seed = app.add_option("--seed", options.seed, "run this seed only");
  CLI::Option* first =
      app.add_option("--first", options.first, "the first of many seeds")->excludes(seed);
  app.add_flag("--fresh", options.fresh, "the first of many seeds is drawn at random, and printed")
      ->excludes(seed)
      ->excludes(first);
  CLI::Option* seeds = app.add_option("--seeds", options.seeds, "how many seeds");
  CLI::Option* minutes = app.add_option("--minutes", options.minutes, "for so long instead");
  CLI::Option* forever =
      app.add_flag("--forever", options.forever, "without end, until something is found");
  app.add_flag("--log", options.log, "print everything that happens")->needs(seed);
  app.add_flag("--relays", options.relays,
               "two referees that pass on the matches of each other's bots");
  app.add_flag("--json", options.json, "print figures and failures as JSON, a line each");
  app.add_option("--jobs", options.jobs,
                 "how many seeds are tried at once; the figures but for the time are the same for "
                 "any number")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  seeds->excludes(seed)->excludes(minutes)->excludes(forever);
  minutes->excludes(seed)->excludes(forever);
  forever->excludes(seed);
  CLI11_PARSE(app, argc, argv);
  options.one = seed->count() > 0;
  for (const int signal : {SIGINT, SIGTERM}) {
    std::signal(signal, [](int) { referee::simulation::stopped = 1; });
  }
  if (options.fresh) options.first = referee::simulation::DrawSeed();
  return options.one ? referee::simulation::RunOne(options) : referee::simulation::RunMany(options);
}
