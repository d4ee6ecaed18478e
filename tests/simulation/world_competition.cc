// The competition of a plan, and its organiser, who makes it, watches it until it is over, and
// repeats requests that failed.
#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "referee/base/limits.h"
#include "tests/simulation/world.h"

namespace referee::simulation {
namespace {

constexpr absl::Duration kTendsEvery = absl::Milliseconds(100);
// Of a referee that did not start because the store refused.
constexpr absl::Duration kStartsAgainAfter = absl::Milliseconds(300);
// What a ladder counts, after everything is healed, before it is finished.
constexpr int64_t kLadderGoesOnFor = 4;
// Before that it begins so many blocks, and one more every so many seconds.
constexpr int64_t kLadderBeginsWith = 3;
constexpr int64_t kSecondsOfABlock = 3;
constexpr absl::string_view kOrganiser = "organiser";
// How the request ids of blocks of competitions begin.
constexpr absl::string_view kCompetitionRequest = "c/";

}  // namespace

void World::PrepareCompetition() {
  std::vector<std::string> names;
  for (const BotPlan& bot : plan_.bots) names.push_back(bot.name);
  witness_.ExpectCompetition(static_cast<int>(plan_.matches.size()), std::move(names));
  competition_witness_ = std::make_unique<CompetitionWitness>(
      &chronicle_, &disk_, plan_.competition->spec.entrants, plan_.competition->spec.sprt);
  for (size_t i = 0; i < plan_.competition->spec.entrants.size(); ++i) {
    store::Account account;
    account.name = plan_.competition->spec.entrants[i];
    account.token_hash[0] = static_cast<uint8_t>(i);
    static_cast<void>(store_.AddAccount(account, store::AuditEntry()));
  }
  store_.watcher = competition_witness_.get();
  store_.on_write = [this] { return OnStoreWrite(); };
}

std::unique_ptr<competition::Competitions> World::MakeCompetitions(Referee* referee) {
  competition::CompetitionsOptions options;
  options.clock = &queue_;
  options.timers = &referee->timers;
  options.executor = &referee->executor;
  options.store = &store_;
  options.entropy = [this](absl::Span<uint8_t> bytes) { Entropy(bytes); };
  options.owner = absl::StrCat("referee-", life_);
  options.former = former_owners_;  // a life that ended at once has taken over nothing
  former_owners_.insert(former_owners_.begin(), options.owner);
  options.find_replay = [this](const MatchId& id) { return FindReplay(id); };
  return std::make_unique<competition::Competitions>(std::move(options));
}

// A referee that the store refuses does not start.
void World::OpenCompetitions() {
  if (referee_->killed) return;
  if (!referee_->competitions->Open(referee_->host.get()).ok()) Kill(kStartsAgainAfter);
}

absl::StatusOr<replay::Replay> World::FindReplay(const MatchId& id) const {
  const auto archived = disk_.archive().find(id.text());
  if (archived != disk_.archive().end()) return archived->second.replay;
  const std::map<std::string, std::string>& logged = disk_.logged();
  const auto kept = logged.find(id.text());
  if (kept == logged.end()) return absl::NotFoundError("not on the disk");
  return ReplayIn(kept->second);
}

absl::StatusOr<replay::Replay> World::ReplayIn(absl::string_view records) {
  absl::StatusOr<replay::MatchRead> match = replay::ReadMatch(records);
  if (!match.ok()) return match.status();
  if (!match->ended) return absl::NotFoundError("not over");
  return replay::Replay{std::move(match->setup), std::move(match->records)};
}

bool World::OnStoreWrite() {
  if (referee_ == nullptr || referee_->killed) return false;
  if (killer_ && writes_left_-- == 0) {
    const RefereeFault killer = *std::exchange(killer_, absl::nullopt);
    Kill(killer.down);
    // A transaction happens whole or not at all.
    return killer.kind == RefereeFault::Kind::kKilledAfter;
  }
  if (healed_) return true;
  Random random(plan_.seed, For::kStore, store_writes_++);
  if (!random.Chance(plan_.competition->store_fails)) return true;
  chronicle_.Note("store refused", {store_writes_});
  return false;
}

// --- The organiser ---

void World::Tend() {
  if (CompetitionIsOver()) return;
  queue_.At(queue_.Now() + kTendsEvery, [this] { Tend(); });
  if (!RefereeListens()) return;
  competition::Competitions& competitions = *referee_->competitions;
  const std::string& name = plan_.competition->spec.name;
  if (competition_ == store::CompetitionId()) {
    const auto made = competitions.Create(plan_.competition->spec, "cup", kOrganiser);
    if (made.ok()) {
      competition_ = made->competition.id;
    } else if (healed_) {
      chronicle_.Fail(absl::StrCat("no competition: ", made.status().message()));
    }
    return;
  }
  const absl::StatusOr<store::Competition> row = store_.GetCompetition(competition_);
  if (!row.ok()) return chronicle_.Fail("the competition is lost");
  switch (row->state) {
    case store::CompetitionState::kNew:
      static_cast<void>(competitions.Start(name, kOrganiser));
      return;
    case store::CompetitionState::kRunning:
      return TendRunning(*row);
    case store::CompetitionState::kPaused:
      if (!GoesTooFast(*row)) static_cast<void>(competitions.Resume(name, kOrganiser));
      return;
    case store::CompetitionState::kFinishing:
    case store::CompetitionState::kFinished:
      return;
  }
}

// A ladder plays as much as faults come, and not all that it could.
bool World::GoesTooFast(const store::Competition& row) const {
  if (healed_ || row.spec.format != schedule::Format::kLadder) return false;
  const int64_t seconds = absl::ToInt64Seconds(queue_.Now() - Instant());
  return row.next_block >= kLadderBeginsWith + seconds / kSecondsOfABlock;
}

void World::TendRunning(const store::Competition& row) {
  const std::string& name = row.spec.name;
  Random random(plan_.seed, For::kCompetition, queue_.Now().nanos());
  if (!healed_ && random.Chance(plan_.competition->meddles)) return Meddle(row);
  if (row.spec.format != schedule::Format::kLadder) return;
  if (!healed_ && random.Chance(plan_.competition->succeeds)) return Succeed(row);
  if (GoesTooFast(row)) {
    static_cast<void>(referee_->competitions->Pause(name, kOrganiser));
    return;
  }
  if (healed_ && competition_witness_->counted() >= counted_when_healed_ + kLadderGoesOnFor) {
    static_cast<void>(referee_->competitions->Finish(name, kOrganiser));
    return;
  }
  // Who is out comes back.
  const auto entrants = store_.ReadEntrants(row.id);
  for (const store::Entrant& entrant : *entrants) {
    const bool is_out = entrant.presence != store::Presence::kIn && !entrant.successor;
    if (!is_out || referee_->killed) continue;
    static_cast<void>(referee_->competitions->Join(name, entrant.name, entrant.name));
  }
}

// Something that organisers do at any time.
void World::Meddle(const store::Competition& row) {
  Random random(plan_.seed, For::kCompetition, queue_.Now().nanos(), 1);
  chronicle_.Note("organiser meddles", {row.next_block});
  if (random.OneIn(2)) {
    static_cast<void>(referee_->competitions->Pause(row.spec.name, kOrganiser));
    return;
  }
  if (random.OneIn(2)) return CancelOne();
  const int bot = random.Below(static_cast<int>(plan_.competition->spec.entrants.size()));
  static_cast<void>(referee_->competitions->Leave(
      row.spec.name, plan_.competition->spec.entrants[static_cast<size_t>(bot)], kOrganiser));
}

// Another entrant takes the place of one, or of all.
void World::Succeed(const store::Competition& row) {
  Random random(plan_.seed, For::kCompetition, queue_.Now().nanos(), 3);
  if (random.OneIn(4)) {
    static_cast<void>(referee_->competitions->BeginSeason(
        row.spec.name, absl::StrCat("season ", row.season + 1), kOrganiser));
    return;
  }
  const std::vector<std::string>& bots = plan_.competition->spec.entrants;
  const std::string& bot = bots[static_cast<size_t>(random.Below(static_cast<int>(bots.size())))];
  const std::string version = absl::StrCat("1.", random.Below(3));
  const absl::Status set = store_.SetVersion(bot, version, queue_.WallNow(),
                                             store::VersionSource::kOrganiser, store::AuditEntry());
  if (set.ok()) chronicle_.Note("version set", {row.next_block});
  if (!referee_->killed) referee_->competitions->VersionChanged(bot);
}

// A match of the competition that is being played.
void World::CancelOne() {
  std::vector<MatchId> playing;
  for (const auto& runner : referee_->host->List(MatchId(), limits::kMaxPageSize)) {
    const bool competes = absl::StartsWith(runner->request_id(), kCompetitionRequest);
    if (competes && runner->begun() && !runner->over()) playing.push_back(runner->id());
  }
  if (playing.empty()) return;
  Random random(plan_.seed, For::kCompetition, queue_.Now().nanos(), 2);
  const int one = random.Below(static_cast<int>(playing.size()));
  static_cast<void>(referee_->host->Cancel(playing[static_cast<size_t>(one)], "by an organiser"));
}

// --- The end ---

bool World::CompetitionIsOver() const {
  return competition_witness_ == nullptr ||
         competition_witness_->state() == store::CompetitionState::kFinished;
}

void World::CheckCompetition() {
  const auto table = referee_->competitions->Standings(plan_.competition->spec.name);
  if (!table.ok()) {
    return chronicle_.Fail(absl::StrCat("no standings: ", table.status().message()));
  }
  competition_witness_->CheckTheEnd(&store_, competition_, table->standings);
}

}  // namespace referee::simulation
