#include "referee/competition/count.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/base/rotation.h"
#include "referee/rating/block.h"
#include "referee/rating/rating.h"

namespace referee::competition {
namespace {

// Counts a match for the bot that had this seat in it.
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

}  // namespace

std::string WhatFollowsAside(const schedule::Spec& spec, absl::string_view bot) {
  if (spec.format != schedule::Format::kLadder) {
    return "it plays no more in this competition, and what it played counts";
  }
  return absl::StrCat("to come back, when it answers again: refctl competition join ",
                      Quoted(spec.name), " --bot ", Quoted(bot));
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
      CountSilence(block.number, match, Seat(seat), &line);
    }
  }
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

void CompetitionCount::CountSilence(int64_t number, const store::BlockMatch& match, Seat seat,
                                    store::CountBlocks::Line* line) {
  int& silences = line->tally.silences;
  silences = match::WasSilent(match.verdict, seat) ? silences + 1 : 0;
  if (silences < limits::kSilencesToSetAside || !line->set_aside.empty()) return;
  const store::Entrant& entrant = entrants_[line->entrant];
  if (entrant.presence != store::Presence::kIn) return;
  sets_aside_ = true;
  line->set_aside = absl::StrCat("did not answer in ", silences,
                                 " matches in a row, last in match ", match.id.text(), " of block ",
                                 number, " (its replay says what was waited for); ",
                                 WhatFollowsAside(competition_.spec, entrant.name));
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
