// Measures one server under one load, and puts measurements of several rounds together.
#ifndef REFEREE_TESTS_BENCH_BENCH_REFEREE_MEASURE_H_
#define REFEREE_TESTS_BENCH_BENCH_REFEREE_MEASURE_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "referee/replay/durability.h"
#include "tests/bench/bench_referee_games.h"
#include "tests/bench/bench_referee_server.h"

namespace referee::bench {

// How everything is measured.
struct Conditions {
  bool unix_socket = false;
  // Whether all streams share one connection; else each has its own.
  bool shared_connection = false;
  absl::Duration warm_up = absl::Seconds(1);
  absl::Duration measured = absl::Seconds(3);
  std::string work_dir;  // for sockets and replays
  const PreparedGames* games = nullptr;
  // Beside those that play.
  int idle_bots = 0;
  bool flood = false;
  bool log = false;  // the referee writes its log
  replay::Durability durability = replay::Durability::kNone;
  absl::Duration think;  // of bots that play, before each answer
  // Each bot that plays is a process; then it does not think. REQUIRES: few bots.
  bool bots_apart = false;
};

// What is played.
struct Scenario {
  int matches = 1;        // at once
  bool two_bots = false;  // all between the same two; else each bot plays one
  std::string name() const;
};

// The mean sizes of messages on the wire, in bytes, without framing.
struct MessageSizes {
  double request = 0;
  double response = 0;
};

// A round's figures of one server.
struct Figures {
  double per_second = 0;     // turns of the referee, messages in of an echo or relay
  double cpu_micros = 0;     // of the server, for one of them
  double instructions = 0;   // of the server, for one of them; 0 if unknown
  double turns_message = 0;  // in a message from the server, on average
  MessageSizes sizes;
  // The referee's own time of a turn, in us.
  double own_p50 = 0;
  double own_p99 = 0;
  double own_p999 = 0;
  double idle_kib = 0;  // resident memory of the server for an idle bot; 0 without any
};

// `kind` is kReferee or kBare.
absl::StatusOr<Figures> MeasureReferee(const Conditions& conditions, const Scenario& scenario,
                                       const std::string& kind = kReferee);
// Over as many streams of an echo, or pairs of streams of a relay, as the scenario has matches, so
// that as much is under way at once.
absl::StatusOr<Figures> MeasureEcho(const Conditions& conditions, const Scenario& scenario,
                                    const std::string& kind, const MessageSizes& sizes);

// A scenario's figures: medians over the rounds.
struct Summary {
  Scenario scenario;
  Figures referee;
  std::map<std::string, Figures> echoes;  // by kind
  std::string best_echo;                  // the kind with the most round trips
  Figures relay;
  Figures bare;
  // How a referee compares with another server. Medians of what each round gives.
  struct Comparison {
    double ratio = 0;             // of turns to messages of the other
    double own_instructions = 0;  // of a turn beyond those of a message of the other; 0 if unknown
    double own_cpu_micros = 0;    // CPU time of a turn beyond that of a message of the other
  };
  Comparison to_relay;
  Comparison to_echo;  // the best
  Comparison to_bare;
  Comparison bare_to_relay;
};

// REQUIRES: there is a value.
double MedianOf(std::vector<double> values);

// One round: each server of a scenario, one after the other, under the same conditions.
struct Round {
  Figures referee;
  Figures bare;
  Figures relay;
  std::map<std::string, Figures> echoes;
};
absl::StatusOr<Round> MeasureRound(const Conditions& conditions, const Scenario& scenario,
                                   const MessageSizes& sizes);
// REQUIRES: there is a round.
Summary Summarise(const Scenario& scenario, const std::vector<Round>& rounds);

}  // namespace referee::bench

#endif  // REFEREE_TESTS_BENCH_BENCH_REFEREE_MEASURE_H_
