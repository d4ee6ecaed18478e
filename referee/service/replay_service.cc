#include <memory>
#include <utility>

#include "proto/referee/v1/replay_service.grpc.pb.h"
#include "referee/base/limits.h"
#include "referee/replay/errors.h"
#include "referee/replay/verifier.h"
#include "referee/service/convert/convert.h"
#include "referee/service/services.h"
#include "referee/service/to_grpc.h"
#include "referee/service/told_matches.h"
#include "referee/service/unary_service.h"

namespace referee::service {
namespace {

replay::ReplayFilter FilterOf(const v1::ListReplaysRequest& request) {
  replay::ReplayFilter filter;
  filter.bot = request.bot();
  filter.opponent = request.opponent();
  filter.game = request.game();
  filter.competition = request.competition_id();
  return filter;
}

void OutcomeToWire(const replay::ReplaySummary& summary, v1::ReplayOutcome* outcome) {
  outcome->set_game(summary.game);
  outcome->set_competition_id(summary.competition);
  ToWire(summary.end_time, outcome->mutable_end_time());
  outcome->set_turns_played(summary.turns);
  outcome->set_state(ToWire(summary.ending));
  for (const replay::SeatSummary& seat : summary.seats) {
    const auto number = static_cast<uint32_t>(outcome->bots_size());
    outcome->add_bots(seat.bot);
    if (seat.score) outcome->add_scores(*seat.score);
    if (seat.rank) outcome->add_ranks(static_cast<uint32_t>(*seat.rank));
    if (!seat.forfeit) continue;
    v1::SeatForfeit* const forfeit = outcome->add_forfeits();
    forfeit->set_seat(number);
    forfeit->set_cause(ToWire(*seat.forfeit));
  }
}

class ReplayService final
    : public UnaryService<v1::ReplayService, v1::ReplayService::WithCallbackMethod_GetReplay<
                                                 v1::ReplayService::Service>> {
 public:
  explicit ReplayService(const ServiceParts& parts)
      : UnaryService(parts, /*threads=*/2), told_(parts.options) {
    Serve(&ReplayService::List);
    Serve(&ReplayService::Verify);
  }

  grpc::ServerWriteReactor<v1::GetReplayResponse>* GetReplay(
      grpc::CallbackServerContext* context, const v1::GetReplayRequest* request) override;

 private:
  class ChunkStream;

  absl::Status List(const Caller& caller, const v1::ListReplaysRequest& request,
                    v1::ListReplaysResponse* response);
  absl::Status Verify(const Caller& caller, const v1::VerifyReplayRequest& request,
                      v1::VerifyReplayResponse* response);
  // Reads a replay for `audience`. Returns an error if the replay is still withheld.
  absl::StatusOr<std::string> Read(const Audience& audience, const std::string& match_id) const;

  const ToldMatches told_;
};

// Streams a replay in chunks, with at most one chunk in memory. Deletes itself.
class ReplayService::ChunkStream final : public grpc::ServerWriteReactor<v1::GetReplayResponse> {
 public:
  // `service` and `context` must outlive the call.
  ChunkStream(ReplayService* service, const CallCount& count, grpc::CallbackServerContext* context,
              const std::string& match_id)
      : service_(*service), count_(count), context_(*context), id_(MatchId::Parse(match_id)) {}

  // Starts to send, or ends the call with the caller's error. Call once.
  void Begin(const absl::StatusOr<Caller>& caller) {
    if (!caller.ok()) return End(caller.status());
    caller_ = *caller;
    Next();
  }

  void OnWriteDone(bool ok) override {
    service_.parts_.deadlines->Remove(deadline_);
    caller_.ticket->Release(response_.chunk().size());
    if (!ok) return End(absl::CancelledError("the reader has gone, or reads nothing"));
    response_.clear_total_bytes();
    Next();
  }
  void OnDone() override { delete this; }

 private:
  // Schedules the next chunk on the pool, or ends the call.
  void Next() {
    if (sent_ > 0 && sent_ == total_) return End(absl::OkStatus());
    const absl::Status taken = service_.calls_.Run([this] {
      if (const absl::Status sent = Send(); !sent.ok()) End(sent);
    });
    if (!taken.ok()) End(taken);
  }

  // Reads a chunk and starts to send it.
  absl::Status Send() {
    if (!id_.ok()) return id_.status();
    if (sent_ == 0) {
      const absl::Status may = service_.told_.CheckReplay(AudienceOf(caller_), *id_);
      if (!may.ok()) return may;
    }
    absl::StatusOr<replay::ReplayPart> part =
        service_.parts_.options.archive->ReadPart(*id_, sent_, limits::kReplayChunkBytes);
    if (!part.ok()) return part.status();
    if (part->bytes.empty()) return replay::NoReplay(id_->text());
    const absl::Status room = caller_.ticket->Keep(part->bytes.size());
    if (!room.ok()) return room;
    if (sent_ == 0) {
      total_ = part->total;
      response_.set_total_bytes(total_);
    }
    sent_ += part->bytes.size();
    *response_.mutable_chunk() = std::move(part->bytes);
    deadline_ = service_.parts_.deadlines->Add(context_.c_call());
    count_.Sent();
    StartWrite(&response_);
    return absl::OkStatus();
  }

  void End(const absl::Status& status) {
    SayWhenAgain(status, &context_);
    count_.EndStream(status);
    Finish(ToGrpc(status));
  }

  ReplayService& service_;
  const CallCount count_;
  grpc::CallbackServerContext& context_;
  const absl::StatusOr<MatchId> id_;
  Caller caller_;
  uint64_t total_ = 0;
  uint64_t sent_ = 0;
  uint64_t deadline_ = 0;  // of the chunk that is being sent
  v1::GetReplayResponse response_;
};

grpc::ServerWriteReactor<v1::GetReplayResponse>* ReplayService::GetReplay(
    grpc::CallbackServerContext* context, const v1::GetReplayRequest* request) {
  constexpr char kMethod[] = "referee.v1.ReplayService.GetReplay";
  const auto stream = new ChunkStream(this, CallCount(parts_.options.metrics, kMethod), context,
                                      request->match_id());
  parts_.access.Check(kMethod, *context,
                      [stream](const absl::StatusOr<Caller>& caller) { stream->Begin(caller); });
  return stream;
}

absl::StatusOr<std::string> ReplayService::Read(const Audience& audience,
                                                const std::string& match_id) const {
  const absl::StatusOr<MatchId> id = MatchId::Parse(match_id);
  if (!id.ok()) return id.status();
  if (absl::Status may = told_.CheckReplay(audience, *id); !may.ok()) return may;
  return parts_.options.archive->Read(*id);
}

absl::Status ReplayService::List(const Caller& caller, const v1::ListReplaysRequest& request,
                                 v1::ListReplaysResponse* response) {
  const absl::StatusOr<replay::FoundPage> page = parts_.options.archive->Search(
      FilterOf(request), PageSize(request.page_size(), caller.max_page_size), request.page_token());
  if (!page.ok()) return page.status();
  for (const auto& [replay, summary] : page->entries) {
    if (!told_.CheckReplay(AudienceOf(caller), replay.id).ok()) continue;
    v1::ReplaySummary* const listed = response->add_replays();
    listed->set_match_id(replay.id.text());
    ToWire(replay.id.created(), listed->mutable_create_time());
    listed->set_total_bytes(replay.size);
    if (summary) OutcomeToWire(*summary, listed->mutable_outcome());
  }
  response->set_next_page_token(page->next_page_token);
  return absl::OkStatus();
}

absl::Status ReplayService::Verify(const Caller& caller, const v1::VerifyReplayRequest& request,
                                   v1::VerifyReplayResponse* response) {
  const absl::StatusOr<std::string> bytes = Read(AudienceOf(caller), request.match_id());
  if (absl::IsDataLoss(bytes.status())) {
    response->set_problem(std::string(bytes.status().message()));
    return absl::OkStatus();
  }
  if (!bytes.ok()) return bytes.status();
  // Only this referee's keys count: a replay signed by another referee fails.
  const replay::Verification found = replay::Verify(*bytes, parts_.options.keys);
  response->set_ok(found.ok);
  response->set_problem(found.problem);
  response->set_turn(found.turn);
  if (found.public_key) {
    response->set_public_key(found.public_key->data(), found.public_key->size());
  }
  return absl::OkStatus();
}

}  // namespace

std::unique_ptr<grpc::Service> MakeReplayService(const ServiceParts& parts) {
  return std::make_unique<ReplayService>(parts);
}

}  // namespace referee::service
