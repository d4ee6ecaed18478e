#include "referee/service/replay_service.h"

#include <algorithm>
#include <utility>

#include "referee/base/limits.h"
#include "referee/replay/verifier.h"
#include "referee/service/convert/convert.h"
#include "referee/service/to_grpc.h"

namespace referee::service {
namespace {

absl::StatusOr<std::string> Read(const replay::Archive& archive, const std::string& match_id) {
  const absl::StatusOr<MatchId> id = MatchId::Parse(match_id);
  if (!id.ok()) return id.status();
  return archive.Read(*id);
}

// Sends a file in chunks, or ends with an error, once it is known which. Deletes itself.
class ChunkStream final : public grpc::ServerWriteReactor<v1::GetReplayResponse> {
 public:
  // Call it once.
  void Send(absl::StatusOr<std::string> bytes) {
    if (!bytes.ok()) {
      Finish(ToGrpc(bytes.status()));
      return;
    }
    bytes_ = *std::move(bytes);
    response_.set_total_bytes(bytes_.size());
    Next();
  }

  void OnWriteDone(bool ok) override {
    if (!ok) {
      Finish(grpc::Status(grpc::StatusCode::CANCELLED, "the reader has gone"));
      return;
    }
    response_.clear_total_bytes();
    Next();
  }
  void OnDone() override { delete this; }

 private:
  void Next() {
    if (sent_ == bytes_.size()) {
      Finish(grpc::Status::OK);
      return;
    }
    const std::string chunk = bytes_.substr(sent_, limits::kReplayChunkBytes);
    sent_ += chunk.size();
    response_.set_chunk(chunk);
    StartWrite(&response_);
  }

  std::string bytes_;
  size_t sent_ = 0;
  v1::GetReplayResponse response_;
};

}  // namespace

grpc::ServerWriteReactor<v1::GetReplayResponse>* ReplayService::GetReplay(
    grpc::CallbackServerContext* context, const v1::GetReplayRequest* request) {
  const auto stream = new ChunkStream();
  access_.Check(
      "referee.v1.ReplayService.GetReplay", *context,
      [this, stream, match_id = request->match_id()](const auto& caller) {
        absl::Status taken = caller.status();
        if (taken.ok()) {
          taken = calls_.Run([this, stream, match_id] { stream->Send(Read(archive_, match_id)); });
        }
        if (!taken.ok()) stream->Send(taken);
      });
  return stream;
}

grpc::ServerUnaryReactor* ReplayService::ListReplays(grpc::CallbackServerContext* context,
                                                     const v1::ListReplaysRequest* request,
                                                     v1::ListReplaysResponse* response) {
  return calls_.Serve("referee.v1.ReplayService.ListReplays", context, [=](const Caller&) {
    const uint32_t most = limits::kMaxPageSize;
    const absl::StatusOr<replay::ArchivePage> page = archive_.List(
        static_cast<int>(std::min(request->page_size(), most)), request->page_token());
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
  return calls_.Serve("referee.v1.ReplayService.VerifyReplay", context, [=](const Caller&) {
    const absl::StatusOr<std::string> bytes = Read(archive_, request->match_id());
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
