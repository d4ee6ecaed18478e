#include "referee/schedule/schedule.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "referee/schedule/formats.h"
#include "referee/schedule/ladder.h"
#include "referee/schedule/open_blocks.h"

namespace referee::schedule {
namespace {

// The schedule of a test: two bots meet until the test is decided, or all its blocks have begun.
//
// The test depends on the order in which blocks count, which is unknown here. The code that counts
// begins no more blocks once the test is decided. Thread-compatible.
class SprtSchedule final : public Schedule {
 public:
  // Starts after `next_number` blocks, all of which are over except those passed to Begun.
  // REQUIRES: Validate(spec) is OK.
  SprtSchedule(const Spec& spec, int64_t next_number)
      : Schedule(spec.format),
        has_limit_(spec.rounds > 0),
        most_(PlannedBlocks(spec)),
        begun_(next_number),
        open_(spec.entrants.size(), next_number) {}

  void Withdraw(int) override { stopped_ = true; }
  absl::optional<rating::Pairing> Next(const std::vector<bool>& free, Instant) override {
    if (!goes_on() || !free[0] || !free[1]) return absl::nullopt;
    rating::Pairing pairing{{0, 1}};
    Begun(pairing);
    return pairing;
  }
  void Begun(const rating::Pairing& pairing) override {
    ++begun_;
    open_.Begin(pairing);
  }
  void Played(int64_t number, const rating::BlockOutcome&) override { open_.End(number); }
  void Dropped(int64_t number) override { open_.End(number); }
  bool done() const override { return open_.empty() && !goes_on(); }
  // -1 if the spec sets no limit.
  int64_t blocks_left() const override {
    if (stopped_) return 0;
    return has_limit_ ? most_ - begun_ : -1;
  }
  bool needs(int) const override { return goes_on(); }
  // Empty: the bots of a test are ordered by strength.
  std::vector<ScoreLine> Scores() const override { return {}; }

 private:
  bool goes_on() const { return !stopped_ && begun_ < most_; }

  const bool has_limit_;
  const int64_t most_;  // blocks
  int64_t begun_;
  bool stopped_ = false;  // a bot left
  OpenBlocks open_;
};

}  // namespace

absl::Status Schedule::IsClosed() const {
  return absl::FailedPreconditionError(
      absl::StrCat("a ", FormatName(format_),
                   " has the entrants that it was made with; only a ladder is joined later"));
}

std::unique_ptr<Schedule> Schedule::Make(const Spec& spec, Lot lot) {
  switch (spec.format) {
    case Format::kRoundRobin:
      return MakeRoundRobin(spec);
    case Format::kGauntlet:
      return MakeGauntlet(spec);
    case Format::kSwiss:
      return MakeSwiss(spec);
    case Format::kKnockout:
      return MakeKnockout(spec, std::move(lot));
    case Format::kTest:
      return MakeTest(spec, 0);
    case Format::kLadder:
      break;
  }
  return MakeLadder(spec, std::vector<Entrant>(spec.entrants.size()), {}, 0);
}

std::unique_ptr<Schedule> Schedule::MakeTest(const Spec& spec, int64_t next_number) {
  return std::make_unique<SprtSchedule>(spec, next_number);
}

std::unique_ptr<Schedule> Schedule::MakeLadder(const Spec& spec,
                                               const std::vector<Entrant>& entrants,
                                               const std::vector<PairCount>& met,
                                               int64_t next_number,
                                               const std::vector<RecentBlock>& recent) {
  return std::make_unique<Ladder>(spec, entrants, met, next_number, recent);
}

}  // namespace referee::schedule
