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

absl::Time ToMicroseconds(absl::Time time) {
  return absl::FromUnixMicros(absl::ToUnixMicros(time));
}

void CountEnd(const match::Ended& ended, ReplaySummary* summary) {
  summary->ending = ended.ending;
  summary->end_time = ToMicroseconds(ended.time);
  for (size_t i = 0; i < summary->seats.size(); ++i) {
    SeatSummary& seat = summary->seats[i];
    if (i < ended.ranks.size()) seat.rank = ended.ranks[i];
    if (i < ended.scores.size()) seat.score = ended.scores[i];
    // The index stores microseconds.
    seat.used = absl::Floor(seat.used, absl::Microseconds(1));
  }
  for (const match::SeatForfeit& forfeit : ended.forfeits) {
    summary->seats[forfeit.seat.index()].forfeit = forfeit.cause;
  }
}

}  // namespace

Summariser::Summariser(const match::Setup& setup) {
  summary_.id = setup.id;
  summary_.create_time = setup.id.created();
  summary_.game = std::string(setup.game->name());
  summary_.competition = std::string(CompetitionOf(setup.request_id));
  if (setup.block) {
    summary_.block = setup.block->block.text();
    summary_.rotation = setup.block->rotation;
  }
  for (const std::string& bot : setup.bots) {
    summary_.seats.emplace_back();
    summary_.seats.back().bot = bot;
  }
}

void Summariser::Add(const match::Record& record) {
  if (const auto* played = std::get_if<match::Played>(&record)) {
    if (summary_.turns++ == 0) summary_.opening_roll = OpeningRollText(played->roll);
    summary_.seats[played->seat.index()].used += played->used;
  } else if (const auto* forfeited = std::get_if<match::Forfeited>(&record)) {
    summary_.seats[forfeited->seat.index()].used += forfeited->used;
  } else if (const auto* ended = std::get_if<match::Ended>(&record)) {
    CountEnd(*ended, &summary_);
  }
}

ReplaySummary Summarise(const Replay& replay) {
  Summariser summariser(replay.setup);
  for (const match::Record& record : replay.records) summariser.Add(record);
  return summariser.summary();
}

std::string BlockRequestId(absl::string_view competition, int64_t block, int attempt) {
  return absl::StrCat(kOfCompetition, competition, "/", block, "/", attempt);
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
