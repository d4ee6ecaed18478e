// The witness's checks of blocks. It follows each match by its records, and takes a decision as
// made at the time in its record.
#include <variant>

#include "absl/strings/str_cat.h"
#include "tests/simulation/witness.h"

namespace referee::simulation {
namespace {

// When a bot, or its time, decided what was written; none if nobody did.
const match::Timing* TimingOf(const match::Record& record) {
  if (const auto* played = std::get_if<match::Played>(&record)) {
    return played->timing ? &*played->timing : nullptr;
  }
  const auto* forfeited = std::get_if<match::Forfeited>(&record);
  return forfeited != nullptr && forfeited->timing ? &*forfeited->timing : nullptr;
}

bool IsResult(const match::Record& record) {
  const auto* ended = std::get_if<match::Ended>(&record);
  return ended != nullptr && ended->ending == match::Ending::kFinished;
}

}  // namespace

void Witness::JoinBlock(Account* account, const match::Setup& setup) {
  if (!setup.block) return;
  account->rolls = std::make_unique<ShownRolls>(*setup.game);
  blocks_[setup.block->block].push_back(account);
}

void Witness::FollowBlock(Account* account, const match::Setup& setup, const match::Record& record,
                          Instant when) {
  if (account->rolls == nullptr) return;
  const int64_t had_come_to = account->rolls->shown();
  account->rolled = account->rolls->Follow(record, when);
  for (const Account* sibling : blocks_.at(setup.block->block)) {
    if (sibling != account) CheckWithheld(*account, *sibling, had_come_to, record, when);
  }
}

// What a sibling has shown by now must not be beyond what this match comes to with its record; and
// what it had shown when that was decided must come before it. (Rolls between the two are of seats
// that have no turns here any more: after a restart a sibling may have shown such.)
void Witness::CheckWithheld(const Account& account, const Account& sibling, int64_t had_come_to,
                            const match::Record& record, Instant when) {
  const match::Timing* const timing = TimingOf(record);
  if (timing != nullptr) {
    const int64_t known = sibling.rolls->ShownBefore(account.due_since + timing->taken);
    if (known > had_come_to && account.rolled && known >= account.rolls->shown()) {
      Fail(account,
           absl::StrCat("turn ", account.played + 1, " was decided at roll ", had_come_to,
                        " of its block, when match ", sibling.match, " had shown roll ", known));
    }
  }
  if (account.rolled && sibling.rolls->ShownBefore(when) > account.rolls->shown()) {
    Fail(account,
         absl::StrCat("it comes to roll ", account.rolls->shown(), " of its block, and match ",
                      sibling.match, " had shown a later one before"));
  }
  // One whose recording failed is over, although no record says so.
  const bool failed = sibling.recording_failed || (when == died_ && sibling.failed_before_death);
  const bool goes_on = !sibling.rolls->game_over() && !sibling.ended && !failed;
  if (IsResult(record) && goes_on) {
    Fail(account,
         absl::StrCat("it has a result, and match ", sibling.match, " of its block goes on"));
  }
}

}  // namespace referee::simulation
