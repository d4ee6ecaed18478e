#include "referee/competition/runner.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"

namespace referee::competition {
namespace {

// Between attempts to do what the store or the host did not let happen.
constexpr absl::Duration kFirstPatience = absl::Milliseconds(100);
constexpr absl::Duration kLastPatience = absl::Seconds(30);
// How often a refused change is decided anew at once.
constexpr int kRefusalsAtOnce = 3;
// Between attempts at a block that becomes void again and again.
constexpr absl::Duration kLongestRetry = absl::Minutes(1);

absl::Duration RetryDelay(int attempt) {
  if (attempt < 2) return absl::ZeroDuration();
  return std::min(kLongestRetry, absl::Seconds(1 << std::min(attempt - 2, 6)));
}

bool IsRefusal(const absl::Status& status) {
  return absl::IsAborted(status) || absl::IsNotFound(status) || absl::IsAlreadyExists(status) ||
         absl::IsFailedPrecondition(status);
}

}  // namespace

CompetitionRunner::CompetitionRunner(store::CompetitionId id, const Environment* environment)
    : id_(std::move(id)), environment_(*environment), patience_(kFirstPatience) {}

bool CompetitionRunner::idle() const {
  return read_ && !stale_ &&
         (row_.state == store::CompetitionState::kNew ||
          row_.state == store::CompetitionState::kFinished);
}

void CompetitionRunner::Take(const MatchId& match, const MatchEnd& end) {
  const auto place = matches_.find(match);
  if (place == matches_.end()) return;
  absl::optional<MatchEnd>& slot = open_.at(place->second.number).ends[place->second.rotation];
  if (!slot.has_value()) slot = end;
}

// --- A turn ---

Instant CompetitionRunner::Turn(bool may_begin) {
  may_begin_ = may_begin;
  if (environment_.clock->Now() < not_before_) return not_before_;
  goes_on_ = false;
  failed_ = false;
  if (stale_) {
    if (absl::Status read = Read(); !read.ok()) {
      Fail(read);
      return not_before_;
    }
    stale_ = false;
    ++steps_;
  }
  if (idle()) return Instant::InfiniteFuture();
  CancelGone();
  if (Write()) {
    MakeBlocks();
    WatchReadiness();
    WatchAbsence();
    FinishIfDone();
  }
  if (!failed_ && !stale_) Recover();
  return NextTurn();
}

void CompetitionRunner::Recover() {
  if (!trouble_.empty()) Log("it goes on");
  trouble_.clear();
  refusals_ = 0;
  patience_ = kFirstPatience;
}

bool CompetitionRunner::Write() {
  Plan plan;
  PlanNames(&plan);
  PlanEnds(&plan);
  PlanCount(&plan);
  PlanBegins(&plan);
  if (!plan.changes.empty()) {
    if (absl::Status done = environment_.store->Apply(plan.changes); !done.ok()) {
      Refused(done);
      return false;
    }
    ++steps_;
  }
  Commit(plan);
  return true;
}

void CompetitionRunner::Refused(const absl::Status& why) {
  if (!IsRefusal(why)) {
    Fail(why);
    return;
  }
  // Somebody else has gone on.
  stale_ = true;
  if (++refusals_ > kRefusalsAtOnce) Fail(why);
}

void CompetitionRunner::Fail(const absl::Status& why) {
  const std::string trouble(why.message());
  if (trouble != trouble_) Log(absl::StrCat("it cannot go on for now: ", trouble));
  trouble_ = trouble;
  failed_ = true;
  not_before_ = environment_.clock->Now() + patience_;
  patience_ = std::min(2 * patience_, kLastPatience);
}

// --- What was written has happened ---

void CompetitionRunner::Commit(const Plan& plan) {
  for (auto& [number, open] : open_) open.named = open.made;
  for (const int64_t number : plan.finished) {
    Close(number);
    lately_.Add(environment_.clock->Now());
  }
  for (const int64_t number : plan.dropped) {
    schedule_->Dropped(number);
    Close(number);
  }
  for (const int64_t number : plan.retried) {
    OpenBlock& open = open_.at(number);
    Log(absl::StrCat("block ", number, " is void and will be played again: ", open.why_void()));
    for (const store::BlockMatch& match : open.block.matches) matches_.erase(match.id);
    open.Retry(environment_.clock->Now() + RetryDelay(open.block.attempt + 1));
    ++row_.replayed;
  }
  if (plan.count.has_value()) CommitCount(*plan.count);
  for (const rating::Pairing& pairing : plan.begun) CommitBegin(pairing);
  if (plan.begun.size() == unwritten_.size()) {
    unwritten_.clear();
  } else {
    stale_ = true;  // what may not begin now is for a schedule that is made again
  }
}

void CompetitionRunner::Close(int64_t number) {
  const auto open = open_.find(number);
  for (const store::BlockMatch& match : open->second.block.matches) matches_.erase(match.id);
  open_.erase(open);
}

void CompetitionRunner::CommitCount(const store::CountBlocks& count) {
  uncounted_.erase(uncounted_.begin(), uncounted_.lower_bound(count.to));
  row_.counted = count.to;
  bool any_out = false;
  for (const store::CountBlocks::Line& line : count.entrants) {
    store::Entrant& entrant = entrants_[line.entrant];
    entrant.tally = line.tally;
    schedule_->Rated(line.entrant, line.tally.rating);
    if (line.set_aside.empty()) continue;
    any_out = true;
    entrant.presence = store::Presence::kSetAside;
    entrant.reason = line.set_aside;
    entrant.out_from = row_.next_block;
    schedule_->Withdraw(line.entrant);
    Log(absl::StrCat("bot ", Quoted(entrant.name), " is set aside: it ", entrant.reason));
  }
  if (any_out) ++row_.version;
}

void CompetitionRunner::CommitBegin(const rating::Pairing& pairing) {
  OpenBlock open;
  open.block.competition = id_;
  open.block.number = row_.next_block++;
  open.block.pairing = pairing;
  open.block.owner = environment_.owner;
  for (const int bot : pairing.bots) ++entrants_[bot].blocks_begun;
  open_.emplace(open.block.number, std::move(open));
}

// --- Matches ---

void CompetitionRunner::CancelGone() {
  for (const auto& [number, open] : open_) {
    if (!open.waits_in_host()) continue;
    const absl::optional<int> gone = FindGone(open.block.pairing);
    if (!gone.has_value()) continue;
    // One that has begun or ended meanwhile is as good.
    static_cast<void>(environment_.host->Cancel(
        open.first->id(),
        absl::StrCat(Quoted(entrants_[*gone].name), IsOut(*gone) ? " has left" : " is away")));
  }
}

void CompetitionRunner::MakeBlocks() {
  for (auto& [number, open] : open_) {
    if (open.made || !MayMake(open)) continue;
    const absl::Status made = Make(&open);
    if (absl::IsFailedPrecondition(made)) {
      open.takes_places = true;  // a bot takes fewer matches at once than the block has
    } else if (!made.ok()) {
      Fail(made);
      break;
    }
  }
  Plan plan;
  PlanNames(&plan);
  if (plan.changes.empty()) return;
  if (absl::Status named = environment_.store->Apply(plan.changes); !named.ok()) {
    Refused(named);
    return;
  }
  for (auto& [number, open] : open_) open.named = open.made;
}

bool CompetitionRunner::MayMake(const OpenBlock& open) const {
  if (environment_.clock->Now() < open.not_before) return false;
  if (!open.takes_places) return true;
  const host::Host& host = *environment_.host;
  const int seats = row_.spec.seats;
  if (!may_begin_ || host.max_running() - host.running() < seats) return false;
  for (const int bot : open.block.pairing.bots) {
    if (FreePlaces(bot) < seats) return false;
  }
  return true;
}

absl::Status CompetitionRunner::Make(OpenBlock* open) {
  store::Block& block = open->block;
  absl::StatusOr<std::vector<MatchId>> ids = environment_.host->CreateBlock(
      BlockRequestFor(row_.spec, terms_, block), BlockRequestId(block));
  if (!ids.ok()) return ids.status();
  open->made = true;
  open->ends.assign(ids->size(), absl::nullopt);
  block.matches.clear();
  for (size_t rotation = 0; rotation < ids->size(); ++rotation) {
    block.matches.push_back({(*ids)[rotation], {}, {}, {}});
    matches_.insert_or_assign((*ids)[rotation], MatchPlace{block.number, rotation});
  }
  open->first = environment_.host->Find(ids->front());
  if (open->first != nullptr && open->first->block_place().has_value()) {
    block.block_id = open->first->block_place()->block.text();
  }
  return open->from_before ? LookUp(open) : absl::OkStatus();
}

void CompetitionRunner::FinishIfDone() {
  if (stale_ || failed_ || !open_.empty() || !foreign_.empty() || !unwritten_.empty()) return;
  if (row_.counted != row_.next_block) return;
  const bool finishing = row_.state == store::CompetitionState::kFinishing;
  const bool done = row_.state == store::CompetitionState::kRunning && schedule_->done();
  if (!finishing && !done) return;
  const absl::StatusOr<store::Competition> finished =
      environment_.store->SetState(id_, row_.state, store::CompetitionState::kFinished,
                                   environment_.clock->WallNow(), absl::nullopt);
  if (!finished.ok()) {
    Refused(finished.status());
    return;
  }
  ++steps_;
  row_.state = store::CompetitionState::kFinished;
  Log(absl::StrCat("it is finished, with ", row_.counted, " blocks"));
}

// --- For others ---

CompetitionRunner::Progress CompetitionRunner::progress() {
  Progress progress;
  if (!read_) {
    progress.waits_for = trouble_;
    return progress;
  }
  progress.blocks_running = static_cast<int>(open_.size() + foreign_.size());
  progress.blocks_lately = static_cast<int>(lately_.Get(environment_.clock->Now()));
  if (schedule_ == nullptr) return progress;
  if (ends()) {
    progress.blocks_left = schedule_->blocks_left() + static_cast<int64_t>(unwritten_.size());
  }
  progress.waits_for = WaitsFor();
  return progress;
}

std::vector<schedule::TableRow> CompetitionRunner::Table() const {
  if (schedule_ == nullptr) return {};
  return schedule_->Table();
}

int CompetitionRunner::FreePlaces(int bot) const {
  return environment_.host->free_places(entrants_[bot].name, row_.spec.game);
}

void CompetitionRunner::Log(absl::string_view line) const {
  if (!environment_.log) return;
  environment_.log(
      absl::StrCat("competition ", read_ ? Quoted(row_.spec.name) : id_.text(), ": ", line));
}

}  // namespace referee::competition
