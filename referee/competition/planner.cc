#include "referee/competition/planner.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/competition/errors.h"

namespace referee::competition {
namespace {

// Between attempts at a block that becomes void again and again: what is wrong with the referee may
// pass.
absl::Duration RetryDelay(int attempt) {
  if (attempt < 2) return absl::ZeroDuration();
  return attempt == 2 ? absl::Seconds(2) : absl::Seconds(10);
}

// Nothing is played in it.
bool IsIdle(store::CompetitionState state) {
  return state == store::CompetitionState::kNew || state == store::CompetitionState::kFinished;
}

}  // namespace

bool Planner::idle() const {
  if (!loaded_ || stale_) return false;
  if (IsIdle(row_.state)) return true;
  return !home_.here && row_.spec.homes == 1 && open_.empty();
}

void Planner::LivesAt(const Home& home) {
  if (home == home_) return;
  if (home.here || home.helps) stale_ = true;  // others have begun and counted blocks
  home_ = home;
}

// --- What the store has ---

void Planner::GoOnUnder(const store::Lease& lease) {
  if (lease == lease_) return;
  lease_ = lease;
  lease_ended_ = loaded_;
  stale_ = true;
}

bool Planner::TakeOver(const store::Competition& row, const std::vector<store::Entrant>& entrants) {
  if (schedule_ == nullptr || lease_ended_ || !unwritten_.empty() || !foreign_.empty() ||
      row.next_block != row_.next_block || row.counted != row_.counted ||
      row.state == store::CompetitionState::kFinished || entrants.size() < entrants_.size() ||
      // What the schedule and the matches are made with.
      row.spec.pace != row_.spec.pace || row.spec.goal_width != row_.spec.goal_width ||
      row.spec.time_control != row_.spec.time_control || !TakeOverEntrants(entrants)) {
    schedule_ = nullptr;
    return false;
  }
  row_ = row;
  entrants_ = entrants;
  NameEntrants();
  stale_ = false;
  return true;
}

bool Planner::TakeOverEntrants(const std::vector<store::Entrant>& entrants) {
  for (size_t i = 0; i < entrants.size(); ++i) {
    const int bot = static_cast<int>(i);
    if (i >= entrants_.size()) {
      if (!schedule_->Join().ok()) return false;
      schedule_->Rated(bot, entrants[i].tally.rating);
      if (entrants[i].presence != store::Presence::kIn) schedule_->Withdraw(bot);
      continue;
    }
    const bool was_in = entrants_[i].presence == store::Presence::kIn;
    const bool is_in = entrants[i].presence == store::Presence::kIn;
    if (was_in && !is_in) schedule_->Withdraw(bot);
    if (!was_in && is_in && !schedule_->Rejoin(bot).ok()) return false;
  }
  return true;
}

std::vector<Cancellation> Planner::Load(StoredCompetition stored) {
  row_ = std::move(stored.row);
  entrants_ = std::move(stored.entrants);
  schedule_ = std::move(stored.schedule);
  sprt_ = std::move(stored.sprt);
  NameEntrants();
  loaded_ = true;
  stale_ = false;
  unwritten_.clear();
  foreign_.clear();
  uncounted_.clear();
  matches_.clear();
  std::map<int64_t, OpenBlock> before = std::exchange(open_, {});
  std::vector<Cancellation> cancellations;
  if (std::exchange(lease_ended_, false)) CancelAll(std::exchange(before, {}), &cancellations);
  if (IsIdle(row_.state)) return cancellations;
  for (store::Block& block : stored.blocks) {
    const int64_t number = block.number;
    if (block.state != store::BlockState::kRunning) {
      uncounted_.emplace(number, std::move(block));
    } else if (block.owner == lease_.owner) {
      Open(std::move(block), &before);
    } else if (home_.here) {
      foreign_.emplace(number, Foreign{std::move(block.pairing), std::move(block.owner)});
    }
  }
  for (auto it = before.begin(); it != before.end();) {
    const OpenBlock& lost = it->second;
    const bool goes_on = lost.made && matches_.contains(lost.first());
    it = goes_on ? before.erase(it) : std::next(it);
  }
  CancelAll(before, &cancellations);
  return cancellations;
}

void Planner::CancelAll(const std::map<int64_t, OpenBlock>& lost,
                        std::vector<Cancellation>* cancellations) {
  for (const auto& [number, open] : lost) {
    if (!open.made || open.over()) continue;
    cancellations->push_back(
        {open.first(), absl::StrCat("block ", number, " was taken over by another referee")});
  }
}

void Planner::TakeIn(store::Block block) {
  const int64_t number = block.number;
  if (block.state == store::BlockState::kRunning && block.owner != lease_.owner) return;
  foreign_.erase(number);
  switch (block.state) {
    case store::BlockState::kRunning: {
      std::map<int64_t, OpenBlock> none;
      Open(std::move(block), &none);
      return;
    }
    case store::BlockState::kPlayed:
      schedule_->Played(number, store::OutcomeOf(block));
      lately_.Add(situation_.now);
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

void Planner::NameEntrants() {
  row_.spec.entrants.clear();
  absl::flat_hash_map<std::string, int> standing;
  for (const store::Entrant& entrant : entrants_) {
    row_.spec.entrants.push_back(entrant.name);
    if (!entrant.successor) standing.insert_or_assign(entrant.name, entrant.number);
  }
  standing_.clear();
  for (const store::Entrant& entrant : entrants_) {
    const auto found = standing.find(entrant.name);
    standing_.push_back(found == standing.end() ? entrant.number : found->second);
  }
}

void Planner::Open(store::Block block, std::map<int64_t, OpenBlock>* before) {
  OpenBlock open;
  const auto known = before->find(block.number);
  if (known != before->end() && known->second.block.attempt == block.attempt) {
    open = std::move(known->second);
    before->erase(known);
    open.told = false;  // the schedule is a new one
  } else {
    open.block = std::move(block);
    open.from_before = true;
    open.named = open.made = !open.block.matches.empty();
    open.ends.resize(open.block.matches.size());
  }
  const int64_t number = open.block.number;
  for (size_t i = 0; i < open.block.matches.size(); ++i) {
    matches_.insert_or_assign(open.block.matches[i].id, MatchPlace{number, i});
  }
  open_.emplace(number, std::move(open));
}

// --- Matches ---

void Planner::MatchEnded(const MatchId& match, MatchEnd end) {
  const auto place = matches_.find(match);
  if (place == matches_.end()) return;
  absl::optional<MatchEnd>& slot = open_.at(place->second.number).ends[place->second.rotation];
  if (!slot.has_value()) {
    slot = std::move(end);
  } else {
    slot->shared = slot->shared || end.shared;
  }
}

void Planner::AddUnended(const OpenBlock& open, std::vector<MatchId>* matches) {
  for (size_t rotation = 0; rotation < open.ends.size(); ++rotation) {
    if (open.ends[rotation].has_value()) continue;
    matches->push_back(open.block.matches[rotation].id);
  }
}

std::vector<MatchId> Planner::UnendedMatches() const {
  std::vector<MatchId> matches;
  for (const auto& [number, open] : open_) AddUnended(open, &matches);
  return matches;
}

std::vector<MatchId> Planner::UnendedMatchesOf(int64_t number) const {
  std::vector<MatchId> matches;
  AddUnended(open_.at(number), &matches);
  return matches;
}

std::vector<MatchId> Planner::UnsharedMatches() const {
  std::vector<MatchId> matches;
  for (const auto& [number, open] : open_) {
    if (!open.over()) continue;
    for (size_t rotation = 0; rotation < open.ends.size(); ++rotation) {
      if (!open.ends[rotation]->shared) matches.push_back(open.block.matches[rotation].id);
    }
  }
  return matches;
}

std::vector<MatchId> Planner::UnendedMatchesFromBefore(int64_t number) const {
  std::vector<MatchId> matches;
  const OpenBlock& open = open_.at(number);
  if (open.from_before) AddUnended(open, &matches);
  return matches;
}

// --- An organiser's word ---

absl::Status Planner::CheckMayGiveUp(int64_t number) const {
  const std::string& name = row_.spec.name;
  const auto open = open_.find(number);
  if (open == open_.end()) {
    const bool of_another = !home_.here || foreign_.count(number) > 0;
    return of_another ? absl::FailedPreconditionError(
                            absl::StrCat("competition ", Quoted(name), ", block ", number,
                                         ": was begun by another referee of this store; ask that "
                                         "one, or stop it, and its "
                                         "blocks are claimed ('refctl fleet show')"))
                      : BlockNotOpen(name, number);
  }
  return open->second.played() ? absl::FailedPreconditionError(
                                     absl::StrCat("competition ", Quoted(name), ", block ", number,
                                                  ": all of it is played, and it counts once its "
                                                  "replays are where it waits to put "
                                                  "them: see what the competition waits for"))
                               : absl::OkStatus();
}

void Planner::GiveUp(int64_t number, std::string reason, std::string by) {
  OpenBlock& open = open_.at(number);
  open.given_up = std::move(reason);
  open.given_up_by = std::move(by);
}

// --- A step ---

host::HostQuestion Planner::question() const {
  host::HostQuestion question;
  question.bots = row_.spec.entrants;
  question.game = row_.spec.game;
  question.at_once = row_.spec.seats;
  for (const auto& [number, open] : open_) {
    if (open.made) question.matches.push_back(open.first());
  }
  return question;
}

void Planner::BeginStep(Situation situation) {
  situation_ = std::move(situation);
  // As the store keeps times, so that what is counted here is what anybody counts from there.
  situation_.wall_now = absl::FromUnixMicros(absl::ToUnixMicros(situation_.wall_now));
  goes_on_ = false;
  begins_go_on_ = false;
  lacks_places_ = false;
  for (auto& [number, open] : open_) {
    open.waits = open.made && situation_.host.waiting.contains(open.first());
  }
  NoteSuspended();
}

const host::BotView& Planner::ViewOf(int bot) const {
  static const host::BotView kUnknown;
  const std::vector<host::BotView>& bots = situation_.host.bots;
  const auto at = static_cast<size_t>(standing_[static_cast<size_t>(bot)]);
  return at < bots.size() ? bots[at] : kUnknown;
}

std::vector<Cancellation> Planner::Cancellations() const {
  std::vector<Cancellation> cancellations;
  const bool all_stop = home_.here && decided();
  for (const auto& [number, open] : open_) {
    if (all_stop || !open.given_up.empty()) {
      const Cancellation stops = all_stop ? Cancellation{{}, kAfterDecision}
                                          : Cancellation{{}, open.given_up, open.given_up_by};
      for (const MatchId& match : UnendedMatchesOf(number)) {
        cancellations.push_back({match, stops.reason, stops.by});
      }
      continue;
    }
    if (!home_.here) {
      if (home_.owner.empty() || !open.waits_in_host()) continue;
      if (!home_.helps) {
        cancellations.push_back({open.first(), "it had not begun when its competition moved"});
      } else if (situation_.now - open.made_at >= limits::kHelpPatience) {
        cancellations.push_back(
            {open.first(), "its bots did not come to the referee that was to play it"});
      }
      continue;
    }
    if (!open.waits_in_host()) continue;
    const std::vector<int> gone = GonePlaces(open.block.pairing);
    if (gone.empty()) continue;
    const int bot = open.block.pairing.bots[static_cast<size_t>(gone.front())];
    cancellations.push_back({open.first(), WhyGone(bot)});
  }
  return cancellations;
}

// --- What was written has happened ---

void Planner::Commit(const Transaction& transaction) {
  Named();
  for (const int64_t number : transaction.finished) {
    const store::Block& closed = uncounted_.at(number);
    if (!closed.forfeited_by.empty()) {
      log_.push_back(absl::StrCat("block ", number, " counts as forfeited: ", closed.reason));
    }
    Close(number);
    lately_.Add(situation_.now);
  }
  for (const auto& [number, state, reason] : transaction.dropped) {
    const bool is_void = state == store::BlockState::kVoid;
    if (is_void) log_.push_back(absl::StrCat("block ", number, " is given up as void: ", reason));
    if (home_.here) is_void ? schedule_->Voided(number) : schedule_->Dropped(number);
    Close(number);
  }
  for (const int64_t number : transaction.retried) {
    OpenBlock& open = open_.at(number);
    NoteLateness(open);
    store::Attempt failed = open.Failure(situation_.wall_now);
    log_.push_back(
        absl::StrCat("block ", number, " is void and will be played again: ", failed.reason));
    for (const store::BlockMatch& match : open.block.matches) matches_.erase(match.id);
    open.Retry(std::move(failed), situation_.now + RetryDelay(open.block.attempt + 1));
    ++row_.replayed;
  }
  for (const int64_t number : transaction.handed_over) {
    log_.push_back(absl::StrCat("block ", number, " goes on where the competition lives"));
    Close(number);
  }
  if (!home_.here) uncounted_.clear();  // for its home to count
  if (transaction.count.has_value()) CommitCount(*transaction.count);
  if (transaction.sprt.has_value()) sprt_ = transaction.sprt;
  for (const Transaction::Begun& begun : transaction.begun) CommitBegin(begun);
  if (transaction.begun.size() == unwritten_.size()) {
    unwritten_.clear();
  } else {
    stale_ = true;  // what may not begin now is for a schedule that is made again
  }
}

void Planner::Close(int64_t number) {
  const auto open = open_.find(number);
  NoteLateness(open->second);
  for (const store::BlockMatch& match : open->second.block.matches) matches_.erase(match.id);
  open_.erase(open);
}

// Attempts that went on at the same time may be void for one and the same stall: of those that a
// bot was late in only the first is held against it.
void Planner::NoteLateness(const OpenBlock& open) {
  if (!open.over()) return;
  const std::vector<int> late = open.LatePlaces();
  const std::vector<int>& bots = open.block.pairing.bots;
  for (size_t place = 0; place < bots.size(); ++place) {
    const bool was_late = std::count(late.begin(), late.end(), static_cast<int>(place)) > 0;
    const auto known = lateness_.find(bots[place]);
    if (known == lateness_.end() && !was_late) continue;
    Lateness& lateness = known == lateness_.end() ? lateness_[bots[place]] : known->second;
    const bool anew = was_late && open.made_at >= lateness.until;
    if (was_late && !anew) continue;
    if (anew) lateness.until = situation_.now;
    if (anew) lateness.last = absl::StrCat("block ", open.block.number);
    lateness.attempts.push_back(anew);
    if (lateness.attempts.size() > limits::kLatesLookBack) {
      lateness.attempts.erase(lateness.attempts.begin());
    }
  }
}

void Planner::CommitCount(const store::CountBlocks& count) {
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
    entrant.suspension = line.suspension;
    entrant.out_from = row_.next_block;
    schedule_->Withdraw(line.entrant);
    log_.push_back(
        absl::StrCat("bot ", Quoted(entrant.name), " is set aside: it ", entrant.reason));
  }
  if (any_out || count.decides()) ++row_.version;
  if (count.decides()) {
    log_.push_back(absl::StrCat("it is decided by block ", count.surplus->from - 1));
  }
}

void Planner::CommitBegin(const Transaction::Begun& begun) {
  const int64_t number = row_.next_block++;
  for (const int bot : begun.pairing.bots) ++entrants_[bot].blocks_begun;
  if (!begun.to.empty()) {
    foreign_.emplace(number, Foreign{begun.pairing, begun.to});
    return;
  }
  OpenBlock open;
  open.block.competition = id_;
  open.block.number = number;
  open.block.pairing = begun.pairing;
  open.block.owner = lease_.owner;
  open.block.begin_time = situation_.wall_now;
  open_.emplace(open.block.number, std::move(open));
}

// --- The matches of blocks ---

bool Planner::HaveSlots(const OpenBlock& open) const {
  const int seats = row_.spec.seats;
  if (held_back()) return false;
  if (situation_.host.RoomForBlocks(seats) == 0) return false;
  const std::vector<int>& bots = open.block.pairing.bots;
  return std::all_of(bots.begin(), bots.end(),
                     [&](int bot) { return ViewOf(bot).free_slots >= seats; });
}

std::vector<int64_t> Planner::BlocksToMake() {
  std::vector<int64_t> numbers;
  for (auto& [number, open] : open_) {
    if (open.made || situation_.now < open.not_before) continue;
    // What was made by an earlier process is found so; else matches are made at the home, and where
    // it is helped.
    if (!home_.here && !home_.helps && !open.from_before) continue;
    const bool have_slots = HaveSlots(open);
    if (open.takes_slots && !(situation_.may_begin && have_slots)) continue;
    numbers.push_back(number);
    open.waits = !have_slots;
    if (!have_slots) continue;
    situation_.host.running += row_.spec.seats;
    for (const int bot : open.block.pairing.bots) {
      situation_.host.bots[standing_[bot]].free_slots -= row_.spec.seats;
    }
  }
  return numbers;
}

void Planner::Made(int64_t number, const std::vector<MatchId>& matches, std::string block_id) {
  OpenBlock& open = open_.at(number);
  open.made = true;
  open.made_at = situation_.now;
  open.block.block_id = std::move(block_id);
  open.ends.assign(matches.size(), absl::nullopt);
  open.block.matches.clear();
  for (size_t rotation = 0; rotation < matches.size(); ++rotation) {
    open.block.matches.push_back({matches[rotation], {}});
    matches_.insert_or_assign(matches[rotation], MatchPlace{number, rotation});
  }
}

std::vector<store::Change> Planner::Names() const {
  std::vector<store::Change> changes;
  for (const auto& [number, open] : open_) {
    if (!open.made || open.named) continue;
    store::NameMatches names{id_, number, open.block.attempt, open.block.block_id, {}};
    for (const store::BlockMatch& match : open.block.matches) names.matches.push_back(match.id);
    changes.push_back(std::move(names));
  }
  return changes;
}

void Planner::Named() {
  for (auto& [number, open] : open_) open.named = open.made;
}

// --- The end ---

bool Planner::done() const {
  if (!home_.here || stale_ || !open_.empty() || !foreign_.empty() || !unwritten_.empty())
    return false;
  if (row_.counted != row_.next_block) return false;
  return decided() || row_.state == store::CompetitionState::kFinishing ||
         (row_.state == store::CompetitionState::kRunning && schedule_->done());
}

void Planner::Finished() {
  row_.state = store::CompetitionState::kFinished;
  log_.push_back(absl::StrCat("it is finished, with ", row_.counted, " blocks"));
}

// --- For others ---

Planner::Progress Planner::progress() {
  Progress progress;
  progress.blocks_running = static_cast<int>(open_.size() + foreign_.size());
  progress.blocks_uncounted = static_cast<int64_t>(uncounted_.size());
  progress.blocks_ended = std::count_if(open_.begin(), open_.end(),
                                        [](const auto& open) { return open.second.over(); });
  progress.blocks_lately = static_cast<int>(lately_.Get(situation_.now));
  if (schedule_ == nullptr) return progress;
  if (ends()) {
    const int64_t left = decided() ? 0 : schedule_->blocks_left();
    if (left >= 0) progress.blocks_left = left + static_cast<int64_t>(unwritten_.size());
  }
  progress.waits_for = WaitsFor();
  return progress;
}

std::vector<schedule::ScoreLine> Planner::Scores() const {
  if (schedule_ == nullptr) return {};
  return schedule_->Scores();
}

std::vector<schedule::RoundPairing> Planner::Pairings() const {
  if (schedule_ == nullptr) return {};
  return schedule_->Pairings();
}

}  // namespace referee::competition
