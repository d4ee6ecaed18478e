#include "referee/service/play/outbox.h"

#include <algorithm>

namespace referee::service {
namespace {

// The last item may exceed this limit. A client accepts 4 MiB unless it sets another limit.
constexpr size_t kFullBytes = 1 << 20;

// Capacity for relayed items that is kept for the next message.
constexpr size_t kReusedBytes = 64 << 10;

// Arena blocks in which the request of a turn needs at most two.
google::protobuf::ArenaOptions BlocksOfATurn() {
  google::protobuf::ArenaOptions options;
  options.start_block_size = 1024;
  return options;
}

}  // namespace

Batch::Batch()
    : arena_(BlocksOfATurn()),
      message_(google::protobuf::Arena::CreateMessage<v1::PlayResponse>(&arena_)) {}

void Batch::Clear() {
  asked_.clear();
  offered_ = 0;
  bytes_ = 0;
  due_ = false;
  rest_.clear();
  if (rest_.capacity() > kReusedBytes) rest_ = std::string();
  rest_items_ = 0;
  arena_.Reset();
  message_ = google::protobuf::Arena::CreateMessage<v1::PlayResponse>(&arena_);
}

void Batch::AddBytes(absl::string_view response) {
  rest_.append(response.data(), response.size());
  bytes_ += response.size();
  ++rest_items_;
}

void Batch::Offer(Instant now, std::vector<Asked>* offered) {
  for (; offered_ < asked_.size(); ++offered_) {
    asked_[offered_].offered = now;
    offered->push_back(asked_[offered_]);
  }
}

void Batch::Hold(Instant now) {
  for (Asked& asked : asked_) asked.held = std::min(asked.held, now);
}

void Batch::Measure(const v1::RefereeItem& last) {
  bytes_ += message_->items_size() == kFewItems ? message_->ByteSizeLong() : last.ByteSizeLong();
}

bool Batch::full() const { return bytes_ >= kFullBytes; }

Batch& Outbox::Filling() {
  if (filled_.empty() || filled_.back()->full()) {
    filled_.push_back(spare_ != nullptr ? std::move(spare_) : std::make_unique<Batch>());
    spare_ = nullptr;
  }
  return *filled_.back();
}

bool Outbox::due() const {
  return std::any_of(filled_.begin(), filled_.end(),
                     [](const auto& batch) { return batch->due(); });
}

size_t Outbox::asks() const {
  size_t asks = 0;
  for (const auto& batch : filled_) asks += batch->asked().size();
  return asks;
}

std::vector<Batch::Asked> Outbox::Offer(Instant now) {
  std::vector<Batch::Asked> offered;
  for (const auto& batch : filled_) batch->Offer(now, &offered);
  return offered;
}

void Outbox::Hold(Instant now) {
  for (const auto& batch : filled_) batch->Hold(now);
}

std::unique_ptr<Batch> Outbox::Take() {
  std::unique_ptr<Batch> first = std::move(filled_.front());
  filled_.pop_front();
  return first;
}

size_t Outbox::items() const {
  size_t items = 0;
  for (const auto& batch : filled_) items += batch->items();
  return items;
}

size_t Outbox::bytes() const {
  size_t bytes = 0;
  for (const auto& batch : filled_) bytes += batch->bytes();
  return bytes;
}

}  // namespace referee::service
