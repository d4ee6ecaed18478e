// A LogDisk in memory that can lose power, which drops everything that was not synced.
//
// Its writes can fail or be torn, and it can be full.
#ifndef REFEREE_TESTS_SUPPORT_MEMORY_LOG_DISK_H_
#define REFEREE_TESTS_SUPPORT_MEMORY_LOG_DISK_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "referee/base/mutex.h"
#include "referee/replay/log_disk.h"
#include "referee/replay/log_format.h"

namespace referee::testing {

// Thread-safe, except for the members that tests set.
class MemoryLogDisk final : public replay::LogDisk {
 public:
  // Decides how a write at `offset` of a slot fails: after how many bytes; nullopt: not at all.
  // Null: no write fails.
  std::function<absl::optional<size_t>(uint32_t slot, size_t offset, absl::string_view bytes)>
      on_write;
  // Called before each sync, which returns its error. Null: no callback.
  std::function<absl::Status()> on_sync;
  // Called before a segment is read. Null: no callback.
  std::function<void(uint32_t slot)> on_read;
  // The maximum total size of all segments, in bytes.
  std::atomic<size_t> room{size_t{1} << 30};

  absl::StatusOr<std::vector<uint32_t>> Slots() const override {
    MutexLock lock(&mutex_);
    std::vector<uint32_t> slots;
    for (const auto& [slot, segment] : segments_) slots.push_back(slot);
    return slots;
  }
  std::string NameOf(uint32_t slot) const override { return absl::StrCat("slot ", slot); }
  absl::StatusOr<std::string> Read(uint32_t slot) const override {
    if (on_read) on_read(slot);
    MutexLock lock(&mutex_);
    const auto found = segments_.find(slot);
    if (found == segments_.end()) return absl::NotFoundError(NameOf(slot));
    return found->second->bytes;
  }
  absl::StatusOr<std::unique_ptr<replay::LogSegment>> Open(uint32_t slot, size_t bytes,
                                                           bool) override {
    ++changes_;
    MutexLock lock(&mutex_);
    std::shared_ptr<Bytes>& segment = segments_[slot];
    if (segment == nullptr) {
      size_t used = 0;
      for (const auto& [other, one] : segments_) used += one == nullptr ? 0 : one->bytes.size();
      if (used + bytes > room) {
        segments_.erase(slot);
        return absl::ResourceExhaustedError("the disk is full; make room on that disk");
      }
      segment = std::make_shared<Bytes>();
      segment->bytes.resize(bytes);
      ++made_;
    }
    return std::make_unique<MemorySegment>(this, slot, segment);
  }
  absl::Status Remove(uint32_t slot) override {
    ++changes_;
    MutexLock lock(&mutex_);
    segments_.erase(slot);
    return absl::OkStatus();
  }

  // Reverts every segment to its synced content. REQUIRES: no log uses the disk.
  void LosePower() {
    ++changes_;
    MutexLock lock(&mutex_);
    for (auto& [slot, segment] : segments_) {
      segment->synced.resize(segment->bytes.size());
      segment->bytes = segment->synced;
    }
  }
  // Overwrites bytes, to simulate damage. REQUIRES: no log uses the disk.
  void Overwrite(uint32_t slot, size_t offset, absl::string_view bytes) {
    ++changes_;
    MutexLock lock(&mutex_);
    std::copy(bytes.begin(), bytes.end(), segments_.at(slot)->bytes.begin() + Distance(offset));
  }
  // Changes whenever the content of the disk may have changed.
  uint64_t changes() const { return changes_; }
  // The number of segments made so far.
  int made() const {
    MutexLock lock(&mutex_);
    return made_;
  }

 private:
  struct Bytes {
    std::string bytes;
    std::string synced;  // resized on first use: most segments are never synced
  };

  class MemorySegment final : public replay::LogSegment {
   public:
    MemorySegment(MemoryLogDisk* disk, uint32_t slot, std::shared_ptr<Bytes> segment)
        : disk_(disk), slot_(slot), segment_(std::move(segment)) {}
    size_t size() const override { return segment_->bytes.size(); }
    absl::Status Write(size_t offset, absl::string_view bytes) override {
      ++disk_->changes_;
      absl::optional<size_t> fails;
      if (disk_->on_write) fails = disk_->on_write(slot_, offset, bytes);
      const size_t written = std::min(fails.value_or(bytes.size()), bytes.size());
      std::copy(bytes.begin(), bytes.begin() + Distance(written),
                segment_->bytes.begin() + Distance(offset));
      if (!fails) return absl::OkStatus();
      return absl::ResourceExhaustedError("no space left on the disk in memory");
    }
    absl::Status Hold() override { return absl::OkStatus(); }
    std::shared_ptr<void> Release() override { return nullptr; }
    absl::Status Save(size_t begin, size_t end, bool lasts) override {
      absl::Status status;
      if (!lasts) return status;
      if (disk_->on_sync) status = disk_->on_sync();
      if (!status.ok()) return status;
      segment_->synced.resize(segment_->bytes.size());
      std::copy(segment_->bytes.begin() + Distance(begin), segment_->bytes.begin() + Distance(end),
                segment_->synced.begin() + Distance(begin));
      std::copy_n(replay::kNoFrame.begin(), std::min(replay::kNoFrame.size(), size() - end),
                  segment_->synced.begin() + Distance(end));
      return status;
    }

   private:
    MemoryLogDisk* const disk_;
    const uint32_t slot_;
    const std::shared_ptr<Bytes> segment_;
  };

  static std::ptrdiff_t Distance(size_t bytes) { return static_cast<std::ptrdiff_t>(bytes); }

  std::atomic<uint64_t> changes_{0};
  mutable Mutex mutex_;
  std::map<uint32_t, std::shared_ptr<Bytes>> segments_ ABSL_GUARDED_BY(mutex_);
  int made_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace referee::testing

#endif  // REFEREE_TESTS_SUPPORT_MEMORY_LOG_DISK_H_
