// The referee of a duel: a node with a unix socket for each bot. It measures each match.
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

// A match that is over.
struct FinishedMatch {
  MatchId id;
  std::vector<std::string> bots;  // by seat
  std::string request_id;         // of its block (competition::BlockRequestId)
  int rotation = 0;               // in it
  bool nobody_ready = false;      // it was cancelled for that
  match::Verdict verdict;
  MatchFigures figures;
  absl::Status sealed;  // whether its replay could be kept
};

// Thread-safe, but for Stop and the destructor.
class EmbeddedReferee {
 public:
  // Called for each match that is over, once its competition was told. Must be thread-safe, and
  // must not call back.
  using OnFinished = std::function<void(FinishedMatch)>;

  // Starts it for the bots of a duel. The sockets are in `folder`, the duel's own, and so is the
  // store unless the plan keeps it. Calls `on_connection` as `on_finished`, when a bot has
  // connected or has lost its link. Both `plan` and `bots` outlive this. Returns an error that
  // names the socket, the data dir, or the bot whose name no account can have.
  static absl::StatusOr<std::unique_ptr<EmbeddedReferee>> Start(
      const DuelPlan& plan, const std::string& folder, DuelBots* bots, OnFinished on_finished,
      std::function<void()> on_connection);
  ~EmbeddedReferee() { Stop(); }

  // What the bot at this place of the plan dials, and no other bot may.
  static std::string AddressOf(const std::string& folder, size_t bot);
  host::Host& host() { return node_->host(); }
  competition::Competitions& competitions() { return *node_->competitions(); }
  const Clock& clock() const { return node_->clock(); }
  // Whether the bot is in a match of which on_finished has not heard yet.
  bool Plays(const std::string& bot) const { return node_->host().plays(bot) || meter_.Plays(bot); }
  // Matches that have begun and are not over.
  int running() const { return node_->host().running(); }

  // Ends open matches as void, tells the bots, and ends their streams. The second call does
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
