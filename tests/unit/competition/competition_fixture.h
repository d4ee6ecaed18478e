// Competitions with everything around them simulated but their store and their log: bots that
// play by a rule, a clock that the test moves, one thread, and a process that can be killed before
// any of its writes and started again.
#ifndef REFEREE_TESTS_UNIT_COMPETITION_COMPETITION_FIXTURE_H_
#define REFEREE_TESTS_UNIT_COMPETITION_COMPETITION_FIXTURE_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "referee/competition/competitions.h"
#include "referee/host/host.h"
#include "referee/replay/file_recorder.h"
#include "referee/store/store.h"
#include "tests/support/simulated_time.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/competition/freezing_store.h"
#include "tests/unit/host/freezing_recorder.h"

namespace referee::testing {

// How a bot plays.
struct Player {
  std::string name;
  int max_matches = 8;
  // Whether it takes the last legal move, not the first.
  bool last_move = false;
  absl::Duration thinks = absl::ZeroDuration();
  bool answers = true;
  bool readies = true;
  Instant paused_until = {};  // what it would say before, it says then
  bool resigns = false;       // as soon as it is told of a match
};

// So many of ada, bob, cyd and dan; bob and dan take the last move.
std::vector<Player> PlayersOf(size_t count);

// What outlives a process: the store's file and the log, below a directory of its own; and the
// time.
class CompetitionFixture {
 public:
  explicit CompetitionFixture(std::vector<Player> players);
  // Another referee on the store of `other`, with the same time and with a log of its own.
  CompetitionFixture(std::vector<Player> players, CompetitionFixture* other);
  ~CompetitionFixture();

  // Starts a process, with all bots connected but those that are away.
  void Boot();
  // Ends it as a kill does.
  void Kill();

  // Runs until `done` or for so long. Returns whether it is done.
  bool RunUntil(const std::function<bool()>& done, absl::Duration limit = absl::Hours(2));
  void RunFor(absl::Duration duration);
  // Lets two run beside each other.
  static bool RunTogether(CompetitionFixture* a, CompetitionFixture* b,
                          const std::function<bool()>& done, absl::Duration limit = absl::Hours(2));

  void Connect(const std::string& name);
  // Without a process it is away from the next.
  void Disconnect(const std::string& name);
  Player& player(const std::string& name);
  // The bot says that it takes so many matches at once from now on.
  void Divide(const std::string& name, int max_matches);
  // Where the other referees are, as the bot, which is connected, was told last.
  const std::vector<std::string>& FleetOf(const std::string& name);

  // A competition of these bots, of a short game.
  static schedule::Spec SpecOf(schedule::Format format, std::vector<std::string> entrants,
                               int seats = 2);
  // Makes and starts it. Returns its id.
  store::CompetitionId Start(const schedule::Spec& spec);
  bool RunToEnd(absl::string_view name = "cup");
  store::CompetitionState state(absl::string_view name = "cup");
  store::Competition Row(absl::string_view name = "cup");
  store::Entrant EntrantOf(absl::string_view bot, absl::string_view name = "cup");
  std::vector<store::Block> blocks(absl::string_view name = "cup");

  host::Host& host() { return *process_->host; }
  competition::Competitions& competitions() { return *process_->competitions; }
  store::Store& store() { return *store_; }
  FreezingStore& process_store() { return process_->store; }
  Frost& frost() { return frost_; }
  SimulatedClock& clock() { return clock_; }
  const std::string& data_dir() const { return folder_.path(); }
  const std::vector<std::string>& log() const { return log_; }
  // Where replays are shared, from the next Boot on; null: they are not. Outlives the processes.
  competition::SharedReplays* shared_replays = nullptr;
  // Where the referee says that bots dial it, from the next Boot on; empty: it does not.
  std::string address;
  // Names the referee to the store, with the number of the process.
  std::string owner = "referee";
  absl::Duration lease = limits::kBlockLease;

 private:
  class PlayerLink;
  struct Process {
    Process(CompetitionFixture* contest, store::Store* shared);
    ~Process();
    SimulatedTimers timers;
    HeldExecutor executor;
    FreezingStore store;
    std::unique_ptr<replay::FileRecorder> files;
    std::unique_ptr<FreezingRecorder> recorder;
    std::unique_ptr<competition::Competitions> competitions;
    std::unique_ptr<host::Host> host;
    struct Guest {
      std::shared_ptr<PlayerLink> link;
      std::shared_ptr<host::Bot> bot;
    };
    std::map<std::string, Guest> guests;
  };

  // Fires what is due and moves on a little.
  void Pass(absl::Duration duration) { process_->timers.Advance(duration); }

  const TempFolder folder_{TempFolderOn::kMemory};
  SimulatedClock own_clock_;
  SimulatedClock& clock_;
  std::vector<Player> players_;
  std::map<std::string, bool> away_;
  std::unique_ptr<store::Store> own_store_;
  store::Store* store_;
  Frost frost_;
  int boots_ = 0;
  std::string owner_before_;  // of the process before; empty: there was none
  uint64_t entropy_ = 0;
  std::vector<std::string> log_;
  std::unique_ptr<Process> process_;
};

}  // namespace referee::testing

#endif  // REFEREE_TESTS_UNIT_COMPETITION_COMPETITION_FIXTURE_H_
