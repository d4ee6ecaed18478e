#include "sdk/cpp/src/batch.h"

#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "referee/base/mutex.h"

namespace referee::sdk {
namespace {

// The maximum number of spare blocks.
constexpr size_t kMostSpare = 64;

struct Spare {
  Mutex mutex;
  std::vector<std::unique_ptr<char[]>> blocks ABSL_GUARDED_BY(mutex);
};

Spare& TheSpare() {
  static Spare* const spare = new Spare();
  return *spare;
}

}  // namespace

Block::Block() {
  Spare& spare = TheSpare();
  {
    MutexLock lock(&spare.mutex);
    if (!spare.blocks.empty()) {
      bytes_ = std::move(spare.blocks.back());
      spare.blocks.pop_back();
    }
  }
  if (bytes_ == nullptr) bytes_.reset(new char[kBytes]);
}

Block::~Block() {
  Spare& spare = TheSpare();
  MutexLock lock(&spare.mutex);
  if (spare.blocks.size() < kMostSpare) spare.blocks.push_back(std::move(bytes_));
}

google::protobuf::ArenaOptions Block::options() const {
  google::protobuf::ArenaOptions options;
  options.initial_block = bytes_.get();
  options.initial_block_size = kBytes;
  return options;
}

}  // namespace referee::sdk
