// The queue of messages to a bot, with its size counted so that a slow reader cannot exhaust
// memory.
//
// Items that are added while one message is being written form the next. Thread-compatible.
#ifndef REFEREE_SERVICE_PLAY_OUTBOX_H_
#define REFEREE_SERVICE_PLAY_OUTBOX_H_

#include <google/protobuf/arena.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "proto/referee/v1/bot_service.pb.h"
#include "referee/base/clock.h"
#include "referee/base/ids.h"
#include "referee/host/match_runner.h"

namespace referee::service {

// A message being built or written, in reused memory. Items from another referee are kept as bytes.
// All items after such an item are kept as bytes too, to preserve the order.
class Batch {
 public:
  // A turn that the message asks for.
  struct Asked {
    std::shared_ptr<host::MatchRunner> runner;  // null: the match is relayed
    Seat seat;
    uint32_t turn;
    uint32_t request;
    // When the request first had to wait for the bot to read; InfiniteFuture: never.
    Instant offered = Instant::InfiniteFuture();
    // When the link began to hold back the request by choice; InfiniteFuture: never.
    Instant held = Instant::InfiniteFuture();
    MatchId passed_on = {};  // the match, if there is no runner

    const MatchId& match() const { return runner == nullptr ? passed_on : runner->id(); }
  };

  Batch();
  // Removes all items.
  void Clear();
  // Adds an item, filled by `fill(v1::RefereeItem*)`.
  template <typename Fill>
  void Add(Fill fill) {
    if (rest_items_ > 0) {
      auto* const alone = google::protobuf::Arena::CreateMessage<v1::PlayResponse>(&arena_);
      fill(alone->add_items());
      return AddBytes(alone->SerializeAsString());
    }
    v1::RefereeItem* item = message_->add_items();
    fill(item);
    if (message_->items_size() >= kFewItems) Measure(*item);
  }
  // Adds an item unchanged. `response` is a serialized v1::PlayResponse with only this item.
  void AddBytes(absl::string_view response);
  void AddAsked(Asked asked) { asked_.push_back(std::move(asked)); }
  // Marks the batch as due: it goes out as soon as possible.
  void SetDue() { due_ = true; }
  // Notes that the batch waits at `now` for the bot to read. Appends the turns that wait for the
  // first time to `offered`.
  void Offer(Instant now, std::vector<Asked>* offered);
  // Notes that its requests are held back at `now`.
  void Hold(Instant now);

  const v1::PlayResponse& message() const { return *message_; }
  // The serialized items after message(). The two concatenated are one valid message.
  const std::string& rest() const { return rest_; }
  const std::vector<Asked>& asked() const { return asked_; }
  bool due() const { return due_; }
  size_t items() const { return static_cast<size_t>(message_->items_size()) + rest_items_; }
  // The size in bytes. Items of message() are included only if there are at least kFewItems, since
  // measuring fewer costs more than it saves.
  size_t bytes() const { return bytes_; }
  // Whether the next item must go into another message.
  bool full() const;

 private:
  // This many items always fit in the 4 MiB that a client accepts in a message.
  static constexpr int kFewItems = 32;
  void Measure(const v1::RefereeItem& last);

  google::protobuf::Arena arena_;
  v1::PlayResponse* message_;
  std::string rest_;
  size_t rest_items_ = 0;
  std::vector<Asked> asked_;
  size_t offered_ = 0;  // of asked_
  size_t bytes_ = 0;
  bool due_ = false;
};

class Outbox {
 public:
  // The batch to add to.
  Batch& Filling();
  bool empty() const { return filled_.empty(); }
  // Whether any batch is due; if false, all may wait.
  bool due() const;
  // The number of turns that the batches ask for.
  size_t asks() const;
  // As Batch::Offer, for all batches.
  std::vector<Batch::Asked> Offer(Instant now);
  // As Batch::Hold, for all batches.
  void Hold(Instant now);
  // Removes and returns the first batch. REQUIRES: !empty().
  std::unique_ptr<Batch> Take();
  // Returns a batch for reuse. REQUIRES: it was cleared.
  void Reuse(std::unique_ptr<Batch> batch) { spare_ = std::move(batch); }
  // Drops everything that was not sent.
  void Clear() { filled_.clear(); }

  // The size of the queue. items() is exact; bytes() leaves out batches of few items.
  size_t items() const;
  size_t bytes() const;

 private:
  // No batch is empty. There is more than one only if they are large.
  std::deque<std::unique_ptr<Batch>> filled_;
  std::unique_ptr<Batch> spare_;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_PLAY_OUTBOX_H_
