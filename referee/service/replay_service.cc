#include "referee/service/replay_service.h"

#include <memory>
#include <utility>

#include "referee/base/limits.h"
#include "referee/replay/errors.h"
#include "referee/replay/verifier.h"
#include "referee/service/convert/convert.h"
#include "referee/service/page_size.h"
#include "referee/service/to_grpc.h"

namespace referee::service {
namespace {

absl::StatusOr<std::string> Read(const replay::Archive& archive, const std::string& match_id) {
  const absl::StatusOr<MatchId> id = MatchId::Parse(match_id);
  if (!id.ok()) return id.status();
  return archive.Read(*id);
}

}  // namespace

// Sends a replay in chunks, of which no more than one is in memory. Deletes itself.
class ReplayService::ChunkStream final : public grpc::ServerWriteReactor<v1::GetReplayResponse> {
 public:
  // `service` and `context` must outlive the call.
  ChunkStream(ReplayService* service, grpc::CallbackServerContext* context,
              const std::string& match_id)
      : service_(*service), context_(*context), id_(MatchId::Parse(match_id)) {}

  // Sends to this caller, or refuses. To be called once.
  void Begin(const absl::StatusOr<Caller>& caller) {
    if (!caller.ok()) return End(caller.status());
    ticket_ = caller->ticket;
    Next();
  }

  void OnWriteDone(bool ok) override {
    service_.calls_.deadlines()->Remove(deadline_);
    ticket_->Release(response_.chunk().size());
    if (!ok) return End(absl::CancelledError("the reader has gone, or reads nothing"));
    response_.clear_total_bytes();
    Next();
  }
  void OnDone() override { delete this; }

 private:
  // Has the next chunk read and sent, or ends.
  void Next() {
    if (sent_ > 0 && sent_ == total_) return End(absl::OkStatus());
    const absl::Status taken = service_.calls_.Run([this] {
      if (const absl::Status sent = Send(); !sent.ok()) End(sent);
    });
    if (!taken.ok()) End(taken);
  }

  // Reads a chunk, and begins to send it.
  absl::Status Send() {
    if (!id_.ok()) return id_.status();
    absl::StatusOr<replay::ReplayPart> part =
        service_.archive_->archive().ReadPart(*id_, sent_, limits::kReplayChunkBytes);
    if (!part.ok()) return part.status();
    if (part->bytes.empty()) return replay::NoReplay(id_->text());
    const absl::Status room = ticket_->Keep(part->bytes.size());
    if (!room.ok()) return room;
    if (sent_ == 0) {
      total_ = part->total;
      response_.set_total_bytes(total_);
    }
    sent_ += part->bytes.size();
    *response_.mutable_chunk() = std::move(part->bytes);
    deadline_ = service_.calls_.deadlines()->Add(context_.c_call());
    StartWrite(&response_);
    return absl::OkStatus();
  }

  void End(const absl::Status& status) {
    SayWhenAgain(status, &context_);
    Finish(ToGrpc(status));
  }

  ReplayService& service_;
  grpc::CallbackServerContext& context_;
  const absl::StatusOr<MatchId> id_;
  std::shared_ptr<CallAdmission::Ticket> ticket_;
  uint64_t total_ = 0;
  uint64_t sent_ = 0;
  uint64_t deadline_ = 0;  // of the chunk that is being sent
  v1::GetReplayResponse response_;
};

grpc::ServerWriteReactor<v1::GetReplayResponse>* ReplayService::GetReplay(
    grpc::CallbackServerContext* context, const v1::GetReplayRequest* request) {
  const auto stream = new ChunkStream(this, context, request->match_id());
  access_.Check("referee.v1.ReplayService.GetReplay", *context,
                [stream](const absl::StatusOr<Caller>& caller) { stream->Begin(caller); });
  return stream;
}

grpc::ServerUnaryReactor* ReplayService::ListReplays(grpc::CallbackServerContext* context,
                                                     const v1::ListReplaysRequest* request,
                                                     v1::ListReplaysResponse* response) {
  return calls_.Serve(
      "referee.v1.ReplayService.ListReplays", context, response, [=](const Caller& caller) {
        const absl::StatusOr<replay::ArchivePage> page =
            archive_->List(PageSize(request->page_size(), caller), request->page_token());
        if (!page.ok()) return page.status();
        for (const replay::ArchivedReplay& replay : page->replays) {
          v1::ReplaySummary* summary = response->add_replays();
          summary->set_match_id(replay.id.text());
          ToWire(replay.create_time, summary->mutable_create_time());
          summary->set_total_bytes(replay.size);
        }
        response->set_next_page_token(page->next_page_token);
        return absl::OkStatus();
      });
}

grpc::ServerUnaryReactor* ReplayService::VerifyReplay(grpc::CallbackServerContext* context,
                                                      const v1::VerifyReplayRequest* request,
                                                      v1::VerifyReplayResponse* response) {
  return calls_.Serve(
      "referee.v1.ReplayService.VerifyReplay", context, response, [=](const Caller&) {
        const absl::StatusOr<std::string> bytes = Read(archive_->archive(), request->match_id());
        if (absl::IsDataLoss(bytes.status())) {
          response->set_problem(std::string(bytes.status().message()));
          return absl::OkStatus();
        }
        if (!bytes.ok()) return bytes.status();
        const replay::Verification found = replay::Verify(*bytes, keys_);
        response->set_ok(found.ok);
        response->set_problem(found.problem);
        response->set_turn(found.turn);
        if (found.public_key) {
          response->set_public_key(found.public_key->data(), found.public_key->size());
        }
        return absl::OkStatus();
      });
}

}  // namespace referee::service
