#include "referee/competition/count.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/rating/block.h"
#include "referee/rating/rating.h"

namespace referee::competition {
namespace {

// Counts a match for the bot at `place`.
void CountMatch(const rating::MatchOutcome& match, size_t place, store::Tally* tally) {
  const int mine = match.ranks[place];
  int equals = 0;
  for (size_t other = 0; other < match.ranks.size(); ++other) {
    if (other == place) continue;
    const int rank = match.ranks[other];
    tally->half_points += mine < rank ? 2 : mine == rank ? 1 : 0;
    if (mine == rank) ++equals;
  }
  if (mine > 1) {
    ++tally->losses;
  } else if (equals > 0) {
    ++tally->draws;
  } else {
    ++tally->wins;
  }
}

// The place in the pairing of the bot that has a seat in a rotation.
size_t PlaceOf(int seat, size_t rotation, size_t seats) {
  return (static_cast<size_t>(seat) + rotation) % seats;
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
    for (size_t rotation = 0; rotation < outcome.matches.size(); ++rotation) {
      CountMatch(outcome.matches[rotation], place, &line.tally);
      CountSilence(block, static_cast<int>(rotation), outcome.matches[rotation].silent[place],
                   &line);
    }
  }
  for (size_t rotation = 0; rotation < block.matches.size(); ++rotation) {
    for (const store::SeatForfeit& forfeit : block.matches[rotation].forfeits) {
      ++LineOf(bots[PlaceOf(forfeit.seat, rotation, bots.size())]).tally.forfeits;
    }
  }
  if (bots.size() == 2) AddPair(block, outcome);
}

store::CountBlocks::Line& CompetitionCount::LineOf(int entrant) {
  const auto [found, added] = lines_.try_emplace(entrant);
  if (added) {
    found->second.entrant = entrant;
    found->second.tally = entrants_[entrant].tally;
  }
  return found->second;
}

void CompetitionCount::CountSilence(const store::Block& block, int rotation, bool silent,
                                    store::CountBlocks::Line* line) {
  int& silences = line->tally.silences;
  silences = silent ? silences + 1 : 0;
  if (silences < limits::kSilencesToSetAside || !line->set_aside.empty()) return;
  const store::Entrant& entrant = entrants_[line->entrant];
  if (entrant.presence != store::Presence::kIn) return;
  sets_aside_ = true;
  line->set_aside =
      absl::StrCat("did not answer in ", silences, " matches in a row, last in match ",
                   block.matches[rotation].id.text(), " of block ", block.number,
                   " (its replay says what was waited for); ",
                   WhatFollowsAside(competition_.spec, entrant.name));
}

void CompetitionCount::AddPair(const store::Block& block, const rating::BlockOutcome& outcome) {
  const int low_place = block.pairing.bots[0] < block.pairing.bots[1] ? 0 : 1;
  const std::pair<int, int> bots = std::minmax(block.pairing.bots[0], block.pairing.bots[1]);
  store::PairTotal& total = pairs_[bots];
  total.low = bots.first;
  total.high = bots.second;
  int points = 0;
  for (const rating::MatchOutcome& match : outcome.matches) {
    points += rating::HalfPoints(match, low_place);
    if (match.ranks[0] == match.ranks[1]) ++total.draws;
  }
  ++total.blocks[points];
}

store::CountBlocks CompetitionCount::change() const {
  store::CountBlocks change;
  change.competition = competition_.id;
  change.version = competition_.version;
  change.from = competition_.counted;
  change.to = next_;
  for (const auto& [entrant, line] : lines_) change.entrants.push_back(line);
  for (const auto& [bots, total] : pairs_) change.pairs.push_back(total);
  return change;
}

}  // namespace referee::competition
