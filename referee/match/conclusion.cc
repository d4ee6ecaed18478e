#include "referee/match/conclusion.h"

#include <cassert>
#include <utility>

namespace referee::match {
namespace {

// Reserved in advance: enough for an ordinary turn and a few passes in a row.
constexpr size_t kUsualEffects = 16;

}  // namespace

Parts::Parts(Setup terms, const dice::Seed& secret)
    : setup(std::move(terms)),
      seed(secret),
      position(setup, &step),
      clocks(setup, &step),
      links(setup.bots.size()),
      forfeits(setup.bots.size()),
      faults(setup) {
  assert(setup.commitment == dice::Commit(seed));
  assert(setup.bots.size() == static_cast<size_t>(setup.game->seats()));
  step.times.seats.resize(setup.bots.size());
  step.effects.reserve(kUsualEffects);
}

void Conclusion::Finish() {
  if (!parts_.position.in_block()) return EndWithResult();
  if (awaits_block_) return;
  awaits_block_ = true;
  parts_.clocks.Stop();  // a seat may have been to move when another's forfeit ended the game
  parts_.position.ClearLegal();
  parts_.step.effects.emplace_back(AwaitBlock{});
}

void Conclusion::EndBlock() {
  if (ended_ || !awaits_block_) return;
  awaits_block_ = false;
  EndWithResult();
}

void Conclusion::Stop(const Stopped& event) {
  assert(event.ending != Ending::kFinished);
  if (ended_) return;
  if (awaits_block_) return EndWithResult();
  EndWithout(event.ending, event.reason, event.by);
}

void Conclusion::EndWithResult() {
  games::Outcome outcome = parts_.position.state().outcome();
  Ended ended;
  ended.ending = Ending::kFinished;
  ended.reason = std::string(outcome.reason);
  ended.scores = std::move(outcome.scores);
  ended.ranks = std::move(outcome.ranks);
  End(std::move(ended));
}

void Conclusion::EndWithout(Ending ending, std::string reason, std::string cancelled_by) {
  assert(ending != Ending::kFinished);
  Ended ended;
  ended.ending = ending;
  ended.reason = std::move(reason);
  ended.cancelled_by = std::move(cancelled_by);
  End(std::move(ended));
}

void Conclusion::End(Ended ended) {
  for (const Forfeited& forfeited : parts_.forfeits.all()) {
    ended.forfeits.push_back(SeatForfeitOf(forfeited));
  }
  ended.seed = parts_.seed;
  ended.times = parts_.step.times;
  if (parts_.started) {
    ended.nonces = parts_.started->nonces;
    ended.nonce_hashes = parts_.started->nonce_hashes;
  }
  ended.time = parts_.step.reading.wall;
  parts_.links.StopAwaiting();
  parts_.clocks.Stop();
  parts_.position.ClearLegal();
  ended_ = ended;
  parts_.step.Write(std::move(ended));
}

}  // namespace referee::match
