#include "referee/competition/planner.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/competition/block_end.h"
#include "referee/competition/count.h"

namespace referee::competition {
namespace {

// The interval of checks for changes without events, such as whether the host may take more
// matches.
constexpr absl::Duration kLook = absl::Seconds(5);
// The interval of checks for blocks that another referee has played, or begun for this one.
// Counting waits for such blocks: of helpers, or of the former owner of a competition that has
// moved.
constexpr absl::Duration kLookAtOthers = absl::Milliseconds(250);

// The delay before the next attempt at a block that becomes void repeatedly: a problem of the
// referee may pass.
absl::Duration RetryDelay(int attempt) {
  if (attempt < 2) return absl::ZeroDuration();
  return attempt == 2 ? absl::Seconds(2) : absl::Seconds(10);
}

// Whether nothing is played in this state.
bool IsIdle(store::CompetitionState state) {
  return state == store::CompetitionState::kNew || state == store::CompetitionState::kFinished;
}

// Notifies the schedule of bots that joined and left. Returns false if it cannot handle the change.
bool UpdateEntrants(const std::vector<store::Entrant>& before,
                    const std::vector<store::Entrant>& entrants, schedule::Schedule* schedule) {
  for (size_t i = 0; i < entrants.size(); ++i) {
    const int bot = static_cast<int>(i);
    const bool is_new = i >= before.size();
    if (is_new && !schedule->Join().ok()) return false;
    if (is_new) schedule->Rated(bot, entrants[i].tally.rating);
    const bool was_in = is_new || before[i].presence == store::Presence::kIn;
    const bool is_in = entrants[i].presence == store::Presence::kIn;
    if (was_in && !is_in) schedule->Withdraw(bot);
    if (!was_in && is_in && !schedule->Rejoin(bot).ok()) return false;
  }
  return true;
}

}  // namespace

bool Planner::idle() const {
  if (!loaded_ || stale_) return false;
  if (IsIdle(now_.row.state)) return true;
  return !now_.home.here && now_.row.spec.homes == 1 && open_.empty();
}

// --- State from the store ---

void Planner::LivesAt(const Home& home) {
  if (home == now_.home) return;
  if (home.here || home.helps) stale_ = true;  // other referees have begun and counted blocks
  now_.home = home;
}

void Planner::GoOnUnder(const store::Lease& lease) {
  if (lease == lease_) return;
  lease_ = lease;
  lease_ended_ = loaded_;
  stale_ = true;
}

bool Planner::TakeOver(const store::Competition& row, const std::vector<store::Entrant>& entrants) {
  const store::Competition& known = now_.row;
  if (schedule_ == nullptr || lease_ended_ || next_.unwritten() > 0 || !now_.foreign.empty() ||
      row.next_block != known.next_block || row.counted != known.counted ||
      row.state == store::CompetitionState::kFinished || entrants.size() < now_.entrants.size() ||
      // Schedule and matches depend on these.
      row.spec.pace != known.spec.pace || row.spec.goal_width != known.spec.goal_width ||
      row.spec.time_control != known.spec.time_control || row.dice_lives != known.dice_lives ||
      !UpdateEntrants(now_.entrants, entrants, schedule_.get())) {
    schedule_ = nullptr;
    return false;
  }
  now_.row = row;
  now_.SetEntrants(entrants);
  stale_ = false;
  return true;
}

std::vector<Cancellation> Planner::Load(StoredCompetition stored) {
  now_.row = std::move(stored.row);
  now_.SetEntrants(std::move(stored.entrants));
  now_.foreign.clear();
  schedule_ = std::move(stored.schedule);
  sprt_ = std::move(stored.sprt);
  loaded_ = true;
  stale_ = false;
  next_.Clear();
  uncounted_.clear();
  const bool same_lease = !std::exchange(lease_ended_, false);
  if (IsIdle(now_.row.state)) {
    if (same_lease) open_ = OpenBlocks();
    return open_.Load({}, same_lease);
  }
  std::vector<store::Block> own;
  for (store::Block& block : stored.blocks) {
    const int64_t number = block.number;
    if (block.state != store::BlockState::kRunning) {
      uncounted_.emplace(number, std::move(block));
    } else if (block.owner == lease_.owner) {
      own.push_back(std::move(block));
    } else if (now_.home.here) {
      now_.foreign[number] = {std::move(block.pairing), std::move(block.owner)};
    }
  }
  return open_.Load(std::move(own), same_lease);
}

void Planner::TakeIn(store::Block block) {
  const int64_t number = block.number;
  if (block.state == store::BlockState::kRunning && block.owner != lease_.owner) return;
  now_.foreign.erase(number);
  switch (block.state) {
    case store::BlockState::kRunning:
      return open_.Add(std::move(block), /*from_before=*/true);
    case store::BlockState::kPlayed:
      schedule_->Played(number, store::OutcomeOf(block));
      lately_.Add(now_.situation.now);
      break;
    case store::BlockState::kDropped:
      schedule_->Dropped(number);
      break;
    case store::BlockState::kVoid:
      schedule_->Voided(number);
      break;
  }
  uncounted_.insert_or_assign(number, std::move(block));
}

void Planner::TakeGiven(std::vector<store::Block> open) {
  for (store::Block& block : open) {
    if (block.owner != lease_.owner || open_.Find(block.number) != nullptr) continue;
    const std::vector<int>& bots = block.pairing.bots;
    const bool known = std::all_of(bots.begin(), bots.end(), [&](int bot) {
      return static_cast<size_t>(bot) < now_.entrants.size();
    });
    // A block whose matches have ids was not given just now.
    if (!known || !block.matches.empty()) {
      stale_ = true;
      return;
    }
    // An earlier process cannot have requested its matches: a referee has a new name after a
    // restart.
    open_.Add(std::move(block), /*from_before=*/false);
  }
}

// --- A step ---

host::HostQuestion Planner::question() const {
  host::HostQuestion question;
  question.bots = now_.row.spec.entrants;
  question.game = now_.row.spec.game;
  question.at_once = now_.row.spec.seats;
  for (const auto& [number, open] : open_) {
    if (open.made) question.matches.push_back(open.first());
  }
  return question;
}

void Planner::BeginStep(Situation situation) {
  // In the precision of the store, so that counting here equals counting from stored blocks.
  situation.wall_now = absl::FromUnixMicros(absl::ToUnixMicros(situation.wall_now));
  now_.situation = std::move(situation);
  counts_on_ = false;
  next_.BeginStep();
  open_.NoteHost(now_.situation.host, now_.situation.now);
  suspended_.Update(now_);
}

std::vector<Cancellation> Planner::Cancellations() const {
  std::vector<Cancellation> all;
  for (const auto& [number, open] : open_) {
    const auto some = CancellationsOf(open, now_, absences_, IsDecided(sprt_));
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

Transaction Planner::Plan() {
  Transaction plan;
  plan.changes = open_.Names();
  PlanEnds(&plan);
  if (!now_.home.here) return plan;
  CompetitionCount count(now_.row, now_.entrants, sprt_);
  int64_t next = now_.row.counted;
  for (auto it = uncounted_.find(next); it != uncounted_.end() && it->first == next; ++it, ++next) {
    counts_on_ = next - now_.row.counted == limits::kMaxCountedPerStep;
    if (counts_on_) break;
    count.Add(it->second);
  }
  if (!count.empty()) {
    store::CountBlocks change = count.change();
    if (count.sets_aside() || change.decides()) counts_on_ = true;
    plan.changes.push_back(std::move(change));
    plan.sprt = count.sprt();
  }
  // A suspended bot may not be in the next block, so the next step plans it.
  if (!count.sets_aside() && !IsDecided(count.sprt())) {
    next_.Plan(now_, open_, next, schedule_.get(), &plan);
  }
  return plan;
}

void Planner::PlanEnds(Transaction* plan) {
  for (const auto& [number, open] : open_) {
    uncounted_.erase(number);  // of a plan that was not committed
    absl::optional<store::Change> end = DecideEnd(open, now_, absences_, IsDecided(sprt_));
    if (!end.has_value()) continue;
    // Only the owner notifies its schedule of the block, and counts it.
    absl::optional<store::Block> closed = ClosedBy(*end, open.block);
    if (closed.has_value() && now_.home.here) {
      const bool played = closed->state == store::BlockState::kPlayed;
      if (played && open_.ScheduleEndOnce(number))
        schedule_->Played(number, store::OutcomeOf(*closed));
      uncounted_.emplace(number, *std::move(closed));
    }
    plan->changes.push_back(*std::move(end));
  }
}

// --- Commit ---

void Planner::Commit(const Transaction& transaction) {
  Named();
  const int64_t first = now_.row.next_block;
  for (const store::Change& change : transaction.changes) CommitChange(change);
  if (!now_.home.here) uncounted_.clear();  // the owner counts them
  if (transaction.sprt.has_value()) sprt_ = transaction.sprt;
  if (!next_.Written(now_.row.next_block - first)) stale_ = true;
}

void Planner::CommitChange(const store::Change& change) {
  if (const auto* const finish = std::get_if<store::FinishBlock>(&change)) {
    if (!finish->forfeited_by.empty()) {
      log_.push_back(
          absl::StrCat("block ", finish->number, " counts as forfeited: ", finish->reason));
    }
    late_.Note(open_.at(finish->number), now_.situation.now);
    open_.Close(finish->number);
    lately_.Add(now_.situation.now);
  } else if (const auto* const drop = std::get_if<store::DropBlock>(&change)) {
    const bool is_void = drop->state == store::BlockState::kVoid;
    if (is_void) {
      log_.push_back(absl::StrCat("block ", drop->number, " is given up as void: ", drop->reason));
    }
    if (now_.home.here) {
      is_void ? schedule_->Voided(drop->number) : schedule_->Dropped(drop->number);
    }
    late_.Note(open_.at(drop->number), now_.situation.now);
    open_.Close(drop->number);
  } else if (const auto* const retry = std::get_if<store::RetryBlock>(&change)) {
    late_.Note(open_.at(retry->number), now_.situation.now);
    if (!retry->to.empty()) {
      log_.push_back(absl::StrCat("block ", retry->number, " goes on where the competition lives"));
      return open_.Close(retry->number);
    }
    log_.push_back(absl::StrCat("block ", retry->number,
                                " is void and will be played again: ", retry->failed.reason));
    open_.Retry(retry->number, retry->failed, now_.situation.now + RetryDelay(retry->attempt + 1));
    ++now_.row.replayed;
  } else if (const auto* const count = std::get_if<store::CountBlocks>(&change)) {
    CommitCount(*count);
  } else if (const auto* const begin = std::get_if<store::BeginBlock>(&change)) {
    ++now_.row.next_block;
    for (const int bot : begin->pairing.bots) ++now_.entrants[bot].blocks_begun;
    if (!begin->to.empty()) {
      now_.foreign[begin->number] = {begin->pairing, begin->to};
      return;
    }
    store::Block block;
    block.competition = begin->competition;
    block.number = begin->number;
    block.pairing = begin->pairing;
    block.owner = lease_.owner;
    block.begin_time = begin->time;
    open_.Add(std::move(block), /*from_before=*/false);
  }
}

void Planner::CommitCount(const store::CountBlocks& count) {
  uncounted_.erase(uncounted_.begin(), uncounted_.lower_bound(count.to));
  now_.row.counted = count.to;
  bool any_out = false;
  for (const store::CountBlocks::Line& line : count.entrants) {
    store::Entrant& entrant = now_.entrants[line.entrant];
    entrant.tally = line.tally;
    schedule_->Rated(line.entrant, line.tally.rating);
    if (line.set_aside.empty()) continue;
    any_out = true;
    entrant.presence = store::Presence::kSetAside;
    entrant.reason = line.set_aside;
    entrant.suspension = line.suspension;
    entrant.out_from = now_.row.next_block;
    schedule_->Withdraw(line.entrant);
    log_.push_back(
        absl::StrCat("bot ", Quoted(entrant.name), " is set aside: it ", entrant.reason));
  }
  if (any_out || count.decides()) ++now_.row.version;
  if (count.decides()) {
    log_.push_back(absl::StrCat("it is decided by block ", count.surplus->from - 1));
  }
}

// --- Entrants ---

std::vector<Removal> Planner::Removals() {
  std::vector<Removal> removals;
  if (!now_.home.here) return removals;
  const auto add = [&](const std::vector<Removal>& more) {
    for (const Removal& removal : more) {
      const bool known = std::any_of(removals.begin(), removals.end(), [&](const Removal& other) {
        return other.bot == removal.bot;
      });
      if (!known && !now_.IsOut(removal.bot)) removals.push_back(removal);
    }
  };
  add(RemovalsOfUnready(now_, open_));
  add(late_.Removals(now_));
  add(absences_.Update(now_, WaitedFor(now_, open_, *schedule_, /*only_away=*/true)));
  return removals;
}

void Planner::Removed(const Removal& removal) {
  log_.push_back(
      absl::StrCat("bot ", Quoted(now_.entrants[removal.bot].name),
                   removal.out == store::Presence::kSetAside ? " is set aside" : " is withdrawn",
                   ": it ", removal.reason));
  late_.Forget(removal.bot);
  stale_ = true;
}

void Planner::Returned(int bot) {
  log_.push_back(
      absl::StrCat("bot ", Quoted(now_.entrants[bot].name), " is back: it answers pings again"));
  suspended_.Returned(bot);
  stale_ = true;
}

std::vector<BotNotice> Planner::Notices() const {
  if (!now_.home.here) return {};
  return NoticesFor(now_, open_, *schedule_);
}

// --- The end ---

bool Planner::done() const {
  if (!now_.home.here || stale_ || !open_.empty() || !now_.foreign.empty() ||
      next_.unwritten() > 0 || now_.row.counted != now_.row.next_block) {
    return false;
  }
  return IsDecided(sprt_) || now_.row.state == store::CompetitionState::kFinishing ||
         (now_.running() && schedule_->done());
}

void Planner::Finished() {
  now_.row.state = store::CompetitionState::kFinished;
  log_.push_back(absl::StrCat("it is finished, with ", now_.row.counted, " blocks"));
}

// --- For others ---

Instant Planner::NextStep() const {
  const Instant now = now_.situation.now;
  if (counts_on_ || next_.more() || stale_) return now;
  if (idle()) return Instant::InfiniteFuture();
  const bool others_act = now_.home.helps || !now_.foreign.empty() || !now_.situation.help.empty();
  Instant next = now + (others_act ? kLookAtOthers : kLook);
  for (const auto& [number, open] : open_) {
    if (!open.made && open.not_before > now) next = std::min(next, open.not_before);
  }
  next = std::min({next, absences_.NextLimit(now_), suspended_.NextLook(now_)});
  const Instant asks_again = now_.home.here ? schedule_->asks_again() : now;
  return asks_again > now ? std::min(next, asks_again) : next;
}

Progress Planner::progress() {
  Progress progress;
  progress.blocks_running = static_cast<int>(open_.size() + now_.foreign.size());
  progress.blocks_uncounted = static_cast<int64_t>(uncounted_.size());
  progress.blocks_ended = std::count_if(open_.begin(), open_.end(),
                                        [](const auto& open) { return open.second.over(); });
  progress.blocks_lately = static_cast<int>(lately_.Get(now_.situation.now));
  if (schedule_ == nullptr) return progress;
  if (now_.ends()) {
    const int64_t left = IsDecided(sprt_) ? 0 : schedule_->blocks_left();
    if (left >= 0) progress.blocks_left = left + static_cast<int64_t>(next_.unwritten());
  }
  progress.waits_for = WaitsFor(now_, open_, *schedule_);
  return progress;
}

}  // namespace referee::competition
