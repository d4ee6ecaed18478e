// The end of a match: its verdict. Also here: the parts that all of a match's rules work on.
#ifndef REFEREE_MATCH_CONCLUSION_H_
#define REFEREE_MATCH_CONCLUSION_H_

#include <string>

#include "absl/types/optional.h"
#include "referee/dice/dice.h"
#include "referee/match/clocks.h"
#include "referee/match/position.h"
#include "referee/match/record.h"
#include "referee/match/seats.h"
#include "referee/match/step.h"

namespace referee::match {

struct Parts {
  Parts(Setup terms, const dice::Seed& secret);
  Parts(const Parts&) = delete;

  const Setup setup;
  const dice::Seed seed;
  CurrentStep step;
  Position position;
  Clocks clocks;
  Links links;
  Forfeits forfeits;
  Faults faults;
  absl::optional<Started> started;
};

// Thread-compatible.
class Conclusion {
 public:
  // `parts` must outlive this.
  explicit Conclusion(Parts* parts) : parts_(*parts) {}

  // Set once the match is over.
  const absl::optional<Ended>& ended() const { return ended_; }

  // The game is over: the match ends with its result; in a block, after BlockOver.
  void Finish();
  void EndBlock();
  // Handles Stopped.
  void Stop(const Stopped& event);
  void EndWithout(Ending ending, std::string reason, std::string cancelled_by = "");

 private:
  void EndWithResult();
  void End(Ended ended);

  Parts& parts_;
  bool awaits_block_ = false;
  absl::optional<Ended> ended_;
};

}  // namespace referee::match

#endif  // REFEREE_MATCH_CONCLUSION_H_
