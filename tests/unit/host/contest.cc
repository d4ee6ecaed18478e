#include "tests/unit/host/contest.h"

#include <cstdlib>
#include <filesystem>
#include <utility>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "referee/replay/signer.h"
#include "referee/store/sqlite_store.h"

namespace referee::testing {

// Plays as its player does: is ready at once, and answers when it has thought.
class Contest::PlayerLink final : public host::Link,
                                  public std::enable_shared_from_this<PlayerLink> {
 public:
  PlayerLink(const Player* player, const Clock* clock, SimulatedTimers* timers, QueueWorker* worker)
      : player_(*player), clock_(*clock), timers_(*timers), worker_(*worker) {}

  // Until it has a bot, and once it is closed, it says nothing.
  std::weak_ptr<host::Bot> bot;

  void TellStart(const match::Match& match, Seat seat) override {
    if (match.ready(seat) || !player_.readies) return;
    Say(absl::ZeroDuration(), match.setup().id, match::ReadyReceived{seat, ""});
  }
  void AskTurn(const std::shared_ptr<host::Runner>& runner, const match::Match& match,
               Seat seat) override {
    asked_.push_back({runner, seat, match.turn(), match.request()});
    if (!player_.answers) return;
    match::Replied replied;
    replied.seat = seat;
    replied.turn = match.turn();
    replied.request = match.request();
    replied.claimed = player_.last_move ? match.legal_moves().back() : match.legal_moves().front();
    Say(player_.thinks, match.setup().id, replied);
  }
  void TellPlayed(const match::Match&, const match::Played&) override {}
  void TellForfeited(const match::Match&, const match::Forfeited&) override {}
  void TellEnded(const host::Runner&) override {}
  void TellFault(const match::Match&, const match::TellFault&) override {}
  void TellDraining(absl::Duration) override {}
  void Flush() override {
    std::vector<Asked> asked;
    asked.swap(asked_);
    for (const Asked& one : asked) {
      one.runner->RequestSent(one.seat, one.turn, one.request, clock_.Now());
    }
  }
  void Close(const absl::Status&) override { bot.reset(); }

 private:
  struct Asked {
    std::shared_ptr<host::Runner> runner;
    Seat seat;
    uint32_t turn;
    uint32_t request;
  };

  void Say(absl::Duration after, const MatchId& match, match::Event event) {
    std::function<void()> say = [weak = weak_from_this(), match, event = std::move(event)] {
      const auto self = weak.lock();
      const auto bot = self == nullptr ? nullptr : self->bot.lock();
      if (bot == nullptr) return;
      const host::Bot::Place place = bot->FindPlace(match.text());
      if (place.runner != nullptr) place.runner->Post(event, self->clock_.Now());
    };
    if (after == absl::ZeroDuration()) {
      worker_.Run(std::move(say));
    } else {
      timers_.At(clock_.Now() + after, std::move(say));
    }
  }

  const Player& player_;
  const Clock& clock_;
  SimulatedTimers& timers_;
  QueueWorker& worker_;
  std::vector<Asked> asked_;
};

// --- A process ---

Contest::Process::Process(Contest* contest, store::Store* shared)
    : timers(&contest->clock_), store(shared, &contest->frost_) {
  const std::string& dir = contest->data_dir_;
  files = replay::FileRecorder::Make({dir, replay::Durability::kNone, nullptr},
                                     replay::Signer::LoadOrCreate(dir).value())
              .value();
  recorder = std::make_unique<FreezingRecorder>(files.get(), &contest->frost_);

  host::CompetitionsOptions options;
  options.clock = &contest->clock_;
  options.timers = &timers;
  options.worker = &worker;
  options.store = &store;
  options.entropy = [contest](absl::Span<uint8_t> bytes) {
    for (uint8_t& byte : bytes)
      byte = static_cast<uint8_t>((contest->entropy_++ * 2654435761) >> 8);
  };
  options.owner = contest->owner;
  options.find_replay = host::ReadsArchive(dir);
  options.log = [contest](absl::string_view line) { contest->log_.emplace_back(line); };
  competitions = std::make_unique<host::Competitions>(options);

  host::HostOptions host_options;
  host_options.clock = &contest->clock_;
  host_options.timers = &timers;
  host_options.worker = &worker;
  host_options.recorder = recorder.get();
  host_options.entropy = options.entropy;
  host_options.software = "test";
  host_options.max_running = 100;
  host_options.on_finished = [this](const host::Runner& runner, const absl::Status& sealed) {
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

Contest::Process::~Process() {
  competitions->Close();
  worker.Clear();
  host = nullptr;
}

// --- A contest ---

namespace {

std::string MakeDir() {
  std::string pattern = (std::filesystem::temp_directory_path() / "contest-XXXXXX").string();
  return mkdtemp(pattern.data());
}

std::unique_ptr<store::Store> OpenStore(const std::string& dir) {
  store::SqliteOptions options;
  options.sync_blocks = false;
  return store::OpenSqliteStore(dir + "/store.db", options).value();
}

// Time passes in such steps when there is nothing to do.
constexpr absl::Duration kStep = absl::Milliseconds(50);
// Whether something is done is looked at after so many pieces of work.
constexpr int kWorkBetweenLooks = 16;

}  // namespace

Contest::Contest(std::vector<Player> players)
    : data_dir_(MakeDir()),
      clock_(own_clock_),
      players_(std::move(players)),
      own_store_(OpenStore(data_dir_)),
      store_(own_store_.get()) {}

Contest::Contest(std::vector<Player> players, Contest* other)
    : data_dir_(MakeDir()),
      clock_(other->clock_),
      players_(std::move(players)),
      store_(other->store_),
      entropy_(1'000'000) {}

Contest::~Contest() {
  process_ = nullptr;
  own_store_ = nullptr;
  std::filesystem::remove_all(data_dir_);
}

void Contest::Boot() {
  process_ = std::make_unique<Process>(this, store_);
  const absl::Status opened = process_->competitions->Open(process_->host.get());
  EXPECT_TRUE(opened.ok() || frost_.frozen()) << opened;
  for (const Player& player : players_) {
    if (!away_[player.name]) Connect(player.name);
  }
}

void Contest::Kill() { process_ = nullptr; }

Player& Contest::player(const std::string& name) {
  for (Player& player : players_) {
    if (player.name == name) return player;
  }
  std::abort();
}

void Contest::Connect(const std::string& name) {
  away_[name] = false;
  const Player& bot = player(name);
  auto link = std::make_shared<PlayerLink>(&bot, &clock_, &process_->timers, &process_->worker);
  host::Hello hello;
  hello.max_matches = bot.max_matches;
  absl::StatusOr<std::shared_ptr<host::Bot>> attached = process_->host->Attach(name, link, hello);
  ASSERT_TRUE(attached.ok()) << attached.status();
  link->bot = *attached;
  process_->guests[name] = {link, *attached};
}

void Contest::Disconnect(const std::string& name) {
  away_[name] = true;
  if (process_ == nullptr) return;
  const Process::Guest guest = process_->guests.at(name);
  process_->guests.erase(name);
  guest.link->bot.reset();
  process_->host->Detach(guest.bot, guest.link.get());
}

bool Contest::RunUntil(const std::function<bool()>& done, absl::Duration limit) {
  const Instant end = clock_.Now() + limit;
  for (int work = 0; !frost_.frozen(); ++work) {
    if (work % kWorkBetweenLooks == 0 && done()) return true;
    if (process_->worker.Step()) continue;
    if (done()) return true;
    if (clock_.Now() >= end) return false;
    Pass(kStep);
  }
  return false;
}

bool Contest::RunTogether(Contest* a, Contest* b, const std::function<bool()>& done) {
  const Instant end = a->clock_.Now() + absl::Hours(2);
  while (a->clock_.Now() < end) {
    for (int work = 0; work < kWorkBetweenLooks; ++work) {
      const bool any = a->process_->worker.Step();
      if (!b->process_->worker.Step() && !any) {
        a->Pass(kStep);
        b->Pass(absl::ZeroDuration());
      }
    }
    if (done()) return true;
  }
  return false;
}

void Contest::RunFor(absl::Duration duration) {
  RunUntil([] { return false; }, duration);
}

// --- Competitions ---

competition::Spec Contest::SpecOf(competition::Format format, std::vector<std::string> entrants,
                                  int seats) {
  competition::Spec spec;
  spec.name = "cup";
  spec.format = format;
  spec.game = "hypnosia";
  spec.options = {{"turn_limit", "6"}};
  spec.seats = seats;
  spec.entrants = std::move(entrants);
  spec.seed = 7;
  return spec;
}

store::CompetitionId Contest::Start(const competition::Spec& spec) {
  const auto made = competitions().Create(spec, "start", "local");
  EXPECT_TRUE(made.ok() || frost_.frozen()) << made.status();
  const auto started = competitions().Start(spec.name, "local");
  EXPECT_TRUE(started.ok() || frost_.frozen()) << started.status();
  return made.ok() ? made->competition.id : store::CompetitionId();
}

store::CompetitionState Contest::state(absl::string_view name) {
  return store_->FindCompetition(name)->state;
}

bool Contest::RunToEnd(absl::string_view name) {
  return RunUntil([&] { return state(name) == store::CompetitionState::kFinished; });
}

store::Competition Contest::Row(absl::string_view name) {
  return store_->FindCompetition(name).value();
}

store::Entrant Contest::EntrantOf(absl::string_view bot, absl::string_view name) {
  const auto entrants = store_->ReadEntrants(Row(name).id);
  for (const store::Entrant& entrant : *entrants) {
    if (entrant.name == bot) return entrant;
  }
  std::abort();
}

std::vector<store::Block> Contest::blocks(absl::string_view name) {
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
