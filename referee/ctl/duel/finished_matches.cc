#include "referee/ctl/duel/finished_matches.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/ctl/errors.h"

namespace referee::ctl {
namespace {

// How long a bot may take to write where it is once its time is up: the SDKs do that.
constexpr absl::Duration kLateWords = absl::Milliseconds(300);

}  // namespace

size_t PlaceOf(const DuelPlan& plan, const std::string& bot) {
  const auto found =
      std::find_if(plan.bots.begin(), plan.bots.end(),
                   [&bot](const launch::BotCommand& one) { return one.name == bot; });
  return static_cast<size_t>(found - plan.bots.begin());
}

FinishedMatches::FinishedMatches(const DuelPlan* plan, const DuelBots* bots)
    : plan_(*plan), bots_(*bots), unready_(plan->bots.size()), did_instead_(plan->bots.size()) {}

void FinishedMatches::Take(FinishedMatch finished, Instant now) {
  NoteReadiness(finished);
  if (AddWritten(&finished, /*late=*/false)) {
    unread_.push_back({std::move(finished), now + kLateWords});
  } else {
    Keep(std::move(finished));
  }
}

void FinishedMatches::Keep(FinishedMatch finished) {
  notes_[finished.id] = {std::move(finished.figures), std::move(finished.verdict),
                         std::move(finished.request_id), finished.rotation};
}

void FinishedMatches::KeepUnread(Instant until) {
  while (!unread_.empty() && unread_.front().due <= until) {
    FinishedMatch match = std::move(unread_.front().match);
    unread_.pop_front();
    AddWritten(&match, /*late=*/true);
    Keep(std::move(match));
  }
}

void FinishedMatches::NoteReadiness(const FinishedMatch& finished) {
  const std::vector<absl::optional<SeatFault>>& faults = finished.figures.faults;
  for (size_t seat = 0; seat < finished.bots.size(); ++seat) {
    const size_t bot = PlaceOf(plan_, finished.bots[seat]);
    const SeatFault* const fault =
        seat < faults.size() && faults[seat].has_value() ? &*faults[seat] : nullptr;
    const bool unready = finished.nobody_ready || (fault != nullptr && fault->unready);
    unready_[bot] = unready ? unready_[bot] + 1 : 0;
    did_instead_[bot] =
        fault != nullptr
            ? fault->detail
            : absl::StrCat("was not ready within ", absl::FormatDuration(plan_.time_control.ready));
  }
}

// Matches may end in another order than they were made: the first that was made is shown.
bool FinishedMatches::IsFirstOfItsKind(const MatchId& match, size_t bot, const SeatFault& fault) {
  const auto kind = std::make_tuple(bot, fault.cause, fault.forfeits);
  MatchId& first = first_faults_.try_emplace(kind, match).first->second;
  first = std::min(first, match);
  return first == match;
}

bool FinishedMatches::AddWritten(FinishedMatch* finished, bool late) {
  bool more = false;
  std::vector<absl::optional<SeatFault>>& faults = finished->figures.faults;
  for (size_t seat = 0; seat < faults.size(); ++seat) {
    absl::optional<SeatFault>& fault = faults[seat];
    const size_t bot = PlaceOf(plan_, finished->bots[seat]);
    if (!fault || !IsFirstOfItsKind(finished->id, bot, *fault)) continue;
    const bool is_timeout = fault->cause == match::Cause::kTimeout;
    more = more || is_timeout;
    if (late && !is_timeout) continue;
    fault->written = bots_.LastLines(bot, kShownLines);
  }
  return more;
}

absl::Status FinishedMatches::UnreadyBot() const {
  for (size_t i = 0; i < unready_.size(); ++i) {
    if (unready_[i] < kUnreadyLimit) continue;
    return absl::UnavailableError(absl::StrCat(
        "bot ", Quoted(plan_.bots[i].name), " was not ready in ", kUnreadyLimit,
        " matches in a row, so the duel ends here; the last time it ", did_instead_[i],
        "; an SDK resigns when the bot fails as a match starts, and a bot that is caught in a loop "
        "answers nothing",
        LogEnd(bots_.Tail(i))));
  }
  return absl::OkStatus();
}

}  // namespace referee::ctl
