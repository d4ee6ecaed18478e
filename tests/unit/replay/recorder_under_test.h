// Fixture for tests of a FileRecorder with its own data directory; tests can restart it.
#ifndef REFEREE_TESTS_UNIT_REPLAY_RECORDER_UNDER_TEST_H_
#define REFEREE_TESTS_UNIT_REPLAY_RECORDER_UNDER_TEST_H_

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "referee/replay/archive.h"
#include "referee/replay/file_recorder.h"
#include "referee/replay/files.h"
#include "referee/replay/log.h"
#include "referee/replay/log_folder.h"
#include "referee/replay/log_format.h"
#include "tests/unit/replay/sample.h"

namespace referee::replay {

class RecorderTest : public ::testing::Test {
 protected:
  RecorderTest() { Start({data_dir_}); }

  void Start(FileRecorder::Options options) {
    options.segment_bytes = kSegmentBytes;
    recorder_ = FileRecorder::Make(options, SampleSigner()).value();
  }
  void Restart() { Restart({data_dir_}); }
  void Restart(const FileRecorder::Options& options) {
    recorder_.reset();
    Start(options);
  }

  // Records the first `count` records of a match, with one Flush each.
  std::unique_ptr<Recording> Record(const Replay& replay, size_t count) {
    auto recording = recorder_->Open(replay.setup, dice::PinnedSeed(7)).value();
    for (size_t i = 0; i < count; ++i) {
      recording->Add(replay.records[i]);
      EXPECT_TRUE(recording->Flush().ok());
    }
    return recording;
  }

  // Returns the recovery of the only remaining match.
  Recovered Recover() {
    std::vector<Recovered> recovered = recorder_->Recover();
    EXPECT_EQ(recovered.size(), 1u) << recovered[0].what << ": " << recovered[0].detail;
    return std::move(recovered.at(0));
  }

  // The matches in the log that are neither archived nor quarantined.
  std::vector<std::string> Open() const {
    std::vector<std::string> ids;
    const LogFolder folder = LogFolder::Of(data_dir_);
    absl::StatusOr<Log::Contents> contents = Log::Read(folder);
    // The recorder removes segments by itself, possibly the one that is read next.
    while (absl::IsNotFound(contents.status())) contents = Log::Read(folder);
    for (const Log::Left& left : contents->left) ids.push_back(left.line->id().text());
    return ids;
  }
  // The segment that contains a text, and its offset there.
  std::pair<std::string, size_t> Find(const std::string& text) const {
    const LogFolder folder = LogFolder::Of(data_dir_);
    const std::vector<uint32_t> slots = folder.Slots().value();
    for (const uint32_t slot : slots) {
      const size_t at = folder.Read(slot)->find(text);
      if (at != std::string::npos) return {folder.NameOf(slot), at};
    }
    ADD_FAILURE() << text;
    return {};
  }
  static void Overwrite(const std::pair<std::string, size_t>& place, const std::string& bytes) {
    std::fstream file(place.first, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(static_cast<std::streamoff>(place.second));
    file << bytes;
  }
  // The path of the quarantined records of a match.
  std::string Aside(const Replay& replay) const {
    return data_dir_ + "/quarantine/" + replay.setup.id.text() + ".records";
  }

  static constexpr size_t kSegmentBytes = 64 * 1024;
  const testing::TempFolder directory_{testing::TempFolderOn::kMemory};
  const std::string data_dir_ = directory_.path() + "/data";
  const Archive archive_{data_dir_};
  std::unique_ptr<FileRecorder> recorder_;
};

}  // namespace referee::replay

#endif  // REFEREE_TESTS_UNIT_REPLAY_RECORDER_UNDER_TEST_H_
