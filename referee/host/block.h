// The matches of one block as they run: takes what each says that it waits for, and posts what it
// may go on with to whom. The rules are in match/block.h. When one of them ends without a result,
// the others are stopped, as void.
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

  // All before the first of them starts.
  void Add(const std::shared_ptr<MatchRunner>& runner);
  // By rotation; without those that are no more, or were not found again.
  std::vector<std::shared_ptr<MatchRunner>> runners() const;

  // A match that goes on after a restart, as it was rebuilt. Before any of them goes on.
  void Restore(int rotation, const match::Match& match);

  // What a match has said in one step, after it was recorded and told.
  void OnEffects(int rotation, absl::Span<const match::Effect> effects);
  // Stops all that are not over, as void.
  void Void(absl::string_view reason);

 private:
  void OnEffect(int rotation, const match::Effect& effect) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  match::Event EventFor(const match::BlockGate::Release& release) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Clock* const clock_;
  mutable Mutex mutex_;
  match::BlockGate gate_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::string> nonces_ ABSL_GUARDED_BY(mutex_);  // of rotation 0, once it has started
  std::vector<std::weak_ptr<MatchRunner>> runners_ ABSL_GUARDED_BY(mutex_);  // by rotation
};

}  // namespace referee::host

#endif  // REFEREE_HOST_BLOCK_H_
