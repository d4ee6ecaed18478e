// The audience of a match: the links of its bots, by seat, and its observers.
//
// A MatchRunner passes it the effects of each step, and it sends the messages that follow.
// Thread-compatible: used only by the thread that steps the match.
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

  // Begins with a match, and sends observers a snapshot. `started`: the match goes on after a
  // restart and has a position already.
  void Begin(const MatchRunner& runner, size_t seats, bool started);
  // Notes the connection of a bot. Returns the event for the match to step; none if the connection
  // is no newer than the known one. Returns none before Begin and after Clear.
  absl::optional<match::Event> Connect(Seat seat, const Connection& connection);
  // The link that receives the messages of the match; null if there is none.
  Link* link(Seat seat) const {
    const size_t i = static_cast<size_t>(seat.index());
    return i < links_.size() ? links_[i].get() : nullptr;
  }
  // Whether another referee has the stream of the seat's bot, and so measures its time.
  bool relayed(Seat seat) const { return link(seat) != nullptr && link(seat)->relayed(); }
  void Add(std::shared_ptr<Observer> observer) { observers_.push_back(std::move(observer)); }
  void Remove(const Observer* observer);

  // TellStarted reports once that the first turn is due; Tell sends the effects of a step.
  // `on_record` may be null.
  void TellStarted(const MatchRunner& runner, const match::Match& match);
  void Tell(const std::shared_ptr<MatchRunner>& runner, const match::Match& match,
            absl::Span<const match::Effect> effects, const OnRecord& on_record);
  // Sends the end of the match, then drops all links and observers. Call it last.
  void TellEnded(const MatchRunner& runner);
  void Flush() const;
  void Clear();

 private:
  void Tell(const match::Match& match, const match::Record& record) const;

  bool started_told_ = false;
  // By seat, the connection that the match knows; empty before Begin and after Clear.
  std::vector<Connection> connections_;
  // By seat, the link that was sent MatchStart, and so receives all further messages. A newer link
  // gets a MatchStart first.
  std::vector<std::shared_ptr<Link>> links_;
  std::vector<std::shared_ptr<Observer>> observers_;
};

}  // namespace referee::host

#endif  // REFEREE_HOST_AUDIENCE_H_
