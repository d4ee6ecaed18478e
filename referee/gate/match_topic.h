// The events of one match, as GATE.md has them: what may be told by now, and at which pace. It
// knows neither the referee nor HTTP: it takes JSON and gives messages. The JSON of a frame is kept
// once, and is part of every message that needs it. Thread-compatible.
//
//   topic.SetHead(R"({"matchId":"01..."})");
//   topic.Append(frame_json, due);
//   Instant again = topic.Advance(clock->Now());  // tells the watchers; call it again then
#ifndef REFEREE_GATE_MATCH_TOPIC_H_
#define REFEREE_GATE_MATCH_TOPIC_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/gate/message.h"
#include "referee/gate/topic.h"

namespace referee::gate {

class MatchTopic final : public Topic {
 public:
  // The view without frames and verdict: a JSON object that is not empty.
  void SetHead(std::string json);

  // One more frame, which may be told from `due` on. Instants ascend.
  void Append(std::string json, Instant due);
  // The frames are these, from the first on, each with its `due`. If they do not begin with all
  // that is public, every watcher gets the whole view.
  void Replace(std::vector<std::pair<std::string, Instant>> frames);
  // How the match ended: a JSON object, which may be told from `due` on, after all frames.
  void End(std::string verdict_json, Instant due);

  // Makes all public that may be told at `now`, at no pace: nobody has seen anything yet.
  void Open(Instant now);
  // Makes public what may be told at `now`, and tells the watchers. Returns when to call it again;
  // InfiniteFuture: when there is something new.
  Instant Advance(Instant now);

  // Whether all of it is public, the verdict included.
  bool over() const { return over_; }
  size_t frames() const { return frames_.size(); }
  size_t told() const { return told_; }

  // The whole view as JSON, as far as it is public.
  Message View() const;

  Place PlaceOf(absl::string_view event_id) const override;
  SharedMessage Next(Place* place) override;

 private:
  struct Frame {
    Bytes json;  // after a comma
    Instant due;
  };
  struct Ending {
    Bytes json;
    Instant due;
  };

  size_t Due(Instant now) const;
  void AddView(Message* message) const;
  SharedMessage ViewEvent();
  SharedMessage FrameEvent(size_t from);
  SharedMessage VerdictEvent();

  Bytes head_;  // without the last brace, with the name of the frames
  std::vector<Frame> frames_;
  size_t told_ = 0;
  absl::optional<Ending> ending_;
  bool over_ = false;
  uint64_t generation_ = 1;
  absl::optional<Instant> last_;  // when something was made public

  // The events that were asked for last: most watchers want the same.
  SharedMessage view_event_;
  SharedMessage frame_event_;
  size_t frame_event_from_ = 0;
  SharedMessage verdict_event_;
};

}  // namespace referee::gate

#endif  // REFEREE_GATE_MATCH_TOPIC_H_
