// ReplayService: the archive, served.
#ifndef REFEREE_SERVICE_REPLAY_SERVICE_H_
#define REFEREE_SERVICE_REPLAY_SERVICE_H_

#include "proto/referee/v1/replay_service.grpc.pb.h"
#include "referee/replay/archive_index.h"
#include "referee/replay/key_ring.h"
#include "referee/service/access/access.h"
#include "referee/service/calls.h"
#include "referee/service/server.h"
#include "referee/service/told_matches.h"

namespace referee::service {

class ReplayService final : public v1::ReplayService::CallbackService {
 public:
  // All must outlive the service.
  ReplayService(const ServerOptions& options, const Access& access, CallDeadlines* deadlines)
      : archive_(options.archive),
        keys_(options.keys),
        access_(access),
        told_(options),
        calls_(access, deadlines, options.metrics, /*threads=*/2) {}

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
  const replay::KeyRing keys_;  // the referee's: what another signed is not its replay
  const Access& access_;
  const ToldMatches told_;
  Calls calls_;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_REPLAY_SERVICE_H_
