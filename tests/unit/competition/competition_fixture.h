// A simulated environment for competitions: bots, clock and thread are fakes, store and log are
// real.
//
// Bots play by a rule, the test moves the clock, and there is one thread. The process can be killed
// before any of its writes, and started again.
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

// The behaviour of a bot.
struct Player {
  std::string name;
  int max_matches = 8;
  // Whether it plays the last legal move instead of the first.
  bool last_move = false;
  absl::Duration thinks = absl::ZeroDuration();
  bool answers = true;
  bool readies = true;
  Instant paused_until = {};  // its messages from before come at this time
  bool resigns = false;       // as soon as a match starts
};

// The first `count` of ada, bob, cyd and dan. bob and dan play the last move.
std::vector<Player> PlayersOf(size_t count);

// The parts that outlive a process: the store's file and the log, in a separate directory, and the
// time.
class CompetitionFixture {
 public:
  explicit CompetitionFixture(std::vector<Player> players);
  // Another referee on the store of `other`, with the same clock and a separate log.
  CompetitionFixture(std::vector<Player> players, CompetitionFixture* other);
  ~CompetitionFixture();

  // Starts a process, and connects all bots that are not disconnected.
  void Boot();
  // Kills the process.
  void Kill();

  // Runs until `done`, for at most `limit`. Returns whether it is done.
  bool RunUntil(const std::function<bool()>& done, absl::Duration limit = absl::Hours(2));
  void RunFor(absl::Duration duration);
  // Runs two referees side by side.
  static bool RunTogether(CompetitionFixture* a, CompetitionFixture* b,
                          const std::function<bool()>& done, absl::Duration limit = absl::Hours(2));

  void Connect(const std::string& name);
  // Disconnects a bot. Without a process: from the next process.
  void Disconnect(const std::string& name);
  Player& player(const std::string& name);
  // The bot announces a new number of matches at once.
  void Divide(const std::string& name, int max_matches);
  // The last addresses of other referees that the bot received. REQUIRES: the bot is connected.
  const std::vector<std::string>& FleetOf(const std::string& name);

  // The spec of a competition of these bots, with a short game.
  static schedule::Spec SpecOf(schedule::Format format, std::vector<std::string> entrants,
                               int seats = 2);
  // Creates and starts a competition. Returns its id.
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
  // The shared replays, from the next Boot; null: none. Must outlive the processes.
  competition::SharedReplays* shared_replays = nullptr;
  // The address that the referee announces to bots, from the next Boot; empty: none.
  std::string address;
  // The start of the referee's name in the store; the number of the process follows.
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

  // Advances the clock by `duration` and fires the due timers.
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
  std::string owner_before_;  // the owner name of the previous process; empty: there was none
  uint64_t entropy_ = 0;
  std::vector<std::string> log_;
  std::unique_ptr<Process> process_;
};

}  // namespace referee::testing

#endif  // REFEREE_TESTS_UNIT_COMPETITION_COMPETITION_FIXTURE_H_
