// One run with two nodes: real hosts and sessions on one thread, and all else simulated.
#ifndef REFEREE_TESTS_SIMULATION_RELAY_WORLD_H_
#define REFEREE_TESTS_SIMULATION_RELAY_WORLD_H_

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "referee/host/host.h"
#include "referee/host/stall_log.h"
#include "referee/service/access/authenticator.h"
#include "referee/service/play/admission.h"
#include "referee/service/play/sessions.h"
#include "tests/simulation/chronicle.h"
#include "tests/simulation/disk.h"
#include "tests/simulation/event_queue.h"
#include "tests/simulation/relay_bot.h"
#include "tests/simulation/relay_peer.h"
#include "tests/simulation/relay_plan.h"
#include "tests/simulation/relay_witness.h"
#include "tests/simulation/world.h"

namespace referee::simulation {

// Carries out a plan, and writes all that happens to `log` if it is not null.
Outcome SimulateRelay(const RelayPlan& plan, std::ostream* log = nullptr);

// The state of a run, shared by its parts. Thread-compatible.
class RelayWorld {
 public:
  RelayWorld(const RelayPlan& plan, std::ostream* log);
  ~RelayWorld();
  RelayWorld(const RelayWorld&) = delete;
  RelayWorld& operator=(const RelayWorld&) = delete;

  Outcome Run();

  const RelayPlan& plan() const { return plan_; }
  EventQueue& queue() { return queue_; }
  Chronicle& chronicle() { return chronicle_; }
  RelayWitness& witness() { return witness_; }
  RelayBot& bot(int index) { return *bots_[static_cast<size_t>(index)]; }
  int NextStream() { return ++streams_; }

  // Of the node's life; null if nobody is there.
  std::shared_ptr<Gate> gate(int node) const;
  // A stream comes to the node. Null if nobody is there.
  const service::BotSession::Environment* Accept(int node, std::shared_ptr<RelayStream> stream);

 private:
  class Watcher;
  // One life of a node.
  struct Life {
    Life(RelayWorld* world, int node, int number);

    const int node;
    const int number;
    const std::shared_ptr<Gate> gate;
    const std::unique_ptr<Watcher> watcher;
    GateTimers timers;
    GateExecutor executor;
    DiskRecorder recorder;
    host::StallLog stalls;
    std::unique_ptr<host::Host> host;
    const service::StreamLimits stream_limits;
    service::Admission admission;
    service::Sessions sessions;
    service::Connections connections{service::ConnectionLimits(), {}};
    service::BotSession::Environment environment;
    service::PeerEnvironment peers;
    std::vector<std::shared_ptr<RelayStream>> streams;
    int entropy = 0;                     // drawn so often
    std::shared_ptr<PeerStream> dialed;  // to the other node; may have ended
    absl::Duration pause;                // before it dials again
    // Those that came, by the entry's name.
    std::map<std::string, std::shared_ptr<PeerStream>> came;
  };
  struct Node {
    std::unique_ptr<Disk> disk;
    std::unique_ptr<Life> life;  // null: it is down
    int lives = 0;
  };

  Life* life(int node) const { return nodes_[static_cast<size_t>(node)].life.get(); }
  void Schedule();
  void Create(int match);
  void OnId(const uint8_t* random);
  void Begin(const RelayFault& fault);
  void Start(int node);
  void Kill(const RelayFault& fault);
  void Stall(const RelayFault& fault);
  void Dial(int from);
  void DialLater(int from, int number);
  void Bury(int node);
  absl::Duration PeerDelay();
  void AfterStep();
  bool IsOver() const;
  void Tick();

  const RelayPlan plan_;
  EventQueue queue_;
  Chronicle chronicle_;
  RelayWitness witness_;
  const std::unique_ptr<service::Authenticator> authenticator_;
  std::array<Node, kNodes> nodes_;
  std::vector<std::unique_ptr<RelayBot>> bots_;
  std::vector<MatchId> made_;  // by match; default-made until it was
  std::vector<std::shared_ptr<PeerStream>> peer_streams_;
  Random delays_;
  Instant slow_until_;
  Instant no_dial_until_;
  Instant long_stall_until_;
  int streams_ = 0;
  int lives_ = 0;
  int dials_ = 0;
  int asking_ = -1;  // for a match that has no id yet
  bool was_well_ = false;
  bool healed_ = false;
};

}  // namespace referee::simulation

#endif  // REFEREE_TESTS_SIMULATION_RELAY_WORLD_H_
