#include "referee/gate/feed.h"

#include <algorithm>
#include <utility>

#include "referee/gate/errors.h"
#include "referee/gate/json.h"

namespace referee::gate {

// --- All feeds ---

void Feed::Start() {
  environment_.loop->At(environment_.loop->Now() + environment_.bounds.patience,
                        [weak = weak_from_this()] {
                          const std::shared_ptr<Feed> self = weak.lock();
                          if (self != nullptr && !self->opened()) self->Open(RefereeSilent());
                        });
  Watch();
}

void Feed::WhenOpen(Then then) {
  if (opened_) return then(*opened_);
  waiting_.push_back(std::move(then));
}

void Feed::Open(const absl::Status& status) {
  if (opened_) return;
  opened_ = status;
  if (!status.ok()) call_ = nullptr;
  for (const Then& then : std::exchange(waiting_, {})) then(status);
}

void Feed::WatchLater(const absl::Status& why) {
  call_ = nullptr;
  if (!opened_) return Open(why);
  if (failed()) return;
  environment_.loop->At(environment_.loop->Now() + pause_, [weak = weak_from_this()] {
    if (const std::shared_ptr<Feed> self = weak.lock()) self->Watch();
  });
  pause_ = std::min(2 * pause_, kLastPause);
}

// --- A match ---

void MatchFeed::Watch() {
  const std::weak_ptr<MatchFeed> weak = Weak(this);
  call_ = environment_.upstream->WatchMatch(
      match_id_,
      [weak](const v1::WatchMatchResponse& event) {
        if (const auto self = weak.lock()) self->Take(event);
      },
      [weak](const absl::Status& status) {
        if (const auto self = weak.lock()) self->TakeEnd(status);
      });
}

void MatchFeed::Take(const v1::WatchMatchResponse& batch) {
  Heard();
  TakeEvent(batch);
  for (const v1::WatchMatchResponse& event : batch.further()) TakeEvent(event);
  Advance();
}

void MatchFeed::TakeEvent(const v1::WatchMatchResponse& event) {
  if (event.has_snapshot()) return TakeSnapshot(event);
  if (live_ == nullptr) return;
  if (event.has_verdict()) {
    ended_ = true;
    topic_.End(ToJson(view::LiveMatch::VerdictOf(event.verdict())));
    return;
  }
  const bool was_well = live_->problem().ok();
  if (topic_.frames() >= environment_.bounds.replay_turns && was_well) live_->GiveUp();
  std::vector<view::LiveMatch::Step> steps;
  live_->Take(event, &steps);
  for (const view::LiveMatch::Step& step : steps) topic_.Append(ToJson(step.frame));
  if (was_well && !live_->problem().ok()) topic_.SetHead(ToJson(live_->head()));
}

void MatchFeed::TakeSnapshot(const v1::WatchMatchResponse& event) {
  const v1::Match& match = event.snapshot().match();
  const bool first = live_ == nullptr;
  if (match.has_verdict()) {
    verdict_ = match.verdict();
    if (first) live_ = std::make_unique<view::LiveMatch>(match);
    return Fetch();
  }
  live_ = std::make_unique<view::LiveMatch>(match);
  std::vector<view::LiveMatch::Step> steps;
  if (event.started()) steps = live_->Begin(event);
  topic_.SetHead(ToJson(live_->head()));
  std::vector<std::string> frames;
  frames.reserve(steps.size());
  for (const view::LiveMatch::Step& step : steps) frames.push_back(ToJson(step.frame));
  topic_.Replace(std::move(frames));
  if (first) topic_.Open();
  Open(absl::OkStatus());
}

void MatchFeed::TakeEnd(const absl::Status& status) {
  call_ = nullptr;
  if (ended_) return;
  if (absl::IsNotFound(status)) return Fetch();
  WatchLater(status.ok() ? RefereeSilent() : status);
}

void MatchFeed::Fetch() {
  call_ = nullptr;
  environment_.upstream->FetchReplay(match_id_, environment_.bounds.replay_bytes,
                                     [weak = Weak(this)](absl::StatusOr<std::string> replay) {
                                       const auto self = weak.lock();
                                       if (self != nullptr) self->TakeReplay(replay);
                                     });
}

void MatchFeed::TakeReplay(const absl::StatusOr<std::string>& replay) {
  if (absl::IsNotFound(replay.status()) && verdict_) return EndWithout();
  if (!replay.ok()) return WatchLater(replay.status());
  const auto made =
      std::make_shared<absl::StatusOr<FinishedMatch>>(absl::UnknownError("not made yet"));
  environment_.loop->Away(
      [made, bytes = *replay, turns = environment_.bounds.replay_turns] {
        *made = FinishedMatchOf(bytes, turns);
      },
      [made, weak = Weak(this)] {
        if (const auto self = weak.lock()) self->TakeFinished(*made);
      });
}

void MatchFeed::TakeFinished(const absl::StatusOr<FinishedMatch>& match) {
  if (!match.ok()) return WatchLater(match.status());
  ended_ = true;
  topic_.SetHead(match->head);
  topic_.Replace(match->frames);
  topic_.End(match->verdict);
  if (!opened()) topic_.Open();
  Open(absl::OkStatus());
  Advance();
}

void MatchFeed::EndWithout() {
  ended_ = true;
  if (!opened()) topic_.SetHead(ToJson(live_->head()));
  topic_.End(ToJson(view::LiveMatch::VerdictOf(*verdict_)));
  if (!opened()) topic_.Open();
  Open(absl::OkStatus());
  Advance();
}

void MatchFeed::Advance() {
  if (!opened()) return;
  const Instant again = topic_.Advance(environment_.loop->Now());
  if (again == Instant::InfiniteFuture() || again == again_) return;
  again_ = again;
  environment_.loop->At(again, [weak = Weak(this), again] {
    const auto self = weak.lock();
    if (self == nullptr || self->again_ != again) return;
    self->again_ = Instant::InfiniteFuture();
    self->Advance();
  });
}

// --- A competition ---

void CompetitionFeed::Watch() {
  const std::weak_ptr<CompetitionFeed> weak = Weak(this);
  call_ = environment_.upstream->WatchCompetition(
      name_,
      [weak](const v1::WatchCompetitionResponse& now) {
        if (const auto self = weak.lock()) self->Take(now);
      },
      [weak](const absl::Status& status) {
        if (const auto self = weak.lock()) self->TakeEnd(status);
      });
}

void CompetitionFeed::Take(const v1::WatchCompetitionResponse& now) {
  Heard();
  topic_.Set(ToJson(now), now.competition().state() == v1::COMPETITION_STATE_FINISHED);
  Open(absl::OkStatus());
}

void CompetitionFeed::TakeEnd(const absl::Status& status) {
  call_ = nullptr;
  if (!topic_.over()) WatchLater(status.ok() ? RefereeSilent() : status);
}

}  // namespace referee::gate
