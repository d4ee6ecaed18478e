#include "referee/competition/count.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/base/rotation.h"
#include "referee/competition/absences.h"
#include "referee/rating/block.h"
#include "referee/rating/rating.h"

namespace referee::competition {
namespace {

// Adds a match to the tally of the bot that had this seat in it.
void CountMatch(const match::Verdict& verdict, Seat seat, store::Tally* tally) {
  const auto at = static_cast<size_t>(seat.index());
  tally->half_points += rating::HalfPoints(verdict.ranks, at);
  if (verdict.ranks[at] > 1) {
    ++tally->losses;
  } else if (std::count(verdict.ranks.begin(), verdict.ranks.end(), 1) > 1) {
    ++tally->draws;
  } else {
    ++tally->wins;
  }
  for (const match::SeatForfeit& forfeit : verdict.forfeits) {
    if (forfeit.seat == seat) ++tally->forfeits;
  }
}

bool HasResignedAtStart(const match::Verdict& verdict, Seat seat) {
  return std::any_of(verdict.forfeits.begin(), verdict.forfeits.end(),
                     [seat](const match::SeatForfeit& forfeit) {
                       return forfeit.seat == seat && forfeit.unasked;
                     });
}

}  // namespace

std::string WhatFollowsAside(const schedule::Spec& spec, absl::string_view bot,
                             const absl::optional<store::Suspension>& suspension) {
  if (spec.format != schedule::Format::kLadder) {
    return "it plays no more in this competition, and what it played counts";
  }
  const std::string join =
      absl::StrCat("refctl competition join ", Quoted(spec.name), " --bot ", Quoted(bot));
  if (!suspension.has_value()) {
    return absl::StrCat("to come back, when it answers again: ", join);
  }
  return absl::StrCat("it comes back by itself when it answers pings, after ",
                      absl::FormatDuration(suspension->length), "; at once: ", join);
}

void CompetitionCount::Add(const store::Block& block) {
  ++next_;
  if (IsDecided(sprt_)) {
    store::Block surplus = block;
    surplus.state = store::BlockState::kDropped;
    return AddConduct(surplus);
  }
  AddConduct(block);
  if (block.state != store::BlockState::kPlayed) return;
  const rating::BlockOutcome outcome = store::OutcomeOf(block);
  const std::vector<int>& bots = block.pairing.bots;
  std::vector<rating::Rating> before;
  for (const int bot : bots) before.push_back(LineOf(bot).tally.rating);
  const std::vector<rating::Rating> after = rating::Update(before, outcome);
  for (size_t place = 0; place < bots.size(); ++place) {
    store::CountBlocks::Line& line = LineOf(bots[place]);
    line.tally.rating = after[place];
    ++line.tally.blocks;
  }
  const int seats = static_cast<int>(bots.size());
  for (size_t rotation = 0; rotation < block.matches.size(); ++rotation) {
    const store::BlockMatch& match = block.matches[rotation];
    for (int seat = 0; seat < seats; ++seat) {
      const int place = PlaceOfSeat(seat, static_cast<int>(rotation), seats);
      store::CountBlocks::Line& line = LineOf(bots[place]);
      CountMatch(match.verdict, Seat(seat), &line.tally);
    }
  }
  for (int place = 0; place < seats; ++place) CountSilence(block, place);
  if (bots.size() == 2) AddPair(block, outcome);
  if (!sprt_.has_value()) return;
  sprt_->Add(rating::HalfPoints(outcome, block.pairing.bots[0] < block.pairing.bots[1] ? 0 : 1));
  surplus_from_ = next_;
}

void CompetitionCount::AddConduct(const store::Block& block) {
  const std::vector<int>& bots = block.pairing.bots;
  for (size_t place = 0; place < bots.size(); ++place) {
    const store::Conduct conduct = store::ConductIn(block, static_cast<int>(place));
    if (!(conduct == store::Conduct())) LineOf(bots[place]).tally.conduct += conduct;
  }
}

store::CountBlocks::Line& CompetitionCount::LineOf(int entrant) {
  const auto [found, added] = lines_.try_emplace(entrant);
  if (added) {
    found->second.entrant = entrant;
    found->second.tally = entrants_[entrant].tally;
  }
  return found->second;
}

void CompetitionCount::CountSilence(const store::Block& block, int place) {
  store::CountBlocks::Line& line = LineOf(block.pairing.bots[static_cast<size_t>(place)]);
  store::Tally& tally = line.tally;
  const int seats = static_cast<int>(block.pairing.bots.size());
  bool overlaps = store::BeginOfCounted(block) < tally.silent_until;
  for (size_t rotation = 0; rotation < block.matches.size(); ++rotation) {
    const store::BlockMatch& match = block.matches[rotation];
    const Seat seat(SeatOfPlace(place, static_cast<int>(rotation), seats));
    if (!match::WasSilent(match.verdict, seat)) {
      tally.silences = 0;
    } else if (!std::exchange(overlaps, true)) {
      ++tally.silences;
      tally.silent_until = block.end_time.value_or(block.begin_time);
      const int limit = competition_.spec.silence_limit;
      if (limit > 0 && tally.silences >= limit) SetAside(block, match, seat, &line);
    }
  }
}

void CompetitionCount::SetAside(const store::Block& block, const store::BlockMatch& match,
                                Seat seat, store::CountBlocks::Line* line) {
  const store::Entrant& entrant = entrants_[line->entrant];
  if (entrant.presence != store::Presence::kIn || !line->set_aside.empty()) return;
  sets_aside_ = true;
  line->suspension = NextSuspension(competition_.spec.format, entrant, line->tally.silent_until);
  const absl::string_view did = HasResignedAtStart(match.verdict, seat)
                                    ? "resigned before its first turn, or did not answer, in "
                                    : "did not answer in ";
  line->set_aside =
      absl::StrCat(did, line->tally.silences, " matches in a row, last in match ", match.id.text(),
                   " of block ", block.number, " (its replay says what was waited for); ",
                   WhatFollowsAside(competition_.spec, entrant.name, line->suspension));
}

void CompetitionCount::AddPair(const store::Block& block, const rating::BlockOutcome& outcome) {
  const size_t low_place = block.pairing.bots[0] < block.pairing.bots[1] ? 0 : 1;
  const std::pair<int, int> bots = std::minmax(block.pairing.bots[0], block.pairing.bots[1]);
  store::PairTotal& total = pairs_[bots];
  total.low = bots.first;
  total.high = bots.second;
  for (const std::vector<int>& ranks : outcome.ranks) {
    if (ranks[0] == ranks[1]) ++total.draws;
  }
  ++total.blocks[rating::HalfPoints(outcome, low_place)];
}

store::CountBlocks CompetitionCount::change() const {
  store::CountBlocks change;
  change.competition = competition_.id;
  change.version = competition_.version;
  change.from = competition_.counted;
  change.to = next_;
  for (const auto& [entrant, line] : lines_) change.entrants.push_back(line);
  for (const auto& [bots, total] : pairs_) change.pairs.push_back(total);
  if (IsDecided(sprt_)) change.surplus = {surplus_from_, kAfterDecision};
  return change;
}

}  // namespace referee::competition
