// The index of a host's matches: those that are open, and the latest of those that are over. It
// finds them by id, and by the request id of the call that made them, so that a repeated call finds
// what the first one made.
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

  // A match that is open, or is to be remembered at once. `request_id` names the call that made it,
  // or the block it is in; empty: nobody will ask. REQUIRES: it is not known.
  void Add(std::shared_ptr<MatchRunner> runner, absl::string_view request_id);
  // Notes that the match is over. It stays known, and may displace the one that has been over for
  // longest.
  void Remember(const MatchId& id);
  // Removes a match that was left to another process.
  void Remove(const MatchId& id) { matches_.erase(id); }

  // Null if there is none.
  std::shared_ptr<MatchRunner> Find(const MatchId& id) const;
  // The match that the call made, or rotation 0 of the block if all its matches were known at once.
  // Null if there is none, and for an empty `request_id`.
  std::shared_ptr<MatchRunner> MadeBy(absl::string_view request_id) const;
  // All of its block, by rotation; default-made where one was never known. Of a match in no block,
  // itself.
  std::vector<MatchId> BlockOf(const MatchRunner& runner) const;
  // The match that names it in the queue (Seating::Party): the first of those that begin together.
  MatchId PartyOf(const MatchRunner& runner) const {
    return runner.block() == nullptr ? runner.id() : BlockOf(runner).front();
  }
  // Matches older than `before` (all, if it is default-made), newest first, `limit` at most.
  std::vector<std::shared_ptr<MatchRunner>> List(const MatchId& before, size_t limit) const;
  // The call that made the match is as if it never came: the next one like it makes another.
  void ForgetRequestOf(const MatchId& id);

 private:
  void Forget(const MatchId& id);
  void ForgetBlockOf(const MatchRunner& runner);

  size_t max_remembered_;
  std::map<MatchId, std::shared_ptr<MatchRunner>> matches_;
  absl::flat_hash_map<BlockId, std::vector<MatchId>> blocks_;  // by rotation
  std::deque<MatchId> remembered_;
  // Between calls and what they made.
  absl::flat_hash_map<std::string, MatchId> made_by_;
  absl::flat_hash_map<MatchId, std::string> request_ids_;
};

}  // namespace referee::host

#endif  // REFEREE_HOST_KNOWN_MATCHES_H_
