#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "proto/referee/v1/match_service.grpc.pb.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/competition/competitions.h"
#include "referee/games/catalogue.h"
#include "referee/host/errors.h"
#include "referee/host/match_runner.h"
#include "referee/host/paused_games.h"
#include "referee/host/timers.h"
#include "referee/service/access/access.h"
#include "referee/service/convert/convert.h"
#include "referee/service/services.h"
#include "referee/service/told_matches.h"
#include "referee/service/unary_service.h"
#include "referee/service/watch_stream.h"

namespace referee::service {
namespace {

absl::StatusOr<std::shared_ptr<host::MatchRunner>> FindMatch(const host::Host& host,
                                                             const std::string& match_id) {
  const absl::StatusOr<MatchId> id = MatchId::Parse(match_id);
  if (!id.ok()) return id.status();
  std::shared_ptr<host::MatchRunner> runner = host.Find(*id);
  if (runner == nullptr) return host::UnknownMatch(match_id);
  return runner;
}

// Collects one page of matches. Each match fills its slot on any thread when no event is being
// handled; the last one ends the call.
class Page {
 public:
  // `told`, which applies the watch delay, must outlive the page.
  Page(const ToldMatches& told, Caller caller,
       std::vector<std::shared_ptr<host::MatchRunner>> matches, v1::MatchState only,
       v1::ListMatchesResponse* response, Call* call)
      : told_(told),
        caller_(std::move(caller)),
        matches_(std::move(matches)),
        only_(only),
        slots_(matches_.size()),
        missing_(matches_.size()),
        response_(response),
        call_(call) {}

  static void Gather(const std::shared_ptr<Page>& page) {
    if (page->matches_.empty()) page->Answer();
    for (size_t i = 0; i < page->matches_.size(); ++i) {
      page->matches_[i]->Inspect([page, i](const host::MatchRunner& quiet) {
        page->told_.MatchToWire(AudienceOf(page->caller_), quiet, &page->slots_[i]);
        if (page->missing_.fetch_sub(1) == 1) page->Answer();
      });
    }
  }

 private:
  void Answer() {
    for (v1::Match& match : slots_) {
      const bool wanted = only_ == v1::MATCH_STATE_UNSPECIFIED || only_ == match.state();
      if (wanted) *response_->add_matches() = std::move(match);
    }
    call_->End(absl::OkStatus());
  }

  const ToldMatches& told_;
  const Caller caller_;
  const std::vector<std::shared_ptr<host::MatchRunner>> matches_;
  const v1::MatchState only_;
  std::vector<v1::Match> slots_;
  std::atomic<size_t> missing_;
  v1::ListMatchesResponse* const response_;
  Call* const call_;
};

// Ends the call with the match, once no event of the match is being handled.
template <typename Response>
void AnswerWith(const std::shared_ptr<host::MatchRunner>& runner, Response* response, Call* call) {
  runner->Inspect([call, response](const host::MatchRunner& quiet) {
    // The start of the match could not be recorded.
    if (!quiet.made()) return call->End(absl::UnavailableError(quiet.ended()->reason));
    MatchToWire(quiet, response->mutable_match());
    call->End(absl::OkStatus());
  });
}

absl::Status PauseGame(const ServerOptions& options, const Caller& caller,
                       const v1::PauseGameRequest& request, v1::PauseGameResponse*) {
  const std::string& reason = request.reason();
  if (reason.empty() || reason.size() > limits::kMaxReasonBytes || !IsPlainText(reason)) {
    return BadValue("reason", reason, "1 to 256 bytes without control characters");
  }
  const auto known = games::Find(request.game());
  if (!known.ok()) return known.status();
  absl::Status paused = options.paused_games->Pause(request.game(), reason);
  if (!paused.ok()) return paused;
  return Audit(options, caller.name, "game.pause", "game", request.game(), reason);
}

absl::Status ResumeGame(const ServerOptions& options, const Caller& caller,
                        const v1::ResumeGameRequest& request, v1::ResumeGameResponse*) {
  absl::Status resumed = options.paused_games->Resume(request.game());
  if (!resumed.ok()) return resumed;
  if (options.competitions != nullptr) options.competitions->Wake();
  return Audit(options, caller.name, "game.resume", "game", request.game(), "");
}

absl::Status ListPausedGames(const ServerOptions& options, const Caller&,
                             const v1::ListPausedGamesRequest&,
                             v1::ListPausedGamesResponse* response) {
  for (const auto& [game, reason] : options.paused_games->List()) {
    v1::PausedGame* const paused = response->add_games();
    paused->set_game(game);
    paused->set_reason(reason);
  }
  return absl::OkStatus();
}

class MatchService final
    : public UnaryService<v1::MatchService, v1::MatchService::WithCallbackMethod_WatchMatch<
                                                v1::MatchService::Service>> {
 public:
  explicit MatchService(const ServiceParts& parts)
      : UnaryService(parts, host::kSyncingThreads), told_(parts.options) {
    ServeLater(&MatchService::Create, Requests::kLarge);
    ServeLater(&MatchService::Cancel);
    ServeAtOnce(&MatchService::Show);
    ServeAtOnce(&MatchService::List);
    Serve(&service::PauseGame);
    Serve(&service::ResumeGame);
    Serve(&service::ListPausedGames);
  }

  grpc::ServerWriteReactor<v1::WatchMatchResponse>* WatchMatch(
      grpc::CallbackServerContext* context, const v1::WatchMatchRequest* request) override;

 private:
  absl::Status Create(const Caller& caller, const v1::CreateMatchRequest& request,
                      v1::CreateMatchResponse* response, Call* call);
  absl::Status Cancel(const Caller& caller, const v1::CancelMatchRequest& request,
                      v1::CancelMatchResponse* response, Call* call);
  absl::Status Show(const Caller& caller, const v1::GetMatchRequest& request,
                    v1::GetMatchResponse* response, Call* call);
  // Starts to collect a page; the page ends `call` when it is complete.
  absl::Status List(const Caller& caller, const v1::ListMatchesRequest& request,
                    v1::ListMatchesResponse* response, Call* call);

  const ToldMatches told_;
};

absl::Status MatchService::Create(const Caller& caller, const v1::CreateMatchRequest& request,
                                  v1::CreateMatchResponse* response, Call* call) {
  const ServerOptions& options = parts_.options;
  absl::StatusOr<host::MatchRequest> wanted = FromWire(request);
  if (!wanted.ok()) return wanted.status();
  if (competition::CompetitionOfRequest(request.request_id()).has_value()) {
    return BadValue("request_id", request.request_id(),
                    "another id: those that begin with \"c/\" are of competitions");
  }
  const absl::Status bots = CheckAreBots(options.authenticator, wanted->bots);
  if (!bots.ok()) return bots;
  const std::string detail =
      absl::StrCat(wanted->game->name(), ": ", absl::StrJoin(wanted->bots, ", "));
  const absl::StatusOr<MatchId> id = options.host->Create(*std::move(wanted), request.request_id());
  if (!id.ok()) return id.status();
  const absl::Status audited =
      Audit(options, caller.name, "match.create", "match", id->text(), detail);
  if (!audited.ok()) return audited;
  const auto match = FindMatch(*options.host, id->text());
  if (!match.ok()) return match.status();
  AnswerWith(*match, response, call);
  return absl::OkStatus();
}

absl::Status MatchService::Cancel(const Caller& caller, const v1::CancelMatchRequest& request,
                                  v1::CancelMatchResponse* response, Call* call) {
  const ServerOptions& options = parts_.options;
  if (request.reason().size() > limits::kMaxReasonBytes) {
    return BadValue("reason", request.reason(), "at most 256 bytes");
  }
  const auto match = FindMatch(*options.host, request.match_id());
  if (!match.ok()) return match.status();
  const MatchId& id = (*match)->id();
  absl::Status done = options.host->Cancel(id, request.reason(), caller.name);
  if (done.ok()) {
    done = Audit(options, caller.name, "match.cancel", "match", id.text(), request.reason());
  }
  if (done.ok()) AnswerWith(*match, response, call);
  return done;
}

absl::Status MatchService::Show(const Caller& caller, const v1::GetMatchRequest& request,
                                v1::GetMatchResponse* response, Call* call) {
  const auto match = FindMatch(*parts_.options.host, request.match_id());
  if (!match.ok()) return match.status();
  (*match)->Inspect([this, caller, response, call](const host::MatchRunner& quiet) {
    told_.SnapshotToWire(AudienceOf(caller), quiet, response->mutable_snapshot());
    call->End(absl::OkStatus());
  });
  return absl::OkStatus();
}

absl::Status MatchService::List(const Caller& caller, const v1::ListMatchesRequest& request,
                                v1::ListMatchesResponse* response, Call* call) {
  MatchId before;
  if (!request.page_token().empty()) {
    const absl::StatusOr<MatchId> parsed = MatchId::Parse(request.page_token());
    if (!parsed.ok()) return At("page_token", parsed.status());
    before = *parsed;
  }
  const int page_size = PageSize(request.page_size(), caller.max_page_size);
  // The one extra match shows whether there is a next page.
  auto matches = parts_.options.host->List(before, page_size + 1);
  if (static_cast<int>(matches.size()) > page_size) {
    matches.pop_back();
    response->set_next_page_token(matches.back()->id().text());
  }
  const Audience audience = AudienceOf(caller);
  matches.erase(
      std::remove_if(matches.begin(), matches.end(),
                     [&](const auto& match) { return !told_.IsToldOf(audience, *match); }),
      matches.end());
  Page::Gather(
      std::make_shared<Page>(told_, caller, std::move(matches), request.state(), response, call));
  return absl::OkStatus();
}

grpc::ServerWriteReactor<v1::WatchMatchResponse>* MatchService::WatchMatch(
    grpc::CallbackServerContext* context, const v1::WatchMatchRequest* request) {
  constexpr char kMethod[] = "referee.v1.MatchService.WatchMatch";
  const std::shared_ptr<WatchStream> stream =
      WatchStream::Serve(context->c_call(),
                         {parts_.deadlines, parts_.options.timers, parts_.options.clock,
                          CallCount(parts_.options.metrics, kMethod)},
                         *request);
  parts_.access.Check(
      kMethod, *context, [this, stream, match_id = request->match_id()](const auto& caller) {
        if (!caller.ok()) return stream->Begin(caller.status());
        stream->HoldTicket(caller->ticket);
        stream->EndWith(parts_.sessions, {caller->address, caller->name, caller->hash});
        const auto match = FindMatch(*parts_.options.host, match_id);
        if (match.ok()) {
          stream->HoldBack(told_.TellingOf(AudienceOf(*caller), **match).delay());
        }
        stream->Begin(match);
      });
  return stream.get();
}

}  // namespace

std::unique_ptr<grpc::Service> MakeMatchService(const ServiceParts& parts) {
  return std::make_unique<MatchService>(parts);
}

}  // namespace referee::service
