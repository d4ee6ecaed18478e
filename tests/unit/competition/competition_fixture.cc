#include "tests/unit/competition/competition_fixture.h"

#include <cstdlib>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "gtest/gtest.h"
#include "referee/replay/key_files.h"
#include "referee/store/sqlite_store.h"
#include "tests/support/fake_link.h"

namespace referee::testing {

// The link of a player: ready at once, and replies after its thinking time.
class CompetitionFixture::PlayerLink final : public FakeLink,
                                             public std::enable_shared_from_this<PlayerLink> {
 public:
  PlayerLink(const Player* player, const Clock* clock, SimulatedTimers* timers,
             HeldExecutor* executor)
      : FakeLink(clock), player_(*player), clock_(*clock), timers_(*timers), executor_(*executor) {}

  // Null before the bot is attached and after the link is closed: then the link is silent.
  std::weak_ptr<host::Bot> bot;

  void TellStart(const match::Match& match, Seat seat) override {
    if (player_.resigns) Say(absl::ZeroDuration(), match.setup().id, match::Resigned{seat});
    if (match.ready(seat) || !player_.readies || player_.resigns) return;
    Say(absl::ZeroDuration(), match.setup().id, match::ReadyReceived{seat, dice::HashNonce("")});
  }
  void AskNonce(const match::Match& match, Seat seat) override {
    Say(absl::ZeroDuration(), match.setup().id, match::NonceReceived{seat, ""});
  }
  void AskTurn(const std::shared_ptr<host::MatchRunner>& runner, const match::Match& match,
               Seat seat) override {
    FakeLink::AskTurn(runner, match, seat);
    if (!player_.answers) return;
    match::Replied replied;
    replied.seat = seat;
    replied.turn = match.turn();
    replied.request = match.request();
    replied.claimed = player_.last_move ? match.legal_moves().back() : match.legal_moves().front();
    Say(player_.thinks, match.setup().id, replied);
  }
  void Ping() override {
    answers_pings = player_.answers && clock_.Now() >= player_.paused_until;
    FakeLink::Ping();
  }
  void Close(const absl::Status&) override { bot.reset(); }

 private:
  void Say(absl::Duration after, const MatchId& match, match::Event event) {
    after = std::max(after, player_.paused_until - clock_.Now());
    std::function<void()> say = [weak = weak_from_this(), match, event = std::move(event)] {
      const auto self = weak.lock();
      const auto bot = self == nullptr ? nullptr : self->bot.lock();
      if (bot == nullptr) return;
      if (self->clock_.Now() < self->player_.paused_until) {
        return self->Say(absl::ZeroDuration(), match, event);
      }
      const host::Bot::Slot slot = bot->FindSlot(match.text());
      if (slot.runner != nullptr) slot.runner->Post(event, self->clock_.Now());
    };
    if (after == absl::ZeroDuration()) {
      executor_.Run(std::move(say));
    } else {
      thinking_[match] =
          timers_.At(clock_.Now() + after, [this, say = std::move(say)] { executor_.Run(say); });
    }
  }

  const Player& player_;
  const Clock& clock_;
  SimulatedTimers& timers_;
  HeldExecutor& executor_;
  std::map<MatchId, host::Timer> thinking_;
};

// --- A process ---

CompetitionFixture::Process::Process(CompetitionFixture* contest, store::Store* shared)
    : timers(&contest->clock_), store(shared, &contest->frost_) {
  executor.Hold();
  const std::string& dir = contest->data_dir();
  replay::FileRecorder::Options kept;
  kept.data_dir = dir;
  kept.segment_bytes = 1 << 18;
  files = replay::FileRecorder::Make(kept, replay::LoadOrMakeKeys(dir, absl::Now()).value().signer)
              .value();
  recorder = std::make_unique<FreezingRecorder>(files.get(), &contest->frost_);

  competition::CompetitionsOptions options;
  options.clock = &contest->clock_;
  options.timers = &timers;
  options.executor = &executor;
  options.store = &store;
  options.entropy = [contest](absl::Span<uint8_t> bytes) {
    for (uint8_t& byte : bytes)
      byte = static_cast<uint8_t>((contest->entropy_++ * 0x9E3779B97F4A7C15) >> 56);
  };
  options.owner = absl::StrCat(contest->owner, "-", ++contest->boots_);
  options.lease = contest->lease;
  if (!contest->owner_before_.empty()) options.former = {contest->owner_before_};
  contest->owner_before_ = options.owner;
  options.find_replay = competition::ReadsArchive(
      replay::Archive(dir), [this](const MatchId& id) { return files->ReadKept(id); });
  options.shared_replays = contest->shared_replays;
  options.log = [contest](const log::Event& event) { contest->log_.push_back(event.message); };
  competitions = std::make_unique<competition::Competitions>(options);

  host::HostOptions host_options;
  host_options.clock = &contest->clock_;
  host_options.timers = &timers;
  host_options.executor = &executor;
  host_options.recorder = recorder.get();
  host_options.entropy = options.entropy;
  host_options.software = "test";
  host_options.max_running = 100;
  host_options.on_finished = [this](const host::MatchRunner& runner, const absl::Status& sealed) {
    competitions->MatchFinished(runner, sealed);
  };
  host_options.on_connection = [this](absl::string_view) { competitions->Wake(); };
  host = std::make_unique<host::Host>(host_options);

  for (replay::Recovered& recovered : files->Recover()) {
    if (!recovered.unfinished.has_value()) continue;
    recovered.unfinished->recording =
        recorder->Freezing(std::move(recovered.unfinished->recording));
    const absl::Status resumed = host->Resume(*std::move(recovered.unfinished), absl::Minutes(1));
    EXPECT_TRUE(resumed.ok()) << resumed;
  }
  host->EndResuming();
}

CompetitionFixture::Process::~Process() {
  competitions->Close();
  executor.Clear();
  host = nullptr;
}

// --- A contest ---

namespace {

std::unique_ptr<store::Store> OpenStore(const std::string& dir, const Clock* clock) {
  store::SqliteOptions options;
  options.clock = clock;
  options.sync_blocks = false;
  return store::OpenSqliteStore(dir + "/store.db", options).value();
}

// The step of the clock when no work is left.
constexpr absl::Duration kStep = absl::Milliseconds(50);
// The number of pieces of work between checks of `done`.
constexpr int kWorkBetweenLooks = 16;

}  // namespace

std::vector<Player> PlayersOf(size_t count) {
  std::vector<Player> players(4);
  players[0].name = "ada";
  players[1].name = "bob";
  players[1].last_move = true;
  players[2].name = "cyd";
  players[3].name = "dan";
  players[3].last_move = true;
  players.resize(count);
  return players;
}

CompetitionFixture::CompetitionFixture(std::vector<Player> players)
    : clock_(own_clock_),
      players_(std::move(players)),
      own_store_(OpenStore(data_dir(), &clock_)),
      store_(own_store_.get()) {}

CompetitionFixture::CompetitionFixture(std::vector<Player> players, CompetitionFixture* other)
    : clock_(other->clock_),
      players_(std::move(players)),
      store_(other->store_),
      entropy_(1'000'000) {}

CompetitionFixture::~CompetitionFixture() = default;

void CompetitionFixture::Boot() {
  process_ = std::make_unique<Process>(this, store_);
  if (!address.empty()) process_->competitions->Advertise(address);
  const absl::Status opened = process_->competitions->Open(process_->host.get());
  EXPECT_TRUE(opened.ok() || frost_.frozen()) << opened;
  for (const Player& player : players_) {
    if (!away_[player.name]) Connect(player.name);
  }
}

void CompetitionFixture::Kill() { process_ = nullptr; }

Player& CompetitionFixture::player(const std::string& name) {
  for (Player& player : players_) {
    if (player.name == name) return player;
  }
  std::abort();
}

void CompetitionFixture::Divide(const std::string& name, int max_matches) {
  const Process::Guest& guest = process_->guests.at(name);
  process_->host->SetCapacity(guest.bot, guest.link.get(), max_matches, 0);
}

const std::vector<std::string>& CompetitionFixture::FleetOf(const std::string& name) {
  return process_->guests.at(name).link->fleet;
}

void CompetitionFixture::Connect(const std::string& name) {
  away_[name] = false;
  const Player& bot = player(name);
  auto link = std::make_shared<PlayerLink>(&bot, &clock_, &process_->timers, &process_->executor);
  host::Hello hello;
  hello.max_matches = bot.max_matches;
  link->TellFleet(process_->host->FleetFor(name));
  absl::StatusOr<std::shared_ptr<host::Bot>> attached = process_->host->Attach(name, link, hello);
  ASSERT_TRUE(attached.ok()) << attached.status();
  link->bot = *attached;
  process_->guests[name] = {link, *attached};
}

void CompetitionFixture::Disconnect(const std::string& name) {
  away_[name] = true;
  if (process_ == nullptr) return;
  const Process::Guest guest = process_->guests.at(name);
  process_->guests.erase(name);
  guest.link->bot.reset();
  process_->host->Detach(guest.bot, guest.link.get());
}

bool CompetitionFixture::RunUntil(const std::function<bool()>& done, absl::Duration limit) {
  const Instant end = clock_.Now() + limit;
  for (int work = 0; !frost_.frozen(); ++work) {
    if (work % kWorkBetweenLooks == 0 && done()) return true;
    if (process_->executor.Step()) continue;
    if (done()) return true;
    if (clock_.Now() >= end) return false;
    Pass(kStep);
  }
  return false;
}

bool CompetitionFixture::RunTogether(CompetitionFixture* a, CompetitionFixture* b,
                                     const std::function<bool()>& done, absl::Duration limit) {
  const Instant end = a->clock_.Now() + limit;
  while (a->clock_.Now() < end) {
    for (int work = 0; work < kWorkBetweenLooks; ++work) {
      const bool any = a->process_->executor.Step();
      if (!b->process_->executor.Step() && !any) {
        a->Pass(kStep);
        b->Pass(absl::ZeroDuration());
      }
    }
    if (done()) return true;
  }
  return false;
}

void CompetitionFixture::RunFor(absl::Duration duration) {
  RunUntil([] { return false; }, duration);
}

// --- Competitions ---

schedule::Spec CompetitionFixture::SpecOf(schedule::Format format,
                                          std::vector<std::string> entrants, int seats) {
  schedule::Spec spec;
  spec.name = "cup";
  spec.format = format;
  spec.game = "hypnosia";
  spec.options = {{"turn_limit", "6"}};
  spec.seats = seats;
  spec.entrants = std::move(entrants);
  spec.pinned = true;
  return spec;
}

store::CompetitionId CompetitionFixture::Start(const schedule::Spec& spec) {
  const auto made = competitions().Create(spec, spec.name, "local");
  EXPECT_TRUE(made.ok() || frost_.frozen()) << made.status();
  const auto started = competitions().Start(spec.name, "local");
  EXPECT_TRUE(started.ok() || frost_.frozen()) << started.status();
  return made.ok() ? made->competition.id : store::CompetitionId();
}

store::CompetitionState CompetitionFixture::state(absl::string_view name) {
  return store_->FindCompetition(name)->state;
}

bool CompetitionFixture::RunToEnd(absl::string_view name) {
  return RunUntil([&] { return state(name) == store::CompetitionState::kFinished; });
}

store::Competition CompetitionFixture::Row(absl::string_view name) {
  return store_->FindCompetition(name).value();
}

store::Entrant CompetitionFixture::EntrantOf(absl::string_view bot, absl::string_view name) {
  const auto entrants = store_->ReadEntrants(Row(name).id);
  for (const store::Entrant& entrant : *entrants) {
    if (entrant.name == bot) return entrant;
  }
  std::abort();
}

std::vector<store::Block> CompetitionFixture::blocks(absl::string_view name) {
  std::vector<store::Block> all;
  const store::CompetitionId id = store_->FindCompetition(name)->id;
  for (;;) {
    const auto page =
        store_->ListBlocks(id, static_cast<int64_t>(all.size()), 1000, absl::nullopt).value();
    if (page.empty()) return all;
    all.insert(all.end(), page.begin(), page.end());
  }
}

}  // namespace referee::testing
