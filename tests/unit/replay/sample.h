// Sample matches for tests of replays: played at random by the state machine, in simulated time.
#ifndef REFEREE_TESTS_UNIT_REPLAY_SAMPLE_H_
#define REFEREE_TESTS_UNIT_REPLAY_SAMPLE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "referee/match/match.h"
#include "referee/replay/replay.h"
#include "referee/replay/signer.h"
#include "tests/support/temp_folder.h"

namespace referee::replay {

struct SampleOptions {
  std::string game = "hypnosia";
  int seats = 2;
  uint64_t seed = 7;
  bool committed = false;       // false: pinned to `seed`
  std::string nonce = "nonce";  // the nonce of each bot, followed by its seat
  match::TimeControl time_control = {absl::Milliseconds(500), absl::Seconds(60),
                                     absl::Milliseconds(3)};
  std::vector<games::Option> options;
  // Played first, in notation. Later moves are random.
  std::vector<std::string> moves;
  // Cancels the match when this turn is due; 0: never.
  uint32_t cancel_at = 0;
  // The turn in which each fault happens; 0: never.
  uint32_t time_out_at = 0;
  uint32_t illegal_at = 0;
  uint32_t resign_at = 0;  // by the seat after the one to move
  // More turns with faults; illegal moves happen this many times in each.
  std::vector<uint32_t> time_outs;
  std::vector<uint32_t> illegals;
  int illegal_times = 1;
  match::Policies policies;
  absl::Duration round_trip;  // of every link
  // In these turns the seat to move loses its link for 5 ms, from 1 ms on.
  std::vector<uint32_t> link_losses;
  // In this turn the reply is 1 ms late, while the referee stalls for 3 ms; 0: never. The referee
  // stalls in every later turn too.
  uint32_t stall_at = 0;
  // These seats resign before the start, and are never ready.
  std::vector<int> resign_before;
  // The rotation of the match in its block; all other matches of the block are equally far. -1: no
  // block.
  int rotation = -1;
  // For a match of a block: while this turn is withheld because of the next roll, the block ends
  // with `block_ending`, and the turn is never recorded; 0: never.
  uint32_t void_at = 0;
  match::Ending block_ending = match::Ending::kVoid;
  // After this turn the seat that must roll next resigns; 0: never.
  uint32_t resign_unasked_after = 0;
  // The referee dies when these turns are due, and goes on from its records.
  std::vector<uint32_t> restarts;
};

// A match with every event of time and faults except its end: substituted moves after timeouts,
// retried illegal moves, lost links, credited network time, a restart.
SampleOptions EventfulSample();
// A match of three seats whose match time runs out.
SampleOptions TimedOutSample();
// A match that is void, because the referee stalled for longer than it gives back.
SampleOptions StalledSample();

match::Setup SampleSetup(const SampleOptions& options);
dice::Seed SampleSeed(const SampleOptions& options);

// Plays a whole match and returns it.
Replay PlaySample(const SampleOptions& options);

// The match of the default options under another id. It is played only once.
Replay SampleAs(const MatchId& id);

// A key pair for tests; each number gives another one.
Signer SampleSigner(uint8_t number = 1);

// Simulates a full disk: during its lifetime, files of this process cannot grow beyond `bytes`. A
// write that does not fit writes a part and fails.
class FullDisk {
 public:
  explicit FullDisk(uint64_t bytes);
  ~FullDisk();
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  uint64_t before_;
};

}  // namespace referee::replay

#endif  // REFEREE_TESTS_UNIT_REPLAY_SAMPLE_H_
