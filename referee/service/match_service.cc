#include "referee/service/match_service.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/competition/competitions.h"
#include "referee/games/catalogue.h"
#include "referee/host/errors.h"
#include "referee/host/paused_games.h"
#include "referee/service/convert/convert.h"
#include "referee/service/errors.h"
#include "referee/service/page_size.h"
#include "referee/service/watch_stream.h"
#include "referee/store/store.h"

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

absl::Status NotMade(const host::MatchRunner& runner) {
  return absl::UnavailableError(runner.ended()->reason);
}

// Fills the response from a match when nothing is happening in it, then ends the call.
template <typename Fill>
void AnswerFrom(const std::shared_ptr<host::MatchRunner>& runner, Call* call, Fill fill) {
  runner->Inspect([call, fill](const host::MatchRunner& quiet) {
    fill(quiet);
    call->End(absl::OkStatus());
  });
}

// A page being gathered: each match fills its slot when nothing is happening in it, on whatever
// thread; the last one answers.
class Page {
 public:
  // `told` must outlive the page.
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

}  // namespace

absl::Status MatchService::Audit(const Caller& caller, absl::string_view action,
                                 absl::string_view kind, absl::string_view name,
                                 absl::string_view detail) const {
  if (options_.store == nullptr) return absl::OkStatus();
  store::AuditEntry entry;
  entry.time = options_.clock->WallNow();
  entry.who = caller.name;
  entry.action = std::string(action);
  entry.subject = std::string(name);
  entry.detail = std::string(detail);
  const absl::Status written = options_.store->AppendAudit(entry);
  if (written.ok()) return written;
  return NotAudited(absl::StrCat(action, ": ", kind, " ", name, " is as you asked"), written);
}

template <typename Response>
grpc::ServerUnaryReactor* MatchService::Serve(absl::string_view method,
                                              grpc::CallbackServerContext* context,
                                              Response* response,
                                              std::function<Found(const Caller&)> act) {
  return calls_.ServeLater(method, context, response,
                           [response, act = std::move(act)](const Caller& caller, Call* call) {
                             const Found match = act(caller);
                             if (!match.ok()) return match.status();
                             (*match)->Inspect([call, response](const host::MatchRunner& quiet) {
                               if (!quiet.made()) return call->End(NotMade(quiet));
                               MatchToWire(quiet, response->mutable_match());
                               call->End(absl::OkStatus());
                             });
                             return absl::OkStatus();
                           });
}

grpc::ServerUnaryReactor* MatchService::CreateMatch(grpc::CallbackServerContext* context,
                                                    const v1::CreateMatchRequest* request,
                                                    v1::CreateMatchResponse* response) {
  calls_.NoteRequest(*context, *request);
  return Serve("referee.v1.MatchService.CreateMatch", context, response,
               [=](const Caller& caller) { return Create(caller, *request); });
}

MatchService::Found MatchService::Create(const Caller& caller,
                                         const v1::CreateMatchRequest& request) const {
  absl::StatusOr<host::MatchRequest> wanted = FromWire(request);
  if (!wanted.ok()) return wanted.status();
  if (competition::CompetitionOfRequest(request.request_id()).has_value()) {
    return BadValue("request_id", request.request_id(),
                    "another id: those that begin with \"c/\" are of competitions");
  }
  const absl::Status bots = CheckAreBots(options_.authenticator, wanted->bots);
  if (!bots.ok()) return bots;
  const std::string detail =
      absl::StrCat(wanted->game->name(), ": ", absl::StrJoin(wanted->bots, ", "));
  const absl::StatusOr<MatchId> id =
      options_.host->Create(*std::move(wanted), request.request_id());
  if (!id.ok()) return id.status();
  const absl::Status audited = Audit(caller, "match.create", "match", id->text(), detail);
  if (!audited.ok()) return audited;
  return FindMatch(*options_.host, id->text());
}

grpc::ServerUnaryReactor* MatchService::GetMatch(grpc::CallbackServerContext* context,
                                                 const v1::GetMatchRequest* request,
                                                 v1::GetMatchResponse* response) {
  return calls_.ServeAtOnce(
      "referee.v1.MatchService.GetMatch", context, response, [=](const Caller& caller, Call* call) {
        const auto runner = FindMatch(*options_.host, request->match_id());
        if (!runner.ok()) return runner.status();
        AnswerFrom(*runner, call, [this, caller, response](const host::MatchRunner& quiet) {
          told_.SnapshotToWire(AudienceOf(caller), quiet, response->mutable_snapshot());
        });
        return absl::OkStatus();
      });
}

grpc::ServerUnaryReactor* MatchService::ListMatches(grpc::CallbackServerContext* context,
                                                    const v1::ListMatchesRequest* request,
                                                    v1::ListMatchesResponse* response) {
  return calls_.ServeAtOnce(
      "referee.v1.MatchService.ListMatches", context, response,
      [=](const Caller& caller, Call* call) { return List(caller, *request, response, call); });
}

absl::Status MatchService::List(const Caller& caller, const v1::ListMatchesRequest& request,
                                v1::ListMatchesResponse* response, Call* call) const {
  MatchId before;
  if (!request.page_token().empty()) {
    const absl::StatusOr<MatchId> parsed = MatchId::Parse(request.page_token());
    if (!parsed.ok()) return At("page_token", parsed.status());
    before = *parsed;
  }
  const int page_size = PageSize(request.page_size(), caller);
  // One more than fits tells whether there is a next page.
  auto matches = options_.host->List(before, page_size + 1);
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

grpc::ServerUnaryReactor* MatchService::CancelMatch(grpc::CallbackServerContext* context,
                                                    const v1::CancelMatchRequest* request,
                                                    v1::CancelMatchResponse* response) {
  return Serve("referee.v1.MatchService.CancelMatch", context, response,
               [=](const Caller& caller) { return Cancel(caller, *request); });
}

MatchService::Found MatchService::Cancel(const Caller& caller,
                                         const v1::CancelMatchRequest& request) const {
  if (request.reason().size() > limits::kMaxReasonBytes) {
    return BadValue("reason", request.reason(), "at most 256 bytes");
  }
  auto runner = FindMatch(*options_.host, request.match_id());
  if (!runner.ok()) return runner;
  const absl::Status cancelled =
      options_.host->Cancel((*runner)->id(), request.reason(), caller.name);
  if (!cancelled.ok()) return cancelled;
  const absl::Status audited =
      Audit(caller, "match.cancel", "match", (*runner)->id().text(), request.reason());
  if (!audited.ok()) return audited;
  return runner;
}

// --- Games ---

grpc::ServerUnaryReactor* MatchService::PauseGame(grpc::CallbackServerContext* context,
                                                  const v1::PauseGameRequest* request,
                                                  v1::PauseGameResponse* response) {
  return calls_.Serve(
      "referee.v1.MatchService.PauseGame", context, response,
      [=](const Caller& caller) -> absl::Status {
        const std::string& reason = request->reason();
        if (reason.empty() || reason.size() > limits::kMaxReasonBytes || !IsPlainText(reason)) {
          return BadValue("reason", reason, "1 to 256 bytes without control characters");
        }
        const auto known = games::Find(request->game());
        if (!known.ok()) return known.status();
        absl::Status paused = options_.paused_games->Pause(request->game(), reason);
        if (paused.ok()) paused = Audit(caller, "game.pause", "game", request->game(), reason);
        return paused;
      });
}

grpc::ServerUnaryReactor* MatchService::ResumeGame(grpc::CallbackServerContext* context,
                                                   const v1::ResumeGameRequest* request,
                                                   v1::ResumeGameResponse* response) {
  return calls_.Serve("referee.v1.MatchService.ResumeGame", context, response,
                      [=](const Caller& caller) -> absl::Status {
                        const std::string& game = request->game();
                        absl::Status resumed = options_.paused_games->Resume(game);
                        if (!resumed.ok()) return resumed;
                        if (options_.competitions != nullptr) options_.competitions->Wake();
                        return Audit(caller, "game.resume", "game", game, "");
                      });
}

grpc::ServerUnaryReactor* MatchService::ListPausedGames(grpc::CallbackServerContext* context,
                                                        const v1::ListPausedGamesRequest*,
                                                        v1::ListPausedGamesResponse* response) {
  return calls_.Serve("referee.v1.MatchService.ListPausedGames", context, response,
                      [=](const Caller&) {
                        for (const auto& [game, reason] : options_.paused_games->List()) {
                          v1::PausedGame* const paused = response->add_games();
                          paused->set_game(game);
                          paused->set_reason(reason);
                        }
                        return absl::OkStatus();
                      });
}

grpc::ServerWriteReactor<v1::WatchMatchResponse>* MatchService::WatchMatch(
    grpc::CallbackServerContext* context, const v1::WatchMatchRequest* request) {
  constexpr char kMethod[] = "referee.v1.MatchService.WatchMatch";
  const std::shared_ptr<WatchStream> stream = WatchStream::Serve(
      context->c_call(),
      {calls_.deadlines(), options_.timers, options_.clock, calls_.CountStream(kMethod)}, *request);
  access_.Check(kMethod, *context,
                [this, stream, match_id = request->match_id()](const auto& caller) {
                  if (!caller.ok()) return stream->Begin(caller.status());
                  stream->HoldTicket(caller->ticket);
                  stream->EndWith(&sessions_, {caller->address, caller->name, caller->hash});
                  const Found match = FindMatch(*options_.host, match_id);
                  if (match.ok()) {
                    stream->HoldBack(told_.TellingOf(AudienceOf(*caller), **match).delay());
                  }
                  stream->Begin(match);
                });
  return stream.get();
}

}  // namespace referee::service
