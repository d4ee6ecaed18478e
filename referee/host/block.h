// Runs the matches of one block together, so that no bot learns a roll early.
//
// It collects what each match waits for, and posts the events that let the matches go on.
// match/block.h has the rules. If one match ends before all games of the block are over, the others
// are stopped. First the matches whose games go on end as void. Then the rest end with their
// results, which reveals the seed.
#ifndef REFEREE_HOST_BLOCK_H_
#define REFEREE_HOST_BLOCK_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "referee/base/clock.h"
#include "referee/base/mutex.h"
#include "referee/match/block.h"
#include "referee/match/match.h"

namespace referee::host {

class MatchRunner;

// Thread-safe. A runner keeps its block alive; the block does not keep its runners alive.
class Block {
 public:
  // `clock` must outlive this.
  Block(int matches, const Clock* clock);

  // Adds a match. Call it for every match of the block before the first of them starts.
  void Add(const std::shared_ptr<MatchRunner>& runner);
  // The matches by rotation, except those that no longer exist or were not resumed.
  std::vector<std::shared_ptr<MatchRunner>> runners() const;
  // All matches of the block of `runner`, by rotation; only `runner` if it is in no block.
  static std::vector<std::shared_ptr<MatchRunner>> TogetherWith(
      const std::shared_ptr<MatchRunner>& runner);

  // Restores the state of a match that was rebuilt after a restart. Call it before any match of the
  // block goes on.
  void Restore(int rotation, const match::Match& match);

  // Handles the effects of one step of a match. Call it after they were recorded and sent.
  void OnEffects(int rotation, absl::Span<const match::Effect> effects);
  // Notes that a match has ended, and that its end is recorded if that was possible.
  void OnEnded(int rotation);
  // Stops every match that has not ended; does nothing if all games of the block are over. Returns
  // whether a match whose game is over may end with its result now. If not, the block stops that
  // match later, when it may.
  bool Stop(absl::string_view reason);

 private:
  using Runners = std::vector<std::shared_ptr<MatchRunner>>;

  void OnEffect(int rotation, const match::Effect& effect) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The matches that have not ended, and whose games are over or not, as `game_over` says.
  Runners Unended(bool game_over) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The matches that may now end with their results, and must be stopped. Returns them only once.
  Runners TakeDecided() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  match::Event EventFor(const match::BlockGate::Release& release) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Clock* const clock_;
  mutable Mutex mutex_;
  match::BlockGate gate_ ABSL_GUARDED_BY(mutex_);
  match::NoncesSettled nonces_ ABSL_GUARDED_BY(mutex_);  // set once rotation 0 has started
  std::vector<std::weak_ptr<MatchRunner>> runners_ ABSL_GUARDED_BY(mutex_);  // by rotation
  std::vector<bool> ended_ ABSL_GUARDED_BY(mutex_);                          // by rotation
  bool decided_stopped_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace referee::host

#endif  // REFEREE_HOST_BLOCK_H_
