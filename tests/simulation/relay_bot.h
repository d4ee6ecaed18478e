// A simulated bot in a fleet of two nodes, and its streams.
#ifndef REFEREE_TESTS_SIMULATION_RELAY_BOT_H_
#define REFEREE_TESTS_SIMULATION_RELAY_BOT_H_

#include <deque>
#include <map>
#include <memory>
#include <string>

#include "proto/referee/v1/bot_service.pb.h"
#include "referee/service/play/bot_session.h"
#include "tests/simulation/random.h"
#include "tests/simulation/relay_peer.h"
#include "tests/simulation/relay_plan.h"

namespace referee::simulation {

class RelayWorld;

// A stream of a bot to a node: the transport of a real BotSession at the one end, a simulated bot
// at the other. Thread-compatible.
class RelayStream final : public service::Transport,
                          public std::enable_shared_from_this<RelayStream> {
 public:
  // `number` differs from that of every other stream. `world` must outlive it.
  RelayStream(RelayWorld* world, int bot, int node, int number);

  // --- The bot's end ---
  void Open();
  void Send(v1::PlayRequest request);
  int node() const { return node_; }

  // --- The network ---
  void Cut(absl::Duration node_after, absl::Duration bot_after);

  // --- The node's end ---
  void Write(const v1::PlayResponse& message, absl::string_view rest) override;
  void Read() override;
  void Finish(const absl::Status& status) override;
  void Cancel() override;
  // The session is about to end.
  void OnClosing();
  void NodeDied();
  // Destroys what is left of the node's end. REQUIRES: the node is dead; the bot has no link.
  void Bury();

 private:
  void AtNode(Instant when, std::function<void()> call);
  void TellBotLost(absl::Duration after);
  void Arrive(const v1::PlayRequest& request);
  void Deliver();
  void EndWrite(int write, bool ok);
  void FailRead();
  void Break();
  void EndIfDone();

  RelayWorld& world_;
  const int bot_;
  const int node_;
  const int number_;
  const absl::Duration latency_;
  Random random_;
  bool cut_ = false;
  bool bot_end_open_ = true;
  Instant to_node_;
  Instant to_bot_;

  std::shared_ptr<Gate> gate_;  // of the node's life that it came to; null: nobody was there
  const service::BotSession::Environment* environment_ = nullptr;  // the same
  std::shared_ptr<service::BotSession> session_;
  bool greeted_ = false;
  bool closing_ = false;
  bool finished_ = false;
  bool ending_ = false;
  bool broken_ = false;
  bool reading_ = false;
  bool writing_ = false;
  int writes_ = 0;
  std::deque<v1::PlayRequest> inbox_;
};

// Thread-compatible.
class RelayBot {
 public:
  RelayBot(RelayWorld* world, int index);

  // Opens a stream to the node, even if it has one, which is forgotten.
  void Connect(int node);
  void OnTold(const v1::PlayResponse& response);
  void OnLost(const RelayStream* stream);
  RelayStream* stream() const { return stream_.get(); }
  bool IsOn(const RelayStream* stream) const { return stream_.get() == stream; }

 private:
  void OnStart(const v1::MatchStart& start);
  void OnReveal(const v1::RevealNonce& reveal);
  void OnAsk(const v1::TurnRequest& request);
  void SayLater(absl::Duration after, v1::BotItem item);
  // The same for one match in every process.
  Random RandomOf(const std::string& match_id, uint64_t what);

  RelayWorld& world_;
  const int index_;
  std::shared_ptr<RelayStream> stream_;
  absl::Duration back_after_;
  int next_node_;
  bool same_again_ = false;           // it has dialed this node again
  std::map<std::string, int> asked_;  // by match id: how often
};

}  // namespace referee::simulation

#endif  // REFEREE_TESTS_SIMULATION_RELAY_BOT_H_
