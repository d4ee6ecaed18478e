// Matches to record: played by the state machine itself, at random, in simulated time.
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
  bool committed = false;       // else pinned to `seed`
  std::string nonce = "nonce";  // of each bot, followed by its seat
  match::TimeControl time_control = {absl::Milliseconds(500), absl::Seconds(60),
                                     absl::Milliseconds(3)};
  std::vector<games::Option> options;
  // Played first, in notation; then at random.
  std::vector<std::string> moves;
  // Stop (cancel) when this turn is due; 0: never.
  uint32_t cancel_at = 0;
  // What goes wrong when that turn is due; 0: never.
  uint32_t time_out_at = 0;
  uint32_t illegal_at = 0;
  uint32_t resign_at = 0;  // the seat after the one that is to move
  // And in these turns; so many times in each.
  std::vector<uint32_t> time_outs;
  std::vector<uint32_t> illegals;
  int illegal_times = 1;
  match::Policies policies;
  absl::Duration round_trip;  // of every link
  // In these turns the link of the seat to move is lost for 5 ms, from 1 ms on.
  std::vector<uint32_t> link_losses;
  // Here the reply comes too late by 1 ms, while the referee stood still for 3; 0: never. It stands
  // still in every turn from there on.
  uint32_t stall_at = 0;
  // These seats resign before the start, and are never ready.
  std::vector<int> resign_before;
  // The match is this rotation of a block, of which all others are as far as it is; -1: of none.
  int rotation = -1;
  // Of a match of a block, while this turn is withheld for the sake of the roll after it: the block
  // ends as `block_ending` says, and the turn is never recorded; 0: never.
  uint32_t void_at = 0;
  match::Ending block_ending = match::Ending::kVoid;
  // And here the seat resigns that is to roll; 0: never.
  uint32_t resign_unasked_after = 0;
  // The referee dies when these turns are due, and goes on from its records.
  std::vector<uint32_t> restarts;
};

// A match in which all happens that time and faults can lead to, but its end: time losses that are
// played for, illegal moves that are tried again, lost links, credited network time, a restart.
SampleOptions EventfulSample();
// One of three seats in which the match's time is used up.
SampleOptions TimedOutSample();
// One that is void, because the referee stood still for longer than is given back.
SampleOptions StalledSample();

match::Setup SampleSetup(const SampleOptions& options);
dice::Seed SampleSeed(const SampleOptions& options);

// Plays a whole match and returns it.
Replay PlaySample(const SampleOptions& options);

// The same match under another id, with the options that are usual. It is played once.
Replay SampleAs(const MatchId& id);

// Key pairs of tests: another for each number.
Signer SampleSigner(uint8_t number = 1);

// As long as one lives, files of this process may not grow beyond `bytes`: writes fail, after a
// part of them was written if it fits, as on a full disk.
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
