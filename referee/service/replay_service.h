// ReplayService: the archive, served.
#ifndef REFEREE_SERVICE_REPLAY_SERVICE_H_
#define REFEREE_SERVICE_REPLAY_SERVICE_H_

#include <string>

#include "proto/referee/v1/replay_service.grpc.pb.h"
#include "referee/replay/archive_index.h"
#include "referee/service/access/access.h"
#include "referee/service/calls.h"

namespace referee::service {

class ReplayService final : public v1::ReplayService::CallbackService {
 public:
  // All must outlive the service.
  ReplayService(replay::ArchiveIndex* archive, const Access& access, CallDeadlines* deadlines)
      : archive_(*archive), access_(access), calls_(access, deadlines, /*threads=*/2) {}

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

  replay::ArchiveIndex& archive_;
  const Access& access_;
  Calls calls_;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_REPLAY_SERVICE_H_
