// One message of the referee, as received, shared by the handlers of its items.
//
// Items are passed on by reference. The batch is freed when all its items are handled.
#ifndef REFEREE_SDK_SRC_BATCH_H_
#define REFEREE_SDK_SRC_BATCH_H_

#include <google/protobuf/arena.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "proto/referee/v1/bot_service.pb.h"

namespace referee::sdk {

// Recycled memory for the content of a message. A block is too large for malloc's caches, so freed
// blocks go to the next message.
class Block {
 public:
  static constexpr size_t kBytes = 8192;  // a turn with its legal moves is some hundred messages

  Block();
  ~Block();
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  google::protobuf::ArenaOptions options() const;

 private:
  std::unique_ptr<char[]> bytes_;
};

struct Batch {
  explicit Batch(uint64_t stream_number) : stream(stream_number) {}

  Block block;
  google::protobuf::Arena arena{block.options()};
  v1::PlayResponse* const message =
      google::protobuf::Arena::CreateMessage<v1::PlayResponse>(&arena);
  std::chrono::steady_clock::time_point received;
  // The number of the client's stream, from 1; 0 for a message that the SDK made itself.
  const uint64_t stream;
};

// An item, with the batch that holds it.
struct Delivery {
  std::shared_ptr<const Batch> batch;
  const v1::RefereeItem* item = nullptr;
};

}  // namespace referee::sdk

#endif  // REFEREE_SDK_SRC_BATCH_H_
