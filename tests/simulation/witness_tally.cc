// The competition witness's checks of what the store counts: results, conduct and pairs.
#include <algorithm>
#include <array>

#include "absl/strings/str_cat.h"
#include "referee/rating/rating.h"
#include "tests/simulation/witness_competition.h"

namespace referee::simulation {
namespace {

bool IsSilence(match::Cause cause) {
  return cause == match::Cause::kTimeout || cause == match::Cause::kDisconnected;
}

// Adds a match that the bot played at `seat`.
void AddMatch(const store::BlockMatch& match, size_t seat, store::Tally* tally) {
  const std::vector<int>& ranks = match.verdict.ranks;
  const int mine = ranks[seat];
  int equals = -1;  // it is its own
  for (const int rank : ranks) {
    if (rank == mine) ++equals;
    if (rank > mine) tally->half_points += 2;
  }
  tally->half_points += equals;
  if (mine != 1) ++tally->losses;
  if (mine == 1 && equals > 0) ++tally->draws;
  if (mine == 1 && equals == 0) ++tally->wins;
  for (const match::SeatForfeit& forfeit : match.verdict.forfeits) {
    if (forfeit.seat == Seat(static_cast<int>(seat))) ++tally->forfeits;
  }
}

bool IsSilent(const store::BlockMatch& match, size_t seat) {
  const std::vector<match::SeatForfeit>& forfeits = match.verdict.forfeits;
  return std::any_of(forfeits.begin(), forfeits.end(), [&](const match::SeatForfeit& forfeit) {
    return forfeit.seat == Seat(static_cast<int>(seat)) &&
           (IsSilence(forfeit.cause) || forfeit.unasked);
  });
}

}  // namespace

// The figures of all attempts, and of the one that was played to the end.
void CompetitionWitness::RecountConduct(const Account& account) {
  std::vector<store::BlockMatch> matches;
  for (const store::Attempt& attempt : account.attempts) {
    matches.insert(matches.end(), attempt.matches.begin(), attempt.matches.end());
  }
  const bool played = account.state == store::BlockState::kPlayed && account.forfeited_by.empty();
  if (played) matches.insert(matches.end(), account.matches.begin(), account.matches.end());
  const std::vector<int>& bots = account.pairing.bots;
  for (size_t i = 0; i < matches.size(); ++i) {
    const match::Verdict& verdict = matches[i].verdict;
    for (size_t seat = 0; seat < bots.size(); ++seat) {
      store::Conduct& conduct =
          tallies_[static_cast<size_t>(bots[(seat + i) % bots.size()])].conduct;
      if (verdict.ranks.empty()) ++conduct.voids;
      const Seat here(static_cast<int>(seat));
      if (verdict.ranks.empty() && verdict.times.late == here) ++conduct.late_voids;
      if (verdict.times.seats.empty()) continue;
      conduct.given_back += verdict.times.seats[seat].given_back;
      conduct.time_losses += verdict.times.seats[seat].time_losses;
      conduct.lost_links += verdict.times.seats[seat].lost_links;
    }
  }
}

// A silence in a block that began before the end of the last one that was counted is no other one.
void CompetitionWitness::RecountSilences(const Account& account) {
  absl::Time begun = account.begun;
  for (const store::Attempt& attempt : account.attempts) {
    const bool counts = !attempt.matches.empty() && attempt.matches[0].id == account.matches[0].id;
    if (counts) break;
    begun = std::max(begun, attempt.end_time);
  }
  const std::vector<int>& bots = account.pairing.bots;
  for (size_t place = 0; place < bots.size(); ++place) {
    store::Tally& tally = tallies_[static_cast<size_t>(bots[place])];
    bool is_other = begun >= tally.silent_until;
    for (size_t rotation = 0; rotation < bots.size(); ++rotation) {
      const size_t seat = (place + bots.size() - rotation) % bots.size();
      if (!IsSilent(account.matches[rotation], seat)) {
        tally.silences = 0;
      } else if (is_other) {
        ++tally.silences;
        tally.silent_until = account.played;
        is_other = false;
      }
    }
  }
}

void CompetitionWitness::Recount(const Account& account) {
  const std::vector<int>& bots = account.pairing.bots;
  if (account.state != store::BlockState::kPlayed) return;
  const size_t seats = bots.size();
  rating::BlockOutcome outcome{account.pairing, {}};
  std::vector<rating::Rating> ratings;
  for (const int bot : bots) {
    ++tallies_[static_cast<size_t>(bot)].blocks;
    ratings.push_back(tallies_[static_cast<size_t>(bot)].rating);
  }
  std::array<int, 2> half_points{};  // of a block of two, by place
  int draws = 0;
  for (size_t rotation = 0; rotation < seats; ++rotation) {
    const store::BlockMatch& match = account.matches[rotation];
    std::vector<int>& by_place = outcome.ranks.emplace_back(seats);
    for (size_t seat = 0; seat < seats; ++seat) {
      const size_t place = (seat + rotation) % seats;
      store::Tally& tally = tallies_[static_cast<size_t>(bots[place])];
      const int64_t before = tally.half_points;
      AddMatch(match, seat, &tally);
      if (seats == 2) half_points[place] += static_cast<int>(tally.half_points - before);
      by_place[place] = match.verdict.ranks[seat];
    }
    if (match.verdict.ranks[0] == match.verdict.ranks[1]) ++draws;
  }
  RecountSilences(account);
  ratings = rating::Update(ratings, outcome);
  for (size_t place = 0; place < seats; ++place) {
    tallies_[static_cast<size_t>(bots[place])].rating = ratings[place];
  }
  if (seats != 2) return;
  store::PairTotal& pair = pairs_[std::minmax(bots[0], bots[1])];
  ++pair.blocks[static_cast<size_t>(half_points[bots[0] < bots[1] ? 0 : 1])];
  pair.draws += draws;
  if (sprt_) sprt_->Add(half_points[bots[0] < bots[1] ? 0 : 1]);
}

void CompetitionWitness::CheckTally(int entrant, const store::Tally& tally,
                                    const store::Tally& own) const {
  const bool same = tally.rating.mu == own.rating.mu && tally.rating.sigma == own.rating.sigma &&
                    tally.blocks == own.blocks && tally.wins == own.wins &&
                    tally.draws == own.draws && tally.losses == own.losses &&
                    tally.forfeits == own.forfeits && tally.half_points == own.half_points &&
                    tally.silences == own.silences && tally.conduct == own.conduct;
  if (same) return;
  chronicle_.Fail(absl::StrCat(
      "entrant ", entrant, " has, of ", counted_, " blocks that are counted, in ", tally.blocks,
      " of them, ", tally.half_points, " half points, ", tally.forfeits, " forfeits, ",
      tally.silences, " silences and rating ", tally.rating.mu, "; the records say ", own.blocks,
      ", ", own.half_points, ", ", own.forfeits, ", ", own.silences, ", ", own.rating.mu));
}

void CompetitionWitness::CheckPairs(const std::vector<store::PairTotal>& pairs) const {
  bool same = pairs.size() == pairs_.size();
  for (const store::PairTotal& pair : pairs) {
    const auto own = pairs_.find({pair.low, pair.high});
    same = same && own != pairs_.end() && own->second.blocks == pair.blocks &&
           own->second.draws == pair.draws;
  }
  if (!same) chronicle_.Fail("pair totals of the competition are not those of the records");
}

}  // namespace referee::simulation
