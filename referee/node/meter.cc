#include "referee/node/meter.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <variant>
#include <vector>

#include "referee/games/catalogue.h"
#include "referee/replay/summary.h"

namespace referee::node {
namespace {

using match::Cause;
using match::Ending;

// The outcomes of blocks.
enum Outcome : size_t { kPlayed, kForfeited, kDropped, kVoid };
const char* const kOutcomes[] = {"PLAYED", "FORFEITED", "DROPPED", "VOID"};

template <typename Enum>
size_t IndexOf(Enum value) {
  return static_cast<size_t>(value);
}

}  // namespace

metrics::Names MetricNames(const std::string& software, bool syncs_log, bool has_store) {
  metrics::Names names;
  names.version = software;
  for (const games::Entry& entry : games::Catalogue()) {
    names.games.emplace_back(entry.type->name());
  }
  for (const Cause cause :
       {Cause::kTimeout, Cause::kIllegal, Cause::kDisconnected, Cause::kResigned}) {
    names.causes.emplace_back(match::CauseName(cause));
  }
  for (const Ending ending : {Ending::kFinished, Ending::kVoid, Ending::kCancelled}) {
    names.endings.emplace_back(replay::EndingName(ending));
  }
  names.block_outcomes.assign(std::begin(kOutcomes), std::end(kOutcomes));
  names.methods = service::CountedMethods();
  names.syncs_log = syncs_log;
  names.has_store = has_store;
  return names;
}

// Splits the time of a turn as TIME-AND-FAULTS.md defines it. Like `refctl replay times`, counts
// stalls of the referee as its own time.
void Meter::OnRecord(const match::Match& match, const match::Record& record) const {
  if (const auto* played = std::get_if<match::Played>(&record)) {
    metrics_.turns.at(GameOf(*match.setup().game)).Add();
    if (!played->timing) return;
    const match::Timing& timing = *played->timing;
    const absl::Duration ran = std::max(
        absl::ZeroDuration(), timing.read - timing.started - timing.paused - timing.stalled);
    const absl::Duration network = std::min(ran, timing.round_trip);
    metrics_.turn_own.at().Observe(timing.started + timing.stalled + timing.own_delay());
    metrics_.turn_bot.at().Observe(ran - network);
    metrics_.turn_network.at().Observe(network);
  } else if (const auto* forfeited = std::get_if<match::Forfeited>(&record)) {
    metrics_.forfeits.at(GameOf(*match.setup().game), IndexOf(forfeited->cause)).Add();
  } else if (std::holds_alternative<match::NoContest>(record)) {
    metrics_.no_contests.at().Add();
  }
}

void Meter::OnFinished(const host::MatchRunner& runner, const absl::Status& sealed) const {
  const Ending ending = runner.ended()->ending;
  metrics_.matches_ended.at(GameOf(*runner.request().game), IndexOf(ending)).Add();
  if (!sealed.ok()) metrics_.seals_failed.at().Add();
}

void Meter::OnApplied(absl::Span<const store::Change> changes, const absl::Status& done,
                      absl::Duration took) const {
  metrics_.store_apply.at().Observe(took);
  if (!done.ok()) return;
  for (const store::Change& change : changes) {
    if (const auto* finished = std::get_if<store::FinishBlock>(&change)) {
      metrics_.blocks.at(finished->forfeited_by.empty() ? kPlayed : kForfeited).Add();
    } else if (const auto* dropped = std::get_if<store::DropBlock>(&change)) {
      metrics_.blocks.at(dropped->state == store::BlockState::kVoid ? kVoid : kDropped).Add();
    }
  }
}

void Meter::Note(const host::HostCounts& counts) const {
  std::vector<host::HostCounts::Matches> by_game(metrics_.games().size());
  for (const auto& [game, matches] : counts.matches) {
    host::HostCounts::Matches& sum = by_game[metrics_.GameIndex(game)];
    sum.running += matches.running;
    sum.waiting += matches.waiting;
  }
  for (size_t game = 0; game < by_game.size(); ++game) {
    metrics_.matches_running.at(game).Set(by_game[game].running);
    metrics_.matches_waiting.at(game).Set(by_game[game].waiting);
  }
  metrics_.bots_connected.at().Set(counts.bots);
}

void Meter::Note(absl::Span<const std::unique_ptr<service::Server>> servers,
                 size_t answer_budget) const {
  using metrics::Metrics;
  service::Traffic traffic;
  for (const auto& server : servers) {
    const service::Traffic one = server->traffic();
    traffic.known_connections += one.known_connections;
    traffic.unknown_connections += one.unknown_connections;
    traffic.watches += one.watches;
    traffic.answer_bytes += one.answer_bytes;
  }
  metrics_.connections.at(Metrics::kKnown).Set(static_cast<double>(traffic.known_connections));
  metrics_.connections.at(Metrics::kUnknown).Set(static_cast<double>(traffic.unknown_connections));
  metrics_.watchers.at().Set(traffic.watches);
  metrics_.answer_bytes.at().Set(static_cast<double>(traffic.answer_bytes));
  metrics_.answer_budget.at().Set(static_cast<double>(answer_budget));
}

void Meter::Note(const competition::Vitals& vitals) const {
  metrics_.competitions.at().Set(static_cast<double>(vitals.homed));
  metrics_.blocks_uncounted.at().Set(static_cast<double>(vitals.blocks_uncounted));
  metrics_.lease_remaining.at().Set(absl::ToDoubleSeconds(vitals.lease_remaining));
  metrics_.leases_lost.at().Set(static_cast<double>(vitals.leases_lost));
}

}  // namespace referee::node
