// The referee of a duel: a node with a Unix socket for each bot, which measures each match.
#ifndef REFEREE_CTL_DUEL_EMBEDDED_REFEREE_H_
#define REFEREE_CTL_DUEL_EMBEDDED_REFEREE_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "referee/base/clock.h"
#include "referee/ctl/duel/duel.h"
#include "referee/ctl/duel/duel_bots.h"
#include "referee/ctl/duel/match_meter.h"
#include "referee/host/host.h"
#include "referee/match/verdict.h"
#include "referee/node/node.h"

namespace referee::ctl {

// An ended match.
struct FinishedMatch {
  MatchId id;
  std::vector<std::string> bots;  // by seat
  std::string request_id;         // the id of its block's request (competition::BlockRequestId)
  int rotation = 0;               // in the block
  bool nobody_ready = false;      // cancelled because no bot was ready
  match::Verdict verdict;
  MatchFigures figures;
  absl::Status sealed;  // the result of writing the replay
};

// Thread-safe, except for Stop and the destructor.
class EmbeddedReferee {
 public:
  // Called for each ended match, after its competition was notified. Must be thread-safe, and must
  // not call back.
  using OnFinished = std::function<void(FinishedMatch)>;

  // Starts the referee for the bots of a duel. `folder` is private to the duel; it has the sockets,
  // and the store unless the plan names a folder for it. `on_connection` is called under the same
  // rules when a bot connects or loses its connection. `plan` and `bots` must outlive this object.
  // Returns an error that names the socket, the data directory, or a bot whose name no account may
  // have.
  static absl::StatusOr<std::unique_ptr<EmbeddedReferee>> Start(
      const DuelPlan& plan, const std::string& folder, DuelBots* bots, OnFinished on_finished,
      std::function<void()> on_connection);
  ~EmbeddedReferee() { Stop(); }

  // The address for the bot with this index in the plan; other bots are refused there.
  static std::string AddressOf(const std::string& folder, size_t bot);
  host::Host& host() { return node_->host(); }
  competition::Competitions& competitions() { return *node_->competitions(); }
  const Clock& clock() const { return node_->clock(); }
  // Whether the bot is in a match that was not yet passed to on_finished.
  bool Plays(const std::string& bot) const { return node_->host().plays(bot) || meter_.Plays(bot); }
  // The number of matches that have started and not ended.
  int running() const { return node_->host().running(); }

  // Ends open matches as void, notifies the bots, and ends their streams. A second call does
  // nothing.
  void Stop();

 private:
  EmbeddedReferee() = default;

  OnFinished on_finished_;
  MatchMeter meter_;
  std::unique_ptr<node::Node> node_;  // null if it did not start
};

}  // namespace referee::ctl

#endif  // REFEREE_CTL_DUEL_EMBEDDED_REFEREE_H_
