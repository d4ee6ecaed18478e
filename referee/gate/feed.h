// A match or competition that the gate watches upstream once for all its watchers.
//
// Used on the loop only.
#ifndef REFEREE_GATE_FEED_H_
#define REFEREE_GATE_FEED_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/gate/bounds.h"
#include "referee/gate/finished_match.h"
#include "referee/gate/latest_topic.h"
#include "referee/gate/loop.h"
#include "referee/gate/match_topic.h"
#include "referee/gate/upstream.h"
#include "referee/view/live_match.h"

namespace referee::gate {

// Shared by all feeds. All must outlive them.
struct FeedEnvironment {
  Upstream* upstream = nullptr;
  Loop* loop = nullptr;
  Bounds bounds;
};

class Feed : public std::enable_shared_from_this<Feed> {
 public:
  using Then = std::function<void(const absl::Status&)>;
  virtual ~Feed() = default;

  // Starts to watch. Call once.
  void Start();
  // Calls `then` once the feed is open, at once if it is. `then` gets NotFound, PermissionDenied or
  // Unavailable if there is nothing to watch.
  void WhenOpen(Then then);
  bool failed() const { return opened_ && !opened_->ok(); }
  // Whether the feed is open or has failed.
  bool opened() const { return opened_.has_value(); }

  virtual Topic& topic() = 0;
  // Whether no event will follow.
  virtual bool over() const = 0;

 protected:
  explicit Feed(const FeedEnvironment& environment) : environment_(environment) {}

  virtual void Watch() = 0;
  void Open(const absl::Status& status);
  // The call has ended too early: tries again later, or fails if the feed never opened.
  void WatchLater(const absl::Status& why);
  void Heard() { pause_ = kFirstPause; }
  template <typename Self>
  std::weak_ptr<Self> Weak(Self* self) {
    return std::static_pointer_cast<Self>(self->shared_from_this());
  }

  const FeedEnvironment& environment_;
  std::unique_ptr<OpenCall> call_;

 private:
  static constexpr absl::Duration kFirstPause = absl::Milliseconds(200);
  static constexpr absl::Duration kLastPause = absl::Seconds(5);

  absl::optional<absl::Status> opened_;
  std::vector<Then> waiting_;
  absl::Duration pause_ = kFirstPause;
};

class MatchFeed final : public Feed {
 public:
  MatchFeed(const FeedEnvironment& environment, std::string match_id)
      : Feed(environment), match_id_(std::move(match_id)) {}

  MatchTopic& topic() override { return topic_; }
  bool over() const override { return topic_.over(); }
  // The view so far. REQUIRES: WhenOpen has reported OK.
  Message View() const { return topic_.View(); }

 private:
  void Watch() override;
  void Take(const v1::WatchMatchResponse& batch);
  void TakeEvent(const v1::WatchMatchResponse& event);
  void TakeSnapshot(const v1::WatchMatchResponse& event);
  void TakeEnd(const absl::Status& status);
  // Fetches the replay of a finished match, which has everything.
  void Fetch();
  void TakeReplay(const absl::StatusOr<std::string>& replay);
  void TakeFinished(const absl::StatusOr<FinishedMatch>& match);
  // Ends a match that has no replay with the verdict from the referee.
  void EndWithout();
  void Advance();

  const std::string match_id_;
  MatchTopic topic_;
  std::unique_ptr<view::LiveMatch> live_;  // null before the first snapshot
  bool ended_ = false;                     // the whole match is known
  absl::optional<v1::Verdict> verdict_;
  Instant again_ = Instant::InfiniteFuture();  // when to advance the topic again
};

class CompetitionFeed final : public Feed {
 public:
  CompetitionFeed(const FeedEnvironment& environment, std::string name)
      : Feed(environment), name_(std::move(name)), topic_("standings") {}

  LatestTopic& topic() override { return topic_; }
  bool over() const override { return topic_.over(); }

 private:
  void Watch() override;
  void Take(const v1::WatchCompetitionResponse& now);
  void TakeEnd(const absl::Status& status);

  const std::string name_;
  LatestTopic topic_;
};

}  // namespace referee::gate

#endif  // REFEREE_GATE_FEED_H_
