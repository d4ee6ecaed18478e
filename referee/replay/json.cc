#include "referee/replay/json.h"

#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "nlohmann/json.hpp"
#include "referee/replay/cursor.h"
#include "referee/replay/summary.h"

namespace referee::replay {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;

std::string Text(absl::string_view text) { return std::string(text); }
std::string TimeText(absl::Time time) {
  return absl::FormatTime("%Y-%m-%dT%H:%M:%E6SZ", time, absl::UTCTimeZone());
}

Json RollJson(const match::Roll& roll) {
  Json dice = Json::array();
  for (int i = 0; i < roll.size(); ++i) dice.push_back(roll[i]);
  return dice;
}

Json RecordJson(const games::Game&, const match::Started& started) {
  Json json = {{"kind", "start"}, {"start_time", TimeText(started.time)}};
  if (started.nonces.empty()) return json;
  json["nonces"] = Json::array();
  for (const std::string& nonce : started.nonces) {
    json["nonces"].push_back(absl::BytesToHexString(nonce));
  }
  for (const absl::optional<dice::NonceHash>& hash : started.nonce_hashes) {
    json["nonce_hashes"].push_back(hash ? Json(dice::Hex(*hash)) : Json());
  }
  return json;
}

Json RecordJson(const games::Game&, const match::Drawn& drawn) {
  if (drawn.kind == games::Chance::Kind::kFirstPlayer) {
    return {{"kind", "first_player"}, {"seat", drawn.seat.text()}};
  }
  return {{"kind", "setup_roll"},
          {"round", drawn.round},
          {"seat", drawn.seat.text()},
          {"dice", RollJson(drawn.roll)}};
}

Json TimingJson(const match::Timing& timing) {
  Json json = {{"started_ns", absl::ToInt64Nanoseconds(timing.started)},
               {"read_ns", absl::ToInt64Nanoseconds(timing.read)},
               {"taken_ns", absl::ToInt64Nanoseconds(timing.taken)},
               {"round_trip_ns", absl::ToInt64Nanoseconds(timing.round_trip)},
               {"paused_ns", absl::ToInt64Nanoseconds(timing.paused)},
               {"credit_ns", absl::ToInt64Nanoseconds(timing.credit)},
               {"stalled_ns", absl::ToInt64Nanoseconds(timing.stalled)}};
  if (timing.link_lost) json["link_lost"] = true;
  if (timing.stalls_charged) json["stalls_charged"] = true;
  if (timing.written < absl::InfiniteDuration()) {
    json["written_ns"] = absl::ToInt64Nanoseconds(timing.written);
  }
  return json;
}

Json RecordJson(const games::Game& game, const match::Played& turn) {
  Json json = {{"kind", "turn"}, {"number", turn.number}, {"seat", turn.seat.text()}};
  if (turn.roll.size() > 0) json["dice"] = RollJson(turn.roll);
  json["move"] = game.MoveText(turn.move);
  json["legal_count"] = turn.legal_count;
  json["digest"] = dice::DigestText(turn.digest);
  json["used_ns"] = absl::ToInt64Nanoseconds(turn.used);
  if (turn.bank_left < absl::InfiniteDuration()) {
    json["bank_left_ns"] = absl::ToInt64Nanoseconds(turn.bank_left);
  }
  if (turn.timing) json["timing"] = TimingJson(*turn.timing);
  if (turn.substituted) json["substituted"] = Text(match::CauseName(*turn.substituted));
  return json;
}

Json RecordJson(const games::Game&, const match::Faulted& fault) {
  Json json = {{"kind", "fault"},
               {"seat", fault.seat.text()},
               {"cause", Text(match::CauseName(fault.cause))},
               {"number", fault.number},
               {"used_ns", absl::ToInt64Nanoseconds(fault.used)},
               {"detail", fault.detail}};
  if (fault.timing) json["timing"] = TimingJson(*fault.timing);
  return json;
}

Json RecordJson(const games::Game&, const match::Forfeited& forfeit) {
  Json json = {{"kind", "forfeit"},
               {"seat", forfeit.seat.text()},
               {"cause", Text(match::CauseName(forfeit.cause))},
               {"number", forfeit.number},
               {"digest", dice::DigestText(forfeit.digest)},
               {"used_ns", absl::ToInt64Nanoseconds(forfeit.used)},
               {"detail", forfeit.detail}};
  if (forfeit.timing) json["timing"] = TimingJson(*forfeit.timing);
  if (forfeit.interrupts_turn) json["interrupts_turn"] = true;
  return json;
}

Json RecordJson(const games::Game&, const match::NoContest& no_contest) {
  return {{"kind", "no_contest"},
          {"seat", no_contest.seat.text()},
          {"number", no_contest.number},
          {"used_ns", absl::ToInt64Nanoseconds(no_contest.used)},
          {"limit_ns", absl::ToInt64Nanoseconds(no_contest.limit)},
          {"stall_ns", absl::ToInt64Nanoseconds(no_contest.stall)},
          {"timing", TimingJson(no_contest.timing)}};
}

Json RecordJson(const games::Game&, const match::Resumed& resumed) {
  return {{"kind", "resumed"}, {"time", TimeText(resumed.time)}};
}

Json RecordJson(const games::Game&, const match::Ended& ended) {
  Json json = {{"kind", "end"},
               {"state", Text(EndingName(ended.ending))},
               {"reason", ended.reason},
               {"end_time", TimeText(ended.time)}};
  if (!ended.cancelled_by.empty()) json["cancelled_by"] = ended.cancelled_by;
  if (ended.ending == match::Ending::kFinished) {
    json["scores"] = ended.scores;
    json["ranks"] = ended.ranks;
  }
  return json;
}

Json DiceJson(const Replay& replay) {
  const match::DiceSource& source = replay.setup.dice_source;
  Json json = {{"commitment", dice::Hex(replay.setup.commitment)}};
  // Text, because many JSON readers round large numbers.
  if (source.pinned_number.has_value()) json["pinned"] = absl::StrCat(*source.pinned_number);
  if (source.pinned_seed.has_value()) json["pinned"] = dice::Hex(source.pinned_seed->bytes);
  if (replay.ended() != nullptr) json["seed"] = dice::Hex(replay.ended()->seed.bytes);
  const absl::optional<dice::Key> key = MatchKey(replay);
  if (key.has_value()) json["key"] = dice::Hex(key->bytes());
  return json;
}

// Everything but the records.
Json HeadJson(const Replay& replay, const std::string& competition) {
  const match::Setup& setup = replay.setup;
  Json json = {{"referee_replay", kFormat},
               {"match_id", setup.id.text()},
               {"create_time", TimeText(setup.create_time)},
               {"referee", setup.referee},
               {"game", Text(setup.game->name())}};
  json["options"] = Json::object();
  for (const games::Option& option : setup.game->options()) {
    json["options"][option.name] = option.value;
  }
  json["bots"] = setup.bots;
  if (!competition.empty()) json["competition"] = competition;
  if (setup.block.has_value()) {
    json["block"] = {{"block_id", setup.block->block.text()}, {"rotation", setup.block->rotation}};
  }
  json["time_control"] = match::TimeControlText(setup.time_control);
  json["on_timeout"] = match::FaultPolicyText(setup.policies.on_timeout);
  json["on_illegal"] = match::FaultPolicyText(setup.policies.on_illegal);
  json["on_lost_link"] = match::LinkPolicyText(setup.policies.link_grace);
  json["lag_compensation"] = match::LagCompensationText(setup.policies.lag);
  json["dice"] = DiceJson(replay);
  return json;
}

// --- A line for each turn ---

// Quotes a string. Positions and moves are ASCII without quotes; names may hold anything.
std::string JsonText(absl::string_view text) {
  return Json(Text(text)).dump(-1, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
}

// The parts that all lines of a seat share: its identity and its result.
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

std::string ReplayJson(const Replay& replay, const Extras& extras, JsonLayout layout) {
  Json json = HeadJson(replay, extras.competition);
  absl::optional<Cursor> cursor = extras.positions ? CursorOf(replay) : absl::nullopt;
  Json records = Json::array();
  for (const match::Record& record : replay.records) {
    Json known = std::visit(
        [&replay](const auto& kind) { return RecordJson(*replay.setup.game, kind); }, record);
    const std::string position = PositionAfter(record, &cursor);
    const bool start = std::holds_alternative<match::Started>(record);
    if (!position.empty()) (start ? json["start_position"] : known["position"]) = position;
    records.push_back(std::move(known));
  }
  json["records"] = std::move(records);
  // Replaces invalid UTF-8 instead of throwing.
  const int indent = layout == JsonLayout::kPretty ? 2 : -1;
  return json.dump(indent, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace) + "\n";
}

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
