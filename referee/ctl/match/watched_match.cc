#include "referee/ctl/match/watched_match.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "referee/ctl/match/text.h"
#include "referee/ctl/terminal/table.h"

namespace referee::ctl {
namespace {

bool Has(const v1::Frame& frame, v1::FrameEvent event) {
  return std::find(frame.events().begin(), frame.events().end(), event) != frame.events().end();
}

void AddEvents(const v1::Frame& frame, std::vector<absl::string_view>* events) {
  if (Has(frame, v1::FRAME_EVENT_CAPTURE)) events->push_back("capture");
  if (Has(frame, v1::FRAME_EVENT_FAULT)) events->push_back("played for");
  if (Has(frame, v1::FRAME_EVENT_LEAD)) events->push_back("new leader");
}

}  // namespace

std::string WatchedMatch::Take(const v1::WatchMatchResponse& news) {
  switch (news.kind_case()) {
    case v1::WatchMatchResponse::kSnapshot:
      Begin(news);
      break;
    case v1::WatchMatchResponse::kTurnPlayed:
    case v1::WatchMatchResponse::kSeatForfeited:
    case v1::WatchMatchResponse::kSeatFaulted:
      return Follow(news);
    case v1::WatchMatchResponse::kVerdict:
      course_.end = EndText(news.verdict());
      if (!course_.steps.empty()) course_.steps.back().event = true;
      break;
    case v1::WatchMatchResponse::KIND_NOT_SET:
      break;
  }
  return "";
}

void WatchedMatch::End(const absl::Status& why) {
  if (!course_.end.empty()) return;
  course_.end = why.ok() ? "the match is no longer told"
                         : absl::StrCat("it goes no further: ", Printable(why.message()));
}

void WatchedMatch::Begin(const v1::WatchMatchResponse& news) {
  const v1::Match& match = news.snapshot().match();
  match_ = std::make_unique<view::LiveMatch>(match);
  course_.live = true;
  course_.game = match_->game();
  course_.match_id = match.match_id();
  course_.bots.assign(match.bots().begin(), match.bots().end());
  course_.steps.clear();
  if (!news.started()) return;
  v1::WatchMatchResponse start;
  *start.mutable_drawn() = news.drawn();
  for (const view::LiveMatch::Step& step : match_->Begin(start)) Add(step, "");
  for (const v1::WatchMatchResponse& event : news.history()) (void)Follow(event);
}

std::string WatchedMatch::Follow(const v1::WatchMatchResponse& news) {
  if (match_ == nullptr) return "";
  std::vector<view::LiveMatch::Step> steps;
  match_->Take(news, &steps);
  std::vector<absl::string_view> events;
  for (const view::LiveMatch::Step& step : steps) {
    Add(step, Printable(news.seat_forfeited().detail()));
    AddEvents(step.frame, &events);
  }
  return absl::StrJoin(events, ", ");
}

void WatchedMatch::Add(const view::LiveMatch::Step& step, const std::string& detail) {
  CourseStep added;
  added.state = step.state;
  added.last = step.last;
  added.turns_played = step.frame.turn();
  for (const v1::SeatFrame& seat : step.frame.seats()) {
    added.clocks.push_back(
        {absl::Microseconds(seat.used_us()),
         seat.has_bank_us() ? absl::Microseconds(seat.bank_us()) : absl::InfiniteDuration()});
  }
  added.happened = step.frame.text();
  if (!detail.empty()) absl::StrAppend(&added.happened, " ", detail);
  added.position = step.frame.position();
  added.fault = Has(step.frame, v1::FRAME_EVENT_FAULT) || Has(step.frame, v1::FRAME_EVENT_FORFEIT);
  added.capture = Has(step.frame, v1::FRAME_EVENT_CAPTURE);
  added.event = step.frame.events_size() > 0;
  course_.steps.push_back(std::move(added));
}

}  // namespace referee::ctl
