// The interface through which a host talks to one connected bot.
//
// It notifies the bot of its matches and asks for moves. The service implements it over a stream,
// tests in memory.
#ifndef REFEREE_HOST_LINK_H_
#define REFEREE_HOST_LINK_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/base/ids.h"
#include "referee/host/relay.h"
#include "referee/match/match.h"

namespace referee::host {

class MatchRunner;

// Thread-safe. No call blocks. Messages are queued in order and go out with the next Flush, so all
// messages of one step go out together. A match may be read only during the call that it is passed
// to. After Close, calls do nothing.
class Link {
 public:
  virtual ~Link() = default;

  // Sends the start of the match to `seat`. The bot must get ready if the stage is kReadying. The
  // match goes on with its position if the stage is kPlaying.
  virtual void TellStart(const match::Match& match, Seat seat) = 0;
  // Asks the seat to reveal its nonce, and sends the hashes of all, match.nonce_hashes().
  virtual void AskNonce(const match::Match& match, Seat seat) = 0;
  // Asks `seat` for its move, as request match.request() of the turn. The link calls
  // runner->RequestSent when it hands the request to the transport. If that is later than the next
  // Flush, the link calls runner->RequestOffered during that Flush. A closed link does neither.
  virtual void AskTurn(const std::shared_ptr<MatchRunner>& runner, const match::Match& match,
                       Seat seat) = 0;
  virtual void TellPlayed(const match::Match& match, const match::Played& played) = 0;
  virtual void TellForfeited(const match::Match& match, const match::Forfeited& forfeited) = 0;
  virtual void TellEnded(const MatchRunner& runner) = 0;
  virtual void TellFault(const match::Match& match, const match::TellFault& fault) = 0;
  virtual void TellDraining(absl::Duration time_left, bool will_return) = 0;
  // Sends the reason why the bot cannot play, for its author.
  virtual void TellNotice(absl::string_view text) = 0;
  // Sends the addresses of the other referees of the fleet, which replace those sent before.
  virtual void TellFleet(const std::vector<std::string>& addresses) = 0;

  // Pings the bot, unless a ping was sent recently.
  virtual void Ping() = 0;
  // When the bot last answered a ping; none if it never has.
  virtual absl::optional<Instant> answered() const = 0;

  // Hands the queued messages to the transport, now or as soon as it can take a write.
  virtual void Flush() = 0;

  // Ends the link. Earlier messages still go out if the transport takes them in time.
  virtual void Close(const absl::Status& reason) = 0;

  // --- A bot whose stream another referee has (PEERS.md); the defaults are for local bots ---

  // Whether another referee has the stream. Then that referee grants slots and measures times.
  virtual bool relayed() const { return false; }
  // Asks for slots of the bot. Calls `then` once, on any thread, perhaps before this returns. If
  // `granted`, the matches have their slots until TellEnded or Release; else they may not begin
  // now.
  virtual void Reserve(const SlotsWanted& /*wanted*/, std::function<void(bool granted)> then) {
    then(true);
  }
  // Gives back the slots of matches that do not begin.
  virtual void Release(const std::vector<MatchId>& /*matches*/) {}
  // Asks how much later than at this referee the seat's request was handed over to the bot. Calls
  // runner->NoteLag once, after all messages of the bot about the match until then. Does not call
  // it if the link is lost before.
  virtual void AskLag(const std::shared_ptr<MatchRunner>& /*runner*/, Seat /*seat*/) {}

  // --- A bot of this referee in matches that another hosts ---

  // Queues a message of the owner of a match to the bot. PassedOn::when says when it goes out.
  virtual void PassOn(const PassedOn& /*told*/) {}
  // How long the bot has had its current request in this match of another referee.
  virtual Elapsed ElapsedIn(absl::string_view /*match_id*/) const { return {}; }
};

// Delays flushes of links on this thread to the end of the scope, and flushes each link once. So a
// batch from a bot with many matches becomes one batch to each of its opponents.
class FlushScope {
 public:
  FlushScope();
  ~FlushScope();
  FlushScope(const FlushScope&) = delete;
  FlushScope& operator=(const FlushScope&) = delete;

  // Flushes `link` now, or at the end of this thread's scope.
  static void Flush(const std::shared_ptr<Link>& link);

 private:
  FlushScope* const outer_;
  absl::InlinedVector<std::shared_ptr<Link>, 4> links_;  // most scopes have no more
};

// Receives everything that happens in one match. The calls come one at a time, in order, and must
// not block.
class Observer {
 public:
  virtual ~Observer() = default;
  // The current state, when the observer is added; again when a waiting match begins.
  virtual void OnSnapshot(const MatchRunner& runner) = 0;
  // The first turn is due. Comes before any turn, and only to observers that were added before. In
  // this call and those below the match may be ahead of the event.
  virtual void OnStarted(const MatchRunner& /*runner*/) {}
  virtual void OnFaulted(const match::Match& /*match*/, const match::Faulted& /*faulted*/) {}
  virtual void OnPlayed(const match::Match& match, const match::Played& played) = 0;
  virtual void OnForfeited(const match::Match& match, const match::Forfeited& forfeited) = 0;
  // The last call. The replay is archived by then, unless the disk failed.
  virtual void OnEnded(const MatchRunner& runner) = 0;
};

}  // namespace referee::host

#endif  // REFEREE_HOST_LINK_H_
