#include "referee/replay/summary.h"

#include <algorithm>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace referee::replay {
namespace {

constexpr absl::string_view kOfCompetition = "c/";

std::string OpeningRollText(const match::Roll& roll) {
  if (roll.size() == 0) return "";
  if (roll.size() == 1) return absl::StrCat(roll[0]);
  return absl::StrCat(std::max(roll[0], roll[1]), "-", std::min(roll[0], roll[1]));
}

// Adds what one record says.
void Count(const match::Record& record, ReplaySummary* summary) {
  if (const auto* played = std::get_if<match::Played>(&record)) {
    if (summary->turns++ == 0) summary->opening_roll = OpeningRollText(played->roll);
    summary->seats[played->seat.index()].used += played->used;
  } else if (const auto* forfeited = std::get_if<match::Forfeited>(&record)) {
    summary->seats[forfeited->seat.index()].used += forfeited->used;
  }
}

void CountVerdict(const match::Verdict& verdict, ReplaySummary* summary) {
  summary->ending = verdict.ending;
  for (size_t seat = 0; seat < summary->seats.size(); ++seat) {
    if (seat < verdict.ranks.size()) summary->seats[seat].rank = verdict.ranks[seat];
    if (seat < verdict.scores.size()) summary->seats[seat].score = verdict.scores[seat];
  }
  for (const match::SeatForfeit& forfeit : verdict.forfeits) {
    summary->seats[forfeit.seat.index()].forfeit = forfeit.cause;
  }
}

absl::Time ToMicroseconds(absl::Time time) {
  return absl::FromUnixMicros(absl::ToUnixMicros(time));
}

}  // namespace

ReplaySummary Summarise(const Replay& replay) {
  const match::Setup& setup = replay.setup;
  ReplaySummary summary;
  summary.id = setup.id;
  summary.create_time = setup.id.created();
  summary.end_time = ToMicroseconds(replay.ended()->time);
  summary.game = std::string(setup.game->name());
  summary.competition = std::string(CompetitionOf(setup.request_id));
  if (setup.block) {
    summary.block = setup.block->block.text();
    summary.rotation = setup.block->rotation;
  }
  for (const std::string& bot : setup.bots) {
    summary.seats.emplace_back();
    summary.seats.back().bot = bot;
  }
  for (const match::Record& record : replay.records) Count(record, &summary);
  // To the microsecond, as the index keeps it.
  for (SeatSummary& seat : summary.seats) seat.used = absl::Floor(seat.used, absl::Microseconds(1));
  CountVerdict(*replay.ended(), &summary);
  return summary;
}

absl::string_view CompetitionOf(absl::string_view request_id) {
  if (!absl::ConsumePrefix(&request_id, kOfCompetition)) return "";
  return request_id.substr(0, request_id.find('/'));
}

absl::string_view EndingName(match::Ending ending) {
  switch (ending) {
    case match::Ending::kFinished:
      return "FINISHED";
    case match::Ending::kVoid:
      return "VOID";
    case match::Ending::kCancelled:
      return "CANCELLED";
  }
  return "";
}

}  // namespace referee::replay
