// Judges the replies and the silence of bots: plays a legal move that is in time, else applies the
// policies.
//
// Thread-compatible.
#ifndef REFEREE_MATCH_REPLIES_H_
#define REFEREE_MATCH_REPLIES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/optional.h"
#include "referee/match/turns.h"

namespace referee::match {

class Replies {
 public:
  // All must outlive this.
  Replies(Parts* parts, Turns* turns, Conclusion* conclusion)
      : parts_(*parts),
        turns_(*turns),
        conclusion_(*conclusion),
        lost_turns_(parts->setup.bots.size()) {}

  // As Match::lost_turn.
  const absl::optional<LostTurn>& lost_turn(Seat seat) const { return lost_turns_[seat.index()]; }

  // Handle Replied, RepliedUnreadably, and Tick in a turn that is due.
  void Take(const Replied& event);
  void Take(const RepliedUnreadably& event);
  void CheckTime();

 private:
  // Returns whether a reply answers the due request in time. If not, adds the fault, forfeits or
  // substitutes for the seat, or ends the match as void.
  bool IsInTime(Seat seat, uint32_t turn, uint32_t request, Instant written);
  absl::Status WhyNotTaken(Seat seat, uint32_t turn, uint32_t request) const;
  void PlayIllegal(std::string detail);
  void Substitute(Cause cause);
  void LoseOnTime();
  void EndWithoutContest();
  void EndMatchTime();
  void ForfeitAndGoOn(Cause cause, std::string detail);

  Parts& parts_;
  Turns& turns_;
  Conclusion& conclusion_;
  std::vector<absl::optional<LostTurn>> lost_turns_;  // the last one, by seat
};

}  // namespace referee::match

#endif  // REFEREE_MATCH_REPLIES_H_
