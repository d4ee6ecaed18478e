// The events of one match, as GATE.md specifies: which frames are public, and at which pace.
//
// It knows neither the referee nor HTTP: it takes JSON and returns messages. The JSON of a frame is
// stored once and shared by all messages. Thread-compatible.
//
//   topic.SetHead(R"({"matchId":"01..."})");
//   topic.Append(frame_json);
//   Instant again = topic.Advance(clock->Now());  // notifies the watchers; call it again then
#ifndef REFEREE_GATE_MATCH_TOPIC_H_
#define REFEREE_GATE_MATCH_TOPIC_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/gate/message.h"
#include "referee/gate/topic.h"

namespace referee::gate {

class MatchTopic final : public Topic {
 public:
  // Sets the view without frames and verdict: a JSON object that is not empty.
  void SetHead(std::string json);

  // Adds a frame.
  void Append(std::string json);
  // Sets all frames from the first on. If they do not begin with all public frames, every watcher
  // gets the whole view.
  void Replace(std::vector<std::string> frames);
  // Sets the verdict, a JSON object. It follows all frames.
  void End(std::string verdict_json);

  // Makes everything public at once. Call it before the first watcher.
  void Open();
  // Makes the next frames or the verdict public, if the pace allows it at `now`, and notifies the
  // watchers. Returns when to call it again; InfiniteFuture: when there is something new.
  Instant Advance(Instant now);

  // Whether everything is public, including the verdict.
  bool over() const { return over_; }
  size_t frames() const { return frames_.size(); }
  size_t told() const { return told_; }

  // The public part of the view as JSON.
  Message View() const;

  Place PlaceOf(absl::string_view event_id) const override;
  SharedMessage Next(Place* place) override;

 private:
  void AddView(Message* message) const;
  SharedMessage ViewEvent();
  SharedMessage FrameEvent(size_t from);
  SharedMessage VerdictEvent();

  Bytes head_;                 // without the closing brace, with the name of the frames
  std::vector<Bytes> frames_;  // each begins with a comma
  size_t told_ = 0;
  Bytes verdict_;  // null: the match has not ended
  bool over_ = false;
  uint64_t generation_ = 1;
  absl::optional<Instant> last_;  // when something was last made public

  // The last events that were built; most watchers need the same ones.
  SharedMessage view_event_;
  SharedMessage frame_event_;
  size_t frame_event_from_ = 0;
  SharedMessage verdict_event_;
};

}  // namespace referee::gate

#endif  // REFEREE_GATE_MATCH_TOPIC_H_
