// How a competition is read from the store, and its matches found in the host and the archive.

#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/competition/runner.h"
#include "referee/competition/schedule_reading.h"

namespace referee::competition {
absl::Status CompetitionRunner::Read() {
  absl::StatusOr<store::Competition> row = environment_.store->GetCompetition(id_);
  if (!row.ok()) return row.status();
  absl::StatusOr<std::vector<store::Entrant>> entrants = environment_.store->ReadEntrants(id_);
  if (!entrants.ok()) return entrants.status();
  if (TakeOver(*row, *entrants)) return absl::OkStatus();

  row_ = *std::move(row);
  entrants_ = *std::move(entrants);
  NameEntrants();
  read_ = true;
  unwritten_.clear();
  foreign_.clear();
  uncounted_.clear();
  matches_.clear();
  std::map<int64_t, OpenBlock> before = std::exchange(open_, {});
  schedule_ = nullptr;
  if (row_.state == store::CompetitionState::kNew ||
      row_.state == store::CompetitionState::kFinished) {
    return absl::OkStatus();
  }
  absl::StatusOr<CompetitionTerms> terms = ReadTerms(row_.spec);
  if (!terms.ok()) return terms.status();
  terms_ = *std::move(terms);
  auto schedule = ReadSchedule(environment_.store, row_, entrants_, [&](store::Block block) {
    const int64_t number = block.number;
    if (block.state != store::BlockState::kRunning) {
      uncounted_.emplace(number, std::move(block));
    } else if (block.owner == environment_.owner) {
      Open(std::move(block), &before);
    } else {
      foreign_.insert(number);
    }
  });
  if (!schedule.ok()) return schedule.status();
  schedule_ = *std::move(schedule);
  for (const auto& [number, lost] : before) {
    if (lost.first == nullptr || lost.over() || matches_.contains(lost.first->id())) continue;
    // What has ended meanwhile is as good.
    static_cast<void>(environment_.host->Cancel(
        lost.first->id(), absl::StrCat("block ", number, " was taken over by another referee")));
  }
  for (auto& [number, open] : open_) {
    if (absl::Status found = LookUp(&open); !found.ok()) return found;
  }
  return absl::OkStatus();
}

void CompetitionRunner::NameEntrants() {
  row_.spec.entrants.clear();
  for (const store::Entrant& entrant : entrants_) row_.spec.entrants.push_back(entrant.name);
}

bool CompetitionRunner::TakeOver(const store::Competition& row,
                                 const std::vector<store::Entrant>& entrants) {
  if (schedule_ == nullptr || !unwritten_.empty() || !foreign_.empty() || refusals_ > 0 ||
      row.next_block != row_.next_block || row.counted != row_.counted ||
      row.state == store::CompetitionState::kFinished || entrants.size() < entrants_.size()) {
    return false;
  }
  for (size_t i = 0; i < entrants.size(); ++i) {
    const int bot = static_cast<int>(i);
    if (i >= entrants_.size()) {
      if (!schedule_->Join().ok()) return false;
      if (entrants[i].presence != store::Presence::kIn) schedule_->Withdraw(bot);
      continue;
    }
    const bool was_in = entrants_[i].presence == store::Presence::kIn;
    const bool is_in = entrants[i].presence == store::Presence::kIn;
    if (was_in && !is_in) schedule_->Withdraw(bot);
    if (!was_in && is_in && !schedule_->Rejoin(bot).ok()) return false;
  }
  row_ = row;
  entrants_ = entrants;
  NameEntrants();
  return true;
}

void CompetitionRunner::Open(store::Block block, std::map<int64_t, OpenBlock>* before) {
  OpenBlock open;
  const auto known = before->find(block.number);
  if (known != before->end() && known->second.block.attempt == block.attempt) {
    open = std::move(known->second);
    open.told = false;  // the schedule is a new one
  } else {
    open.block = std::move(block);
    open.from_before = true;
    open.named = open.made = !open.block.matches.empty();
    open.ends.resize(open.block.matches.size());
    if (open.made) open.first = environment_.host->Find(open.block.matches.front().id);
  }
  const int64_t number = open.block.number;
  for (size_t i = 0; i < open.block.matches.size(); ++i) {
    matches_.insert_or_assign(open.block.matches[i].id, MatchPlace{number, i});
  }
  open_.emplace(number, std::move(open));
}

absl::Status CompetitionRunner::LookUp(OpenBlock* open) {
  for (size_t rotation = 0; rotation < open->ends.size(); ++rotation) {
    if (open->ends[rotation].has_value()) continue;
    if (absl::Status found = LookUpMatch(open, rotation); !found.ok()) return found;
  }
  return absl::OkStatus();
}

absl::Status CompetitionRunner::LookUpMatch(OpenBlock* open, size_t rotation) {
  const MatchId id = open->block.matches[rotation].id;
  const std::shared_ptr<host::MatchRunner> runner = environment_.host->Find(id);
  // The host tells of the end of what it runs.
  if (runner != nullptr && !runner->over()) return absl::OkStatus();
  const absl::StatusOr<replay::Replay> replay = environment_.find_replay(id);
  if (replay.ok()) {
    open->ends[rotation] = EndOf(*replay);
    return absl::OkStatus();
  }
  // It is in the archive in a moment, or could not be brought there.
  if (runner != nullptr) {
    runner->Inspect([post = environment_.post](const host::MatchRunner& over) {
      if (over.ended() != nullptr) post(over.id(), EndOf(over));
    });
    return absl::OkStatus();
  }
  if (!absl::IsNotFound(replay.status()) && !absl::IsInvalidArgument(replay.status())) {
    return replay.status();
  }
  open->ends[rotation] =
      MatchEnd{match::Ending::kVoid,
               absl::StrCat("match ", id.text(), " was lost: ", replay.status().message()),
               {},
               {},
               {},
               false};
  return absl::OkStatus();
}

}  // namespace referee::competition
