#include "referee/ctl/duel/match_meter.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <variant>

namespace referee::ctl {
namespace {

MatchFigures NewFigures(const match::Setup& setup) {
  const size_t seats = setup.bots.size();
  return {std::vector<MoveTimes>(seats), std::vector<ForgivenFaults>(seats),
          std::vector<absl::optional<SeatFault>>(seats)};
}

// Adds a record to the figures of its match. Sets `begun` if a seat had a turn request or a pass.
void Measure(const match::Setup& setup, const match::Record& record, MatchFigures* figures,
             bool* begun) {
  if (const auto* played = std::get_if<match::Played>(&record)) {
    *begun = true;
    const auto seat = static_cast<size_t>(played->seat.index());
    if (!played->move.is_pass()) figures->times[seat].Add(played->used);
    if (!played->substituted) return;
    ForgivenFaults& forgiven = figures->forgiven[seat];
    ++(*played->substituted == match::Cause::kTimeout ? forgiven.substituted_timeouts
                                                      : forgiven.substituted_illegal);
  } else if (const auto* faulted = std::get_if<match::Faulted>(&record)) {
    *begun = true;
    if (faulted->cause != match::Cause::kIllegal) return;
    const auto seat = static_cast<size_t>(faulted->seat.index());
    // Other policies substitute the move, which is counted at that turn.
    if (setup.policies.on_illegal.action == match::FaultPolicy::Action::kRetry) {
      ++figures->forgiven[seat].retried;
    }
    absl::optional<SeatFault>& fault = figures->faults[seat];
    if (fault) return;
    fault = SeatFault{faulted->cause, faulted->number, faulted->detail, /*forfeits=*/false};
  } else if (const auto* forfeited = std::get_if<match::Forfeited>(&record)) {
    *begun = *begun || forfeited->timing.has_value();
    const bool unready = match::SeatForfeitOf(*forfeited).unasked ||
                         (!*begun && (forfeited->cause == match::Cause::kTimeout ||
                                      forfeited->cause == match::Cause::kDisconnected));
    figures->faults[static_cast<size_t>(forfeited->seat.index())] = SeatFault{
        forfeited->cause, forfeited->number, forfeited->detail, /*forfeits=*/true, unready};
  }
}

}  // namespace

void MoveTimes::Add(absl::Duration used) {
  ++moves;
  total += used;
  worst = std::max(worst, used);
}

void MoveTimes::Add(const MoveTimes& others) {
  moves += others.moves;
  total += others.total;
  worst = std::max(worst, others.worst);
}

void ForgivenFaults::Add(const ForgivenFaults& others) {
  substituted_timeouts += others.substituted_timeouts;
  substituted_illegal += others.substituted_illegal;
  retried += others.retried;
}

MatchFigures FiguresOf(const match::Setup& setup, absl::Span<const match::Record> records) {
  MatchFigures figures = NewFigures(setup);
  bool begun = false;
  for (const match::Record& record : records) Measure(setup, record, &figures, &begun);
  return figures;
}

void MatchMeter::Note(const match::Match& match, const match::Record& record) {
  const match::Setup& setup = match.setup();
  MutexLock lock(&mutex_);
  const auto [at, is_new] = matches_.try_emplace(setup.id);
  Measured& measured = at->second;
  if (is_new) {
    measured.bots = setup.bots;
    measured.figures = NewFigures(setup);
  }
  Measure(setup, record, &measured.figures, &measured.begun);
  measured.asked.clear();
  const auto* const forfeited = std::get_if<match::Forfeited>(&record);
  if (forfeited != nullptr && forfeited->cause == match::Cause::kTimeout && forfeited->timing) {
    const auto seat = static_cast<size_t>(forfeited->seat.index());
    // Excludes the lost turn itself.
    measured.figures.faults[seat]->other_turns =
        static_cast<int>(std::count_if(matches_.begin(), matches_.end(), [&](const auto& entry) {
          return entry.second.asked == setup.bots[seat];
        }));
  }
  const Seat asked = match.seat_to_move();
  if (asked.valid()) measured.asked = setup.bots[static_cast<size_t>(asked.index())];
}

MatchFigures MatchMeter::Take(const MatchId& id) {
  MutexLock lock(&mutex_);
  const auto found = matches_.find(id);
  if (found == matches_.end()) return MatchFigures();
  found->second.asked.clear();
  return std::exchange(found->second.figures, {});
}

bool MatchMeter::Plays(const std::string& bot) const {
  MutexLock lock(&mutex_);
  return std::any_of(matches_.begin(), matches_.end(), [&bot](const auto& entry) {
    const std::vector<std::string>& bots = entry.second.bots;
    return std::find(bots.begin(), bots.end(), bot) != bots.end();
  });
}

void MatchMeter::Forget(const MatchId& id) {
  MutexLock lock(&mutex_);
  matches_.erase(id);
}

}  // namespace referee::ctl
