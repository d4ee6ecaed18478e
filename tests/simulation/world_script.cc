// Carries out a plan's requests for matches, and its faults.
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/host/stall_log.h"
#include "tests/simulation/world.h"

namespace referee::simulation {
namespace {

constexpr absl::Duration kAskAgainAfter = absl::Milliseconds(200);

// Hears a match as an observer does, and passes what it hears on.
class WatchingObserver final : public host::Observer {
 public:
  WatchingObserver(Witness* witness, Account* account) : witness_(witness), account_(account) {}

  void OnSnapshot(const host::MatchRunner& runner) override {
    if (witness_->looks_away() || runner.match() == nullptr) return;
    witness_->OnToldStart(*account_, *runner.match(), &view_);
  }
  void OnPlayed(const match::Match&, const match::Played& played) override {
    if (!witness_->looks_away()) witness_->OnToldPlayed(*account_, played, &view_);
  }
  void OnForfeited(const match::Match&, const match::Forfeited& forfeited) override {
    if (!witness_->looks_away()) witness_->OnToldForfeited(*account_, forfeited, view_);
  }
  void OnEnded(const host::MatchRunner& runner) override {
    if (!witness_->looks_away()) witness_->OnToldEnded(*account_, runner, &view_);
  }

 private:
  Witness* const witness_;
  Account* const account_;
  View view_;
};

}  // namespace

void World::Schedule() {
  const Instant start = queue_.Now();
  for (int i = 0; i < static_cast<int>(bots_.size()); ++i) {
    queue_.At(start + plan_.bots[i].connects_at, [this, i] { bots_[i]->Connect(); });
  }
  for (int i = 0; i < static_cast<int>(plan_.matches.size()); ++i) {
    const MatchPlan& match = plan_.matches[i];
    if (match.rotation == 0) queue_.At(start + match.created_at, [this, i] { Ask(i); });
    if (match.asked_twice && match.rotation == 0) {
      queue_.At(start + match.created_at + kAskAgainAfter, [this, i] { AskTwice(i); });
    }
    if (match.cancelled_at < absl::InfiniteDuration()) {
      queue_.At(start + match.cancelled_at, [this, i] { Cancel(i); });
    }
  }
  if (plan_.competition) {
    queue_.At(start + plan_.competition->created_at, [this] { Tend(); });
  }
  for (const LinkFault& fault : plan_.link_faults) {
    queue_.At(start + fault.at, [this, &fault] { Begin(fault); });
  }
  for (const RefereeFault& fault : plan_.referee_faults) {
    queue_.At(start + fault.at, [this, &fault] { Begin(fault); });
  }
}

// --- The organiser ---

void World::Ask(int match) {
  if (wanted_[match].account != nullptr) return;
  absl::StatusOr<std::vector<MatchId>> ids = absl::UnavailableError("nobody is there");
  if (RefereeListens()) ids = Create(match);
  if (!ids.ok()) {
    Forget(match);
    return queue_.At(queue_.Now() + kAskAgainAfter, [this, match] { Ask(match); });
  }
  for (const int one : plan_.Together(match)) {
    const MatchId& id = (*ids)[one - match];
    // It may have been made for an earlier call, which a referee that died did not answer.
    Account* const made = wanted_[one].account == nullptr ? witness_.Find(id) : nullptr;
    if (made != nullptr && made->match == one) wanted_[one] = {id, made};
    if (id != wanted_[one].id) {
      chronicle_.Fail(absl::StrCat("match ", one, " has an id that was not made for it"));
    }
    if (plan_.matches[one].watched) Watch(one);
  }
}

absl::StatusOr<std::vector<MatchId>> World::Create(int match) {
  const MatchPlan& plan = plan_.matches[match];
  host::MatchRequest request;
  request.game = plan.game;
  for (const int bot : plan.bots) request.bots.push_back(plan_.bots[bot].name);
  request.time_control = plan.time_control;
  request.policies = plan.policies;
  if (plan.pinned) request.dice_source.pinned_number = static_cast<uint64_t>(match);
  acting_group_ = plan.group;
  const std::vector<int> together = plan_.Together(match);
  asking_.assign(together.begin(), together.end());
  asking_block_ = plan.block >= 0;
  const std::string request_id = absl::StrCat("match ", match);
  absl::StatusOr<std::vector<MatchId>> ids;
  if (asking_block_) {
    chronicle_.Note("block asked for", {match});
    ids = referee_->host->CreateBlock({std::move(request), {}}, request_id);
  } else {
    chronicle_.Note("asked for", {match});
    const absl::StatusOr<MatchId> id = referee_->host->Create(std::move(request), request_id);
    if (id.ok()) {
      ids = std::vector<MatchId>{*id};
    } else {
      ids = id.status();
    }
  }
  asking_.clear();
  asking_block_ = false;
  return ids;
}

void World::Forget(int match) {
  for (const int one : plan_.Together(match)) wanted_[one] = Wanted();
}

void World::AskTwice(int match) {
  const Wanted wanted = wanted_[match];
  if (wanted.account == nullptr || wanted.account->opened) return;
  Ask(match);
}

void World::Cancel(int match) {
  if (queue_.Now() < queue_.awake()) {
    return WhenRefereeIsAwake([this, match] { Cancel(match); });
  }
  if (referee_ == nullptr || referee_->killed || wanted_[match].account == nullptr) return;
  chronicle_.Note("cancelled", {match});
  static_cast<void>(referee_->host->Cancel(wanted_[match].id, "by the plan"));
}

void World::Watch(int match) {
  const Wanted& wanted = wanted_[match];
  const std::shared_ptr<host::MatchRunner> runner = referee_->host->Find(wanted.id);
  if (runner != nullptr) {
    runner->Watch(std::make_shared<WatchingObserver>(&witness_, wanted.account));
  }
}

// --- Faults ---

void World::Begin(const LinkFault& fault) {
  if (healed_) return;
  SimulatedBot& bot = *bots_[fault.bot];
  bot.set_back_after(fault.back_after);
  if (fault.kind == LinkFault::Kind::kSecond) return bot.Connect();
  if (bot.stream() == nullptr) return;
  switch (fault.kind) {
    case LinkFault::Kind::kCut:
      return bot.stream()->Cut(fault.referee_after, fault.bot_after);
    case LinkFault::Kind::kHangUp:
      return bot.HangUp(fault.back_after);
    case LinkFault::Kind::kSlowReader:
      return bot.stream()->BlockFor(fault.lasts);
    case LinkFault::Kind::kSlowNetwork:
      return bot.stream()->SlowDownFor(fault.lasts);
    case LinkFault::Kind::kSecond:
      return;
  }
}

void World::Begin(const RefereeFault& fault) {
  if (healed_) return;
  switch (fault.kind) {
    case RefereeFault::Kind::kKilled:
      return Kill(fault.down);
    case RefereeFault::Kind::kKilledBefore:
    case RefereeFault::Kind::kKilledWithin:
    case RefereeFault::Kind::kKilledAfter:
      killer_ = fault;
      writes_left_ = fault.write;
      return;
    case RefereeFault::Kind::kDrained:
      return Restart(fault.leaves ? host::Host::Rest::kLeft : host::Host::Rest::kVoid, fault.down);
    case RefereeFault::Kind::kWallSet:
      chronicle_.Note("calendar set", {absl::ToInt64Nanoseconds(fault.wall_by)});
      return queue_.SetWallForward(fault.wall_by);
    case RefereeFault::Kind::kStalled:
      return Stall(fault.lasts);
  }
}

void World::Restart(host::Host::Rest rest, absl::Duration down) {
  if (referee_ == nullptr || referee_->killed) return;
  ShutDown(rest);
  Kill(down);
}

// The monitor wakes up every two milliseconds, so that what it sees of a stall may be so much less.
void World::Stall(absl::Duration lasts) {
  if (referee_ == nullptr || referee_->killed) return;
  // The monitor looks between two stalls.
  if (queue_.Now() <= queue_.awake() + kLooksWithin) return;
  chronicle_.Note("stalled", {absl::ToInt64Nanoseconds(lasts)});
  Random random(plan_.seed, For::kFault, queue_.Now().nanos());
  const Instant looks =
      queue_.Now() + random.Between(absl::ZeroDuration(), host::StallMonitor::kPeriod);
  const Instant awake = queue_.Now() + lasts;
  queue_.StallLives(awake);
  witness_.OnStalled(queue_.Now(), awake);
  if (looks >= awake) return;
  referee_->stalls.ExpectAt(looks);
  const Instant looked = awake + random.Between(absl::ZeroDuration(), kLooksWithin);
  queue_.At(
      looked, [this, looked, looks] { referee_->stalls.Looked(looked, looked - looks); }, life_);
}

Disk::Verdict World::OnWrite(const std::string& match_id, size_t size, bool records) {
  Disk::Verdict verdict;
  if (referee_ != nullptr && referee_->killed) return {WriteEnd::kRefused, 0};
  if (killer_ && writes_left_-- == 0) {
    const RefereeFault killer = *std::exchange(killer_, absl::nullopt);
    Kill(killer.down);
    if (killer.kind == RefereeFault::Kind::kKilledBefore) return {WriteEnd::kRefused, 0};
    if (killer.kind == RefereeFault::Kind::kKilledAfter) return {WriteEnd::kTorn, size};
    Random random(plan_.seed, For::kDisk, queue_.Now().nanos());
    return {WriteEnd::kTorn, static_cast<size_t>(random.Below(static_cast<int>(size)))};
  }
  const absl::StatusOr<MatchId> id = MatchId::Parse(match_id);
  Account* account = id.ok() ? witness_.Find(*id) : nullptr;
  if (account == nullptr || healed_ || !records) return verdict;
  const auto [fault, fault_at] = DiskFaultOf(account->match);
  const int write = writes_[account->match]++;
  if (fault == DiskFault::kOpenFails && write == 0) verdict.end = WriteEnd::kRefused;
  if (write == 0 || write != fault_at) return verdict;
  if (fault == DiskFault::kWriteFails) verdict.end = WriteEnd::kRefused;
  if (fault == DiskFault::kWriteTears) {
    Random random(plan_.seed, For::kDisk, account->match);
    verdict.end = WriteEnd::kTorn;
    verdict.written = static_cast<size_t>(random.Below(static_cast<int>(size)));
  }
  return verdict;
}

std::pair<DiskFault, int> World::DiskFaultOf(int match) const {
  if (match < static_cast<int>(plan_.matches.size())) {
    return {plan_.matches[match].disk_fault, plan_.matches[match].disk_fault_at};
  }
  Random random(plan_.seed, For::kCompetition, match);
  if (!random.Chance(plan_.competition->disk_fails)) return {DiskFault::kNone, 0};
  constexpr DiskFault kKinds[] = {DiskFault::kWriteFails, DiskFault::kWriteTears,
                                  DiskFault::kArchiveFails};
  return {kKinds[random.Below(3)], 1 + random.Below(20)};
}

bool World::OnArchive(const std::string& match_id) {
  if (referee_ != nullptr && referee_->killed) return false;
  const absl::StatusOr<MatchId> id = MatchId::Parse(match_id);
  Account* account = id.ok() ? witness_.Find(*id) : nullptr;
  if (account == nullptr || healed_) return true;
  if (DiskFaultOf(account->match).first != DiskFault::kArchiveFails) return true;
  chronicle_.Note("archive failed", {account->match});
  return false;
}

// From now on nothing fails, and who is away comes back.
void World::Heal() {
  chronicle_.Note("healed", {});
  healed_ = true;
  killer_ = absl::nullopt;
  for (const auto& bot : bots_) bot->HangUpForgotten();
  if (competition_witness_ != nullptr) counted_when_healed_ = competition_witness_->counted();
}

}  // namespace referee::simulation
