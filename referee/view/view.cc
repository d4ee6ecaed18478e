#include "referee/view/view.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "referee/base/duration_text.h"
#include "referee/replay/cursor.h"
#include "referee/replay/summary.h"
#include "referee/view/frames.h"
#include "referee/view/ledger.h"

namespace referee::view {
namespace {

int64_t Micros(absl::Duration duration) { return absl::ToInt64Microseconds(duration); }

void AddSetup(const match::Setup& setup, v1::MatchView* view) {
  view->set_match_id(setup.id.text());
  view->set_game(std::string(setup.game->name()));
  for (const games::Option& option : setup.game->options()) {
    view->add_options(absl::StrCat(option.name, "=", option.value));
  }
  for (const std::string& bot : setup.bots) view->add_bots(bot);
  view->set_time_control(match::TimeControlText(setup.time_control));
  view->set_create_time(UtcText(setup.create_time));
  if (absl::optional<v1::BoardGeometry> geometry = GeometryOf(*setup.game)) {
    *view->mutable_geometry() = *std::move(geometry);
  }
}

void AddFrames(const replay::Replay& replay, v1::MatchView* view) {
  absl::optional<replay::Cursor> cursor = replay::CursorOf(replay);
  if (!cursor.has_value()) return;
  Frames frames(replay.setup, *std::move(cursor));
  for (const match::Record& record : replay.records) {
    absl::StatusOr<absl::optional<v1::Frame>> frame = frames.Take(record);
    if (!frame.ok()) return view->set_problem(std::string(frame.status().message()));
    if (frame->has_value()) *view->add_frames() = **std::move(frame);
  }
  view->mutable_frames(view->frames_size() - 1)->add_events(v1::FRAME_EVENT_END);
}

void AddLedger(const replay::Replay& replay, v1::MatchView* view) {
  int steps = 0;
  for (const TurnTimes& row : TimesOfTurns(replay)) {
    v1::LedgerEntry* const entry = view->add_ledger();
    entry->set_mark(row.mark);
    entry->set_detail(row.detail);
    if (row.turn == 0) continue;
    entry->set_turn(row.turn);
    entry->set_seat(static_cast<uint32_t>(row.seat.index()));
    entry->set_charged_us(Micros(row.charged));
    if (row.stepped && ++steps < view->frames_size()) {
      entry->set_frame(static_cast<uint32_t>(steps));
    }
    if (!row.timing) continue;
    if (row.limit < absl::InfiniteDuration()) entry->set_limit_us(Micros(row.limit));
    const TimeSplit split = Split(*row.timing);
    entry->set_bot_us(Micros(split.bot));
    entry->set_network_us(Micros(split.network));
    entry->set_referee_us(Micros(split.referee));
    entry->set_paused_us(Micros(split.paused));
  }
}

void AddVerdict(const match::Ended& ended, v1::MatchVerdict* verdict) {
  verdict->set_ending(std::string(replay::EndingName(ended.ending)));
  verdict->set_reason(ended.reason);
  for (const int score : ended.scores) verdict->add_scores(score);
  for (const int rank : ended.ranks) verdict->add_ranks(static_cast<uint32_t>(rank));
  verdict->set_end_time(UtcText(ended.time));
}

}  // namespace

v1::MatchView MakeView(const replay::Replay& replay, absl::string_view bytes) {
  v1::MatchView view;
  AddSetup(replay.setup, &view);
  AddFrames(replay, &view);
  AddLedger(replay, &view);
  if (replay.ended() != nullptr) AddVerdict(*replay.ended(), view.mutable_verdict());
  view.set_replay(std::string(bytes));
  return view;
}

}  // namespace referee::view
