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
#include "referee/ctl/duel/match_meter.h"
#include "referee/host/host.h"
#include "referee/match/verdict.h"
#include "referee/node/node.h"
#include "referee/service/accept/acceptor.h"

namespace referee::ctl {

// A token that nobody can guess.
std::string NewToken();

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
  struct Options {
    // Where the sockets are made.
    std::string folder;
    struct Bot {
      std::string name;
      std::string token;
      // Checks the processes that connect to this bot's socket.
      service::PeerCheck check_peer;
    };
    std::vector<Bot> bots;
    // Where replays are kept, as a daemon's data dir; empty: they are not.
    std::string data_dir;
    // The folder of the store: data_dir, or one that goes with the referee.
    std::string store_dir;
    int max_running = 1;  // matches
    // So many blocks begin, and no more.
    int64_t max_blocks = limits::kMaxBlocks;
    // Called for each match that is over, once its competition was told. Must be thread-safe, and
    // must not call back.
    std::function<void(FinishedMatch)> on_finished;
    // Called when a bot has connected, or has lost its link. As on_finished.
    std::function<void()> on_connection;
    // As HostOptions says.
    bool oversubscribe = false;
  };

  // Starts it. Returns an error that names the socket, the data dir, or the bot whose name no
  // account can have.
  static absl::StatusOr<std::unique_ptr<EmbeddedReferee>> Start(Options options);
  ~EmbeddedReferee() { Stop(); }

  // What the bot at this place in Options::bots dials, and no other bot may.
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

  std::function<void(FinishedMatch)> on_finished_;
  MatchMeter meter_;
  std::unique_ptr<node::Node> node_;  // null if it did not start
};

}  // namespace referee::ctl

#endif  // REFEREE_CTL_DUEL_EMBEDDED_REFEREE_H_
