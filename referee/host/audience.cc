#include "referee/host/audience.h"

#include <algorithm>
#include <variant>

#include "referee/host/match_runner.h"

namespace referee::host {

void Audience::Begin(const MatchRunner& runner, size_t seats, bool started) {
  connections_.resize(seats);
  links_.resize(seats);
  started_told_ = started;
  for (const auto& observer : observers_) observer->OnSnapshot(runner);
}

absl::optional<match::Event> Audience::Connect(Seat seat, const Connection& connection) {
  if (connections_.empty()) return absl::nullopt;
  Connection& known = connections_[static_cast<size_t>(seat.index())];
  if (connection.version <= known.version) return absl::nullopt;
  known = connection;
  if (known.link != nullptr) return match::LinkBack{seat, known.entry_gone};
  links_[static_cast<size_t>(seat.index())] = nullptr;
  return match::LinkLost{seat, known.entry_gone < Instant::InfiniteFuture()};
}

void Audience::Remove(const Observer* observer) {
  observers_.erase(std::remove_if(observers_.begin(), observers_.end(),
                                  [&](const auto& one) { return one.get() == observer; }),
                   observers_.end());
}

void Audience::TellStarted(const MatchRunner& runner, const match::Match& match) {
  if (started_told_ || !match.has_position()) return;
  started_told_ = true;
  for (const auto& observer : observers_) observer->OnStarted(runner);
}

void Audience::Tell(const std::shared_ptr<MatchRunner>& runner, const match::Match& match,
                    absl::Span<const match::Effect> effects, const OnRecord& on_record) {
  if (links_.empty()) return;  // the end was sent; this event was late
  for (const match::Effect& effect : effects) {
    std::visit(match::Overloaded{
                   [&](const match::TellStart& start) {
                     std::shared_ptr<Link>& link = links_[start.seat.index()];
                     link = connections_[start.seat.index()].link;
                     if (link) link->TellStart(match, start.seat);
                   },
                   [&](const match::AskNonce& ask) {
                     const auto& link = links_[ask.seat.index()];
                     if (link) link->AskNonce(match, ask.seat);
                   },
                   [&](const match::AskTurn& ask) {
                     const auto& link = links_[ask.seat.index()];
                     if (link) link->AskTurn(runner, match, ask.seat);
                   },
                   [&](const match::TellFault& fault) {
                     const auto& link = links_[fault.seat.index()];
                     if (link) link->TellFault(match, fault);
                   },
                   [&](const match::Record& record) {
                     if (on_record) on_record(match, record);
                     Tell(match, record);
                   },
                   [&](const match::AwaitNonces&) {},
                   [&](const match::AwaitRoll&) {},
                   [&](const match::AwaitBlock&) {},
               },
               effect);
  }
}

void Audience::Tell(const match::Match& match, const match::Record& record) const {
  if (const auto* played = std::get_if<match::Played>(&record)) {
    for (size_t i = 0; i < links_.size(); ++i) {
      // The seat that moved knows its move, unless it was a pass or the referee's substitute.
      const bool own = Seat(static_cast<int>(i)) == played->seat && !played->move.is_pass() &&
                       !played->substituted;
      const auto& link = links_[i];
      if (link && !own) link->TellPlayed(match, *played);
    }
    for (const auto& observer : observers_) observer->OnPlayed(match, *played);
    return;
  }
  if (const auto* forfeited = std::get_if<match::Forfeited>(&record)) {
    for (const auto& link : links_) {
      if (link) link->TellForfeited(match, *forfeited);
    }
    for (const auto& observer : observers_) observer->OnForfeited(match, *forfeited);
    return;
  }
  if (const auto* faulted = std::get_if<match::Faulted>(&record)) {
    for (const auto& observer : observers_) observer->OnFaulted(match, *faulted);
  }
}

void Audience::TellEnded(const MatchRunner& runner) {
  for (const auto& link : links_) {
    if (link) link->TellEnded(runner);
  }
  for (const auto& observer : observers_) observer->OnEnded(runner);
  observers_.clear();
  Flush();
  Clear();
}

void Audience::Flush() const {
  for (const auto& link : links_) {
    if (link) FlushScope::Flush(link);
  }
}

void Audience::Clear() {
  observers_.clear();
  connections_.clear();
  links_.clear();
}

}  // namespace referee::host
