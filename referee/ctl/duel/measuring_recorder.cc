#include "referee/ctl/duel/measuring_recorder.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <variant>

namespace referee::ctl {
namespace {

class MeasuringRecording final : public replay::Recording {
 public:
  MeasuringRecording(std::unique_ptr<replay::Recording> keeper,
                     std::shared_ptr<MatchFigures> figures, bool retries)
      : keeper_(std::move(keeper)), figures_(std::move(figures)), retries_(retries) {}

  void Add(const match::Record& record) override {
    if (const auto* played = std::get_if<match::Played>(&record)) {
      Measure(*played);
    } else if (const auto* faulted = std::get_if<match::Faulted>(&record)) {
      Measure(*faulted);
    } else if (const auto* forfeited = std::get_if<match::Forfeited>(&record)) {
      Measure(*forfeited);
    }
    if (keeper_ != nullptr) keeper_->Add(record);
  }
  absl::Status Flush() override { return keeper_ == nullptr ? absl::OkStatus() : keeper_->Flush(); }
  bool Lasts() override { return keeper_ == nullptr || keeper_->Lasts(); }
  void WhenLasting(std::function<void(const absl::Status&)> then) override {
    keeper_->WhenLasting(std::move(then));
  }
  absl::Status Seal() override { return keeper_ == nullptr ? absl::OkStatus() : keeper_->Seal(); }
  absl::Status SetAside(absl::string_view why) override {
    return keeper_ == nullptr ? absl::OkStatus() : keeper_->SetAside(why);
  }

 private:
  void Measure(const match::Faulted& faulted) {
    asked_ = true;
    if (faulted.cause != match::Cause::kIllegal) return;
    // Under the other policies the turn is played in the bot's place, and counted then.
    if (retries_) ++figures_->forgiven[faulted.seat.index()].retried;
    absl::optional<SeatFault>& fault = figures_->faults[faulted.seat.index()];
    if (fault) return;
    fault = SeatFault{faulted.cause, faulted.number, faulted.detail, /*forfeits=*/false};
  }
  void Measure(const match::Forfeited& forfeited) {
    asked_ = asked_ || forfeited.timing.has_value();
    const bool unready = match::SeatForfeitOf(forfeited).unasked ||
                         (!asked_ && (forfeited.cause == match::Cause::kTimeout ||
                                      forfeited.cause == match::Cause::kDisconnected));
    figures_->faults[forfeited.seat.index()] =
        SeatFault{forfeited.cause, forfeited.number, forfeited.detail, /*forfeits=*/true, unready};
  }
  void Measure(const match::Played& played) {
    asked_ = true;
    if (!played.move.is_pass()) figures_->times[played.seat.index()].Add(played.used);
    if (!played.substituted) return;
    ForgivenFaults& forgiven = figures_->forgiven[played.seat.index()];
    ++(*played.substituted == match::Cause::kTimeout ? forgiven.substituted_timeouts
                                                     : forgiven.substituted_illegal);
  }

  const std::unique_ptr<replay::Recording> keeper_;
  const std::shared_ptr<MatchFigures> figures_;
  const bool retries_;  // an illegal move may be tried again
  bool asked_ = false;  // a seat was asked for a turn, or had to pass
};

std::shared_ptr<MatchFigures> NewFigures(const match::Setup& setup) {
  const auto figures = std::make_shared<MatchFigures>();
  figures->times.resize(setup.bots.size());
  figures->forgiven.resize(setup.bots.size());
  figures->faults.resize(setup.bots.size());
  return figures;
}

bool MayRetry(const match::Setup& setup) {
  return setup.policies.on_illegal.action == match::FaultPolicy::Action::kRetry;
}

}  // namespace

MatchFigures FiguresOf(const match::Setup& setup, absl::Span<const match::Record> records) {
  const std::shared_ptr<MatchFigures> figures = NewFigures(setup);
  MeasuringRecording recording(nullptr, figures, MayRetry(setup));
  for (const match::Record& record : records) recording.Add(record);
  return *figures;
}

void MoveTimes::Add(absl::Duration used) {
  ++moves;
  total += used;
  worst = std::max(worst, used);
}

void MoveTimes::Add(const MoveTimes& others) {
  moves += others.moves;
  total += others.total;
  worst = std::max(worst, others.worst);
}

void ForgivenFaults::Add(const ForgivenFaults& others) {
  substituted_timeouts += others.substituted_timeouts;
  substituted_illegal += others.substituted_illegal;
  retried += others.retried;
}

absl::StatusOr<std::unique_ptr<replay::Recording>> MeasuringRecorder::Open(
    const match::Setup& setup, const dice::Seed& seed) {
  std::unique_ptr<replay::Recording> keeper;
  if (keeper_ != nullptr) {
    absl::StatusOr<std::unique_ptr<replay::Recording>> opened = keeper_->Open(setup, seed);
    if (!opened.ok()) return opened.status();
    keeper = *std::move(opened);
  }
  const std::shared_ptr<MatchFigures> figures = NewFigures(setup);
  {
    MutexLock lock(&mutex_);
    figures_[setup.id] = figures;
  }
  return std::make_unique<MeasuringRecording>(std::move(keeper), figures, MayRetry(setup));
}

absl::Status MeasuringRecorder::Check() {
  return keeper_ == nullptr ? absl::OkStatus() : keeper_->Check();
}

MatchFigures MeasuringRecorder::Take(const MatchId& id) {
  MutexLock lock(&mutex_);
  const auto it = figures_.find(id);
  if (it == figures_.end()) return MatchFigures();
  MatchFigures figures = *it->second;
  figures_.erase(it);
  return figures;
}

}  // namespace referee::ctl
