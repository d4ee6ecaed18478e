// One message of the referee, as it came out of the transport. Its items are handed on by
// reference, and it is freed when all of them are done with.
#ifndef REFEREE_SDK_SRC_BATCH_H_
#define REFEREE_SDK_SRC_BATCH_H_

#include <google/protobuf/arena.h>

#include <chrono>
#include <cstdint>
#include <memory>

#include "proto/referee/v1/bot_service.pb.h"

namespace referee::sdk {

struct Batch {
  explicit Batch(uint64_t stream_number) : stream(stream_number) {}

  // A turn with its legal moves is a few hundred small messages: one block holds them.
  google::protobuf::Arena arena{[] {
    google::protobuf::ArenaOptions options;
    options.start_block_size = 8192;
    return options;
  }()};
  v1::PlayResponse* const message =
      google::protobuf::Arena::CreateMessage<v1::PlayResponse>(&arena);
  std::chrono::steady_clock::time_point received;
  // Which of the client's streams it came on, from 1.
  const uint64_t stream;
};

// An item, with the batch that holds it.
struct Delivery {
  std::shared_ptr<const Batch> batch;
  const v1::RefereeItem* item = nullptr;
};

}  // namespace referee::sdk

#endif  // REFEREE_SDK_SRC_BATCH_H_
