// Runs the matches of one block together: collects what each match waits for, and posts to each
// what lets it go on. The rules are in match/block.h. When one match ends before all games of the
// block are over, the others are stopped: first those whose games go on, which end as void; then,
// when all of these have ended, the rest, which end with their results and so reveal the seed.
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

// Thread-safe. A runner keeps its block; the block does not keep its runners.
class Block {
 public:
  // `clock` must outlive this.
  Block(int matches, const Clock* clock);

  // Adds a match. Call it for every match of the block before the first of them starts.
  void Add(const std::shared_ptr<MatchRunner>& runner);
  // The matches by rotation, without those that no longer exist or were not resumed.
  std::vector<std::shared_ptr<MatchRunner>> runners() const;
  // The matches of the block that a match is in, by rotation, or the match itself.
  static std::vector<std::shared_ptr<MatchRunner>> TogetherWith(
      const std::shared_ptr<MatchRunner>& runner);

  // Takes the state of a match that was rebuilt after a restart. Call it before any match of the
  // block goes on.
  void Restore(int rotation, const match::Match& match);

  // Takes the effects of one step of a match, after they were recorded and told.
  void OnEffects(int rotation, absl::Span<const match::Effect> effects);
  // A match has ended, and its end is recorded as well as can be.
  void OnEnded(int rotation);
  // Stops every match that has not ended. Does nothing when all games of the block are over.
  // Returns whether a match whose game is over may end with its result now; if not, it is stopped
  // when it may.
  bool Stop(absl::string_view reason);

 private:
  using Runners = std::vector<std::shared_ptr<MatchRunner>>;

  void OnEffect(int rotation, const match::Effect& effect) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The matches that have not ended and whose games are over, or are not.
  Runners Unended(bool game_over) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Those that may end with their results since the last call, which are to be stopped.
  Runners TakeDecided() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  match::Event EventFor(const match::BlockGate::Release& release) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Clock* const clock_;
  mutable Mutex mutex_;
  match::BlockGate gate_ ABSL_GUARDED_BY(mutex_);
  match::NoncesSettled nonces_ ABSL_GUARDED_BY(mutex_);  // of rotation 0, once it has started
  std::vector<std::weak_ptr<MatchRunner>> runners_ ABSL_GUARDED_BY(mutex_);  // by rotation
  std::vector<bool> ended_ ABSL_GUARDED_BY(mutex_);                          // by rotation
  bool decided_stopped_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace referee::host

#endif  // REFEREE_HOST_BLOCK_H_
