#include "referee/competition/block_end.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/competition/count.h"

namespace referee::competition {
namespace {

// The attempt by which a block is forfeited.
struct Forfeit {
  const store::Attempt* attempt = nullptr;  // the attempt that counts
  std::vector<int> places;                  // the bots that forfeit its undecided matches
};

// Returns the latest failed attempt in which a bot at the places `gone` has lost a match, and the
// places of these bots.
//
// Leaving does not erase a lost block. An attempt counts only if all its matches are on record, so
// that anyone can verify it. A cancellation by an organiser gives no match to an opponent. So a bot
// that was still in the competition then does not forfeit by that attempt or an earlier one.
// `out_at_last`: the places of bots that were out when the last attempt ended. For earlier attempts
// this is unknown.
absl::optional<Forfeit> FindForfeit(absl::Span<const store::Attempt> attempts,
                                    absl::Span<const int> gone, absl::Span<const int> out_at_last) {
  for (auto attempt = attempts.rbegin(); attempt != attempts.rend(); ++attempt) {
    if (!attempt->cancelled_by.empty()) {
      if (attempt != attempts.rbegin() || out_at_last.empty()) return absl::nullopt;
      gone = out_at_last;
    }
    const bool recorded =
        std::all_of(attempt->matches.begin(), attempt->matches.end(),
                    [](const store::BlockMatch& match) { return match.recorded; });
    if (!recorded) continue;
    Forfeit forfeit{&*attempt, {}};
    for (const int place : gone) {
      if (store::HasLost(*attempt, place)) forfeit.places.push_back(place);
    }
    if (!forfeit.places.empty()) return forfeit;
  }
  return absl::nullopt;
}

// The places of the bots that have left the competition, or were removed.
std::vector<int> OutPlaces(const CompetitionNow& now, const rating::Pairing& pairing) {
  std::vector<int> places;
  for (size_t place = 0; place < pairing.bots.size(); ++place) {
    if (now.IsOut(pairing.bots[place])) places.push_back(static_cast<int>(place));
  }
  return places;
}

store::FinishBlock Finish(const store::Block& block, const CompetitionNow& now,
                          std::string block_id, std::vector<store::BlockMatch> matches) {
  return {now.row.id,          block.number,       block.attempt,
          std::move(block_id), std::move(matches), now.situation.wall_now};
}

// `failed`: the record of the latest attempt, if its matches were made.
store::FinishBlock FinishForfeited(const store::Block& block, const CompetitionNow& now,
                                   const Forfeit& forfeit, absl::optional<store::Attempt> failed) {
  store::FinishBlock finish = Finish(block, now, forfeit.attempt->block_id,
                                     store::Forfeited(*forfeit.attempt, forfeit.places));
  finish.failed = std::move(failed);
  std::vector<std::string> why;
  for (const int place : forfeit.places) {
    const int bot = block.pairing.bots[static_cast<size_t>(place)];
    finish.forfeited_by.push_back(bot);
    why.push_back(now.WhyGone(bot));
  }
  finish.reason = absl::StrCat(absl::StrJoin(why, ", "), " after losing a match of it");
  return finish;
}

store::DropBlock Drop(const store::Block& block, const CompetitionNow& now, store::BlockState state,
                      std::string reason, absl::optional<store::Attempt> failed) {
  return {now.row.id, block.number,      block.attempt,    now.situation.wall_now,
          state,      std::move(reason), std::move(failed)};
}

// Ends a block without a result: its test was decided before it, or an organiser gave it up.
store::DropBlock Stop(const OpenBlock& open, const CompetitionNow& now, store::BlockState state,
                      const std::string& reason) {
  absl::optional<store::Attempt> stopped;
  if (open.was_begun()) stopped = open.Failure(now.situation.wall_now);
  return Drop(open.block, now, state, reason, std::move(stopped));
}

// Hands back to the owner a block that failed here, or that cannot be made here.
absl::optional<store::Change> HandOver(const OpenBlock& open, const CompetitionNow& now) {
  const bool unmade = now.home.helps ? open.waits_for_slots() : !open.made && !open.from_before;
  if (now.home.owner.empty() || !(open.over() || unmade)) return absl::nullopt;
  store::Attempt failed;
  if (open.over()) {
    failed = open.Failure(now.situation.wall_now);
  } else {
    failed.ending = match::Ending::kCancelled;
    failed.reason = "its matches were not made at the referee that was to play it";
    failed.end_time = now.situation.wall_now;
  }
  return store::RetryBlock{now.row.id, open.block.number, open.block.attempt, std::move(failed),
                           now.home.owner};
}

}  // namespace

absl::optional<store::Change> DecideEnd(const OpenBlock& open, const CompetitionNow& now,
                                        const Absences& absences, bool decided) {
  const store::Block& block = open.block;
  // A block that was given up need not wait for uploads.
  const bool stopped = !open.given_up.empty() && !open.played();
  if (open.over() && !open.settled() && !stopped) return absl::nullopt;
  if (open.played()) return Finish(block, now, block.block_id, open.results());
  if (!now.home.here && !stopped) return HandOver(open, now);
  if (!open.over() && !open.waits_for_slots()) return absl::nullopt;
  if (now.home.here && decided) return Stop(open, now, store::BlockState::kDropped, kAfterDecision);
  if (stopped) return Stop(open, now, store::BlockState::kVoid, open.given_up);
  const std::vector<int> gone = absences.GonePlaces(now, block.pairing);
  std::vector<store::Attempt> attempts = block.attempts;
  absl::optional<store::Attempt> failed;
  // A bot that leaves while the block waits for its bots does not make an attempt fail.
  if (open.over() && (gone.empty() || open.was_begun())) {
    failed = open.Failure(now.situation.wall_now);
    attempts.push_back(*failed);
  }
  const std::vector<int> out =
      failed.has_value() ? OutPlaces(now, block.pairing) : std::vector<int>();
  if (const auto forfeit = FindForfeit(attempts, gone, out)) {
    return FinishForfeited(block, now, *forfeit, std::move(failed));
  }
  if (!gone.empty()) {
    const int bot = block.pairing.bots[static_cast<size_t>(gone.front())];
    return Drop(block, now, store::BlockState::kDropped, now.WhyGone(bot), std::move(failed));
  }
  if (!failed) return absl::nullopt;
  if (block.attempt + 1 >= limits::kMaxBlockAttempts) {
    const std::string reason =
        absl::StrCat(block.attempt + 1, " attempts came to nothing, the last: ", failed->reason);
    return Drop(block, now, store::BlockState::kVoid, reason, std::move(failed));
  }
  return store::RetryBlock{now.row.id, block.number, block.attempt, *std::move(failed)};
}

absl::optional<store::Block> ClosedBy(const store::Change& change, store::Block block) {
  absl::optional<store::Attempt> failed;
  if (const auto* const finish = std::get_if<store::FinishBlock>(&change)) {
    block.state = store::BlockState::kPlayed;
    block.end_time = finish->time;
    block.block_id = finish->block_id;
    block.matches = finish->matches;
    block.forfeited_by = finish->forfeited_by;
    block.reason = finish->reason;
    failed = finish->failed;
  } else if (const auto* const drop = std::get_if<store::DropBlock>(&change)) {
    block.state = drop->state;
    block.matches.clear();
    block.reason = drop->reason;
    failed = drop->failed;
  } else {
    return absl::nullopt;
  }
  if (failed) block.attempts.push_back(*std::move(failed));
  return block;
}

std::vector<Cancellation> CancellationsOf(const OpenBlock& open, const CompetitionNow& now,
                                          const Absences& absences, bool decided) {
  std::vector<Cancellation> all;
  const bool all_stop = now.home.here && decided;
  if (all_stop || !open.given_up.empty()) {
    for (size_t rotation = 0; rotation < open.ends.size(); ++rotation) {
      if (open.ends[rotation].has_value()) continue;
      const MatchId& match = open.block.matches[rotation].id;
      all.push_back(all_stop ? Cancellation{match, kAfterDecision}
                             : Cancellation{match, open.given_up, open.given_up_by});
    }
  } else if (!open.waits_in_host()) {
    return all;
  } else if (now.home.here) {
    const std::vector<int> gone = absences.GonePlaces(now, open.block.pairing);
    if (gone.empty()) return all;
    const int bot = open.block.pairing.bots[static_cast<size_t>(gone.front())];
    all.push_back({open.first(), now.WhyGone(bot)});
  } else if (now.home.owner.empty()) {
    return all;
  } else if (!now.home.helps) {
    all.push_back({open.first(), "it had not begun when its competition moved"});
  } else if (now.situation.now - open.made_at >= limits::kHelpPatience) {
    all.push_back({open.first(), "its bots did not come to the referee that was to play it"});
  }
  return all;
}

absl::Status BlockNotOpen(absl::string_view competition, int64_t number) {
  return absl::FailedPreconditionError(
      absl::StrCat("competition ", Quoted(competition), ", block ", number,
                   ": is not open; 'refctl competition blocks' lists those that run"));
}

absl::Status CheckMayGiveUp(const CompetitionNow& now, const OpenBlocks& blocks, int64_t number) {
  const std::string& name = now.row.spec.name;
  const std::string block = absl::StrCat("competition ", Quoted(name), ", block ", number);
  const OpenBlock* const open = blocks.Find(number);
  if (open == nullptr) {
    if (now.home.here && now.foreign.count(number) == 0) return BlockNotOpen(name, number);
    return absl::FailedPreconditionError(absl::StrCat(
        block,
        ": was begun by another referee of this store; ask that one, or stop it, and its blocks "
        "are claimed ('refctl fleet show')"));
  }
  if (!open->played()) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      block,
      ": all of it is played, and it counts once its replays are where it waits to put them: see "
      "what the competition waits for"));
}

}  // namespace referee::competition
