// The audience of a match: the links of its bots, by seat, and its observers. A MatchRunner tells
// it what follows from the match's effects. Thread-compatible: touched only by the thread that
// steps.
#ifndef REFEREE_HOST_AUDIENCE_H_
#define REFEREE_HOST_AUDIENCE_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "referee/base/ids.h"
#include "referee/host/bot.h"
#include "referee/host/link.h"
#include "referee/match/match.h"

namespace referee::host {

class Audience {
 public:
  using OnRecord = std::function<void(const match::Match&, const match::Record&)>;

  // The match begins, or goes on after a restart with a position (`started`).
  void Begin(const MatchRunner& runner, size_t seats, bool started);
  // Notes how a bot is connected now. Returns the event that follows for the match; none if the
  // connection is older than the known one, before Begin and after Clear.
  absl::optional<match::Event> Connect(Seat seat, const Connection& connection);
  // The link that is told of the match; null if there is none.
  Link* link(Seat seat) const {
    const size_t i = static_cast<size_t>(seat.index());
    return i < links_.size() ? links_[i].get() : nullptr;
  }
  // Whether another referee has the stream of the seat's bot, and measures its time.
  bool relayed(Seat seat) const { return link(seat) != nullptr && link(seat)->relayed(); }
  void Add(std::shared_ptr<Observer> observer) { observers_.push_back(std::move(observer)); }
  void Remove(const Observer* observer);

  // Tell the effects of a step, and that the first turn is due, once. `on_record` may be null.
  void TellStarted(const MatchRunner& runner, const match::Match& match);
  void Tell(const std::shared_ptr<MatchRunner>& runner, const match::Match& match,
            absl::Span<const match::Effect> effects, const OnRecord& on_record);
  // The last call: it lets go of all links and observers.
  void TellEnded(const MatchRunner& runner);
  void Flush() const;
  void Clear();

 private:
  void Tell(const match::Match& match, const match::Record& record) const;

  bool started_told_ = false;
  // By seat, the connection as the match knows it; empty before the start and after the end.
  std::vector<Connection> connections_;
  // By seat, the link that was told of the match's start, and is told the rest. A newer link is
  // first told the whole state.
  std::vector<std::shared_ptr<Link>> links_;
  std::vector<std::shared_ptr<Observer>> observers_;
};

}  // namespace referee::host

#endif  // REFEREE_HOST_AUDIENCE_H_
