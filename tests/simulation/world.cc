#include "tests/simulation/world.h"

#include <algorithm>
#include <array>
#include <utility>

#include "absl/strings/str_cat.h"

namespace referee::simulation {
namespace {

constexpr Instant kStart = Instant::FromNanos(1'000'000'000);
// The organiser, once the referee is there again.
constexpr absl::Duration kAsksAgainWithin = absl::Milliseconds(100);
// A match that goes on needs no longer for a turn than its limit and this.
constexpr absl::Duration kTurnOverhead = absl::Seconds(1);
constexpr size_t kIdEntropy = 10;  // bytes that are drawn for an id
// A competition of a few blocks, each begun again a few times, and a minute later each time.
constexpr absl::Duration kCompetitionPatience = absl::Hours(4);
constexpr int kMostTurns = 100;  // of a match of any plan, forfeits included

std::array<uint8_t, 32> SigningSeed() {
  std::array<uint8_t, 32> seed;
  seed.fill(7);
  return seed;
}

// All runs have the same key, which costs as much to make as a signature.
struct RefereeKey {
  replay::Signer signer = replay::Signer::FromSeed(SigningSeed());
  SignatureChecker signatures{SigningSeed()};
};
const RefereeKey& Key() {
  static const RefereeKey key;
  return key;
}

// A bot's token is its name.
class NamesAsTokens final : public service::Authenticator {
 public:
  explicit NamesAsTokens(const std::vector<BotPlan>& bots) {
    for (const BotPlan& bot : bots) names_.emplace(service::HashToken(bot.name), bot.name);
  }
  absl::StatusOr<service::Identity> Find(const service::TokenHash& hash) const override {
    const auto found = names_.find(hash);
    if (found == names_.end()) return absl::UnauthenticatedError("nobody's token");
    return service::Identity{found->second, service::Role::kBot};
  }
  absl::Status Recheck(absl::string_view, const service::TokenHash&) const override {
    return absl::OkStatus();
  }
  bool KnowsBot(absl::string_view) const override { return true; }
  bool HasOrganiser() const override { return true; }

 private:
  std::map<service::TokenHash, std::string> names_;
};

}  // namespace

World::Referee::Referee(World* world, EventQueue::Life life)
    : timers(&world->queue_, life, world->plan_.seed),
      executor(&world->queue_, life, world->plan_.sealing),
      recorder(&world->disk_, &Key().signer, &world->witness_),
      admission(stream_limits),
      sessions(world->authenticator_.get()),
      bots(world->plan_.bots.size()),
      linked(world->plan_.bots.size()) {
  host::HostOptions options;
  options.clock = &world->queue_;
  options.timers = &timers;
  options.executor = &executor;
  options.recorder = &recorder;
  options.entropy = [world](absl::Span<uint8_t> bytes) { world->Entropy(bytes); };
  options.software = "refereed simulated";
  options.stalls = &stalls;
  options.max_running = world->plan_.max_running;
  options.on_finished = [this, world](const host::MatchRunner& runner, const absl::Status& sealed) {
    world->OnFinished(runner);
    if (competitions != nullptr) competitions->MatchFinished(runner, sealed);
  };
  if (world->plan_.competition) {
    competitions = world->MakeCompetitions(this);
    options.on_connection = [this](absl::string_view) { competitions->Wake(); };
  }
  host = std::make_unique<host::Host>(std::move(options));
  environment = {&stream_limits, &admission,     &sessions, world->authenticator_.get(),
                 host.get(),     &world->queue_, &timers,   &connections};
}

World::World(const Plan& plan, std::ostream* log)
    : plan_(plan),
      chronicle_(&queue_, log),
      authenticator_(std::make_unique<NamesAsTokens>(plan.bots)),
      witness_(&queue_, &chronicle_, static_cast<int>(plan.bots.size()), Key().signatures),
      wanted_(plan.matches.size()),
      drawn_(plan.groups) {
  disk_.on_write = [this](const std::string& id, size_t size, bool records) {
    return OnWrite(id, size, records);
  };
  disk_.in_use = [this] { return referee_ == nullptr || !referee_->killed; };
  disk_.on_archive = [this](const std::string& id) { return OnArchive(id); };
  for (int i = 0; i < static_cast<int>(plan_.bots.size()); ++i) {
    bots_.push_back(std::make_unique<SimulatedBot>(this, i));
  }
  if (plan_.competition) PrepareCompetition();
}

World::~World() {
  if (referee_ != nullptr) {
    referee_->killed = true;
    BuryReferee();
  }
}

Outcome World::Run() {
  StartReferee();
  Schedule();
  RunUntilHealed();
  Outcome outcome;
  if (!chronicle_.failed()) CheckTheEnd();
  // Only now: a match may be over and its end not archived yet.
  for (const Wanted& wanted : wanted_) outcome.recorded.push_back(Recorded(wanted.id));
  outcome.problem = chronicle_.problem();
  outcome.digest = chronicle_.digest();
  outcome.matches = witness_.archived();
  outcome.turns = witness_.turns();
  outcome.steps = queue_.steps();
  outcome.lives = static_cast<int>(life_);
  outcome.simulated = queue_.Now() - kStart;
  return outcome;
}

uint64_t World::Recorded(const MatchId& id) const {
  const auto archived = disk_.archive().find(id.text());
  if (archived != disk_.archive().end()) return DigestOf(archived->second.file);
  const auto given_up = disk_.quarantine().find(id.text());
  if (given_up != disk_.quarantine().end()) return DigestOf(given_up->second);
  const std::map<std::string, std::string>& logged = disk_.logged();
  const auto records = logged.find(id.text());
  return records == logged.end() ? 0 : DigestOf(records->second);
}

// --- The referee ---

void World::StartReferee() {
  ++life_;
  chronicle_.Note("referee starts", {life_});
  queue_.StallLives(Instant());
  witness_.OnStarted();
  witness_.LookAway(false);
  referee_ = std::make_unique<Referee>(this, life_);
  std::vector<replay::Unfinished> unfinished;
  const absl::Status recovered = referee_->recorder.Recover(&unfinished);
  if (!recovered.ok()) {
    chronicle_.Fail(absl::StrCat("what an earlier life left: ", recovered.message()));
  }
  for (replay::Unfinished& one : unfinished) {
    const int match = witness_.Find(one.setup.id)->match;
    const absl::Status resumed = referee_->host->Resume(std::move(one), plan_.resume_limit);
    if (!resumed.ok()) {
      chronicle_.Fail(absl::StrCat("match ", match, " cannot go on: ", resumed.message()));
    }
  }
  RememberArchived();
  referee_->host->EndResuming();
  if (plan_.competition) OpenCompetitions();
  if (referee_->killed) return;
  // What was asked for and not begun is forgotten by a referee that dies.
  for (int i = 0; i < static_cast<int>(wanted_.size()); ++i) {
    const Wanted& wanted = wanted_[i];
    if (wanted.account == nullptr || wanted.account->opened || wanted.account->finished) continue;
    Forget(i);
    // At a time of its own: entropy is addressed by time.
    Random random(plan_.seed, For::kRestart, life_, i);
    queue_.At(queue_.Now() + random.Between(absl::ZeroDuration(), kAsksAgainWithin),
              [this, first = plan_.Together(i).front()] { Ask(first); });
  }
}

void World::RememberArchived() {
  for (const auto& [id, archived] : disk_.archive()) {
    const replay::Replay& replay = archived.replay;
    referee_->host->Remember(replay.setup, *replay.ended(), replay.turns());
  }
  // Over, and not archived: the disk is full.
  for (const auto& [id, records] : disk_.logged()) {
    const absl::StatusOr<replay::Replay> kept = ReplayIn(records);
    if (kept.ok()) referee_->host->Remember(kept->setup, *kept->ended(), kept->turns());
  }
}

// The process is no more from now on, though its code runs on until it returns: nothing that it
// does is seen.
void World::Kill(absl::Duration down) {
  if (referee_ == nullptr || referee_->killed) return;
  chronicle_.Note("referee killed", {life_});
  referee_->killed = true;
  witness_.LookAway(true);
  queue_.EndLives(life_);
  for (size_t bot = 0; bot < bots_.size(); ++bot) {
    if (referee_->linked[bot] != nullptr) witness_.OnUnlinked(static_cast<int>(bot));
  }
  for (const auto& stream : referee_->streams) stream->RefereeDied();
  queue_.At(queue_.Now() + down, [this] { StartReferee(); });
}

void World::BuryReferee() {
  queue_.EndLives(life_);
  if (referee_->competitions != nullptr) referee_->competitions->Close();
  for (const auto& stream : referee_->streams) stream->RefereeDied();
  // Bots and matches hold each other.
  for (const auto& bot : referee_->bots) {
    if (bot == nullptr) continue;
    for (const host::Bot::Slot& slot : bot->slots()) {
      bot->RemoveSlot(slot.runner->id().text());
    }
    bot->SetLink(nullptr, {});
  }
  for (const auto& stream : referee_->streams) stream->Bury();
  referee_ = nullptr;
}

void World::ShutDown(host::Host::Rest rest) {
  chronicle_.Note("referee drains", {life_});
  referee_->executor.Release();
  if (referee_->competitions != nullptr) referee_->competitions->Drain();
  referee_->host->Drain(absl::ZeroDuration(), rest);
}

bool World::RefereeListens() const {
  return referee_ != nullptr && !referee_->killed && queue_.Now() >= queue_.awake();
}

void World::OnFinished(const host::MatchRunner& runner) {
  if (referee_->killed) return;
  witness_.OnFinished(runner.id(), *runner.ended());
  const Account* account = witness_.Find(runner.id());
  if (account == nullptr || account->match >= static_cast<int>(plan_.matches.size())) return;
  acting_group_ = plan_.matches[account->match].group;
}

void World::Entropy(absl::Span<uint8_t> bytes) {
  Drawn& drawn = drawn_[acting_group_];
  if (drawn.at != queue_.Now()) drawn = {queue_.Now(), 0};
  Random(plan_.seed, For::kEntropy, drawn.at.nanos(), acting_group_, drawn.times++).Fill(bytes);
  // A match may begin before the organiser learns its id, which is drawn for after its block's.
  if (asking_.empty() || bytes.size() != kIdEntropy) return;
  if (std::exchange(asking_block_, false)) return;
  const int match = asking_.front();
  asking_.pop_front();
  Wanted& wanted = wanted_[match];
  wanted.id = MatchId::Make(queue_.WallNow(), bytes.data());
  wanted.account = witness_.OnCreated(wanted.id, match, plan_.matches[match].bots);
}

std::shared_ptr<WatchedSession> World::Accept(int bot, int number, std::shared_ptr<Stream> stream) {
  if (referee_ == nullptr || referee_->killed) return nullptr;
  Stream* const transport = stream.get();
  referee_->streams.push_back(std::move(stream));
  return std::make_shared<WatchedSession>(this, bot, number, &referee_->environment, transport);
}

const host::Link* World::OnLinking(int bot, const host::Link* link) {
  chronicle_.Note("attached", {bot});
  acting_group_ = plan_.bots[bot].group;
  const host::Link* const before = std::exchange(referee_->linked[bot], link);
  witness_.OnLinked(bot);
  return before;
}

void World::OnRefused(int bot, const host::Link* before) {
  if (referee_ == nullptr || referee_->killed) return;
  referee_->linked[bot] = before;
  if (before == nullptr) witness_.OnUnlinked(bot);
}

void World::OnLinked(int bot, std::shared_ptr<host::Bot> host_bot) {
  referee_->bots[bot] = std::move(host_bot);
}

void World::OnUnlinking(int bot, const host::Link* link) {
  if (!IsLinked(bot, link)) return;
  referee_->linked[bot] = nullptr;
  witness_.OnUnlinked(bot);
}

bool World::IsLinked(int bot, const host::Link* link) const {
  return referee_ != nullptr && !referee_->killed && referee_->linked[bot] == link;
}

Seat World::SeatOf(int bot, const Account& account) const {
  const auto it = std::find(account.bots.begin(), account.bots.end(), bot);
  if (it == account.bots.end()) return Seat::None();
  return Seat(static_cast<int>(it - account.bots.begin()));
}

// --- The end ---

void World::RunUntilHealed() {
  const Instant heals_at = kStart + plan_.heals_at;
  // An event, so that its time does not depend on which other events there are.
  queue_.At(heals_at, [this] { Heal(); });
  const Instant end = heals_at + Patience();
  const auto over = [this] { return healed_ && EveryMatchIsOver() && CompetitionIsOver(); };
  while (!chronicle_.failed() && !over() && queue_.Step(end)) AfterStep();
}

void World::AfterStep() {
  for (const auto& session : to_check_) session->CheckFlushed();
  to_check_.clear();
  if (referee_ != nullptr && referee_->killed) BuryReferee();
}

bool World::EveryMatchIsOver() const {
  return std::all_of(wanted_.begin(), wanted_.end(), [](const Wanted& wanted) {
    return wanted.account != nullptr && wanted.account->over();
  });
}

// All the time that all matches may take, one after another, as bots may take one at a time.
absl::Duration World::Patience() const {
  absl::Duration patience = absl::Seconds(30);  // for what failed before to be noticed
  for (const MatchPlan& match : plan_.matches) {
    const absl::Duration turn =
        std::min(match.time_control.per_move,
                 match.time_control.bank + match.time_control.increment * kMostTurns);
    patience += limits::kReadyLimit + kMostTurns * (turn + kTurnOverhead);
  }
  if (plan_.competition) patience += kCompetitionPatience;
  return patience;
}

// Everything is on the disk, once, after a last start.
void World::CheckTheEnd() {
  for (size_t i = 0; i < wanted_.size(); ++i) {
    const Account* account = wanted_[i].account;
    if (account == nullptr) {
      chronicle_.Fail(absl::StrCat("match ", i, " was never taken"));
    } else if (!account->over()) {
      chronicle_.Fail(
          absl::StrCat("match ", i, " did not end within ", absl::FormatDuration(Patience()),
                       " after the last fault; it has played ", account->played, " turns"));
    }
  }
  if (!CompetitionIsOver()) {
    chronicle_.Fail(absl::StrCat("the competition did not end within ",
                                 absl::FormatDuration(Patience()), " after the last fault"));
  }
  if (chronicle_.failed()) return;
  if (referee_ != nullptr) {
    ShutDown(host::Host::Rest::kVoid);
    BuryReferee();
  }
  StartReferee();
  witness_.ForEach([this](const Account& account) {
    if (account.opened && !account.archived && !account.set_aside) {
      chronicle_.Fail(absl::StrCat("match ", account.match, " is not in the archive"));
    }
  });
  if (!disk_.logged().empty()) chronicle_.Fail("a match is left in the log");
  if (plan_.competition) CheckCompetition();
}

Outcome Simulate(const Plan& plan, std::ostream* log) { return World(plan, log).Run(); }

}  // namespace referee::simulation
