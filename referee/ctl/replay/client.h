// A client of a referee's archive, with errors for people.
#ifndef REFEREE_CTL_REPLAY_CLIENT_H_
#define REFEREE_CTL_REPLAY_CLIENT_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto/referee/v1/competition_service.grpc.pb.h"
#include "proto/referee/v1/replay_service.grpc.pb.h"
#include "referee/base/ids.h"
#include "referee/ctl/connection.h"
#include "referee/store/store.h"

namespace referee::ctl {

// Thread-safe. Every call returns Unavailable when no referee answers, PermissionDenied when it
// wants another token, or what the referee says.
class ReplayClient {
 public:
  explicit ReplayClient(Connection connection);

  // The bytes of a replay file. Returns NotFound when the archive has none, ResourceExhausted when
  // it is larger than limits::kMaxReplayBytes.
  absl::StatusOr<std::string> Fetch(const MatchId& id);
  // The name that a competition has now.
  absl::StatusOr<std::string> NameOf(const store::CompetitionId& id);

 private:
  Connection connection_;
  std::unique_ptr<v1::ReplayService::Stub> replays_;
  std::unique_ptr<v1::CompetitionService::Stub> competitions_;
};

}  // namespace referee::ctl

#endif  // REFEREE_CTL_REPLAY_CLIENT_H_
