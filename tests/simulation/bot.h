// A simulated bot: plays well, or with the faults of its plan, by what its streams told it, and
// connects again when its stream is lost.
#ifndef REFEREE_TESTS_SIMULATION_BOT_H_
#define REFEREE_TESTS_SIMULATION_BOT_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "tests/simulation/items.h"
#include "tests/simulation/plan.h"
#include "tests/simulation/stream.h"

namespace referee::simulation {

// Thread-compatible.
class SimulatedBot {
 public:
  // `world` must outlive it.
  SimulatedBot(World* world, int index) : world_(world), index_(index) {}

  // Opens a stream, even if it has one.
  void Connect();
  // Closes its stream properly, and comes back.
  void HangUp(absl::Duration back_after);
  // Closes the earlier stream that it forgot when it opened another: a bot that keeps an existing
  // stream plays nothing while that one is open.
  void HangUpForgotten();
  // Its stream now; null if it has none.
  Stream* stream() const { return stream_.get(); }
  // The time from when it learns that it has lost its stream to when it opens another.
  void set_back_after(absl::Duration back_after) { back_after_ = back_after; }

  const BotPlan& plan() const;
  void OnTold(const std::vector<RefereeItem>& items);
  // It sees elsewhere that it is asked, as its stream is shut.
  void OnSeen(const RefereeItem& item);
  // Whether nothing can be written to it, by its own choice.
  bool shut() const;
  void OnLost(const Stream* stream);

 private:
  struct Playing {
    Seat seat;
    std::string nonce;
    NonceFault nonce_fault = NonceFault::kNone;
    bool resigns = false;    // when it is asked to reveal its nonce
    int asked = 0;           // times
    games::Move before;      // legal when it was last asked
    uint32_t seen_turn = 0;  // elsewhere: what it was asked last
    uint32_t seen_request = 0;
    BotItem said_last;
    games::Move legal;  // where said_last was asked for
    bool said = false;
  };

  void OnStart(const RefereeItem& item);
  void OnReveal(const RefereeItem& item);
  // Resigns later, if the match goes on then.
  void LeaveLater(const RefereeItem& item);
  void OnAsk(const RefereeItem& item);
  void Answer(const RefereeItem& item, absl::Duration more);
  void OnTryAgain(const RefereeItem& item);
  void SayLater(absl::Duration after, std::vector<BotItem> items);
  void ConnectLater(absl::Duration after);
  BotItem Chatter(Random* random, const RefereeItem& item, const Playing& playing) const;

  World* const world_;
  const int index_;
  int streams_ = 0;
  std::shared_ptr<Stream> stream_;
  std::shared_ptr<Stream> forgotten_;
  Instant shut_until_;
  absl::Duration back_after_ = absl::Milliseconds(1);
  absl::flat_hash_map<std::string, Playing> playing_;  // by match id
};

}  // namespace referee::simulation

#endif  // REFEREE_TESTS_SIMULATION_BOT_H_
