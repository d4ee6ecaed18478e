// The interface by which a host talks to one connected bot: it tells the bot of its matches and
// asks for moves. The service implements it over a stream, tests in memory.
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

// Thread-safe. No call blocks. Messages are queued in order and go out with the next Flush, so that
// all that one step tells a bot is one message. A match may be read only during the call that it is
// passed to. After Close, calls do nothing.
class Link {
 public:
  virtual ~Link() = default;

  // The match begins for `seat`, which is to be ready if it is kReadying; or goes on, when it is
  // kPlaying already.
  virtual void TellStart(const match::Match& match, Seat seat) = 0;
  // The seat is to reveal its nonce: match.nonce_hashes() are those of all.
  virtual void AskNonce(const match::Match& match, Seat seat) = 0;
  // It is the turn of `seat`, by match.request(). The link calls runner->RequestSent when it hands
  // the request to the transport. If that is later than the next Flush it calls
  // runner->RequestOffered in that one. It does neither once it is closed.
  virtual void AskTurn(const std::shared_ptr<MatchRunner>& runner, const match::Match& match,
                       Seat seat) = 0;
  virtual void TellPlayed(const match::Match& match, const match::Played& played) = 0;
  virtual void TellForfeited(const match::Match& match, const match::Forfeited& forfeited) = 0;
  virtual void TellEnded(const MatchRunner& runner) = 0;
  virtual void TellFault(const match::Match& match, const match::TellFault& fault) = 0;
  virtual void TellDraining(absl::Duration time_left, bool will_return) = 0;
  // What keeps the bot from playing, for its author.
  virtual void TellNotice(absl::string_view text) = 0;
  // Where the other referees of the fleet are, in place of what it was told before.
  virtual void TellFleet(const std::vector<std::string>& addresses) = 0;

  // Asks the bot for a sign that it answers, unless it was asked for one lately.
  virtual void Ping() = 0;
  // When it gave the last one; none: it has given none.
  virtual absl::optional<Instant> answered() const = 0;

  // Hands what is queued to the transport, now or as soon as it can take a write.
  virtual void Flush() = 0;

  // Ends the link, with what was told before it if the transport takes it in time.
  virtual void Close(const absl::Status& reason) = 0;

  // --- A bot whose stream another referee has (PEERS.md); the defaults are those of others ---

  // Whether it is one: then the other referee grants its slots, and measures its time.
  virtual bool relayed() const { return false; }
  // Asks for slots of the bot. Calls `then` once, on any thread, perhaps at once: the matches have
  // their slots, until TellEnded or Release, or may not begin now.
  virtual void Reserve(const SlotsWanted& /*wanted*/, std::function<void(bool granted)> then) {
    then(true);
  }
  // Gives up the slots of matches that do not begin.
  virtual void Release(const std::vector<MatchId>& /*matches*/) {}
  // Asks how much later than here the seat's request of the match was handed over to the bot. Calls
  // runner->NoteLag once, after all that the bot has said of the match until then, unless the link
  // is gone before.
  virtual void AskLag(const std::shared_ptr<MatchRunner>& /*runner*/, Seat /*seat*/) {}

  // --- A bot of this referee in matches that another hosts ---

  // Queues what the owner of a match tells the bot; it goes out with the next Flush, as it says.
  virtual void PassOn(const PassedOn& /*told*/) {}
  // How long the bot has had the request that it has to answer in this match of another referee.
  virtual Elapsed ElapsedIn(absl::string_view /*match_id*/) const { return {}; }
};

// While a scope exists on a thread, it delays flushes of links there, and flushes each link once at
// its end: a batch from a bot with many matches becomes one batch to each of its opponents.
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
  absl::InlinedVector<std::shared_ptr<Link>, 4> links_;  // of most scopes no more
};

// Is told everything that happens in one match. The calls come one at a time, in order, and must
// not block.
class Observer {
 public:
  virtual ~Observer() = default;
  // The state when the observer is added; again when a waiting match starts.
  virtual void OnSnapshot(const MatchRunner& runner) = 0;
  // The first turn is due; before anything that was played. Not told to who is added later. The
  // match may be ahead of that already, as it is in the calls below.
  virtual void OnStarted(const MatchRunner& /*runner*/) {}
  virtual void OnFaulted(const match::Match& /*match*/, const match::Faulted& /*faulted*/) {}
  virtual void OnPlayed(const match::Match& match, const match::Played& played) = 0;
  virtual void OnForfeited(const match::Match& match, const match::Forfeited& forfeited) = 0;
  // The last call. The replay is in the archive by then, unless the disk failed.
  virtual void OnEnded(const MatchRunner& runner) = 0;
};

}  // namespace referee::host

#endif  // REFEREE_HOST_LINK_H_
