#include "referee/view/frames.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"

namespace referee::view {
namespace {

using games::BoardPlace;
using games::SceneMark;
using games::ScenePiece;

// Converts an enumerator of a game to the one of view.proto, whose 0 means unspecified. Both have
// the same order.
template <typename Proto, typename Kind>
Proto ToProto(Kind kind) {
  return static_cast<Proto>(static_cast<int>(kind) + 1);
}
static_assert(v1::PLACE_KIND_CELL == static_cast<int>(BoardPlace::Kind::kCell) + 1, "");
static_assert(v1::PIECE_KIND_COUNTER == static_cast<int>(ScenePiece::Kind::kCounter) + 1, "");
static_assert(v1::MARK_KIND_REMOVED == static_cast<int>(SceneMark::Kind::kRemoved) + 1, "");

bool HasPlaces(const games::Viewable* game) {
  return game != nullptr && !game->Geometry().places.empty();
}

// "Turn 22: seat a rolled 2 5 and "
std::string WhoText(const match::Played& turn) {
  std::string text = absl::StrCat("Turn ", turn.number, ": seat ", turn.seat.text(), " ");
  if (turn.roll.size() == 0) return text;
  absl::StrAppend(&text, "rolled");
  for (int i = 0; i < turn.roll.size(); ++i) absl::StrAppend(&text, " ", turn.roll[i]);
  return absl::StrCat(text, " and ");
}

}  // namespace

absl::optional<v1::BoardGeometry> GeometryOf(const games::Game& game) {
  const games::Viewable* const viewable = games::ViewableOf(game);
  if (!HasPlaces(viewable)) return absl::nullopt;
  const games::BoardGeometry geometry = viewable->Geometry();
  v1::BoardGeometry out;
  out.set_width(geometry.width);
  out.set_height(geometry.height);
  for (const BoardPlace& place : geometry.places) {
    v1::Place* const added = out.add_places();
    added->set_kind(ToProto<v1::PlaceKind>(place.kind));
    added->set_name(place.name);
    added->set_x(place.x);
    added->set_y(place.y);
    if (place.seat.valid()) added->set_seat(static_cast<uint32_t>(place.seat.index()));
    added->set_landmark(place.landmark);
  }
  for (const games::BoardLink& link : geometry.links) {
    v1::PlaceLink* const added = out.add_links();
    added->set_from(static_cast<uint32_t>(link.from));
    added->set_to(static_cast<uint32_t>(link.to));
  }
  for (const int angle : geometry.seat_angles) out.add_seat_angles(angle);
  return out;
}

Frames::Frames(const match::Setup& setup, replay::Cursor cursor)
    : setup_(setup),
      cursor_(std::move(cursor)),
      game_(games::ViewableOf(*setup.game)),
      placed_(HasPlaces(game_)) {}

absl::StatusOr<absl::optional<v1::Frame>> Frames::Take(const match::Record& record) {
  if (absl::Status taken = cursor_.Take(record); !taken.ok()) return taken;
  if (const auto* fault = std::get_if<match::Faulted>(&record)) {
    faults_.push_back(absl::StrCat(" Seat ", fault->seat.text(), ": fault, ",
                                   match::CauseName(fault->cause), "."));
  }
  if (!cursor_.moved()) return absl::optional<v1::Frame>();
  const auto* const turn = std::get_if<match::Played>(&record);
  const auto* const forfeit = std::get_if<match::Forfeited>(&record);
  v1::Frame frame = turn != nullptr      ? Turn(*turn)
                    : forfeit != nullptr ? Forfeit(*forfeit)
                                         : Start();
  AddDraws(&frame);
  return absl::optional<v1::Frame>(std::move(frame));
}

v1::Frame Frames::Start() {
  v1::Frame frame = FrameOf(nullptr, games::Move::Pass());
  frame.set_text("The start.");
  return frame;
}

v1::Frame Frames::Turn(const match::Played& turn) {
  v1::Frame frame = FrameOf(&cursor_.before(), turn.move);
  frame.set_seat(static_cast<uint32_t>(turn.seat.index()));
  for (int i = 0; i < turn.roll.size(); ++i) frame.add_dice(static_cast<uint32_t>(turn.roll[i]));
  frame.set_move(setup_.game->MoveText(turn.move));
  frame.set_legal_count(turn.legal_count);
  std::string does = turn.move.is_pass() ? "has to pass" : "";
  if (does.empty() && game_ != nullptr) does = game_->Describe(cursor_.before(), turn.move);
  if (does.empty()) does = absl::StrCat("plays ", frame.move());
  std::string text = absl::StrCat(WhoText(turn), does, ".");
  if (turn.substituted) {
    absl::StrAppend(&text, " The referee played for it: ", match::CauseName(*turn.substituted),
                    ".");
  }
  if (game_ != nullptr && game_->Captures(turn.move)) frame.add_events(v1::FRAME_EVENT_CAPTURE);
  if (turn.substituted || !faults_.empty()) frame.add_events(v1::FRAME_EVENT_FAULT);
  frame.set_text(absl::StrCat(text, TakeFaults()));
  AddLead(&frame);
  return frame;
}

v1::Frame Frames::Forfeit(const match::Forfeited& forfeit) {
  v1::Frame frame = FrameOf(nullptr, games::Move::Pass());
  frame.set_seat(static_cast<uint32_t>(forfeit.seat.index()));
  frame.set_text(absl::StrCat("Turn ", forfeit.number, " was due: seat ", forfeit.seat.text(),
                              " forfeits, ", match::CauseName(forfeit.cause), ".", TakeFaults()));
  frame.add_events(v1::FRAME_EVENT_FORFEIT);
  AddLead(&frame);
  return frame;
}

v1::Frame Frames::FrameOf(const games::State* before, games::Move last) {
  const games::State& state = cursor_.state();
  v1::Frame frame;
  frame.set_turn(cursor_.turns_played());
  AddSeats(&frame);
  if (placed_) {
    AddScene(before, last, &frame);
  } else {
    frame.set_drawing(state.Draw(games::DrawStyle(), last));
  }
  if (state.phase() == games::Phase::kTurn) {
    frame.set_next_seat(static_cast<uint32_t>(state.seat_to_move().index()));
    for (const int die : state.roll()) frame.add_next_dice(static_cast<uint32_t>(die));
  }
  frame.set_position(state.Position());
  return frame;
}

void Frames::AddSeats(v1::Frame* frame) {
  const games::State& state = cursor_.state();
  for (size_t i = 0; i < cursor_.clocks().size(); ++i) {
    const Seat seat(static_cast<int>(i));
    const replay::SeatClock& clock = cursor_.clocks()[i];
    v1::SeatFrame* const added = frame->add_seats();
    added->set_score(state.score(seat));
    added->set_used_us(absl::ToInt64Microseconds(clock.used));
    if (clock.bank < absl::InfiniteDuration()) {
      added->set_bank_us(absl::ToInt64Microseconds(clock.bank));
    }
    added->set_forfeited(state.forfeited(seat));
  }
}

void Frames::AddScene(const games::State* before, games::Move last, v1::Frame* frame) {
  const games::Scene scene = game_->SceneOf(cursor_.state(), before, last);
  for (const ScenePiece& piece : scene.pieces) {
    v1::Piece* const added = frame->add_pieces();
    added->set_kind(ToProto<v1::PieceKind>(piece.kind));
    added->set_seat(static_cast<uint32_t>(piece.seat.index()));
    added->set_place(static_cast<uint32_t>(piece.place));
    if (piece.kind == ScenePiece::Kind::kBar) added->set_end(static_cast<uint32_t>(piece.end));
  }
  for (const SceneMark& mark : scene.marks) {
    v1::Mark* const added = frame->add_marks();
    added->set_kind(ToProto<v1::MarkKind>(mark.kind));
    added->set_from(static_cast<uint32_t>(mark.from));
    added->set_to(static_cast<uint32_t>(mark.to));
  }
  for (size_t i = 0; i < scene.holdings.size(); ++i) {
    frame->mutable_seats(static_cast<int>(i))->set_holding(scene.holdings[i]);
  }
}

void Frames::AddLead(v1::Frame* frame) {
  Seat best = Seat::None();
  int most = 0;
  bool alone = false;
  for (size_t i = 0; i < cursor_.clocks().size(); ++i) {
    const Seat seat(static_cast<int>(i));
    const int score = cursor_.state().score(seat);
    alone = !best.valid() || score > most || (alone && score != most);
    if (best.valid() && score <= most) continue;
    best = seat;
    most = score;
  }
  if (!alone || best == leader_) return;
  leader_ = best;
  frame->add_events(v1::FRAME_EVENT_LEAD);
}

void Frames::AddDraws(v1::Frame* frame) {
  for (const replay::Cursor::Draw& drawn : cursor_.draws()) {
    v1::ChanceDraw* const draw = frame->add_draws();
    draw->set_label(std::string(drawn.chance.label().text()));
    draw->set_sides(static_cast<uint32_t>(drawn.chance.sides));
    for (int i = 0; i < drawn.numbers.size(); ++i) {
      draw->add_numbers(static_cast<uint32_t>(drawn.numbers[i]));
    }
  }
}

std::string Frames::TakeFaults() {
  std::string text;
  for (const std::string& fault : std::exchange(faults_, {})) absl::StrAppend(&text, fault);
  return text;
}

}  // namespace referee::view
