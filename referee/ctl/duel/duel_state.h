// What a duel has played, in a file that is written as it goes, so that a duel that was broken off
// goes on where it was: JSON, a line for the duel and one for each match that is over. A line that
// was cut short by the end of the program is dropped. The file is for its owner only: whoever reads
// the seed in it foresees the dice.
#ifndef REFEREE_CTL_DUEL_DUEL_STATE_H_
#define REFEREE_CTL_DUEL_DUEL_STATE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "referee/ctl/duel/duel.h"

namespace referee::ctl {

// The dice of the duel that a state file is of; none if there is no such file. Returns an error
// that names the file when it is no state of a duel.
absl::StatusOr<absl::optional<match::DiceSource>> DiceInState(const std::string& path);

// Thread-compatible.
class DuelState {
 public:
  // Opens the file, or makes it. Returns FailedPrecondition that names what differs when the file
  // is of another duel: its game, options, positions, bots, time, policies, seed or test;
  // Unavailable when another duel writes it; DataLoss that names the line of one that makes no
  // sense.
  static absl::StatusOr<std::unique_ptr<DuelState>> Open(const std::string& path,
                                                         const DuelPlan& plan);
  ~DuelState();
  DuelState(const DuelState&) = delete;
  DuelState& operator=(const DuelState&) = delete;

  // The matches that were in the file; only the first call returns them.
  std::vector<DuelMatch> TakeMatches() { return std::exchange(matches_, {}); }

  // Adds a match that is over. Returns an error that names the file.
  absl::Status Add(const DuelMatch& match);

 private:
  DuelState(std::string path, int fd) : path_(std::move(path)), fd_(fd) {}

  absl::Status Write(std::string line);

  const std::string path_;
  const int fd_;
  std::vector<DuelMatch> matches_;
};

}  // namespace referee::ctl

#endif  // REFEREE_CTL_DUEL_DUEL_STATE_H_
