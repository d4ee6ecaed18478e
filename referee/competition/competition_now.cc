#include "referee/competition/competition_now.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/rotation.h"

namespace referee::competition {

void CompetitionNow::SetEntrants(std::vector<store::Entrant> all) {
  entrants = std::move(all);
  row.spec.entrants.clear();
  absl::flat_hash_map<std::string, int> latest;
  for (const store::Entrant& entrant : entrants) {
    row.spec.entrants.push_back(entrant.name);
    if (!entrant.successor) latest.insert_or_assign(entrant.name, entrant.number);
  }
  standing.clear();
  for (const store::Entrant& entrant : entrants) {
    const auto found = latest.find(entrant.name);
    standing.push_back(found == latest.end() ? entrant.number : found->second);
  }
}

const host::BotView& CompetitionNow::ViewOf(int bot) const {
  static const host::BotView kUnknown;
  const auto at = static_cast<size_t>(standing[static_cast<size_t>(bot)]);
  return at < situation.host.bots.size() ? situation.host.bots[at] : kUnknown;
}

bool CompetitionNow::IsAway(int bot) const {
  const host::BotView& view = ViewOf(bot);
  return !view.connected || !view.unable.empty() || view.takes_none;
}

std::string CompetitionNow::WhyGone(int bot) const {
  const store::Entrant& entrant = entrants[static_cast<size_t>(standing[bot])];
  if (entrant.presence == store::Presence::kIn && ViewOf(bot).takes_none) {
    return absl::StrCat(Quoted(entrant.name), " takes no matches");
  }
  const char* const how = entrant.presence == store::Presence::kIn          ? " is away"
                          : entrant.presence == store::Presence::kWithdrawn ? " has left"
                                                                            : " was set aside";
  return absl::StrCat(Quoted(entrant.name), how);
}

bool CompetitionNow::TakeSlots(const rating::Pairing& pairing) {
  const int seats = row.spec.seats;
  host::HostView& host = situation.host;
  if (!host.held_back.empty() || host.RoomForBlocks(seats) == 0) return false;
  const bool have = std::all_of(pairing.bots.begin(), pairing.bots.end(),
                                [&](int bot) { return ViewOf(bot).free_slots >= seats; });
  if (!have) return false;
  host.running += seats;
  for (const int bot : pairing.bots) host.bots[standing[bot]].free_slots -= seats;
  return true;
}

bool CompetitionNow::AwaitsItsTurn(const rating::Pairing& pairing) const {
  const int seats = row.spec.seats;
  const host::HostView& host = situation.host;
  if (!host.held_back.empty() || host.RoomForBlocks(seats) == 0) return false;
  return std::all_of(pairing.bots.begin(), pairing.bots.end(), [&](int bot) {
    return ViewOf(bot).free_slots >= seats || ViewOf(bot).plays_elsewhere;
  });
}

void CompetitionNow::KeepSlots(const rating::Pairing& pairing) {
  for (const int bot : pairing.bots)
    situation.host.bots[standing[bot]].free_slots -= row.spec.seats;
}

// --- One block ---

bool OpenBlock::over() const {
  if (ends.empty()) return false;
  for (const absl::optional<MatchEnd>& end : ends) {
    if (!end.has_value()) return false;
  }
  return true;
}

bool OpenBlock::settled() const {
  return over() && std::all_of(ends.begin(), ends.end(),
                               [](const absl::optional<MatchEnd>& end) { return end->shared; });
}

bool OpenBlock::played() const {
  if (!over()) return false;
  const size_t seats = block.pairing.bots.size();
  for (const absl::optional<MatchEnd>& end : ends) {
    const match::Verdict& verdict = end->verdict;
    if (verdict.ending != match::Ending::kFinished || verdict.scores.size() != seats ||
        verdict.ranks.size() != seats) {
      return false;
    }
  }
  return true;
}

// The reason is that of a match that ended by itself; the other unfinished matches were stopped
// because of it.
store::Attempt OpenBlock::Failure(absl::Time end_time) const {
  const auto weight = [](const match::Verdict& verdict) {
    if (verdict.ending == match::Ending::kFinished) return 0;
    return verdict.ending == match::Ending::kCancelled || verdict.times.late.valid() ? 2 : 1;
  };
  store::Attempt attempt;
  attempt.number = block.attempt;
  attempt.block_id = block.block_id;
  attempt.end_time = end_time;
  int most = 0;
  for (size_t i = 0; i < ends.size(); ++i) {
    const match::Verdict& verdict = ends[i]->verdict;
    const bool recorded = ends[i]->recorded;
    attempt.matches.push_back(
        {block.matches[i].id, recorded ? verdict : match::Verdict(), recorded});
    if (weight(verdict) <= most) continue;
    most = weight(verdict);
    attempt.ending = verdict.ending;
    attempt.reason = verdict.reason;
    attempt.cancelled_by = verdict.cancelled_by;
  }
  return attempt;
}

std::vector<int> OpenBlock::LatePlaces() const {
  std::vector<int> places;
  const int seats = static_cast<int>(block.pairing.bots.size());
  for (size_t i = 0; i < ends.size(); ++i) {
    const Seat late = ends[i]->verdict.times.late;
    if (!late.valid() || late.index() >= seats) continue;
    places.push_back(PlaceOfSeat(late.index(), static_cast<int>(i), seats));
  }
  return places;
}

bool OpenBlock::was_begun() const {
  return over() && std::any_of(ends.begin(), ends.end(),
                               [](const absl::optional<MatchEnd>& end) { return end->begun; });
}

bool OpenBlock::unready() const {
  return over() && std::any_of(ends.begin(), ends.end(),
                               [](const absl::optional<MatchEnd>& end) { return end->unready; });
}

std::vector<store::BlockMatch> OpenBlock::results() const {
  std::vector<store::BlockMatch> matches;
  for (size_t i = 0; i < ends.size(); ++i) {
    matches.push_back({block.matches[i].id, ends[i]->verdict});
  }
  return matches;
}

void OpenBlock::Retry(store::Attempt failed, Instant when) {
  block.attempts.push_back(std::move(failed));
  unready_attempts = unready() ? unready_attempts + 1 : 0;
  ++block.attempt;
  block.block_id.clear();
  block.matches.clear();
  made = false;
  waits = false;
  from_before = false;
  named = false;
  takes_slots = true;
  not_before = when;
  ends.clear();
}

namespace {

// Since when a block waits for slots, or is about to; none if it does not.
absl::optional<Instant> WaitsSince(const OpenBlock& open, const CompetitionNow& now) {
  if (open.waits_for_slots()) return open.not_before;
  if (open.settled() && !open.played()) return now.situation.now;
  return open.sought_since;
}

}  // namespace

bool KeepsSlots(const OpenBlock& open, const CompetitionNow& now) {
  const absl::optional<Instant> since = WaitsSince(open, now);
  if (!now.home.here || !since || now.situation.now < *since) return false;
  const bool is_new = now.situation.now < *since + limits::kRetryPatience;
  if (open.sought_since && !is_new) return false;
  const std::vector<int>& bots = open.block.pairing.bots;
  return std::all_of(bots.begin(), bots.end(),
                     [&](int bot) { return !now.IsOut(bot) && (is_new || !now.IsAway(bot)); });
}

// --- All open blocks ---

const OpenBlock* OpenBlocks::Find(int64_t number) const {
  const auto found = blocks_.find(number);
  return found == blocks_.end() ? nullptr : &found->second;
}

std::vector<Cancellation> OpenBlocks::Load(std::vector<store::Block> blocks, bool keep) {
  Blocks before = std::exchange(blocks_, {});
  matches_.clear();
  for (store::Block& block : blocks) {
    const auto known = before.find(block.number);
    const bool goes_on =
        keep && known != before.end() && known->second.block.attempt == block.attempt;
    if (!goes_on) {
      Add(std::move(block), /*from_before=*/true);
      continue;
    }
    known->second.scheduled_end = false;  // the schedule is a new object
    Insert(std::move(known->second));
    before.erase(known);
  }
  std::vector<Cancellation> cancellations;
  for (const auto& [number, lost] : before) {
    if (!lost.made || lost.over() || (keep && matches_.contains(lost.first()))) continue;
    cancellations.push_back(
        {lost.first(), absl::StrCat("block ", number, " was taken over by another referee")});
  }
  return cancellations;
}

void OpenBlocks::Add(store::Block block, bool from_before) {
  OpenBlock open;
  open.block = std::move(block);
  open.from_before = from_before;
  open.named = open.made = !open.block.matches.empty();
  open.ends.resize(open.block.matches.size());
  Insert(std::move(open));
}

void OpenBlocks::Insert(OpenBlock open) {
  const int64_t number = open.block.number;
  for (size_t i = 0; i < open.block.matches.size(); ++i) {
    matches_.insert_or_assign(open.block.matches[i].id, Place{number, i});
  }
  blocks_.emplace(number, std::move(open));
}

void OpenBlocks::ForgetMatches(const OpenBlock& open) {
  for (const store::BlockMatch& match : open.block.matches) matches_.erase(match.id);
}

void OpenBlocks::Close(int64_t number) {
  ForgetMatches(at(number));
  blocks_.erase(number);
}

void OpenBlocks::Retry(int64_t number, store::Attempt failed, Instant not_before) {
  OpenBlock& open = blocks_.at(number);
  ForgetMatches(open);
  open.Retry(std::move(failed), not_before);
}

void OpenBlocks::GiveUp(int64_t number, std::string reason, std::string by) {
  OpenBlock& open = blocks_.at(number);
  open.given_up = std::move(reason);
  open.given_up_by = std::move(by);
}

bool OpenBlocks::ScheduleEndOnce(int64_t number) {
  return !std::exchange(blocks_.at(number).scheduled_end, true);
}

// --- Matches to make ---

std::vector<int64_t> OpenBlocks::ToMake(CompetitionNow* now) {
  std::vector<int64_t> numbers;
  for (auto& [number, open] : blocks_) {
    if (open.made || now->situation.now < open.not_before) continue;
    // Matches of an earlier process are found again by name. New matches are made only at the owner
    // and at helpers.
    if (!now->home.here && !now->home.helps && !open.from_before) continue;
    if (open.takes_slots && !now->situation.may_begin) continue;
    const bool has_slots = now->TakeSlots(open.block.pairing);
    if (open.takes_slots && !has_slots && !now->AwaitsItsTurn(open.block.pairing)) {
      if (KeepsSlots(open, *now)) now->KeepSlots(open.block.pairing);
      continue;
    }
    open.waits = !has_slots;
    numbers.push_back(number);
  }
  return numbers;
}

void OpenBlocks::Made(int64_t number, const std::vector<MatchId>& matches, std::string block_id,
                      Instant now) {
  OpenBlock& open = blocks_.at(number);
  open.made = true;
  open.made_at = now;
  open.block.block_id = std::move(block_id);
  open.ends.assign(matches.size(), absl::nullopt);
  open.block.matches.clear();
  for (size_t rotation = 0; rotation < matches.size(); ++rotation) {
    open.block.matches.push_back({matches[rotation], {}});
    matches_.insert_or_assign(matches[rotation], Place{number, rotation});
  }
}

std::vector<store::Change> OpenBlocks::Names() const {
  std::vector<store::Change> changes;
  for (const auto& [number, open] : blocks_) {
    if (!open.made || open.named) continue;
    const store::Block& block = open.block;
    store::NameMatches names{block.competition, number, block.attempt, block.block_id, {}};
    for (const store::BlockMatch& match : block.matches) names.matches.push_back(match.id);
    changes.push_back(std::move(names));
  }
  return changes;
}

void OpenBlocks::Named() {
  for (auto& [number, open] : blocks_) open.named = open.made;
}

// --- Matches that were made ---

void OpenBlocks::NoteHost(const host::HostView& host, Instant now) {
  for (auto& [number, open] : blocks_) {
    open.waits = open.made && host.waiting.contains(open.first());
    if (!open.made || open.over() || !host.unknown.contains(open.first())) {
      open.sought_since.reset();
    } else if (!open.sought_since) {
      open.sought_since = now;
    }
  }
}

void OpenBlocks::MatchEnded(const MatchId& match, MatchEnd end) {
  const auto place = matches_.find(match);
  if (place == matches_.end()) return;
  absl::optional<MatchEnd>& slot = blocks_.at(place->second.number).ends[place->second.rotation];
  if (!slot.has_value()) {
    slot = std::move(end);
  } else {
    slot->shared = slot->shared || end.shared;
  }
}

std::vector<MatchId> OpenBlocks::UnendedOf(int64_t number) const {
  std::vector<MatchId> matches;
  const OpenBlock& open = at(number);
  for (size_t rotation = 0; rotation < open.ends.size(); ++rotation) {
    if (!open.ends[rotation].has_value()) matches.push_back(open.block.matches[rotation].id);
  }
  return matches;
}

std::vector<MatchId> OpenBlocks::Unended() const {
  std::vector<MatchId> matches;
  for (const auto& [number, open] : blocks_) {
    for (const MatchId& match : UnendedOf(number)) matches.push_back(match);
  }
  return matches;
}

std::vector<MatchId> OpenBlocks::Unshared() const {
  std::vector<MatchId> matches;
  for (const auto& [number, open] : blocks_) {
    for (size_t rotation = 0; open.over() && rotation < open.ends.size(); ++rotation) {
      if (!open.ends[rotation]->shared) matches.push_back(open.block.matches[rotation].id);
    }
  }
  return matches;
}

}  // namespace referee::competition
