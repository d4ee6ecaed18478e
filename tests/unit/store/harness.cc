#include "tests/unit/store/harness.h"

#include <cstdlib>
#include <filesystem>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tests/support/leased.h"
#include "tests/support/match_id.h"

namespace referee::store {
namespace {

std::string TimeText(const absl::optional<absl::Time>& time) {
  return time.has_value() ? absl::StrCat(absl::ToUnixMicros(*time)) : "-";
}

void DescribeCompetition(const Competition& competition, std::string* out) {
  absl::StrAppend(out, "competition ", competition.id.text(), " ", competition.spec.name, " ",
                  StateName(competition.state), " version ", competition.version, " next ",
                  competition.next_block, " counted ", competition.counted, " replayed ",
                  competition.replayed, " start ", TimeText(competition.start_time), " finish ",
                  TimeText(competition.finish_time), " entrants ",
                  absl::StrJoin(competition.spec.entrants, ","), " season ", competition.season,
                  " ", TimeText(competition.season_time), " ", competition.season_block);
  for (const EntrantLabel& label : competition.labels) {
    absl::StrAppend(out, " ", label.version, "/", label.season, label.stands ? "!" : "");
  }
  absl::StrAppend(out, "\n");
}

void DescribeEntrant(const Entrant& entrant, std::string* out) {
  const Tally& tally = entrant.tally;
  absl::StrAppend(out, " entrant ", entrant.number, " ", entrant.name, " ", tally.rating.mu, " ",
                  tally.rating.sigma, " ", tally.blocks, " ", tally.wins, " ", tally.draws, " ",
                  tally.losses, " ", tally.forfeits, " ", tally.half_points, " ", tally.silences,
                  " conduct ", tally.conduct.voids, " ", tally.conduct.late_voids, " ",
                  absl::FormatDuration(tally.conduct.given_back), " ", tally.conduct.time_losses,
                  " ", tally.conduct.lost_links, " begun ", entrant.blocks_begun, " ",
                  static_cast<int>(entrant.presence), " ", entrant.reason, " ", entrant.out_from,
                  " version ", entrant.version, " season ", entrant.season, " ",
                  entrant.successor.value_or(-1), " ", entrant.predecessor.value_or(-1), " ",
                  entrant.rated_from, " silent until ", absl::ToUnixMicros(tally.silent_until));
  if (entrant.suspension.has_value()) {
    absl::StrAppend(out, " suspended for ", absl::FormatDuration(entrant.suspension->length),
                    " until ", absl::ToUnixMicros(entrant.suspension->until));
  }
  absl::StrAppend(out, "\n");
}

void DescribeMatches(const std::vector<BlockMatch>& matches, std::string* out) {
  for (const BlockMatch& match : matches) {
    absl::StrAppend(out, " [", match.id.text(), " ", absl::StrJoin(match.verdict.scores, ","), " ",
                    absl::StrJoin(match.verdict.ranks, ","));
    for (const match::SeatForfeit& forfeit : match.verdict.forfeits) {
      absl::StrAppend(out, " ", forfeit.seat.index(), match::CauseName(forfeit.cause));
    }
    for (const match::SeatTime& seat : match.verdict.times.seats) {
      absl::StrAppend(out, " ", absl::FormatDuration(seat.given_back), "/", seat.time_losses, "/",
                      seat.lost_links);
    }
    if (match.verdict.times.late.valid()) {
      absl::StrAppend(out, " late ", match.verdict.times.late.index());
    }
    absl::StrAppend(out, "]");
  }
}

void DescribeBlock(const Block& block, std::string* out) {
  absl::StrAppend(out, " block ", block.number, " of ", absl::StrJoin(block.pairing.bots, ","),
                  " attempt ", block.attempt, " state ", static_cast<int>(block.state), " id ",
                  block.block_id, " owner ", block.owner, " ", TimeText(block.begin_time), " ",
                  TimeText(block.end_time));
  absl::StrAppend(out, " by ", absl::StrJoin(block.forfeited_by, ","), " ", block.reason);
  DescribeMatches(block.matches, out);
  for (const Attempt& attempt : block.attempts) {
    absl::StrAppend(out, "\n  attempt ", attempt.number, " id ", attempt.block_id, " ending ",
                    static_cast<int>(attempt.ending), " ", attempt.reason, " by ",
                    attempt.cancelled_by, " ", TimeText(attempt.end_time));
    DescribeMatches(attempt.matches, out);
  }
  absl::StrAppend(out, "\n");
}

void DescribeBlocks(Store* store, const CompetitionId& id, std::string* out) {
  for (const Block& block : Value(store->ListBlocks(id, 0, 1'000'000, absl::nullopt))) {
    DescribeBlock(block, out);
  }
  absl::StrAppend(out, " open");
  for (const Block& block : Value(store->ListOpenBlocks(id))) {
    absl::StrAppend(out, " ", block.number);
  }
  absl::StrAppend(out, "\n");
  for (const PairTotal& pair : Value(store->ReadPairTotals(id))) {
    absl::StrAppend(out, " pair ", pair.low, " ", pair.high, " ", absl::StrJoin(pair.blocks, ","),
                    " ", pair.draws, "\n");
  }
  EXPECT_TRUE(store
                  ->ReadOutcomes(id, 0, 1'000'000,
                                 [&](int64_t number, const rating::BlockOutcome& outcome) {
                                   absl::StrAppend(out, " outcome ", number);
                                   for (const std::vector<int>& ranks : outcome.ranks) {
                                     absl::StrAppend(out, " ", absl::StrJoin(ranks, ","));
                                   }
                                   absl::StrAppend(out, "\n");
                                   return true;
                                 })
                  .ok());
}

}  // namespace

absl::Status Apply(Store* store, absl::Span<const Change> changes) {
  return testing::ApplyAs(store, kOwner, changes);
}

absl::Time At(int second) { return absl::FromUnixSeconds(1'700'000'000 + second); }

dice::Bytes32 Hash(uint8_t number) {
  dice::Bytes32 hash{};
  hash.fill(number);
  return hash;
}

Account AccountOf(const std::string& name, uint8_t token) {
  return {name, Role::kBot, Hash(token), "", At(token), At(token)};
}

AuditEntry AuditOf(const std::string& action, const std::string& subject) {
  return {0, At(1), "local", action, subject, "as a test does"};
}

MatchId MatchIdOf(int number) {
  return testing::NumberedId(static_cast<uint64_t>(number), At(number));
}

Competition LadderOf(int number, const std::string& name, std::vector<std::string> entrants) {
  Competition ladder;
  ladder.id = CompetitionId(MatchIdOf(number).text());
  ladder.create_time = At(number);
  ladder.spec.name = name;
  ladder.spec.format = schedule::Format::kLadder;
  ladder.spec.game = "isaac";
  ladder.spec.time_control = "500ms";
  ladder.spec.entrants = std::move(entrants);
  return ladder;
}

Competition StartLadder(Store* store, int number, std::vector<std::string> entrants) {
  const Competition ladder = LadderOf(number, absl::StrCat("ladder ", number), std::move(entrants));
  EXPECT_TRUE(store->CreateCompetition(ladder, absl::nullopt).ok());
  return store
      ->SetState(ladder.id, CompetitionState::kNew, CompetitionState::kRunning, At(number + 1),
                 absl::nullopt)
      .value();
}

BeginBlock BeginOf(const Competition& competition, int64_t number, std::vector<int> bots) {
  return {
      competition.id, competition.version, number, {std::move(bots)}, At(static_cast<int>(number))};
}

match::Verdict ResultOf(std::vector<int> scores, std::vector<int> ranks,
                        std::vector<match::SeatForfeit> forfeits) {
  match::Verdict verdict;
  verdict.scores = std::move(scores);
  verdict.ranks = std::move(ranks);
  verdict.forfeits = std::move(forfeits);
  return verdict;
}

FinishBlock FinishOf(const Competition& competition, int64_t number) {
  FinishBlock finish;
  finish.competition = competition.id;
  finish.number = number;
  finish.block_id = absl::StrCat("block-", number);
  const int match = static_cast<int>(2 * number);
  finish.matches.push_back(
      {MatchIdOf(match), ResultOf({16, -1}, {1, 2}, {{Seat(1), match::Cause::kTimeout}})});
  finish.matches.push_back({MatchIdOf(match + 1), ResultOf({7, 7}, {1, 1})});
  finish.time = At(static_cast<int>(number) + 1);
  return finish;
}

Attempt FailureOf(const Competition& competition, int64_t number) {
  const FinishBlock played = FinishOf(competition, number);
  Attempt attempt;
  attempt.block_id = played.block_id;
  attempt.matches = played.matches;
  match::Verdict& verdict = attempt.matches[1].verdict;
  verdict.scores.clear();
  verdict.ranks.clear();
  verdict.times.seats = {{absl::Nanoseconds(1'500'000'001), 1, 0}, {absl::ZeroDuration(), 0, 2}};
  verdict.times.late = Seat(0);
  attempt.reason = "the referee stood still";
  attempt.cancelled_by = "an organiser";
  attempt.end_time = At(static_cast<int>(number) + 1);
  return attempt;
}

RetryBlock RetryOf(const Competition& competition, int64_t number) {
  return {competition.id, number, 0, FailureOf(competition, number)};
}

DropBlock DropOf(const Competition& competition, int64_t number) {
  DropBlock drop;
  drop.competition = competition.id;
  drop.number = number;
  drop.time = At(static_cast<int>(number) + 1);
  return drop;
}

CountBlocks CountOf(const Competition& competition, int64_t from, int64_t to) {
  return {competition.id, competition.version, from, to, {}, {}};
}

std::vector<int64_t> Numbers(const std::vector<Block>& blocks) {
  std::vector<int64_t> numbers;
  for (const Block& block : blocks) numbers.push_back(block.number);
  return numbers;
}

std::string Describe(Store* store) {
  std::string out;
  for (const Account& account : Value(store->ListAccounts("", 1'000'000))) {
    absl::StrAppend(&out, "account ", account.name, " ", static_cast<int>(account.role), " ",
                    dice::Hex(account.token_hash), " ", account.disabled, " ",
                    TimeText(account.create_time), " ", TimeText(account.token_time), " ",
                    account.version, " ", TimeText(account.version_time),
                    account.version_kept ? " kept" : "", "\n");
  }
  for (const AuditEntry& entry : Value(store->ListAudit(0, 1'000'000))) {
    absl::StrAppend(&out, "audit ", entry.number, " ", TimeText(entry.time), " ", entry.who, " ",
                    entry.action, " ", entry.subject, " ", entry.detail, "\n");
  }
  for (const Competition& listed : Value(store->ListCompetitions(CompetitionId(), 1'000'000))) {
    DescribeCompetition(store->GetCompetition(listed.id).value(), &out);
    for (const Entrant& entrant : Value(store->ReadEntrants(listed.id))) {
      DescribeEntrant(entrant, &out);
    }
    DescribeBlocks(store, listed.id, &out);
  }
  return out;
}

void StoreContract::Reopen() {
  if (!GetParam().lasts) return;
  store_.reset();
  store_ = GetParam().open(folder_.Path("store.db"), &clock_);
}

INSTANTIATE_TEST_SUITE_P(Stores, StoreContract, ::testing::ValuesIn(AllImplementations()),
                         [](const ::testing::TestParamInfo<Implementation>& info) {
                           return info.param.name;
                         });

}  // namespace referee::store
