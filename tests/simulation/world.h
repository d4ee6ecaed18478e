// One run: carries out a plan on one thread, with the real host, matches and replays, and
// everything around them simulated.
#ifndef REFEREE_TESTS_SIMULATION_WORLD_H_
#define REFEREE_TESTS_SIMULATION_WORLD_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/types/optional.h"
#include "referee/competition/competitions.h"
#include "referee/host/host.h"
#include "referee/service/access/authenticator.h"
#include "referee/service/play/admission.h"
#include "referee/service/play/sessions.h"
#include "tests/simulation/bot.h"
#include "tests/simulation/chronicle.h"
#include "tests/simulation/disk.h"
#include "tests/simulation/event_queue.h"
#include "tests/simulation/plan.h"
#include "tests/simulation/store_disk.h"
#include "tests/simulation/stream.h"
#include "tests/simulation/watched_session.h"
#include "tests/simulation/witness.h"
#include "tests/simulation/witness_competition.h"

namespace referee::simulation {

// The result of a run.
struct Outcome {
  std::string problem;  // the first failure; empty if there was none
  uint64_t digest = 0;  // of everything that happened
  // By match of the plan: the digest of its files when all matches were over.
  std::vector<uint64_t> recorded;
  int64_t matches = 0;  // archived
  int64_t turns = 0;
  int64_t steps = 0;
  int lives = 0;  // of the referee
  absl::Duration simulated;
};

// Carries out a plan, and writes all that happens to `log` if it is not null.
Outcome Simulate(const Plan& plan, std::ostream* log = nullptr);

// The state of a run, shared by its parts. Thread-compatible.
class World {
 public:
  World(const Plan& plan, std::ostream* log);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  Outcome Run();

  const Plan& plan() const { return plan_; }
  EventQueue& queue() { return queue_; }
  Chronicle& chronicle() { return chronicle_; }
  Witness& witness() { return witness_; }
  SimulatedBot& bot(int index) { return *bots_[index]; }

  // --- For streams: the referee, as they reach it ---

  // The session of a stream that has come; null if nobody is there.
  std::shared_ptr<WatchedSession> Accept(int bot, int number, std::shared_ptr<Stream> stream);
  // `link` is about to be the bot's. Returns the one that it had; null for none.
  const host::Link* OnLinking(int bot, const host::Link* link);
  // It was refused: `before` is the bot's still.
  void OnRefused(int bot, const host::Link* before);
  void OnLinked(int bot, std::shared_ptr<host::Bot> host_bot);
  // `link` is about to be gone, if it is the bot's.
  void OnUnlinking(int bot, const host::Link* link);
  bool IsLinked(int bot, const host::Link* link) const;
  // Checks a session once the current event is over.
  void CheckSoon(std::shared_ptr<WatchedSession> session) {
    to_check_.push_back(std::move(session));
  }
  // Makes `call` now, or when the referee's stall is over.
  template <typename Call>
  void WhenRefereeIsAwake(Call call) {
    if (queue_.Now() >= queue_.awake()) return call();
    queue_.At(queue_.awake(), std::move(call));
  }
  // Where the bot sits; None if it does not.
  Seat SeatOf(int bot, const Account& account) const;

 private:
  // One life of the referee's process.
  struct Referee {
    Referee(World* world, EventQueue::Life life);

    LifeTimers timers;
    LifeExecutor executor;
    DiskRecorder recorder;
    host::StallLog stalls;
    std::unique_ptr<competition::Competitions> competitions;  // null if the plan has none
    std::unique_ptr<host::Host> host;
    const service::StreamLimits stream_limits;
    service::Admission admission;
    service::Sessions sessions;
    service::Connections connections{service::ConnectionLimits(), {}};
    service::BotSession::Environment environment;
    std::vector<std::shared_ptr<host::Bot>> bots;  // by bot: as the host knows them
    std::vector<const host::Link*> linked;         // by bot: its link
    std::vector<std::shared_ptr<Stream>> streams;
    bool killed = false;
  };
  // A match of the plan, as the organiser sees it.
  struct Wanted {
    MatchId id;  // default-made until it was taken
    Account* account = nullptr;
  };

  // The organiser. A block is asked for as its rotation 0.
  void Ask(int match);
  // Returns the ids of what was made: the match, or all of its block.
  absl::StatusOr<std::vector<MatchId>> Create(int match);
  // Forgets that the match, or all of its block, was asked for.
  void Forget(int match);
  void AskTwice(int match);
  void Cancel(int match);
  void Watch(int match);

  // Faults.
  void Schedule();
  void Begin(const LinkFault& fault);
  void Begin(const RefereeFault& fault);
  Disk::Verdict OnWrite(const std::string& match_id, size_t size, bool records);
  bool OnArchive(const std::string& match_id);
  // What the disk does to a match, and to which write of its records.
  std::pair<DiskFault, int> DiskFaultOf(int match) const;
  void Restart(host::Host::Rest rest, absl::Duration down);
  void Stall(absl::Duration lasts);
  void Heal();

  // The competition, and its organiser.
  void PrepareCompetition();
  std::unique_ptr<competition::Competitions> MakeCompetitions(Referee* referee);
  void RememberArchived();
  void OpenCompetitions();
  void Tend();
  void TendRunning(const store::Competition& row);
  bool GoesTooFast(const store::Competition& row) const;
  void Meddle(const store::Competition& row);
  void Succeed(const store::Competition& row);
  void CancelOne();
  bool OnStoreWrite();
  absl::StatusOr<replay::Replay> FindReplay(const MatchId& id) const;
  // The match of these records; NotFound if it is not over.
  static absl::StatusOr<replay::Replay> ReplayIn(absl::string_view records);
  bool CompetitionIsOver() const;
  void CheckCompetition();

  // The referee.
  bool RefereeListens() const;
  void StartReferee();
  void Kill(absl::Duration down);
  void BuryReferee();
  void ShutDown(host::Host::Rest rest);
  void OnFinished(const host::MatchRunner& runner);
  void Entropy(absl::Span<uint8_t> bytes);

  // The end.
  void RunUntilHealed();
  void AfterStep();
  bool EveryMatchIsOver() const;
  absl::Duration Patience() const;
  void CheckTheEnd();
  // A digest of the match's replay or, if it has none, of its records; 0 without either.
  uint64_t Recorded(const MatchId& id) const;

  const Plan plan_;
  EventQueue queue_;
  Chronicle chronicle_;
  const std::unique_ptr<service::Authenticator> authenticator_;
  Witness witness_;
  Disk disk_;
  std::vector<std::unique_ptr<SimulatedBot>> bots_;
  std::vector<Wanted> wanted_;
  std::map<int, int> writes_;  // by match: to its records
  // With a competition.
  StoreDisk store_{&queue_};
  std::vector<std::string> former_owners_;  // of the referee's lives before, the latest first
  std::unique_ptr<CompetitionWitness> competition_witness_;
  store::CompetitionId competition_;  // once it was made
  int64_t store_writes_ = 0;
  int64_t counted_when_healed_ = 0;
  std::unique_ptr<Referee> referee_;
  std::vector<std::shared_ptr<WatchedSession>> to_check_;
  EventQueue::Life life_ = 0;
  bool healed_ = false;
  // A kill that is due at a later write.
  absl::optional<RefereeFault> killer_;
  int writes_left_ = 0;
  // The matches that are being asked for and have no id yet.
  std::deque<int> asking_;
  bool asking_block_ = false;  // nor has their block
  // Entropy is addressed by the time it is drawn at, and by whom it is drawn for.
  struct Drawn {
    Instant at;
    int times = 0;
  };
  int acting_group_ = 0;
  std::vector<Drawn> drawn_;  // by group
};

}  // namespace referee::simulation

#endif  // REFEREE_TESTS_SIMULATION_WORLD_H_
