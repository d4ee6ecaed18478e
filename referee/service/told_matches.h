// Applies the watch delay to matches and their replays, for the caller of an RPC.
//
// Looks up the competition, the bots and the end time of a match for telling.h. Thread-safe.
#ifndef REFEREE_SERVICE_TOLD_MATCHES_H_
#define REFEREE_SERVICE_TOLD_MATCHES_H_

#include <deque>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "proto/referee/v1/match.pb.h"
#include "proto/referee/v1/match_service.pb.h"
#include "referee/base/ids.h"
#include "referee/base/mutex.h"
#include "referee/host/match_runner.h"
#include "referee/replay/archive.h"
#include "referee/service/access/access.h"
#include "referee/service/server.h"
#include "referee/service/telling.h"

namespace referee::service {

// The visibility of `caller`. The result refers to `caller`, which must outlive it.
Audience AudienceOf(const Caller& caller);

class ToldMatches {
 public:
  // `options` must outlive this.
  explicit ToldMatches(const ServerOptions& options) : options_(options) {}

  Telling TellingOf(const Audience& audience, const host::MatchRunner& runner) const;
  // Convert the part of a match that the audience sees now. Call them in MatchRunner::Inspect.
  void MatchToWire(const Audience& audience, const host::MatchRunner& runner, v1::Match* out) const;
  void SnapshotToWire(const Audience& audience, const host::MatchRunner& runner,
                      v1::Snapshot* out) const;
  // Whether the audience may see that the match exists.
  bool IsToldOf(const Audience& audience, const host::MatchRunner& runner) const;

  // Returns FailedPrecondition with the publication time if the replay is still withheld from
  // `audience`. Returns OK if no such replay exists. May read the replay from disk.
  absl::Status CheckReplay(const Audience& audience, const MatchId& id) const;

 private:
  // The facts of a finished match that its publication depends on.
  struct Facts {
    std::string request_id;
    std::vector<std::string> bots;
    absl::Time end_time;
  };

  // Returns nullopt for a running match.
  absl::StatusOr<absl::optional<Facts>> FactsOf(const MatchId& id) const;
  absl::StatusOr<Facts> ReadFacts(const MatchId& id) const;
  absl::Duration DelayOf(absl::string_view request_id) const;
  // Removes turns and verdict from `match`. Its state becomes running, or waiting if even its
  // creation is still withheld.
  void HideCourse(const Telling& telling, absl::Time create_time, v1::Match* match) const;

  const ServerOptions& options_;
  mutable Mutex mutex_;
  // A cache of the replays read last.
  mutable absl::flat_hash_map<MatchId, Facts> facts_ ABSL_GUARDED_BY(mutex_);
  mutable std::deque<MatchId> read_ ABSL_GUARDED_BY(mutex_);  // the keys, oldest first
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_TOLD_MATCHES_H_
