#include "referee/replay/turn_lines.h"

#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "nlohmann/json.hpp"
#include "referee/replay/cursor.h"
#include "referee/replay/summary.h"

namespace referee::replay {
namespace {

// In quotes. Positions and moves are ASCII without quotes; names may be anything.
std::string JsonText(absl::string_view text) {
  return nlohmann::json(std::string(text))
      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// What is the same in all lines of a seat: who it is, and what will have become of it.
struct SeatLines {
  std::string head;
  std::string tail;
};

std::vector<SeatLines> TextsOf(const Replay& replay) {
  const match::Setup& setup = replay.setup;
  const match::Verdict& verdict = *replay.ended();
  std::vector<SeatLines> seats(setup.bots.size());
  for (size_t i = 0; i < seats.size(); ++i) {
    seats[i].head =
        absl::StrCat(R"({"match_id":")", setup.id.text(), R"(","game":)",
                     JsonText(setup.game->name()), R"(,"seat":")", Seat(static_cast<int>(i)).text(),
                     R"(","bot":)", JsonText(setup.bots[i]), R"(,"turn":)");
    seats[i].tail = absl::StrCat(R"(,"ending":")", EndingName(verdict.ending), "\"");
    if (i < verdict.ranks.size()) absl::StrAppend(&seats[i].tail, R"(,"rank":)", verdict.ranks[i]);
    if (i < verdict.scores.size()) {
      absl::StrAppend(&seats[i].tail, R"(,"score":)", verdict.scores[i]);
    }
    absl::StrAppend(&seats[i].tail, "}\n");
  }
  return seats;
}

void AppendRollField(const match::Roll& roll, std::string* out) {
  if (roll.size() == 0) return;
  absl::StrAppend(out, R"(,"roll":[)", roll[0]);
  for (int i = 1; i < roll.size(); ++i) absl::StrAppend(out, ",", roll[i]);
  absl::StrAppend(out, "]");
}

}  // namespace

absl::Status AppendTurnLines(const Replay& replay, std::string* out) {
  absl::optional<Cursor> cursor = CursorOf(replay);
  if (!cursor.has_value()) return absl::OkStatus();
  const size_t before = out->size();
  const std::vector<SeatLines> seats = TextsOf(replay);
  for (const match::Record& record : replay.records) {
    if (absl::Status taken = cursor->Take(record); !taken.ok()) {
      out->resize(before);
      return taken;
    }
    const auto* const turn = std::get_if<match::Played>(&record);
    if (turn == nullptr) continue;
    const SeatLines& seat = seats[static_cast<size_t>(turn->seat.index())];
    absl::StrAppend(out, seat.head, turn->number, R"(,"position":")");
    cursor->before().AppendPosition(out);
    absl::StrAppend(out, "\"");
    AppendRollField(turn->roll, out);
    absl::StrAppend(out, R"(,"legal":)", turn->legal_count, R"(,"move":")");
    replay.setup.game->AppendMove(turn->move, out);
    absl::StrAppend(out, R"(","used_ns":)", absl::ToInt64Nanoseconds(turn->used));
    if (turn->timing) {
      absl::StrAppend(out, R"(,"own_ns":)", absl::ToInt64Nanoseconds(turn->timing->own_delay()));
    }
    if (turn->substituted) {
      absl::StrAppend(out, R"(,"substituted":")", match::CauseName(*turn->substituted), "\"");
    }
    out->append(seat.tail);
  }
  return absl::OkStatus();
}

}  // namespace referee::replay
