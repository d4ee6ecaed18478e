#include "referee/node/events.h"

#include <string>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "referee/competition/terms.h"

namespace referee::node {
namespace {

// Adds the fields that every match has.
log::Event About(log::Event event, const MatchId& id,
                 const absl::optional<match::BlockPlace>& block, absl::string_view request_id) {
  event.fields[log::kMatch] = id.text();
  if (block) event.fields[log::kBlock] = block->block.text();
  if (const auto competition = competition::CompetitionOfRequest(request_id)) {
    event.fields[log::kCompetition] = competition->text();
  }
  return event;
}

log::Event Of(const match::Setup& setup, log::Event event) {
  return About(std::move(event), setup.id, setup.block, setup.request_id);
}

std::string Players(const games::Game& game, const std::vector<std::string>& bots) {
  return absl::StrCat(game.name(), ", ", absl::StrJoin(bots, " - "));
}

}  // namespace

absl::optional<log::Event> EventOf(const match::Setup& setup, const match::Record& record) {
  using log::Level;
  if (std::holds_alternative<match::Started>(record)) {
    return Of(setup, {Level::kInfo, "match_begun",
                      absl::StrCat("match begun: ", Players(*setup.game, setup.bots))});
  }
  if (std::holds_alternative<match::Resumed>(record)) {
    return Of(setup, {Level::kInfo, "match_resumed",
                      absl::StrCat("match goes on: ", Players(*setup.game, setup.bots))});
  }
  if (const auto* forfeited = std::get_if<match::Forfeited>(&record)) {
    return Of(setup,
              log::Event(Level::kInfo, "forfeit",
                         absl::StrCat("forfeit: ", match::CauseName(forfeited->cause), " in turn ",
                                      forfeited->number, ": ", forfeited->detail))
                  .With(log::kBot, setup.bots[forfeited->seat.index()]));
  }
  return absl::nullopt;
}

log::Event EndOf(const host::MatchRunner& runner) {
  using log::Level;
  const match::Ended& ended = *runner.ended();
  const std::string players = Players(*runner.request().game, runner.request().bots);
  log::Event event(Level::kInfo, "match_ended", "");
  if (ended.ending == match::Ending::kFinished) {
    event.message = absl::StrCat("match ended: ", players, ": ", absl::StrJoin(ended.scores, " - "),
                                 ": ", ended.reason);
  } else {
    const bool is_void = ended.ending == match::Ending::kVoid;
    if (is_void) event = log::Event(Level::kWarning, "match_void", "");
    event.message =
        absl::StrCat("match ", is_void ? "void: " : "cancelled: ", players, ": ", ended.reason);
    if (!is_void) event.name = "match_cancelled";
    event.fields[log::kAccount] = ended.cancelled_by;
  }
  return About(std::move(event), runner.id(), runner.block_place(), runner.request_id());
}

log::Event NotArchived(const MatchId& id, const absl::Status& why) {
  return log::Event(log::Level::kError, "not_archived",
                    absl::StrCat("match ", id.text(), ": ", why.message()))
      .With(log::kMatch, id.text());
}

log::Event ArchivedLate(const MatchId& id) {
  return log::Event(log::Level::kInfo, "archived_late",
                    absl::StrCat("match ", id.text(), ": is in the archive now"))
      .With(log::kMatch, id.text());
}

log::Event LoadChanged(int limit, int most, absl::Duration stall) {
  if (limit == most) {
    return {log::Level::kInfo, "load_over",
            absl::StrCat("load: it is over; up to ", most, " matches at once again")};
  }
  return {log::Level::kWarning, "load_limited",
          absl::StrCat("load: at most ", limit,
                       " matches at once for now, or one block of them, and more as it gets "
                       "better; the referee's threads wake up ",
                       absl::FormatDuration(stall), " late")};
}

log::Event DiskChanged(absl::string_view why) {
  if (why.empty()) {
    return {log::Level::kInfo, "disk_has_room", "disk: there is room again, and matches begin"};
  }
  return {log::Level::kWarning, "disk_full",
          absl::StrCat("disk: no match begins, and those that run go on: ", why)};
}

log::Event DiskAnswered(const absl::Status& free) {
  if (free.ok()) {
    return {log::Level::kInfo, "disk_answers", "disk: it says again how much room there is"};
  }
  return {log::Level::kWarning, "disk_silent",
          absl::StrCat("disk: --min-free changes nothing for now: ", free.message())};
}

log::Event HealthChanged(absl::string_view why_not) {
  if (why_not.empty()) return {log::Level::kInfo, "ready", "health: all of it serves again"};
  return {log::Level::kWarning, "not_ready",
          absl::StrCat("health: not all of it serves: ", why_not)};
}

}  // namespace referee::node
