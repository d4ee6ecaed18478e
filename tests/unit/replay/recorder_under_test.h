// A FileRecorder with a data dir of its own, which is started again as often as a test likes.
#ifndef REFEREE_TESTS_UNIT_REPLAY_RECORDER_UNDER_TEST_H_
#define REFEREE_TESTS_UNIT_REPLAY_RECORDER_UNDER_TEST_H_

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "referee/replay/archive.h"
#include "referee/replay/file_recorder.h"
#include "referee/replay/files.h"
#include "tests/unit/replay/sample.h"

namespace referee::replay {

class RecorderTest : public ::testing::Test {
 protected:
  RecorderTest() { Start({data_dir_}); }

  void Start(const FileRecorder::Options& options) {
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

  // What becomes of the one journal that is left over.
  Recovered Recover() {
    std::vector<Recovered> recovered = recorder_->Recover();
    EXPECT_EQ(recovered.size(), 1u);
    return std::move(recovered.at(0));
  }

  std::vector<std::string> Journals() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(data_dir_ + "/journals")) {
      if (entry.path().extension() == ".jnl") names.push_back(entry.path().filename());
    }
    return names;
  }
  std::string JournalPath(const Replay& replay) const {
    return data_dir_ + "/journals/" + replay.setup.id.text() + ".jnl";
  }

  const testing::TempFolder directory_;
  const std::string data_dir_ = directory_.path() + "/data";
  const Archive archive_{data_dir_};
  std::unique_ptr<FileRecorder> recorder_;
};

}  // namespace referee::replay

#endif  // REFEREE_TESTS_UNIT_REPLAY_RECORDER_UNDER_TEST_H_
