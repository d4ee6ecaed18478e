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

// Reads it for `audience`, to whom it may be told or not.
absl::StatusOr<std::string> Read(const replay::Archive& archive, const ToldMatches& told,
                                 const Audience& audience, const std::string& match_id) {
  const absl::StatusOr<MatchId> id = MatchId::Parse(match_id);
  if (!id.ok()) return id.status();
  if (absl::Status may = told.CheckReplay(audience, *id); !may.ok()) return may;
  return archive.Read(*id);
}

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
  outcome->set_state(StateToWire(summary.ending));
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

}  // namespace

// Sends a replay in chunks, of which no more than one is in memory. Deletes itself.
class ReplayService::ChunkStream final : public grpc::ServerWriteReactor<v1::GetReplayResponse> {
 public:
  // `service` and `context` must outlive the call.
  ChunkStream(ReplayService* service, const CallCount& count, grpc::CallbackServerContext* context,
              const std::string& match_id)
      : service_(*service), count_(count), context_(*context), id_(MatchId::Parse(match_id)) {}

  // Sends to this caller, or refuses. To be called once.
  void Begin(const absl::StatusOr<Caller>& caller) {
    if (!caller.ok()) return End(caller.status());
    caller_ = *caller;
    Next();
  }

  void OnWriteDone(bool ok) override {
    service_.calls_.deadlines()->Remove(deadline_);
    caller_.ticket->Release(response_.chunk().size());
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
    if (sent_ == 0) {
      const absl::Status may = service_.told_.CheckReplay(AudienceOf(caller_), *id_);
      if (!may.ok()) return may;
    }
    absl::StatusOr<replay::ReplayPart> part =
        service_.archive_->archive().ReadPart(*id_, sent_, limits::kReplayChunkBytes);
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
    deadline_ = service_.calls_.deadlines()->Add(context_.c_call());
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
  const auto stream =
      new ChunkStream(this, calls_.CountStream(kMethod), context, request->match_id());
  access_.Check(kMethod, *context,
                [stream](const absl::StatusOr<Caller>& caller) { stream->Begin(caller); });
  return stream;
}

grpc::ServerUnaryReactor* ReplayService::ListReplays(grpc::CallbackServerContext* context,
                                                     const v1::ListReplaysRequest* request,
                                                     v1::ListReplaysResponse* response) {
  return calls_.Serve(
      "referee.v1.ReplayService.ListReplays", context, response, [=](const Caller& caller) {
        const absl::StatusOr<replay::FoundPage> page = archive_->Find(
            FilterOf(*request), PageSize(request->page_size(), caller), request->page_token());
        if (!page.ok()) return page.status();
        for (const auto& [replay, summary] : page->entries) {
          if (!told_.CheckReplay(AudienceOf(caller), replay.id).ok()) continue;
          v1::ReplaySummary* const listed = response->add_replays();
          listed->set_match_id(replay.id.text());
          ToWire(replay.create_time, listed->mutable_create_time());
          listed->set_total_bytes(replay.size);
          if (summary) OutcomeToWire(*summary, listed->mutable_outcome());
        }
        response->set_next_page_token(page->next_page_token);
        return absl::OkStatus();
      });
}

grpc::ServerUnaryReactor* ReplayService::VerifyReplay(grpc::CallbackServerContext* context,
                                                      const v1::VerifyReplayRequest* request,
                                                      v1::VerifyReplayResponse* response) {
  return calls_.Serve(
      "referee.v1.ReplayService.VerifyReplay", context, response, [=](const Caller& caller) {
        const absl::StatusOr<std::string> bytes =
            Read(archive_->archive(), told_, AudienceOf(caller), request->match_id());
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
