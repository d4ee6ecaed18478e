// A Recorder that keeps matches in memory, with a disk that tests can make fail.
#ifndef REFEREE_TESTS_SUPPORT_MEMORY_RECORDER_H_
#define REFEREE_TESTS_SUPPORT_MEMORY_RECORDER_H_

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "referee/replay/recorder.h"

namespace referee::testing {

// Thread-compatible. Must outlive its recordings.
class MemoryRecorder final : public replay::Recorder {
 public:
  struct Match {
    match::Setup setup;
    dice::Seed seed;
    std::vector<match::Record> records;  // flushed
    bool sealed = false;
    std::string set_aside;  // the reason; empty: not quarantined
  };

  // The results of Open, Flush and Seal from now on.
  absl::Status open_status;
  absl::Status flush_status;
  absl::Status seal_status;
  // Whether flushed records become durable only at the next call of Last.
  bool slow = false;
  void Last(const absl::Status& status = absl::OkStatus()) {
    slow = false;
    std::vector<std::function<void(const absl::Status&)>> waiting;
    waiting.swap(waiting_);
    for (const auto& then : waiting) then(status);
  }
  // The id of the match for which Seal fails; empty: none.
  std::string never_seals;
  // The remaining numbers of recordings that open and of flushes that succeed; negative: unlimited.
  // A flush beyond the limit simulates the death of the referee: the test goes on from the records
  // flushed before it.
  int open_limit = -1;
  int flush_limit = -1;
  bool died() const { return died_; }
  int seals() const { return seals_; }  // calls of Seal

  const std::map<std::string, Match>& matches() const { return matches_; }

  absl::StatusOr<std::unique_ptr<replay::Recording>> Open(const match::Setup& setup,
                                                          const dice::Seed& seed) override {
    if (!open_status.ok()) return open_status;
    if (open_limit == 0) return absl::ResourceExhaustedError("no room for another recording");
    --open_limit;
    Match& match = matches_[setup.id.text()];
    match.setup = setup;
    match.seed = seed;
    return std::unique_ptr<replay::Recording>(std::make_unique<MemoryRecording>(this, &match));
  }
  absl::Status Check() override { return open_status; }

 private:
  class MemoryRecording final : public replay::Recording {
   public:
    MemoryRecording(MemoryRecorder* recorder, Match* match) : recorder_(recorder), match_(match) {}
    void Add(const match::Record& record) override { collected_.push_back(record); }
    absl::Status Flush() override {
      if (!recorder_->flush_status.ok()) return recorder_->flush_status;
      if (recorder_->flush_limit == 0) {
        recorder_->died_ = true;
        return absl::UnavailableError("the referee has died");
      }
      --recorder_->flush_limit;
      for (match::Record& record : collected_) match_->records.push_back(std::move(record));
      collected_.clear();
      return absl::OkStatus();
    }
    bool Lasts() override { return !recorder_->slow; }
    void WhenLasting(std::function<void(const absl::Status&)> then) override {
      recorder_->waiting_.push_back(std::move(then));
    }
    absl::Status Seal() override {
      ++recorder_->seals_;
      if (recorder_->never_seals == match_->setup.id.text()) {
        return absl::UnavailableError("the disk does not take it");
      }
      match_->sealed = recorder_->seal_status.ok();
      return recorder_->seal_status;
    }

    absl::Status SetAside(absl::string_view why) override {
      match_->set_aside = std::string(why);
      return absl::OkStatus();
    }

   private:
    MemoryRecorder* const recorder_;
    Match* const match_;
    std::vector<match::Record> collected_;
  };

  std::map<std::string, Match> matches_;
  std::vector<std::function<void(const absl::Status&)>> waiting_;
  bool died_ = false;
  int seals_ = 0;
};

}  // namespace referee::testing

#endif  // REFEREE_TESTS_SUPPORT_MEMORY_RECORDER_H_
