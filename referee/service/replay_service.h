// ReplayService: the archive, served.
#ifndef REFEREE_SERVICE_REPLAY_SERVICE_H_
#define REFEREE_SERVICE_REPLAY_SERVICE_H_

#include <string>
#include <utility>

#include "proto/referee/v1/replay_service.grpc.pb.h"
#include "referee/replay/archive_index.h"
#include "referee/replay/key_ring.h"
#include "referee/service/access/access.h"
#include "referee/service/calls.h"

namespace referee::service {

class ReplayService final : public v1::ReplayService::CallbackService {
 public:
  // All must outlive the service. `keys` are the referee's: what another signed is not its replay.
  ReplayService(replay::ArchiveIndex* archive, replay::KeyRing keys, const Access& access,
                CallDeadlines* deadlines)
      : archive_(archive),
        keys_(std::move(keys)),
        access_(access),
        calls_(access, deadlines, /*threads=*/2) {}

  grpc::ServerWriteReactor<v1::GetReplayResponse>* GetReplay(
      grpc::CallbackServerContext* context, const v1::GetReplayRequest* request) override;
  grpc::ServerUnaryReactor* ListReplays(grpc::CallbackServerContext* context,
                                        const v1::ListReplaysRequest* request,
                                        v1::ListReplaysResponse* response) override;
  grpc::ServerUnaryReactor* VerifyReplay(grpc::CallbackServerContext* context,
                                         const v1::VerifyReplayRequest* request,
                                         v1::VerifyReplayResponse* response) override;

 private:
  class ChunkStream;

  replay::ArchiveIndex* const archive_;
  const replay::KeyRing keys_;
  const Access& access_;
  Calls calls_;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_REPLAY_SERVICE_H_
