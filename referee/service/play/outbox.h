// The queue of messages to a bot: items that are added while one message is being written form the
// next. Its size is counted, so that a slow reader cannot exhaust memory. Thread-compatible.
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

// A message under construction or under way, in memory that is reused. Items that another referee
// made are passed on as the bytes that they are; so is all that follows them, to keep the order.
class Batch {
 public:
  // A turn that the message asks for.
  struct Asked {
    std::shared_ptr<host::MatchRunner> runner;  // null: another referee hosts the match
    Seat seat;
    uint32_t turn;
    uint32_t request;
    // When the transport was to take it and did not; InfiniteFuture: never.
    Instant offered = Instant::InfiniteFuture();
    // When it could have been handed over, and began to wait for others; InfiniteFuture: never.
    Instant held = Instant::InfiniteFuture();
    MatchId passed_on = {};  // the match, without a runner

    const MatchId& match() const { return runner == nullptr ? passed_on : runner->id(); }
  };

  Batch();
  // Empties it.
  void Clear();
  // Adds an item, made by `fill(v1::RefereeItem*)`.
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
  // Adds an item as it is: `response` is a serialized v1::PlayResponse of that item alone.
  void AddBytes(absl::string_view response);
  void AddAsked(Asked asked) { asked_.push_back(std::move(asked)); }
  // Notes that something in it is to go out as soon as it can.
  void SetDue() { due_ = true; }
  // Notes that the transport was to take it at `now`, and does not; appends to `offered` the turns
  // for which that is the first time.
  void Offer(Instant now, std::vector<Asked>* offered);
  // Notes that what it asks for waits for others at `now`.
  void Hold(Instant now);

  const v1::PlayResponse& message() const { return *message_; }
  // What follows it, serialized: the bytes of a message followed by these are those of one message.
  const std::string& rest() const { return rest_; }
  const std::vector<Asked>& asked() const { return asked_; }
  bool due() const { return due_; }
  size_t items() const { return static_cast<size_t>(message_->items_size()) + rest_items_; }
  // Those of message() are counted only from kFewItems items on: measuring fewer costs more than it
  // is worth.
  size_t bytes() const { return bytes_; }
  // Whether what is told next is to go into another message.
  bool full() const;

 private:
  // So few items are less than the 4 MiB that a client takes in a message, whatever they are.
  static constexpr int kFewItems = 32;
  void Measure(const v1::RefereeItem& last);

  google::protobuf::Arena arena_;
  v1::PlayResponse* message_;
  std::string rest_;
  size_t rest_items_ = 0;
  std::vector<Asked> asked_;
  size_t offered_ = 0;  // of those
  size_t bytes_ = 0;
  bool due_ = false;
};

class Outbox {
 public:
  // The message to add to.
  Batch& Filling();
  bool empty() const { return filled_.empty(); }
  // Whether it has anything that is to go out as soon as it can; else all of it may wait.
  bool due() const;
  // How many turns it asks for.
  size_t asks() const;
  // As Batch::Offer, for all that waits.
  std::vector<Batch::Asked> Offer(Instant now);
  // As Batch::Hold, for all that waits.
  void Hold(Instant now);
  // Takes the first message out. REQUIRES: !empty().
  std::unique_ptr<Batch> Take();
  // Gives a message back that is no longer needed. REQUIRES: it was cleared.
  void Reuse(std::unique_ptr<Batch> batch) { spare_ = std::move(batch); }
  // Forgets what was not sent.
  void Clear() { filled_.clear(); }

  // What waits. The count of items is exact; that of bytes leaves out batches of few items.
  size_t items() const;
  size_t bytes() const;

 private:
  // None of them empty. More than one only when they are large.
  std::deque<std::unique_ptr<Batch>> filled_;
  std::unique_ptr<Batch> spare_;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_PLAY_OUTBOX_H_
