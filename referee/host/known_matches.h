// The index of a host's matches: all open matches, and the latest that are over.
//
// Finds a match by its id, and by the request id of the call that created it. So a repeated call
// finds the match of the first call.
#ifndef REFEREE_HOST_KNOWN_MATCHES_H_
#define REFEREE_HOST_KNOWN_MATCHES_H_

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "referee/base/ids.h"
#include "referee/host/match_runner.h"

namespace referee::host {

// A value; thread-compatible.
class KnownMatches {
 public:
  // Remembers at most `max_remembered` matches that are over.
  explicit KnownMatches(size_t max_remembered) : max_remembered_(max_remembered) {}

  // Adds a match that is open, or that Remember will follow at once. `request_id` names the call
  // that created the match or its block; may be empty. REQUIRES: the match is not known.
  void Add(std::shared_ptr<MatchRunner> runner, absl::string_view request_id);
  // Notes that the match is over. It stays known; the match that has been over for longest may be
  // forgotten instead.
  void Remember(const MatchId& id);
  // Removes a match that was left in the log for another process.
  void Remove(const MatchId& id) { matches_.erase(id); }

  // Null if the match is not known.
  std::shared_ptr<MatchRunner> Find(const MatchId& id) const;
  // The match that the call created, or rotation 0 of its block if all its matches were known at
  // once. Null if there is none, and for an empty `request_id`.
  std::shared_ptr<MatchRunner> MadeBy(absl::string_view request_id) const;
  // The matches of the same block, by rotation; an id is default-made if its match was never known.
  // Only the match itself if it is in no block.
  std::vector<MatchId> BlockOf(const MatchRunner& runner) const;
  // The id of the match's party in the queue (Seating::Party): the first match that begins with it.
  MatchId PartyOf(const MatchRunner& runner) const {
    return runner.block() == nullptr ? runner.id() : BlockOf(runner).front();
  }
  // Matches older than `before` (all, if it is default-made), newest first, `limit` at most.
  std::vector<std::shared_ptr<MatchRunner>> List(const MatchId& before, size_t limit) const;
  // Forgets the call that created the match: an equal call will create another match.
  void ForgetRequestOf(const MatchId& id);

 private:
  void Forget(const MatchId& id);
  void ForgetBlockOf(const MatchRunner& runner);

  size_t max_remembered_;
  std::map<MatchId, std::shared_ptr<MatchRunner>> matches_;
  absl::flat_hash_map<BlockId, std::vector<MatchId>> blocks_;  // by rotation
  std::deque<MatchId> remembered_;
  // From request ids to matches, and back.
  absl::flat_hash_map<std::string, MatchId> made_by_;
  absl::flat_hash_map<MatchId, std::string> request_ids_;
};

}  // namespace referee::host

#endif  // REFEREE_HOST_KNOWN_MATCHES_H_
