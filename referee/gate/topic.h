// What is told to all who watch one thing, and who they are. Pure, but for the watchers.
// Thread-compatible.
#ifndef REFEREE_GATE_TOPIC_H_
#define REFEREE_GATE_TOPIC_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "referee/gate/message.h"

namespace referee::gate {

// Who watches, such as a connection.
class Watcher {
 public:
  virtual ~Watcher() = default;
  // There may be something new. Must neither add nor remove a watcher.
  virtual void OnNews() = 0;

 private:
  friend class Topic;
  size_t index_ = 0;
};

// How far a watcher is in a topic: what it was told last.
struct Place {
  uint64_t generation = 0;  // 0: nothing yet
  size_t frames = 0;
  std::string id;  // of what is told as a whole
  bool ended = false;
};

class Topic {
 public:
  virtual ~Topic() = default;
  Topic() = default;
  Topic(const Topic&) = delete;
  Topic& operator=(const Topic&) = delete;

  // Where a watcher is that comes back with the id of an event; empty: from the start.
  virtual Place PlaceOf(absl::string_view event_id) const = 0;
  // The next event for who is at `place`, which moves on; null: there is nothing now.
  virtual SharedMessage Next(Place* place) = 0;

  // REQUIRES: each is removed before it goes.
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
