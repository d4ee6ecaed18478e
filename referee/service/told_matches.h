// What may be told of matches, and of their replays, to whoever asks: looks up which competition a
// match is in, which bots play it and when it ended, for telling.h. Thread-safe.
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

// The caller, as regards what it may be told; valid as long as that.
Audience AudienceOf(const Caller& caller);

class ToldMatches {
 public:
  // `options` must outlive this.
  explicit ToldMatches(const ServerOptions& options) : options_(options) {}

  Telling TellingOf(const Audience& audience, const host::MatchRunner& runner) const;
  // What may be told now of a match. For MatchRunner::Inspect.
  void MatchToWire(const Audience& audience, const host::MatchRunner& runner, v1::Match* out) const;
  void SnapshotToWire(const Audience& audience, const host::MatchRunner& runner,
                      v1::Snapshot* out) const;
  // Whether it may be told that there is the match.
  bool IsToldOf(const Audience& audience, const host::MatchRunner& runner) const;

  // Returns FailedPrecondition that says from when on the replay of the match may be told to
  // `audience`, if that is not now; OK also where there is no such replay. May read it, and so
  // take as long as the disk does.
  absl::Status CheckReplay(const Audience& audience, const MatchId& id) const;

 private:
  // Of a match that is over.
  struct Facts {
    std::string request_id;
    std::vector<std::string> bots;
    absl::Time end_time;
  };

  // Of one that runs: none.
  absl::StatusOr<absl::optional<Facts>> FactsOf(const MatchId& id) const;
  absl::StatusOr<Facts> ReadFacts(const MatchId& id) const;
  absl::Duration DelayOf(absl::string_view request_id) const;
  // The match without its course, as it was when it was made, or had begun.
  void HideCourse(const Telling& telling, absl::Time create_time, v1::Match* match) const;

  const ServerOptions& options_;
  mutable Mutex mutex_;
  // Of replays that were read, the last of them.
  mutable absl::flat_hash_map<MatchId, Facts> facts_ ABSL_GUARDED_BY(mutex_);
  mutable std::deque<MatchId> read_ ABSL_GUARDED_BY(mutex_);  // the keys, oldest first
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_TOLD_MATCHES_H_
