#include "referee/gate/finished_match.h"

#include <utility>

#include "proto/referee/v1/view.pb.h"
#include "referee/gate/errors.h"
#include "referee/gate/json.h"
#include "referee/replay/replay.h"
#include "referee/view/page.h"
#include "referee/view/view.h"

namespace referee::gate {
namespace {

absl::StatusOr<v1::MatchView> ViewOf(absl::string_view bytes, size_t max_turns) {
  const absl::StatusOr<replay::Replay> replay = replay::Parse(bytes);
  if (!replay.ok()) return replay.status();
  if (replay->turns() > max_turns) return ReplayTooLarge(replay->setup.id.text());
  return view::MakeView(*replay, bytes);
}

}  // namespace

absl::StatusOr<FinishedMatch> FinishedMatchOf(absl::string_view replay, size_t max_turns) {
  absl::StatusOr<v1::MatchView> view = ViewOf(replay, max_turns);
  if (!view.ok()) return view.status();
  FinishedMatch match;
  for (const v1::Frame& frame : view->frames()) match.frames.push_back(ToJson(frame));
  match.verdict = ToJson(view->verdict());
  view->clear_frames();
  view->clear_verdict();
  view->clear_replay();
  match.head = ToJson(*view);
  return match;
}

absl::StatusOr<std::string> ViewJsonOf(absl::string_view replay, size_t max_turns) {
  absl::StatusOr<v1::MatchView> view = ViewOf(replay, max_turns);
  if (!view.ok()) return view.status();
  view->clear_replay();
  return ToJson(*view);
}

absl::StatusOr<std::string> PageOf(absl::string_view replay, size_t max_turns) {
  absl::StatusOr<v1::MatchView> view = ViewOf(replay, max_turns);
  if (!view.ok()) return view.status();
  v1::MatchViews views;
  *views.add_matches() = *std::move(view);
  return view::MakePage(views);
}

}  // namespace referee::gate
