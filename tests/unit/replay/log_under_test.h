// Fixture for tests of the log: a disk in memory that can be damaged and can lose power.
#ifndef REFEREE_TESTS_UNIT_REPLAY_LOG_UNDER_TEST_H_
#define REFEREE_TESTS_UNIT_REPLAY_LOG_UNDER_TEST_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "referee/replay/framing.h"
#include "referee/replay/log.h"
#include "tests/support/match_id.h"
#include "tests/support/memory_log_disk.h"

namespace referee::replay {

class LogTest : public ::testing::Test {
 protected:
  using Kind = LogFrame::Kind;
  using Lines = std::map<std::string, std::string>;
  using Gather = std::function<absl::Duration(absl::Duration sync)>;

  static constexpr size_t kSegment = 4 * kLogPageBytes;

  LogTest() { Restart(); }

  // A record with this text, encoded as in frames.
  static std::string Record(absl::string_view text) {
    std::string record;
    AppendSized(text, &record);
    return record;
  }

  absl::StatusOr<std::unique_ptr<Log>> Start(Durability durability = Durability::kNone,
                                             Gather gather = nullptr) {
    const absl::StatusOr<Log::Contents> contents = Log::Read(disk_);
    if (!contents.ok()) return contents.status();
    Log::Options options;
    options.disk = &disk_;
    options.durability = durability;
    options.segment_bytes = kSegment;
    options.gather = std::move(gather);
    options.own_threads = durability != Durability::kNone;
    options.sync_sealed = [this] {
      ++shelf_syncs_;
      return shelf_fails_ ? absl::UnavailableError("the disk has lost a write") : absl::OkStatus();
    };
    return Log::Start(std::move(options), *contents);
  }
  void Restart(Durability durability = Durability::kNone) {
    log_.reset();
    log_ = Start(durability).value();
  }
  std::shared_ptr<Log::Line> Open(uint64_t number, absl::string_view text = "opening") {
    return log_->Open(testing::NumberedId(number), Record(text), 1).value();
  }
  void Append(const std::shared_ptr<Log::Line>& line, absl::string_view text) {
    EXPECT_TRUE(log_->Append(line.get(), Record(text), 1).ok());
  }
  // The remaining lines of open matches, or the problem of each.
  Lines Left() const { return LinesOf(Log::Read(disk_).value()); }
  static Lines LinesOf(const Log::Contents& contents) {
    Lines lines;
    for (const Log::Left& left : contents.left) {
      std::string text;
      absl::string_view rest = left.line->records_read();
      absl::string_view record;
      while (TakeSized(&rest, &record)) absl::StrAppend(&text, text.empty() ? "" : " ", record);
      lines[left.line->id().text()] = left.damage.empty() ? text : left.damage;
    }
    return lines;
  }
  size_t Segments() const { return disk_.Slots()->size(); }
  // The slot and offset of a text in the log.
  std::pair<uint32_t, size_t> Find(absl::string_view text) const {
    const std::vector<uint32_t> slots = disk_.Slots().value();
    for (const uint32_t slot : slots) {
      const size_t at = disk_.Read(slot)->find(std::string(text));
      if (at != std::string::npos) return {slot, at};
    }
    ADD_FAILURE() << text;
    return {};
  }
  // Makes matches come and go until the log has used this many more segments.
  void Fill(int segments) {
    const std::string big(kSegment / 4, 'x');
    for (int i = 0; i < 4 * segments; ++i) {
      const auto line = Open(1000 + static_cast<uint64_t>(i), big);
      EXPECT_TRUE(log_->Close(line.get(), Kind::kSealed).ok());
    }
  }

  testing::MemoryLogDisk disk_;
  std::atomic<int> shelf_syncs_{0};
  std::atomic<bool> shelf_fails_{false};
  std::unique_ptr<Log> log_;
};

}  // namespace referee::replay

#endif  // REFEREE_TESTS_UNIT_REPLAY_LOG_UNDER_TEST_H_
