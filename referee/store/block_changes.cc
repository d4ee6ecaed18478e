#include "referee/store/block_changes.h"

#include <algorithm>
#include <type_traits>
#include <variant>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/store/block_text.h"
#include "referee/store/errors.h"
#include "referee/store/names.h"

namespace referee::store {
namespace {

void Want(const BeginBlock&, WantedOfCompetition*) {}

void Want(const CountBlocks& count, WantedOfCompetition* wanted) {
  wanted->open_below = std::max(wanted->open_below, count.to);
  for (const CountBlocks::Line& line : count.entrants) {
    if (!line.set_aside.empty()) wanted->entrants.insert(line.entrant);
  }
}

template <typename BlockChange>
void Want(const BlockChange& change, WantedOfCompetition* wanted) {
  wanted->blocks.insert(change.number);
}

}  // namespace

std::map<CompetitionId, WantedOfCompetition> WantedBy(absl::Span<const Change> changes) {
  std::map<CompetitionId, WantedOfCompetition> wanted;
  for (const Change& change : changes) {
    std::visit([&](const auto& one) { Want(one, &wanted[one.competition]); }, change);
  }
  return wanted;
}

absl::Status MakeChanges(absl::Span<const Change> changes,
                         std::map<CompetitionId, ChangedCompetition>* competitions) {
  const auto make = [&](const auto& change) {
    const auto found = competitions->find(change.competition);
    if (found == competitions->end()) return NoCompetition(change.competition.text());
    return found->second.Make(change);
  };
  for (size_t i = 0; i < changes.size(); ++i) {
    const absl::Status made = std::visit(make, changes[i]);
    if (!made.ok()) return At(absl::StrCat("change ", i + 1, " of ", changes.size()), made);
  }
  return absl::OkStatus();
}

void ChangedCompetition::AddBlock(BlockRow row) {
  const int64_t number = row.number;
  blocks_[number].row = std::move(row);
}

template <typename BlockChange>
absl::StatusOr<ChangedCompetition::Open> ChangedCompetition::FindOpen(const BlockChange& change) {
  const auto found = blocks_.find(change.number);
  if (found == blocks_.end()) return NoBlock(change.competition.text(), change.number);
  BlockRow& row = found->second.row;
  Open open{&row};
  if constexpr (std::is_same_v<BlockChange, FinishBlock>) {
    if (row.state == BlockState::kPlayed) {
      open.repeated = row.attempt == change.attempt && row.block_id == change.block_id &&
                      row.match_ids == MatchIdsText(change.matches) &&
                      row.results == ResultsText(change.matches);
      if (!open.repeated) {
        return absl::AlreadyExistsError(absl::StrCat("competition ",
                                                     Quoted(change.competition.text()), ": block ",
                                                     change.number, " has other results already"));
      }
      return open;
    }
  }
  if constexpr (std::is_same_v<BlockChange, DropBlock>) {
    open.repeated = row.state == change.state;
    if (open.repeated) return open;
  }
  const auto moved_on = [&](absl::string_view is) {
    return absl::AbortedError(absl::StrCat("competition ", Quoted(change.competition.text()),
                                           ": block ", change.number, " ", is,
                                           " by now; read it again, and decide anew"));
  };
  if (row.state != BlockState::kRunning) {
    return moved_on(absl::StrCat("is ", NameOf(kBlockStates, row.state)));
  }
  if (row.attempt != change.attempt) {
    return moved_on(absl::StrCat("was void ", row.attempt, " times"));
  }
  if (row.owner != lease_.owner) return moved_on(absl::StrCat("belongs to ", Quoted(row.owner)));
  found->second.differs = true;
  return open;
}

void ChangedCompetition::PutOnRecord(const BlockRow& row, const Attempt& attempt) {
  attempts_.push_back({row.number, row.attempt, &attempt});
}

void ChangedCompetition::End(BlockRow* row, BlockState state, const std::string& reason,
                             absl::Time time) {
  row->state = state;
  row->reason = reason;
  row->owner.clear();
  row->end_time = time;
  open_.erase(row->number);
}

absl::Status ChangedCompetition::CheckHome(const CompetitionId& id) const {
  return head_.home_term == lease_.term ? absl::OkStatus() : HomeIsAnother(id.text(), lease_.owner);
}

absl::Status ChangedCompetition::Make(const BeginBlock& begin) {
  const std::string& id = begin.competition.text();
  if (absl::Status home = CheckHome(begin.competition); !home.ok()) return home;
  if (head_.state != CompetitionState::kRunning) {
    return CompetitionMovedOn(id, absl::StrCat("is ", StateName(head_.state)));
  }
  if (head_.version != begin.version) {
    return CompetitionMovedOn(id, absl::StrCat("has version ", head_.version));
  }
  if (head_.next_block != begin.number) {
    return CompetitionMovedOn(id, absl::StrCat("has begun ", head_.next_block, " blocks"));
  }
  for (const int bot : begin.pairing.bots) {
    if (bot < 0 || bot >= entrants_) return NoEntrant(id, absl::StrCat("number ", bot));
    begun_.push_back({begin.number, bot});
    ++blocks_begun_[bot];
  }
  Changed& block = blocks_[begin.number];
  block.is_new = true;
  block.row.number = begin.number;
  block.row.bots = PairingText(begin.pairing);
  block.row.owner = begin.to.empty() ? lease_.owner : begin.to;
  block.row.begin_time = begin.time;
  open_.insert(begin.number);
  ++head_.next_block;
  return absl::OkStatus();
}

absl::Status ChangedCompetition::Make(const NameMatches& name) {
  const absl::StatusOr<Open> open = FindOpen(name);
  if (!open.ok()) return open.status();
  open->row->block_id = name.block_id;
  open->row->match_ids = MatchIdsText(name.matches);
  return absl::OkStatus();
}

absl::Status ChangedCompetition::Make(const RetryBlock& retry) {
  const absl::StatusOr<Open> open = FindOpen(retry);
  if (!open.ok()) return open.status();
  PutOnRecord(*open->row, retry.failed);
  ++open->row->attempt;
  if (!retry.to.empty()) open->row->owner = retry.to;
  open->row->block_id.clear();
  open->row->match_ids.clear();
  ++head_.replayed;
  return absl::OkStatus();
}

absl::Status ChangedCompetition::Make(const FinishBlock& finish) {
  const absl::StatusOr<Open> open = FindOpen(finish);
  if (!open.ok()) return open.status();
  if (open->repeated) return absl::OkStatus();
  BlockRow& row = *open->row;
  if (finish.failed) PutOnRecord(row, *finish.failed);
  row.block_id = finish.block_id;
  row.match_ids = MatchIdsText(finish.matches);
  row.results = ResultsText(finish.matches);
  row.times = TimesText(finish.matches);
  row.forfeited_by = PairingText({finish.forfeited_by});
  End(&row, BlockState::kPlayed, finish.reason, finish.time);
  return absl::OkStatus();
}

absl::Status ChangedCompetition::Make(const DropBlock& drop) {
  const absl::StatusOr<Open> open = FindOpen(drop);
  if (!open.ok()) return open.status();
  if (open->repeated) return absl::OkStatus();
  if (drop.failed) PutOnRecord(*open->row, *drop.failed);
  End(open->row, drop.state, drop.reason, drop.time);
  return absl::OkStatus();
}

bool ChangedCompetition::Count(const CountBlocks::Line& line) {
  tallies_[line.entrant] = &line.tally;
  if (line.set_aside.empty() || in_.erase(line.entrant) == 0) return false;
  set_aside_.push_back({line.entrant, line.set_aside, head_.next_block, line.suspension});
  return true;
}

void ChangedCompetition::DropSurplus(const CountBlocks::Surplus& surplus, int64_t to) {
  surplus_.push_back({surplus.from, to, surplus.reason});
  for (auto at = blocks_.lower_bound(surplus.from); at != blocks_.end() && at->first < to; ++at) {
    BlockRow& row = at->second.row;
    if (row.state != BlockState::kPlayed) continue;
    at->second.differs = true;
    row.state = BlockState::kDropped;
    row.reason = surplus.reason;
    if (row.forfeited_by.empty()) continue;
    row.results.clear();
    row.times.clear();
    row.forfeited_by.clear();
  }
}

absl::Status ChangedCompetition::Make(const CountBlocks& count) {
  const std::string& id = count.competition.text();
  if (absl::Status home = CheckHome(count.competition); !home.ok()) return home;
  if (head_.version != count.version) {
    return CompetitionMovedOn(id, absl::StrCat("has version ", head_.version));
  }
  if (head_.counted != count.from) {
    return CompetitionMovedOn(id, absl::StrCat("has counted ", head_.counted, " blocks"));
  }
  const bool open = !open_.empty() && *open_.begin() < count.to;
  if (open || count.to < count.from || count.to > head_.next_block) {
    return absl::FailedPreconditionError(
        absl::StrCat("competition ", Quoted(id), ": not every block from ", count.from, " to ",
                     count.to - 1, " is over, so they cannot count"));
  }
  bool any_set_aside = false;
  for (const CountBlocks::Line& line : count.entrants) {
    if (line.entrant < 0 || line.entrant >= entrants_) {
      return NoEntrant(id, absl::StrCat("number ", line.entrant));
    }
    any_set_aside |= Count(line);
  }
  head_.counted = count.to;
  head_.version += any_set_aside || count.decides() ? 1 : 0;
  if (count.surplus) DropSurplus(*count.surplus, count.to);
  for (const PairTotal& pair : count.pairs) {
    PairTotal& total = pairs_[{pair.low, pair.high}];
    total.low = pair.low;
    total.high = pair.high;
    for (size_t i = 0; i < pair.blocks.size(); ++i) total.blocks[i] += pair.blocks[i];
    total.draws += pair.draws;
  }
  return absl::OkStatus();
}

}  // namespace referee::store
