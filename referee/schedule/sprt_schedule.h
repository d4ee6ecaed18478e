// Test: two bots meet until a sequential test has told which of its hypotheses holds, or all
// blocks that it may play have begun. What decides the test is the order in which blocks count,
// which is not known here: whoever counts begins no more once it is decided. Thread-compatible.
#ifndef REFEREE_SCHEDULE_SPRT_SCHEDULE_H_
#define REFEREE_SCHEDULE_SPRT_SCHEDULE_H_

#include <cstdint>
#include <vector>

#include "absl/types/optional.h"
#include "referee/schedule/closed_schedule.h"
#include "referee/schedule/open_blocks.h"

namespace referee::schedule {

class SprtSchedule : public ClosedSchedule {
 public:
  // So many blocks have begun, all of which are over but those that Begun tells of. REQUIRES:
  // Validate(spec) is OK.
  SprtSchedule(const Spec& spec, int64_t next_number);

  void Withdraw(int) override { stopped_ = true; }
  absl::optional<rating::Pairing> Next(const std::vector<bool>& free, Instant) override;
  void Begun(const rating::Pairing& pairing) override;
  void Played(int64_t number, const rating::BlockOutcome&) override { open_.End(number); }
  void Dropped(int64_t number) override { open_.End(number); }
  bool done() const override { return open_.empty() && !goes_on(); }
  // -1 if the spec does not say how many there are at most.
  int64_t blocks_left() const override;
  bool needs(int) const override { return goes_on(); }
  // None: its bots are ordered by strength.
  std::vector<ScoreLine> Scores() const override { return {}; }

 private:
  bool goes_on() const { return !stopped_ && begun_ < most_; }

  const bool has_limit_;
  const int64_t most_;  // blocks
  int64_t begun_;
  bool stopped_ = false;  // a bot left
  OpenBlocks open_;
};

}  // namespace referee::schedule

#endif  // REFEREE_SCHEDULE_SPRT_SCHEDULE_H_
