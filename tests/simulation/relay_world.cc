#include "tests/simulation/relay_world.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/limits.h"

namespace referee::simulation {
namespace {

constexpr Instant kStart = Instant::FromNanos(1'000'000'000);
constexpr size_t kIdEntropy = 10;  // bytes that are drawn for an id
constexpr absl::Duration kSealing = absl::Microseconds(100);
constexpr absl::Duration kAskAgainAfter = absl::Milliseconds(200);
constexpr absl::Duration kResumeLimit = absl::Seconds(30);
constexpr absl::Duration kMostDelay = absl::Milliseconds(200);
constexpr absl::Duration kNoticedWithin = absl::Milliseconds(50);
constexpr absl::Duration kPatience = absl::Minutes(12);
// After the last match, for what is told late.
constexpr absl::Duration kGrace = absl::Seconds(35);
// A stall that may make a match void.
constexpr absl::Duration kLongStall = absl::Milliseconds(950);

const replay::Signer& Key() {
  static const replay::Signer signer = replay::Signer::FromSeed({7});
  return signer;
}

// A bot's token is its name.
class NamesAsTokens final : public service::Authenticator {
 public:
  explicit NamesAsTokens(const std::vector<RelayBotPlan>& bots) {
    for (const RelayBotPlan& bot : bots) names_.emplace(service::HashToken(bot.name), bot.name);
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

// What the recorder of one life does; nothing that a dead one does is seen.
class RelayWorld::Watcher final : public RecordWatcher {
 public:
  Watcher(RelayWorld* world, std::shared_ptr<Gate> gate) : world_(*world), gate_(std::move(gate)) {}

  void OnOpened(const match::Setup& setup) override {
    if (!gate_->dead) world_.witness_.OnOpened(setup);
  }
  void OnFlushed(const match::Setup& setup, const match::Record& record) override {
    if (!gate_->dead) world_.witness_.OnRecord(setup, record);
  }
  void OnRecordingFailed(const match::Setup& setup) override { Fail(setup, "was not recorded"); }
  void OnSetAside(const match::Setup& setup, absl::string_view why) override { Fail(setup, why); }
  void OnRecovered(const replay::MatchRead& match) override {
    world_.witness_.OnRecovered(match.setup.id, match.records.size());
  }
  void OnArchived(const replay::Replay& replay, absl::string_view) override {
    if (!gate_->dead) world_.witness_.OnArchived(replay);
  }

 private:
  void Fail(const match::Setup& setup, absl::string_view why) {
    if (gate_->dead) return;
    world_.chronicle_.Fail(absl::StrCat("match ", setup.id.text(), ": ", why));
  }

  RelayWorld& world_;
  const std::shared_ptr<Gate> gate_;
};

RelayWorld::Life::Life(RelayWorld* world, int of_node, int of_number)
    : node(of_node),
      number(of_number),
      gate(std::make_shared<Gate>(&world->queue_)),
      watcher(std::make_unique<Watcher>(world, gate)),
      timers(gate, world->plan_.seed),
      executor(gate, kSealing),
      recorder(world->nodes_[static_cast<size_t>(of_node)].disk.get(), &Key(), watcher.get()),
      admission(stream_limits),
      sessions(world->authenticator_.get()),
      pause(limits::kFirstPeerPause) {
  host::HostOptions options;
  options.clock = &world->queue_;
  options.timers = &timers;
  options.executor = &executor;
  options.recorder = &recorder;
  options.entropy = [this, world](absl::Span<uint8_t> bytes) {
    Random(world->plan_.seed, For::kEntropy, number, entropy++).Fill(bytes);
    if (bytes.size() == kIdEntropy) world->OnId(bytes.data());
  };
  options.software = "refereed simulated";
  options.stalls = &stalls;
  const auto session = [this]() -> service::EntrySession* {
    return gate->dead || dialed == nullptr ? nullptr : dialed->entry().get();
  };
  options.on_connection = [session](absl::string_view bot) {
    if (service::EntrySession* const entry = session()) entry->BotChanged(bot);
  };
  options.on_refused = [session](absl::string_view bot) {
    if (service::EntrySession* const entry = session()) entry->BotRefused(bot);
  };
  host = std::make_unique<host::Host>(std::move(options));
  environment = {&stream_limits, &admission,     &sessions, world->authenticator_.get(),
                 host.get(),     &world->queue_, &timers,   &connections};
  peers = {host.get(), &world->queue_, &timers, absl::StrCat("owner-", number), "secret"};
}

RelayWorld::RelayWorld(const RelayPlan& plan, std::ostream* log)
    : plan_(plan),
      chronicle_(&queue_, log),
      witness_(&queue_, &chronicle_,
               [&] {
                 std::vector<int> most;
                 for (const RelayBotPlan& bot : plan.bots) most.push_back(bot.max_matches);
                 return most;
               }()),
      authenticator_(std::make_unique<NamesAsTokens>(plan.bots)),
      made_(plan.matches.size()),
      delays_(plan.seed, For::kPeer) {
  for (size_t i = 0; i < plan_.bots.size(); ++i) {
    bots_.push_back(std::make_unique<RelayBot>(this, static_cast<int>(i)));
  }
}

RelayWorld::~RelayWorld() {
  for (int node = 0; node < kNodes; ++node) {
    if (life(node) != nullptr) life(node)->gate->dead = true;
  }
  for (int node = 0; node < kNodes; ++node) Bury(node);
}

Outcome RelayWorld::Run() {
  for (int node = 0; node < kNodes; ++node) Start(node);
  Schedule();
  const Instant heals_at = kStart + plan_.heals_at;
  Instant end = heals_at + kPatience;
  bool over = false;
  while (!chronicle_.failed() && queue_.Step(end)) {
    AfterStep();
    if (over || !healed_ || !IsOver()) continue;
    over = true;
    end = queue_.Now() + kGrace;
  }
  if (!chronicle_.failed()) witness_.CheckTheEnd();
  Outcome outcome;
  outcome.problem = chronicle_.problem();
  outcome.digest = chronicle_.digest();
  outcome.matches = witness_.archived();
  outcome.turns = witness_.turns();
  outcome.steps = queue_.steps();
  outcome.lives = lives_;
  outcome.simulated = queue_.Now() - kStart;
  return outcome;
}

void RelayWorld::Schedule() {
  for (size_t i = 0; i < bots_.size(); ++i) {
    queue_.At(kStart + plan_.bots[i].connects_at,
              [this, i] { bots_[i]->Connect(plan_.bots[i].node); });
  }
  for (size_t i = 0; i < plan_.matches.size(); ++i) {
    queue_.At(kStart + plan_.matches[i].created_at, [this, i] { Create(static_cast<int>(i)); });
  }
  for (const RelayFault& fault : plan_.faults) {
    queue_.At(kStart + fault.at, [this, &fault] { Begin(fault); });
  }
  queue_.At(kStart + plan_.heals_at, [this] {
    chronicle_.Note("healed", {});
    healed_ = true;
  });
  Tick();
}

void RelayWorld::Tick() {
  witness_.CheckProgress();
  queue_.At(queue_.Now() + absl::Seconds(1), [this] { Tick(); });
}

bool RelayWorld::IsOver() const {
  return std::all_of(made_.begin(), made_.end(),
                     [this](const MatchId& id) { return id != MatchId() && witness_.IsOver(id); });
}

// --- Matches ---

void RelayWorld::Create(int match) {
  const RelayMatchPlan& plan = plan_.matches[static_cast<size_t>(match)];
  Life* const at = life(plan.node);
  if (at == nullptr || !at->gate->is_awake()) {
    queue_.At(queue_.Now() + kAskAgainAfter, [this, match] { Create(match); });
    return;
  }
  chronicle_.Note("asked for", {match, plan.node});
  host::MatchRequest request;
  request.game = plan.game;
  for (const int bot : plan.bots) {
    request.bots.push_back(plan_.bots[static_cast<size_t>(bot)].name);
  }
  request.time_control = plan.time_control;
  request.policies = plan.policies;
  if (plan.pinned) request.dice_source.pinned_number = static_cast<uint64_t>(match);
  asking_ = match;
  const auto made = at->host->Create(std::move(request), absl::StrCat("match ", match));
  asking_ = -1;
  if (!made.ok()) {
    chronicle_.Fail(absl::StrCat("match ", match, " was not made: ", made.status().message()));
  }
}

// A match may begin before its maker learns its id.
void RelayWorld::OnId(const uint8_t* random) {
  if (asking_ < 0) return;
  MatchId& id = made_[static_cast<size_t>(asking_)];
  id = MatchId::Make(queue_.WallNow(), random);
  const RelayMatchPlan& plan = plan_.matches[static_cast<size_t>(asking_)];
  witness_.OnCreated(id, asking_, plan.node, plan.bots);
}

// --- Nodes ---

std::shared_ptr<Gate> RelayWorld::gate(int node) const {
  const Life* const at = life(node);
  return at == nullptr ? nullptr : at->gate;
}

const service::BotSession::Environment* RelayWorld::Accept(int node,
                                                           std::shared_ptr<RelayStream> stream) {
  if (life(node) == nullptr || life(node)->gate->dead) return nullptr;
  life(node)->streams.push_back(std::move(stream));
  return &life(node)->environment;
}

void RelayWorld::Start(int number) {
  Node& node = nodes_[static_cast<size_t>(number)];
  chronicle_.Note("node starts", {number, ++lives_});
  if (node.disk == nullptr) {
    node.disk = std::make_unique<Disk>();
    node.disk->on_write = [](const std::string&, size_t, bool) { return Disk::Verdict(); };
    node.disk->on_archive = [](const std::string&) { return true; };
    node.disk->in_use = [&node] { return node.life == nullptr || !node.life->gate->dead; };
  }
  node.life = std::make_unique<Life>(this, number, lives_);
  std::vector<replay::Unfinished> unfinished;
  const absl::Status recovered = node.life->recorder.Recover(&unfinished);
  if (!recovered.ok()) chronicle_.Fail(absl::StrCat("not recovered: ", recovered.message()));
  for (replay::Unfinished& one : unfinished) {
    const absl::Status resumed = node.life->host->Resume(std::move(one), kResumeLimit);
    if (!resumed.ok()) chronicle_.Fail(absl::StrCat("not resumed: ", resumed.message()));
  }
  node.life->host->EndResuming();
  Dial(number);
}

void RelayWorld::Kill(const RelayFault& fault) {
  Life* const dying = life(fault.node);
  if (dying == nullptr) return;
  chronicle_.Note("node killed", {fault.node, fault.loses_disk ? 1 : 0});
  dying->gate->dead = true;
  const Instant noticed =
      queue_.Now() + (fault.silent ? limits::kPeerSilence + 2 * limits::kPeerBeat : kNoticedWithin);
  for (const auto& stream : dying->streams) stream->NodeDied();
  witness_.OnKilled(fault.node, fault.loses_disk, noticed);
  const absl::Duration after = fault.silent ? absl::InfiniteDuration()
                                            : delays_.Between(absl::ZeroDuration(), kNoticedWithin);
  for (const auto& stream : peer_streams_) stream->Cut(after, after);
  queue_.At(queue_.Now() + fault.lasts, [this, node = fault.node, loses = fault.loses_disk] {
    if (loses) nodes_[static_cast<size_t>(node)].disk = nullptr;
    Start(node);
  });
}

// REQUIRES: it is dead, or there is none.
void RelayWorld::Bury(int number) {
  std::unique_ptr<Life>& dead = nodes_[static_cast<size_t>(number)].life;
  if (dead == nullptr) return;
  // Bots and matches hold each other.
  for (const RelayBotPlan& plan : plan_.bots) {
    const std::shared_ptr<host::Bot> bot = dead->host->FindBot(plan.name);
    if (bot == nullptr) continue;
    for (const host::Bot::Slot& slot : bot->slots()) bot->RemoveSlot(slot.runner->id().text());
    bot->RemoveSlotsOf(nullptr);
    bot->SetLink(nullptr, {});
  }
  for (const auto& stream : dead->streams) stream->Bury();
  for (const auto& stream : peer_streams_) stream->BuryDead();
  dead->dialed = nullptr;
  dead->came.clear();
  dead = nullptr;
}

void RelayWorld::Stall(const RelayFault& fault) {
  Life* const still = life(fault.node);
  const Instant now = queue_.Now();
  // Its monitor looks between two stalls.
  if (still == nullptr || now <= still->gate->awake + kLooksWithin) return;
  chronicle_.Note("stalled", {fault.node, absl::ToInt64Nanoseconds(fault.lasts)});
  Random random(plan_.seed, For::kFault, now.nanos());
  const Instant looks = now + random.Between(absl::ZeroDuration(), host::StallMonitor::kPeriod);
  const Instant awake = now + fault.lasts;
  still->gate->awake = awake;
  if (fault.lasts >= kLongStall) long_stall_until_ = std::max(long_stall_until_, awake);
  witness_.OnStalled(fault.lasts);
  if (looks >= awake) return;
  still->stalls.ExpectAt(looks);
  const Instant looked = awake + random.Between(absl::ZeroDuration(), kLooksWithin);
  still->gate->At(looked, [still, looked, looks] { still->stalls.Looked(looked, looked - looks); });
}

// --- Streams between nodes ---

absl::Duration RelayWorld::PeerDelay() {
  absl::Duration delay = delays_.Between(plan_.peer_delay, plan_.peer_delay * 2);
  if (queue_.Now() < slow_until_) delay = delays_.Between(delay, std::max(delay, kMostDelay));
  return delay;
}

void RelayWorld::DialLater(int from, int number) {
  Life* const at = life(from);
  if (at == nullptr || at->gate->dead || at->number != number) return;
  at->gate->At(queue_.Now() + at->pause, [this, from] { Dial(from); });
  at->pause = std::min(2 * at->pause, limits::kLongestPeerPause);
}

void RelayWorld::Dial(int from) {
  Life* const entry = life(from);
  const int number = entry->number;
  Life* const owner = life((from + 1) % kNodes);
  if (owner == nullptr || owner->gate->dead || queue_.Now() < no_dial_until_) {
    return DialLater(from, number);
  }
  chronicle_.Note("dials", {from, number});
  PeerStream::Calls calls;
  calls.delay = [this] { return PeerDelay(); };
  calls.greeted = [entry] { entry->pause = limits::kFirstPeerPause; };
  const std::string name = entry->peers.owner;
  const auto stream = std::make_shared<PeerStream>(
      PeerStream::Side{entry->gate, &entry->peers}, PeerStream::Side{owner->gate, &owner->peers},
      Random(plan_.seed, For::kPeer, from, ++dials_), calls);
  stream->on_attached = [owner, name, weak = std::weak_ptr<PeerStream>(stream)] {
    const auto former = std::exchange(owner->came[name], weak.lock());
    if (former != nullptr) former->Replace();
  };
  stream->on_entry_done = [this, from, number] {
    chronicle_.Note("peer stream ends", {from, number});
    DialLater(from, number);
  };
  peer_streams_.push_back(stream);
  entry->dialed = stream;
  stream->Begin();
}

// --- Faults ---

void RelayWorld::Begin(const RelayFault& fault) {
  if (healed_) return;
  RelayBot& bot = *bots_[static_cast<size_t>(fault.bot)];
  const Life* const entry = life(fault.node);
  const std::shared_ptr<PeerStream> peer = entry == nullptr ? nullptr : entry->dialed;
  switch (fault.kind) {
    case RelayFault::Kind::kBotCut:
      if (bot.stream() != nullptr) bot.stream()->Cut(fault.node_after, fault.bot_after);
      return;
    case RelayFault::Kind::kBotMoves:
      if (bot.stream() != nullptr) bot.Connect((bot.stream()->node() + 1) % kNodes);
      return;
    case RelayFault::Kind::kPeerCut:
      if (peer == nullptr) return;
      chronicle_.Note("peer cut", {fault.node});
      if (fault.lasts > absl::Seconds(20)) no_dial_until_ = queue_.Now() + fault.lasts;
      return peer->Cut(
          fault.silent && fault.to_owner ? absl::InfiniteDuration() : fault.node_after,
          fault.silent && !fault.to_owner ? absl::InfiniteDuration() : fault.bot_after);
    case RelayFault::Kind::kPeerMuted:
      if (peer == nullptr) return;
      chronicle_.Note("peer muted", {fault.node, fault.to_owner ? 1 : 0});
      return peer->Mute(fault.to_owner);
    case RelayFault::Kind::kPeerHeld:
      if (peer == nullptr) return;
      chronicle_.Note("peer held", {fault.node, fault.to_owner ? 1 : 0});
      return peer->Hold(fault.to_owner, queue_.Now() + fault.lasts);
    case RelayFault::Kind::kPeerSlow:
      chronicle_.Note("peers slow", {});
      slow_until_ = queue_.Now() + fault.lasts;
      return;
    case RelayFault::Kind::kStalled:
      return Stall(fault);
    case RelayFault::Kind::kKilled:
      return Kill(fault);
  }
}

void RelayWorld::AfterStep() {
  for (int node = 0; node < kNodes; ++node) {
    if (life(node) != nullptr && life(node)->gate->dead) Bury(node);
  }
  bool well = true;
  bool awake = true;
  for (int node = 0; node < kNodes; ++node) {
    const Life* const at = life(node);
    const bool dialed = at != nullptr && at->dialed != nullptr;
    witness_.OnPeerStream(node, dialed && at->dialed->linked());
    well = well && dialed && at->dialed->well();
    awake = awake && at != nullptr && at->gate->is_awake();
  }
  const bool excuses = !well || queue_.Now() <= long_stall_until_;
  if (!well || !awake || !was_well_) witness_.OnTrouble(excuses || !was_well_);
  was_well_ = well;
  peer_streams_.erase(std::remove_if(peer_streams_.begin(), peer_streams_.end(),
                                     [](const auto& stream) { return stream->ended(); }),
                      peer_streams_.end());
}

Outcome SimulateRelay(const RelayPlan& plan, std::ostream* log) {
  return RelayWorld(plan, log).Run();
}

}  // namespace referee::simulation
