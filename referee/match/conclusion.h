// The conclusion of a match: ends it and makes its verdict.
//
// Also defines Parts, the state shared by opening.h, turns.h, replies.h and conclusion.h.
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

  // The end of the match, with its verdict; none before.
  const absl::optional<Ended>& ended() const { return ended_; }

  // Ends the match with its result, since its game is over. In a block, asks for BlockOver first.
  void Finish();
  // Handles BlockOver.
  void EndBlock();
  // Handles Stopped.
  void Stop(const Stopped& event);
  // Ends the match without a result. `ending` is kVoid or kCancelled.
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
