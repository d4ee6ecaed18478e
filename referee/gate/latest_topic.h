// A topic of which only the latest event matters, such as the standings of a competition.
//
// Thread-compatible.
#ifndef REFEREE_GATE_LATEST_TOPIC_H_
#define REFEREE_GATE_LATEST_TOPIC_H_

#include <string>

#include "absl/strings/string_view.h"
#include "referee/gate/topic.h"

namespace referee::gate {

class LatestTopic final : public Topic {
 public:
  // `event`: the name of the events, such as "standings".
  explicit LatestTopic(std::string event) : event_(std::move(event)) {}

  // Publishes `json` unless it is unchanged. `last`: no event follows.
  void Set(const std::string& json, bool last);
  bool over() const { return over_; }

  Place PlaceOf(absl::string_view event_id) const override;
  SharedMessage Next(Place* place) override;

 private:
  const std::string event_;
  std::string id_;
  SharedMessage message_;
  bool over_ = false;
};

}  // namespace referee::gate

#endif  // REFEREE_GATE_LATEST_TOPIC_H_
