// A sequence of events about one thing, and its watchers.
//
// Pure, except for the watchers. Thread-compatible.
#ifndef REFEREE_GATE_TOPIC_H_
#define REFEREE_GATE_TOPIC_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "referee/gate/message.h"

namespace referee::gate {

// A subscriber of a topic, such as a connection.
class Watcher {
 public:
  virtual ~Watcher() = default;
  // There may be a new event. Must neither add nor remove a watcher.
  virtual void OnNews() = 0;

 private:
  friend class Topic;
  size_t index_ = 0;
};

// How far a watcher is in a topic: the last event that it got.
struct Place {
  uint64_t generation = 0;  // 0: no event so far
  size_t frames = 0;
  std::string id;  // of an event without frames
  bool ended = false;
};

class Topic {
 public:
  virtual ~Topic() = default;
  Topic() = default;
  Topic(const Topic&) = delete;
  Topic& operator=(const Topic&) = delete;

  // The place of a watcher that returns with the id of an event; empty: the start.
  virtual Place PlaceOf(absl::string_view event_id) const = 0;
  // Returns the next event after `place` and advances `place`; null: no event is ready.
  virtual SharedMessage Next(Place* place) = 0;

  // REQUIRES: each watcher is removed before it is destroyed.
  void Add(Watcher* watcher) {
    watcher->index_ = watchers_.size();
    watchers_.push_back(watcher);
  }
  void Remove(Watcher* watcher) {
    watchers_.back()->index_ = watcher->index_;
    watchers_[watcher->index_] = watchers_.back();
    watchers_.pop_back();
  }
  size_t watchers() const { return watchers_.size(); }
  void Tell() const {
    for (Watcher* const watcher : watchers_) watcher->OnNews();
  }

 private:
  std::vector<Watcher*> watchers_;
};

}  // namespace referee::gate

#endif  // REFEREE_GATE_TOPIC_H_
