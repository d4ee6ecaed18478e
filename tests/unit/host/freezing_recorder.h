// A Recorder on top of another one that fails from a given write on, like FreezingStore.
#ifndef REFEREE_TESTS_UNIT_HOST_FREEZING_RECORDER_H_
#define REFEREE_TESTS_UNIT_HOST_FREEZING_RECORDER_H_

#include <functional>
#include <memory>
#include <utility>

#include "referee/replay/recorder.h"
#include "tests/unit/competition/freezing_store.h"

namespace referee::testing {

// Must outlive its recordings. Thread-compatible.
class FreezingRecorder final : public replay::Recorder {
 public:
  // Both arguments must outlive this object.
  FreezingRecorder(replay::Recorder* recorder, Frost* frost)
      : recorder_(*recorder), frost_(*frost) {}

  absl::StatusOr<std::unique_ptr<replay::Recording>> Open(const match::Setup& setup,
                                                          const dice::Seed& seed) override {
    if (!frost_.Write()) return Dead();
    auto recording = recorder_.Open(setup, seed);
    if (!recording.ok()) return recording.status();
    return Freezing(*std::move(recording));
  }
  absl::Status Check() override { return frost_.frozen() ? Dead() : recorder_.Check(); }

  // Wraps a recording of an earlier process, so that it can freeze too.
  std::unique_ptr<replay::Recording> Freezing(std::unique_ptr<replay::Recording> recording) {
    return std::make_unique<FreezingRecording>(std::move(recording), &frost_);
  }

 private:
  class FreezingRecording final : public replay::Recording {
   public:
    FreezingRecording(std::unique_ptr<replay::Recording> recording, Frost* frost)
        : recording_(std::move(recording)), frost_(*frost) {}
    void Add(const match::Record& record) override { recording_->Add(record); }
    absl::Status Flush() override { return frost_.Write() ? recording_->Flush() : Dead(); }
    bool Lasts() override { return recording_->Lasts(); }
    void WhenLasting(std::function<void(const absl::Status&)> then) override {
      recording_->WhenLasting(std::move(then));
    }
    absl::Status Seal() override { return frost_.Write() ? recording_->Seal() : Dead(); }
    absl::Status SetAside(absl::string_view why) override {
      return frost_.Write() ? recording_->SetAside(why) : Dead();
    }

   private:
    const std::unique_ptr<replay::Recording> recording_;
    Frost& frost_;
  };

  static absl::Status Dead() { return absl::UnavailableError("the disk is frozen"); }

  replay::Recorder& recorder_;
  Frost& frost_;
};

}  // namespace referee::testing

#endif  // REFEREE_TESTS_UNIT_HOST_FREEZING_RECORDER_H_
