// The attachment of a bot's link to the host, and the capacity that the bot has there.
//
// A bot that is shut out plays its running matches to the end and takes no new ones. When it is
// readmitted, it gets its capacity back.
#ifndef REFEREE_SERVICE_PLAY_ATTACHMENT_H_
#define REFEREE_SERVICE_PLAY_ATTACHMENT_H_

#include <memory>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "referee/base/mutex.h"
#include "referee/host/host.h"
#include "referee/host/link.h"

namespace referee::service {

// Thread-safe.
class Attachment {
 public:
  // As in host::Hello.
  struct Capacity {
    int max_matches = 0;
    int parallel_turns = 0;
  };

  // `host` must outlive this.
  explicit Attachment(host::Host* host) : host_(*host) {}

  // Stores the requested capacity. Returns the granted one: zero while the bot is shut out.
  Capacity Ask(const Capacity& asked) {
    MutexLock lock(&mutex_);
    asked_ = asked;
    return shut_out_ ? Capacity() : asked_;
  }
  // Notes that the host has attached the link as `bot`.
  void Enter(std::shared_ptr<host::Bot> bot) {
    MutexLock lock(&mutex_);
    bot_ = std::move(bot);
  }
  bool entered() const {
    MutexLock lock(&mutex_);
    return bot_ != nullptr;
  }
  // Detaches `link` from the host. Returns whether it was attached.
  bool Leave(const host::Link* link) {
    std::shared_ptr<host::Bot> bot;
    {
      MutexLock lock(&mutex_);
      bot = std::exchange(bot_, nullptr);
    }
    if (bot != nullptr) host_.Detach(bot, link);
    return bot != nullptr;
  }

  struct Change {
    std::shared_ptr<host::Bot> bot;  // null: no change
    Capacity capacity;               // the new capacity
    bool begins = false;             // the bot was not shut out before
  };
  // Shuts the bot out or readmits it. Returns no change if the bot was not shut out and is not now.
  // Also returns none if it has not entered: the next recheck handles that.
  Change SetShutOut(bool out) {
    MutexLock lock(&mutex_);
    if (bot_ == nullptr) return {};
    const bool was = std::exchange(shut_out_, out);
    if (!out && !was) return {};
    return {bot_, out ? Capacity() : asked_, out && !was};
  }
  // Marks a bot that is shut out before it enters.
  void EnterShutOut() {
    MutexLock lock(&mutex_);
    shut_out_ = true;
  }

 private:
  host::Host& host_;
  mutable Mutex mutex_;
  bool shut_out_ ABSL_GUARDED_BY(mutex_) = false;
  Capacity asked_ ABSL_GUARDED_BY(mutex_);
  std::shared_ptr<host::Bot> bot_ ABSL_GUARDED_BY(mutex_);  // null: not attached
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_PLAY_ATTACHMENT_H_
