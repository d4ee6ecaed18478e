#include "tests/simulation/witness_competition.h"

#include <algorithm>
#include <array>
#include <set>
#include <variant>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "referee/rating/rating.h"
#include "referee/replay/journal.h"
#include "referee/replay/replay.h"

namespace referee::simulation {
namespace {

// How the request ids of blocks of competitions begin.
constexpr absl::string_view kCompetitionRequest = "c/";

bool SameMatch(const store::BlockMatch& a, const store::BlockMatch& b) {
  return a.id == b.id && a.verdict.scores == b.verdict.scores &&
         a.verdict.ranks == b.verdict.ranks && a.verdict.forfeits == b.verdict.forfeits;
}

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
  bool silent = false;
  for (const match::SeatForfeit& forfeit : match.verdict.forfeits) {
    if (forfeit.seat != Seat(static_cast<int>(seat))) continue;
    ++tally->forfeits;
    silent = silent || IsSilence(forfeit.cause);
  }
  tally->silences = silent ? tally->silences + 1 : 0;
}

}  // namespace

void CompetitionWitness::Fail(int64_t number, absl::string_view problem) const {
  chronicle_.Fail(absl::StrCat("block ", number, " of the competition: ", problem));
}

// --- What is written ---

void CompetitionWitness::OnApplied(absl::Span<const store::Change> changes) {
  for (const store::Change& change : changes) {
    std::visit([this](const auto& one) { On(one); }, change);
  }
}

// Who comes back begins without silences.
void CompetitionWitness::OnJoined(const store::Entrant& entrant) {
  chronicle_.Note("joined", {entrant.number});
  int& silences = tallies_[static_cast<size_t>(entrant.number)].silences;
  if (entrant.tally.silences == 0) silences = 0;
}

void CompetitionWitness::OnState(store::CompetitionState state) {
  chronicle_.Note("competition goes", {static_cast<int64_t>(state)});
  if (state_ == store::CompetitionState::kFinished) {
    chronicle_.Fail("a competition that was finished goes on");
  }
  state_ = state;
}

void CompetitionWitness::On(const store::BeginBlock& begin) {
  chronicle_.Note("block begun", {begin.number});
  if (begin.number != static_cast<int64_t>(blocks_.size())) {
    return Fail(begin.number, absl::StrCat("begun as the one of place ", blocks_.size()));
  }
  blocks_.emplace_back().pairing = begin.pairing;
}

CompetitionWitness::Account* CompetitionWitness::FindRunning(int64_t number, int attempt,
                                                             absl::string_view what) {
  if (number < 0 || number >= static_cast<int64_t>(blocks_.size())) {
    Fail(number, absl::StrCat(what, ", and was never begun"));
    return nullptr;
  }
  Account& account = blocks_[static_cast<size_t>(number)];
  if (account.state == store::BlockState::kRunning && account.attempt == attempt) return &account;
  Fail(number, absl::StrCat(what, " in attempt ", attempt, ", and was over or in another"));
  return nullptr;
}

void CompetitionWitness::On(const store::NameMatches& names) {
  Account* account = FindRunning(names.number, names.attempt, "named");
  if (account == nullptr) return;
  account->block_id = names.block_id;
  account->matches.clear();
  for (const MatchId& id : names.matches) account->matches.push_back({id, {}});
}

void CompetitionWitness::On(const store::RetryBlock& retry) {
  chronicle_.Note("block begun again", {retry.number, retry.attempt});
  Account* account = FindRunning(retry.number, retry.attempt, "begun again");
  if (account == nullptr) return;
  const bool played =
      !account->matches.empty() && std::all_of(account->matches.begin(), account->matches.end(),
                                               [this](const store::BlockMatch& match) {
                                                 return ReadResult(match.id).has_value();
                                               });
  if (played) Fail(retry.number, "begun again although all its matches have results");
  ++account->attempt;
  account->block_id.clear();
  account->matches.clear();
}

void CompetitionWitness::On(const store::FinishBlock& finish) {
  chronicle_.Note("block played", {finish.number, finish.attempt});
  Account* account = FindRunning(finish.number, finish.attempt, "played");
  if (account == nullptr) return;
  account->state = store::BlockState::kPlayed;
  account->block_id = finish.block_id;
  account->matches = finish.matches;
  CheckResults(finish.number, *account);
}

void CompetitionWitness::On(const store::DropBlock& drop) {
  chronicle_.Note("block dropped", {drop.number});
  Account* account = FindRunning(drop.number, drop.attempt, "dropped");
  if (account != nullptr) account->state = store::BlockState::kDropped;
}

void CompetitionWitness::On(const store::CountBlocks& count) {
  chronicle_.Note("blocks counted", {count.from, count.to});
  if (count.from != counted_ || count.to < counted_) {
    return Fail(count.from, absl::StrCat("counted from, up to ", count.to, ", when ", counted_,
                                         " were counted already"));
  }
  for (; counted_ < count.to; ++counted_) {
    const Account& account = blocks_[static_cast<size_t>(counted_)];
    if (account.state == store::BlockState::kRunning) return Fail(counted_, "counted and not over");
    if (account.state == store::BlockState::kPlayed) Recount(account);
  }
  for (const store::CountBlocks::Line& line : count.entrants) CheckTally(line.entrant, line.tally);
}

// --- What the records say ---

absl::optional<CompetitionWitness::Result> CompetitionWitness::ReadResult(const MatchId& id) const {
  match::Setup setup;
  std::vector<match::Record> records;
  const auto archived = disk_.archive().find(id.text());
  const auto journal = disk_.journals().find(id.text());
  if (archived != disk_.archive().end()) {
    absl::StatusOr<replay::Replay> replay = replay::Parse(archived->second);
    if (!replay.ok()) return absl::nullopt;
    setup = std::move(replay->setup);
    records = std::move(replay->records);
  } else if (journal != disk_.journals().end()) {
    absl::StatusOr<replay::Journal> read = replay::ReadJournal(journal->second);
    if (!read.ok()) return absl::nullopt;
    setup = std::move(read->setup);
    records = std::move(read->records);
  }
  if (records.empty() || !setup.block) return absl::nullopt;
  const auto* ended = std::get_if<match::Ended>(&records.back());
  if (ended == nullptr || ended->ending != match::Ending::kFinished) return absl::nullopt;
  Result result{setup.block->block.text(),
                setup.block->rotation,
                absl::StartsWith(setup.request_id, kCompetitionRequest),
                std::move(setup.bots),
                {}};
  // The forfeits are taken from where the file has them, not from what its reader made of them.
  result.match = {id, *ended};
  result.match.verdict.forfeits.clear();
  for (const match::Record& record : records) {
    if (const auto* forfeited = std::get_if<match::Forfeited>(&record)) {
      result.match.verdict.forfeits.push_back({forfeited->seat, forfeited->cause});
    }
  }
  return result;
}

void CompetitionWitness::CheckResults(int64_t number, const Account& account) const {
  const std::vector<int>& bots = account.pairing.bots;
  if (account.matches.size() != bots.size()) return Fail(number, "has other than its matches");
  for (size_t rotation = 0; rotation < account.matches.size(); ++rotation) {
    const store::BlockMatch& match = account.matches[rotation];
    const absl::optional<Result> result = ReadResult(match.id);
    if (!result) return Fail(number, "is PLAYED with a match that has no result on record");
    if (!SameMatch(result->match, match)) Fail(number, "is PLAYED with results of no record");
    if (result->block_id != account.block_id || result->rotation != static_cast<int>(rotation)) {
      Fail(number, "is PLAYED with a match of another block or rotation");
    }
    for (size_t seat = 0; seat < result->bots.size(); ++seat) {
      const int bot = bots[(seat + rotation) % bots.size()];
      if (result->bots[seat] != entrants_[static_cast<size_t>(bot)]) {
        Fail(number, "is PLAYED by bots that it was not begun with");
      }
    }
  }
}

void CompetitionWitness::Recount(const Account& account) {
  const std::vector<int>& bots = account.pairing.bots;
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
  ratings = rating::Update(ratings, outcome);
  for (size_t place = 0; place < seats; ++place) {
    tallies_[static_cast<size_t>(bots[place])].rating = ratings[place];
  }
  if (seats != 2) return;
  store::PairTotal& pair = pairs_[std::minmax(bots[0], bots[1])];
  ++pair.blocks[static_cast<size_t>(half_points[bots[0] < bots[1] ? 0 : 1])];
  pair.draws += draws;
}

void CompetitionWitness::CheckTally(int entrant, const store::Tally& tally) const {
  const store::Tally& own = tallies_[static_cast<size_t>(entrant)];
  const bool same = tally.rating.mu == own.rating.mu && tally.rating.sigma == own.rating.sigma &&
                    tally.blocks == own.blocks && tally.wins == own.wins &&
                    tally.draws == own.draws && tally.losses == own.losses &&
                    tally.forfeits == own.forfeits && tally.half_points == own.half_points &&
                    tally.silences == own.silences;
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

// --- The end ---

void CompetitionWitness::CheckTheEnd(store::Store* store, const store::CompetitionId& id,
                                     const std::vector<competition::Standing>& standings) const {
  const auto blocks = store->ListBlocks(id, 0, static_cast<int>(blocks_.size()) + 1, absl::nullopt);
  if (!blocks.ok() || blocks->size() != blocks_.size()) {
    return chronicle_.Fail("the store has other blocks than were begun");
  }
  for (size_t i = 0; i < blocks_.size(); ++i) {
    const Account& account = blocks_[i];
    const store::Block& block = (*blocks)[i];
    const int64_t number = static_cast<int64_t>(i);
    if (block.number != number || !(block.pairing == account.pairing)) {
      Fail(number, "has other bots than it was begun with");
    }
    if (block.state != account.state) Fail(number, "is in another state than it was brought to");
    if (block.state != store::BlockState::kPlayed) continue;
    CheckResults(number, account);
    if (!std::equal(block.matches.begin(), block.matches.end(), account.matches.begin(),
                    account.matches.end(), SameMatch)) {
      Fail(number, "has other results than it was PLAYED with");
    }
  }
  CheckPlayedOnce();
  if (counted_ != static_cast<int64_t>(blocks_.size())) Fail(counted_, "was never counted");
  if (standings.size() != tallies_.size()) chronicle_.Fail("standings lack entrants");
  for (const competition::Standing& standing : standings) {
    CheckTally(standing.entrant.number, standing.entrant.tally);
  }
  const absl::StatusOr<std::vector<store::PairTotal>> pairs = store->ReadPairTotals(id);
  if (pairs.ok()) CheckPairs(*pairs);
}

// Whatever the archive has as a whole block of the competition is one that counts.
void CompetitionWitness::CheckPlayedOnce() const {
  std::set<std::string> played;
  for (const Account& account : blocks_) {
    if (account.state == store::BlockState::kPlayed) played.insert(account.block_id);
  }
  std::map<std::string, size_t> results;  // by block id
  for (const auto& [match_id, replay_file] : disk_.archive()) {
    const absl::StatusOr<MatchId> id = MatchId::Parse(match_id);
    if (!id.ok()) continue;
    const absl::optional<Result> result = ReadResult(*id);
    const bool competes = result && result->competes;
    if (!competes || ++results[result->block_id] < result->bots.size()) continue;
    if (played.count(result->block_id) == 0) {
      chronicle_.Fail(absl::StrCat("match ", match_id,
                                   " completes a block of the competition that does not count"));
    }
  }
}

}  // namespace referee::simulation
