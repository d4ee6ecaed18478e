#include "tests/simulation/witness_competition.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <variant>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "referee/base/limits.h"
#include "referee/rating/rating.h"
#include "referee/replay/log_recorder.h"
#include "referee/replay/replay.h"

namespace referee::simulation {
namespace {

// How the request ids of blocks of competitions begin.
constexpr absl::string_view kCompetitionRequest = "c/";

bool SameMatch(const store::BlockMatch& a, const store::BlockMatch& b) {
  return a.id == b.id && a.verdict.scores == b.verdict.scores &&
         a.verdict.ranks == b.verdict.ranks && a.verdict.forfeits == b.verdict.forfeits;
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

void CompetitionWitness::OnEntrants(const std::string& bot,
                                    const std::vector<store::Entrant>& entrants) {
  chronicle_.Note(bot.empty() ? "season begun" : "joined", {static_cast<int64_t>(entrants.size())});
  for (size_t i = entrants_.size(); i < entrants.size(); ++i) Meet(entrants[i]);
  std::map<std::string, int> standing;
  for (size_t i = 0; i < entrants.size(); ++i) {
    const store::Entrant& entrant = entrants[i];
    stands_[i] = !entrant.successor;
    standing[entrant.name] += stands_[i] ? 1 : 0;
    if (entrant.name != entrants_[i] || entrant.season != seasons_[i]) {
      chronicle_.Fail(absl::StrCat("entrant ", i, " is another than it was"));
    }
    if (!stands_[i] && entrant.presence == store::Presence::kIn) {
      chronicle_.Fail(absl::StrCat("entrant ", i, " is in, though its place was taken"));
    }
    // Who comes back begins without silences.
    const bool came = entrant.name == bot && stands_[i] && entrant.tally.silences == 0;
    if (came) tallies_[i].silences = 0;
  }
  for (const auto& [name, times] : standing) {
    if (times != 1) chronicle_.Fail(absl::StrCat(times, " entrants stand for ", name));
  }
}

void CompetitionWitness::Meet(const store::Entrant& entrant) {
  const auto before = static_cast<size_t>(entrant.predecessor.value_or(-1));
  const size_t number = entrants_.size();
  entrants_.push_back(entrant.name);
  stands_.push_back(true);
  seasons_.push_back(entrant.season);
  tallies_.emplace_back();
  if (before >= number || entrants_[before] != entrant.name) {
    return chronicle_.Fail(absl::StrCat("entrant ", number, " takes no place of its bot's"));
  }
  chronicle_.Note("entrant succeeded", {entrant.number, entrant.season});
  const rating::Rating& known = tallies_[before].rating;
  rating::Rating& first = tallies_[number].rating;
  first.mu = known.mu;
  first.sigma = std::min(25.0 / 3, std::sqrt(known.sigma * known.sigma + 25.0 / 6 * 25.0 / 6));
  const rating::Rating& given = entrant.tally.rating;
  if (given.mu != first.mu || std::abs(given.sigma - first.sigma) > 1e-9 ||
      entrant.rated_from != counted_) {
    chronicle_.Fail(absl::StrCat(
        "entrant ", number, " begins with rating ", given.mu, "/", given.sigma, " from block ",
        entrant.rated_from, "; the records say ", first.mu, "/", first.sigma, " from ", counted_));
  }
  first = given;  // to the last bit
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
  if (IsDecided()) Fail(begin.number, "begun when the test was decided");
  for (const int bot : begin.pairing.bots) {
    const auto number = static_cast<size_t>(bot);
    const auto first = static_cast<size_t>(begin.pairing.bots[0]);
    if (!stands_[number]) Fail(begin.number, "begun with an entrant whose place was taken");
    if (seasons_[number] != seasons_[first]) Fail(begin.number, "begun in two seasons");
  }
  blocks_.emplace_back().pairing = begin.pairing;
  blocks_.back().begun = begin.time;
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
  CheckFailure(retry.number, retry.failed, account);
  if (++account->attempt >= limits::kMaxBlockAttempts) Fail(retry.number, "is begun without end");
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
  account->forfeited_by = finish.forfeited_by;
  account->played = finish.time;
  if (finish.failed) CheckFailure(finish.number, *finish.failed, account);
  CheckResults(finish.number, *account);
}

void CompetitionWitness::On(const store::DropBlock& drop) {
  chronicle_.Note("block dropped", {drop.number});
  Account* account = FindRunning(drop.number, drop.attempt, "dropped");
  if (account == nullptr) return;
  account->state = drop.state;
  if (drop.failed) CheckFailure(drop.number, *drop.failed, account);
  const bool given_up = account->attempts.size() == limits::kMaxBlockAttempts;
  if (drop.state == store::BlockState::kVoid && !given_up) Fail(drop.number, "is void too early");
}

void CompetitionWitness::CheckFailure(int64_t number, const store::Attempt& failed,
                                      Account* account) {
  bool all = !failed.matches.empty();
  for (size_t i = 0; i < failed.matches.size(); ++i) {
    const store::BlockMatch& match = failed.matches[i];
    const bool named = account->matches.size() == failed.matches.size();
    if (named && account->state == store::BlockState::kRunning &&
        account->matches[i].id != match.id) {
      Fail(number, "has an attempt on record with other matches than it was made of");
    }
    const absl::optional<Result> end = ReadEnd(match.id);
    if (end.has_value() && !match.recorded) {
      Fail(number, "has an attempt with a match on record that it says is not");
    }
    const bool has_result = end && !end->match.verdict.ranks.empty();
    all = all && has_result;
    if (has_result ? !SameMatch(end->match, match) : !match.verdict.ranks.empty()) {
      Fail(number, "has an attempt on record with results of no record");
    }
  }
  if (all) Fail(number, "came to nothing although all its matches have results");
  account->attempts.push_back(failed);
}

void CompetitionWitness::On(const store::CountBlocks& count) {
  chronicle_.Note("blocks counted", {count.from, count.to});
  if (count.from != counted_ || count.to < counted_) {
    return Fail(count.from, absl::StrCat("counted from, up to ", count.to, ", when ", counted_,
                                         " were counted already"));
  }
  for (; counted_ < count.to; ++counted_) {
    Account& account = blocks_[static_cast<size_t>(counted_)];
    if (account.state == store::BlockState::kRunning) return Fail(counted_, "counted and not over");
    account.surplus = IsDecided() && account.state == store::BlockState::kPlayed;
    if (account.surplus) account.state = store::BlockState::kDropped;
    if (IsDecided() && !(count.surplus && count.surplus->from <= counted_)) {
      Fail(counted_, "counts, though the test was decided before");
    }
    RecountConduct(account);
    Recount(account);
    if (count.surplus && count.surplus->from <= counted_ && !IsDecided()) {
      Fail(counted_, "does not count, though the test was not decided");
    }
  }
  if (count.decides()) chronicle_.Note("test decided", {count.surplus->from - 1});
  if (count.surplus.has_value() != IsDecided()) {
    Fail(count.to, "is not where the test is decided");
  }
  for (const store::CountBlocks::Line& line : count.entrants) {
    CheckTally(line.entrant, line.tally, tallies_[static_cast<size_t>(line.entrant)]);
  }
}

// --- What the records say ---

absl::optional<CompetitionWitness::Result> CompetitionWitness::ReadResult(const MatchId& id) const {
  absl::optional<Result> end = ReadEnd(id);
  if (end && end->match.verdict.ending != match::Ending::kFinished) return absl::nullopt;
  return end;
}

absl::optional<CompetitionWitness::Result> CompetitionWitness::ReadEnd(const MatchId& id) const {
  match::Setup setup;
  std::vector<match::Record> records;
  const auto archived = disk_.archive().find(id.text());
  if (archived != disk_.archive().end()) {
    setup = archived->second.replay.setup;
    records = archived->second.replay.records;
  } else {
    const std::map<std::string, std::string>& logged = disk_.logged();
    const auto found = logged.find(id.text());
    if (found == logged.end()) return absl::nullopt;
    absl::StatusOr<replay::MatchRead> read = replay::ReadMatch(found->second);
    if (!read.ok()) return absl::nullopt;
    setup = std::move(read->setup);
    records = std::move(read->records);
  }
  if (records.empty() || !setup.block) return absl::nullopt;
  const auto* ended = std::get_if<match::Ended>(&records.back());
  if (ended == nullptr) return absl::nullopt;
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
      const bool unasked = forfeited->cause == match::Cause::kResigned && forfeited->number == 1 &&
                           !forfeited->timing && !forfeited->interrupts_turn;
      result.match.verdict.forfeits.push_back({forfeited->seat, forfeited->cause, unasked});
    }
  }
  return result;
}

void CompetitionWitness::CheckResults(int64_t number, const Account& account) const {
  const std::vector<int>& bots = account.pairing.bots;
  if (account.matches.size() != bots.size()) return Fail(number, "has other than its matches");
  for (size_t rotation = 0; rotation < account.matches.size(); ++rotation) {
    const store::BlockMatch& match = account.matches[rotation];
    const bool forfeited = !account.forfeited_by.empty();
    const absl::optional<Result> result = forfeited ? ReadEnd(match.id) : ReadResult(match.id);
    if (!result) return Fail(number, "is PLAYED with a match that has no result on record");
    const bool decided = !result->match.verdict.ranks.empty();
    if (decided && !SameMatch(result->match, match)) {
      Fail(number, "is PLAYED with results of no record");
    }
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
  if (!account.forfeited_by.empty()) CheckForfeit(number, account);
}

void CompetitionWitness::CheckForfeit(int64_t number, const Account& account) const {
  const std::vector<int>& bots = account.pairing.bots;
  for (const int bot : account.forfeited_by) {
    bool lost = false;
    for (size_t rotation = 0; rotation < bots.size(); ++rotation) {
      const absl::optional<Result> end = ReadEnd(account.matches[rotation].id);
      if (!end) return Fail(number, "is forfeited with a match that is on no record");
      const match::Verdict& counts = account.matches[rotation].verdict;
      for (size_t seat = 0; seat < bots.size(); ++seat) {
        if (bots[(seat + rotation) % bots.size()] != bot) continue;
        const auto is_out = [seat](const match::SeatForfeit& forfeit) {
          return forfeit.seat == Seat(static_cast<int>(seat));
        };
        const std::vector<match::SeatForfeit>& out = end->match.verdict.forfeits;
        const bool was_out = std::any_of(out.begin(), out.end(), is_out);
        const bool decided = !end->match.verdict.ranks.empty();
        lost = lost || (decided ? counts.ranks[seat] > 1 : was_out);
        // Resigning would have put it behind all who were still in the game.
        for (size_t other = 0; other < bots.size() && !decided && !was_out; ++other) {
          const auto other_is_out = [other](const match::SeatForfeit& forfeit) {
            return forfeit.seat == Seat(static_cast<int>(other));
          };
          const std::vector<match::SeatForfeit>& gone = counts.forfeits;
          const bool in = std::none_of(gone.begin(), gone.end(), other_is_out);
          if (in && counts.ranks[other] >= counts.ranks[seat]) {
            Fail(number, "is forfeited by a bot that has a better rank than by resigning");
          }
        }
      }
    }
    if (!lost) Fail(number, "is forfeited by a bot that had lost no match of it");
  }
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
    const bool kept = account.surplus && account.forfeited_by.empty();
    if (block.state != store::BlockState::kPlayed && !kept) continue;
    CheckResults(number, account);
    if (!std::equal(block.matches.begin(), block.matches.end(), account.matches.begin(),
                    account.matches.end(), SameMatch)) {
      Fail(number, "has other results than it was PLAYED with");
    }
  }
  CheckPlayedOnce();
  if (counted_ != static_cast<int64_t>(blocks_.size())) Fail(counted_, "was never counted");
  const auto entrants = store->ReadEntrants(id);
  if (!entrants.ok() || entrants->size() != tallies_.size()) {
    return chronicle_.Fail("the store lacks entrants");
  }
  for (const store::Entrant& entrant : *entrants) {
    CheckTally(entrant.number, entrant.tally, tallies_[static_cast<size_t>(entrant.number)]);
  }
  CheckStandings(store->GetCompetition(id)->season, standings);
  const absl::StatusOr<std::vector<store::PairTotal>> pairs = store->ReadPairTotals(id);
  if (pairs.ok()) CheckPairs(*pairs);
}

// Whatever the archive has as a whole block of the competition is one that counts.
void CompetitionWitness::CheckPlayedOnce() const {
  std::set<std::string> played;
  for (const Account& account : blocks_) {
    const bool to_the_end = account.state == store::BlockState::kPlayed || account.surplus;
    if (to_the_end) played.insert(account.block_id);
  }
  std::map<std::string, size_t> results;  // by block id
  for (const auto& [match_id, archived] : disk_.archive()) {
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
