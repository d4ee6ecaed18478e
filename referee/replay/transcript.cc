#include "referee/replay/transcript.h"

#include <variant>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "referee/base/text.h"
#include "referee/replay/cursor.h"

namespace referee::replay {
namespace {

void AppendRoll(const match::Roll& roll, std::string* out) {
  for (int i = 0; i < roll.size(); ++i) out->push_back(static_cast<char>('0' + roll[i]));
}

void AppendHeader(const match::Setup& setup, const std::string& competition, std::string* out) {
  absl::StrAppend(out, "referee-transcript 1\ngame ", setup.game->name(), "\n");
  for (const games::Option& option : setup.game->options()) {
    absl::StrAppend(out, "option ", option.name, "=", OneLine(option.value), "\n");
  }
  absl::StrAppend(out, "seats ", setup.game->seats(), "\n");
  for (size_t i = 0; i < setup.bots.size(); ++i) {
    absl::StrAppend(out, "bot ", Seat(static_cast<int>(i)).text(), " ", OneLine(setup.bots[i]),
                    "\n");
  }
  if (!competition.empty()) absl::StrAppend(out, "competition ", OneLine(competition), "\n");
}

void AppendDice(const Replay& replay, std::string* out) {
  const match::DiceSource& source = replay.setup.dice_source;
  absl::StrAppend(out, "commit ", dice::Hex(replay.setup.commitment), "\n");
  if (source.pinned_number.has_value()) {
    absl::StrAppend(out, "pinned ", *source.pinned_number, "\n");
  } else if (source.pinned_seed.has_value()) {
    absl::StrAppend(out, "pinned ", dice::Hex(source.pinned_seed->bytes), "\n");
  }
  const match::Ended* ended = replay.ended();
  if (ended != nullptr) absl::StrAppend(out, "seed ", dice::Hex(ended->seed.bytes), "\n");
  const absl::optional<match::BlockPlace>& block = replay.setup.block;
  if (block.has_value()) absl::StrAppend(out, "rotation ", block->rotation, "\n");
  const match::Started* started = replay.started();
  if (started != nullptr && !source.pinned()) {
    for (size_t i = 0; i < started->nonces.size(); ++i) {
      const std::string& nonce = started->nonces[i];
      absl::StrAppend(out, "nonce ", Seat(static_cast<int>(i)).text(), " ",
                      nonce.empty() ? "-" : absl::BytesToHexString(nonce), "\n");
    }
  }
  const absl::optional<dice::Key> key = MatchKey(replay);
  if (key.has_value()) absl::StrAppend(out, "key ", dice::Hex(key->bytes()), "\n");
}

// The draws decide which seat has the first turn; records need not say it. In a start position
// State::first_seat is a part of the position, and may differ from the seat to move.
void AppendStart(const Replay& replay, std::string* out) {
  for (const match::Record& record : replay.records) {
    const auto* drawn = std::get_if<match::Drawn>(&record);
    if (drawn == nullptr || drawn->kind != games::Chance::Kind::kSetupRoll) continue;
    absl::StrAppend(out, "setup ", drawn->round, " ", drawn->seat.text(), " ");
    AppendRoll(drawn->roll, out);
    out->push_back('\n');
  }
  absl::optional<Cursor> cursor = CursorOf(replay);
  if (!cursor.has_value() || !cursor->Take(*replay.started()).ok()) return;
  if (!cursor->state().seat_to_move().valid()) return;
  absl::StrAppend(out, "first ", cursor->state().seat_to_move().text(), "\n");
}

void AppendEnd(const match::Ended& ended, std::string* out) {
  switch (ended.ending) {
    case match::Ending::kVoid:
      absl::StrAppend(out, "end VOID\n");
      return;
    case match::Ending::kCancelled:
      absl::StrAppend(out, "end CANCELLED\n");
      return;
    case match::Ending::kFinished:
      absl::StrAppend(out, "end ", OneLine(ended.reason), "\nscores ",
                      absl::StrJoin(ended.scores, " "), "\nranks ", absl::StrJoin(ended.ranks, " "),
                      "\n");
  }
}

}  // namespace

std::string Transcript(const Replay& replay, const Extras& extras) {
  std::string out;
  out.reserve(1024 + 64 * replay.records.size());
  AppendHeader(replay.setup, extras.competition, &out);
  AppendDice(replay, &out);
  AppendStart(replay, &out);
  absl::optional<Cursor> cursor = extras.positions ? CursorOf(replay) : absl::nullopt;
  for (const match::Record& record : replay.records) {
    if (const auto* turn = std::get_if<match::Played>(&record)) {
      AppendTurnLine(*replay.setup.game, *turn, &out);
    } else if (const auto* forfeit = std::get_if<match::Forfeited>(&record)) {
      AppendForfeitLine(*forfeit, &out);
    }
    const std::string position = PositionAfter(record, &cursor);
    if (!position.empty()) absl::StrAppend(&out, "position ", position, "\n");
  }
  if (replay.ended() != nullptr) AppendEnd(*replay.ended(), &out);
  return out;
}

void AppendTurnLine(const games::Game& game, const match::Played& turn, std::string* out) {
  absl::StrAppend(out, turn.number, " ", turn.seat.text(), " ");
  if (turn.roll.size() > 0) {
    AppendRoll(turn.roll, out);
    out->push_back(' ');
  }
  game.AppendMove(turn.move, out);
  absl::StrAppend(out, " ; legal ", turn.legal_count, " digest ", dice::DigestText(turn.digest));
  if (turn.substituted) absl::StrAppend(out, " !", match::CauseName(*turn.substituted));
  out->push_back('\n');
}

void AppendForfeitLine(const match::Forfeited& forfeit, std::string* out) {
  absl::StrAppend(out, "forfeit ", forfeit.seat.text(), " ", match::CauseName(forfeit.cause), " ",
                  forfeit.number, " ; digest ", dice::DigestText(forfeit.digest), "\n");
}

}  // namespace referee::replay
