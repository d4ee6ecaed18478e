#include "referee/service/competition_service.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/host/errors.h"
#include "referee/replay/errors.h"
#include "referee/service/competition_watch.h"
#include "referee/service/convert/competition.h"
#include "referee/service/convert/convert.h"
#include "referee/service/errors.h"
#include "referee/service/page_size.h"
#include "referee/service/told_matches.h"

namespace referee::service {
namespace {

// Which bot joins or leaves: an organiser says; a bot speaks for itself.
absl::StatusOr<std::string> BotMeant(const Caller& caller, const std::string& bot) {
  if (caller.role != Role::kBot) {
    if (!bot.empty()) return bot;
    return absl::InvalidArgumentError(
        "bot: not given; an organiser says which bot joins or leaves (only a "
        "bot's own token stands for it)");
  }
  if (bot.empty() || bot == caller.name) return caller.name;
  return OnlyForItself(caller.name, bot);
}

// Says why a bot is shut out, if it is.
void AddWhyShutOut(const Authenticator& authenticator, v1::Standing* standing) {
  const std::string why = authenticator.WhyShutOut(standing->bot());
  if (why.empty()) return;
  standing->set_remark(
      absl::StrCat(standing->remark(), standing->remark().empty() ? "" : "; ", why));
}

// The pair, a lower and a higher number of entrants, at which a page begins: "<low>-<high>".
absl::StatusOr<std::pair<int, int>> PairInToken(const std::string& token) {
  std::pair<int, int> from;
  if (token.empty()) return from;
  const std::vector<absl::string_view> parts = absl::StrSplit(token, '-');
  if (parts.size() != 2 || !absl::SimpleAtoi(parts[0], &from.first) ||
      !absl::SimpleAtoi(parts[1], &from.second)) {
    return replay::BadPageToken(token);
  }
  return from;
}

}  // namespace

absl::Status CompetitionService::Fill(const View& view, v1::Competition* out) const {
  if (!view.ok()) return view.status();
  ToWire(*view, options_.clock->WallNow(), out);
  return absl::OkStatus();
}

const competition::Board& CompetitionService::BoardFor(const Caller& caller) const {
  if (AudienceOf(caller).hears_all()) return *options_.competitions;
  return options_.competitions->told();
}

CompetitionService::View CompetitionService::AfterChange(const Caller& caller,
                                                         absl::string_view name,
                                                         View changed) const {
  if (!changed.ok() || AudienceOf(caller).hears_all()) return changed;
  return options_.competitions->told().WholeViewOf(name);
}

template <typename Request, typename Response>
grpc::ServerUnaryReactor* CompetitionService::ServeChange(absl::string_view method,
                                                          grpc::CallbackServerContext* context,
                                                          const Request* request,
                                                          Response* response, Change change) {
  return calls_.Serve(method, context, response, [=](const Caller& caller) {
    const View view = std::invoke(change, options_.competitions, request->name(), caller.name);
    return Fill(view, response->mutable_competition());
  });
}

grpc::ServerUnaryReactor* CompetitionService::CreateCompetition(
    grpc::CallbackServerContext* context, const v1::CreateCompetitionRequest* request,
    v1::CreateCompetitionResponse* response) {
  calls_.NoteRequest(*context, *request);
  return calls_.Serve("referee.v1.CompetitionService.CreateCompetition", context, response,
                      [=](const Caller& caller) {
                        if (request->request_id().size() > limits::kMaxRequestIdBytes) {
                          return BadValue("request_id", request->request_id(), "at most 64 bytes");
                        }
                        absl::StatusOr<schedule::Spec> spec = FromWire(request->spec());
                        if (!spec.ok()) return spec.status();
                        absl::Status valid = schedule::Validate(*spec);
                        if (valid.ok())
                          valid = CheckAreBots(options_.authenticator, spec->entrants);
                        if (!valid.ok()) return valid;
                        return Fill(options_.competitions->Create(
                                        *std::move(spec), request->request_id(), caller.name),
                                    response->mutable_competition());
                      });
}

grpc::ServerUnaryReactor* CompetitionService::StartCompetition(
    grpc::CallbackServerContext* context, const v1::StartCompetitionRequest* request,
    v1::StartCompetitionResponse* response) {
  return ServeChange("referee.v1.CompetitionService.StartCompetition", context, request, response,
                     &competition::Competitions::Start);
}

grpc::ServerUnaryReactor* CompetitionService::PauseCompetition(
    grpc::CallbackServerContext* context, const v1::PauseCompetitionRequest* request,
    v1::PauseCompetitionResponse* response) {
  return ServeChange("referee.v1.CompetitionService.PauseCompetition", context, request, response,
                     &competition::Competitions::Pause);
}

grpc::ServerUnaryReactor* CompetitionService::ResumeCompetition(
    grpc::CallbackServerContext* context, const v1::ResumeCompetitionRequest* request,
    v1::ResumeCompetitionResponse* response) {
  return ServeChange("referee.v1.CompetitionService.ResumeCompetition", context, request, response,
                     &competition::Competitions::Resume);
}

grpc::ServerUnaryReactor* CompetitionService::FinishCompetition(
    grpc::CallbackServerContext* context, const v1::FinishCompetitionRequest* request,
    v1::FinishCompetitionResponse* response) {
  return ServeChange("referee.v1.CompetitionService.FinishCompetition", context, request, response,
                     &competition::Competitions::Finish);
}

grpc::ServerUnaryReactor* CompetitionService::JoinCompetition(
    grpc::CallbackServerContext* context, const v1::JoinCompetitionRequest* request,
    v1::JoinCompetitionResponse* response) {
  return calls_.Serve(
      "referee.v1.CompetitionService.JoinCompetition", context, response,
      [=](const Caller& caller) {
        const absl::StatusOr<std::string> bot = BotMeant(caller, request->bot());
        if (!bot.ok()) return bot.status();
        if (const absl::Status known = CheckAreBots(options_.authenticator, {*bot}); !known.ok())
          return known;
        View joined = options_.competitions->Join(request->name(), *bot, caller.name);
        return Fill(AfterChange(caller, request->name(), std::move(joined)),
                    response->mutable_competition());
      });
}

grpc::ServerUnaryReactor* CompetitionService::LeaveCompetition(
    grpc::CallbackServerContext* context, const v1::LeaveCompetitionRequest* request,
    v1::LeaveCompetitionResponse* response) {
  return calls_.Serve("referee.v1.CompetitionService.LeaveCompetition", context, response,
                      [=](const Caller& caller) {
                        const absl::StatusOr<std::string> bot = BotMeant(caller, request->bot());
                        if (!bot.ok()) return bot.status();
                        View left =
                            options_.competitions->Leave(request->name(), *bot, caller.name);
                        return Fill(AfterChange(caller, request->name(), std::move(left)),
                                    response->mutable_competition());
                      });
}

grpc::ServerUnaryReactor* CompetitionService::UpdateCompetition(
    grpc::CallbackServerContext* context, const v1::UpdateCompetitionRequest* request,
    v1::UpdateCompetitionResponse* response) {
  return calls_.Serve(
      "referee.v1.CompetitionService.UpdateCompetition", context, response,
      [=](const Caller& caller) {
        return Fill(options_.competitions->Update(
                        request->name(),
                        [request](schedule::Spec* spec) { return service::Update(*request, spec); },
                        caller.name),
                    response->mutable_competition());
      });
}

grpc::ServerUnaryReactor* CompetitionService::BeginSeason(grpc::CallbackServerContext* context,
                                                          const v1::BeginSeasonRequest* request,
                                                          v1::BeginSeasonResponse* response) {
  return calls_.Serve(
      "referee.v1.CompetitionService.BeginSeason", context, response, [=](const Caller& caller) {
        if (request->request_id().size() > limits::kMaxRequestIdBytes) {
          return BadValue("request_id", request->request_id(), "at most 64 bytes");
        }
        return Fill(
            options_.competitions->BeginSeason(request->name(), request->request_id(), caller.name),
            response->mutable_competition());
      });
}

grpc::ServerUnaryReactor* CompetitionService::RemoveCompetition(
    grpc::CallbackServerContext* context, const v1::RemoveCompetitionRequest* request,
    v1::RemoveCompetitionResponse* response) {
  return calls_.Serve("referee.v1.CompetitionService.RemoveCompetition", context, response,
                      [=](const Caller& caller) {
                        return options_.competitions->Remove(request->name(), caller.name);
                      });
}

grpc::ServerUnaryReactor* CompetitionService::DropBlock(grpc::CallbackServerContext* context,
                                                        const v1::DropBlockRequest* request,
                                                        v1::DropBlockResponse* response) {
  return calls_.Serve(
      "referee.v1.CompetitionService.DropBlock", context, response, [=](const Caller& caller) {
        constexpr uint64_t kMost = std::numeric_limits<int64_t>::max();
        const auto number = static_cast<int64_t>(std::min(request->number(), kMost));
        return Fill(options_.competitions->DropBlock(request->name(), number, request->reason(),
                                                     caller.name),
                    response->mutable_competition());
      });
}

grpc::ServerUnaryReactor* CompetitionService::ListCompetitions(
    grpc::CallbackServerContext* context, const v1::ListCompetitionsRequest* request,
    v1::ListCompetitionsResponse* response) {
  return calls_.Serve("referee.v1.CompetitionService.ListCompetitions", context, response,
                      [=](const Caller& caller) {
                        store::CompetitionId before;
                        if (!request->page_token().empty()) {
                          // Ids of competitions have the form of those of matches.
                          if (!MatchId::Parse(request->page_token()).ok())
                            return replay::BadPageToken(request->page_token());
                          before = store::CompetitionId(request->page_token());
                        }
                        absl::optional<schedule::Format> format;
                        if (request->format() != v1::COMPETITION_FORMAT_UNSPECIFIED) {
                          const absl::StatusOr<schedule::Format> asked =
                              FromWire(request->format());
                          if (!asked.ok()) return asked.status();
                          format = *asked;
                        }
                        absl::StatusOr<competition::CompetitionPage> page = BoardFor(caller).List(
                            before, PageSize(request->page_size(), caller), format, request->bot());
                        if (!page.ok()) return page.status();
                        const absl::Time now = options_.clock->WallNow();
                        for (competition::CompetitionView& view : page->competitions) {
                          ListedToWire(std::move(view), now, response->add_competitions());
                        }
                        if (page->next) response->set_next_page_token(page->next->text());
                        return absl::OkStatus();
                      });
}

grpc::ServerUnaryReactor* CompetitionService::GetCompetition(
    grpc::CallbackServerContext* context, const v1::GetCompetitionRequest* request,
    v1::GetCompetitionResponse* response) {
  return calls_.Serve(
      "referee.v1.CompetitionService.GetCompetition", context, response, [=](const Caller& caller) {
        const competition::Board& all = BoardFor(caller);
        const std::string& id = request->competition_id();
        return Fill(id.empty() ? all.Get(request->name()) : all.Get(store::CompetitionId(id)),
                    response->mutable_competition());
      });
}

grpc::ServerUnaryReactor* CompetitionService::GetStandings(grpc::CallbackServerContext* context,
                                                           const v1::GetStandingsRequest* request,
                                                           v1::GetStandingsResponse* response) {
  return calls_.Serve(
      "referee.v1.CompetitionService.GetStandings", context, response, [=](const Caller& caller) {
        const absl::StatusOr<competition::StandingsView> table =
            BoardFor(caller).Standings(request->name(), CountFromWire(request->season()));
        if (!table.ok()) return table.status();
        response->set_season(static_cast<uint32_t>(table->season));
        for (const competition::Standing& standing : table->standings) {
          v1::Standing* const line = response->add_standings();
          ToWire(standing, line);
          AddWhyShutOut(*options_.authenticator, line);
        }
        return Fill(table->view, response->mutable_competition());
      });
}

grpc::ServerUnaryReactor* CompetitionService::ListBlocks(grpc::CallbackServerContext* context,
                                                         const v1::ListBlocksRequest* request,
                                                         v1::ListBlocksResponse* response) {
  return calls_.Serve(
      "referee.v1.CompetitionService.ListBlocks", context, response, [=](const Caller& caller) {
        using competition::BlockOrder;
        const BlockOrder order =
            request->newest_first() ? BlockOrder::kNewestFirst : BlockOrder::kOldestFirst;
        int64_t from = request->newest_first() ? std::numeric_limits<int64_t>::max() : 0;
        if (!request->page_token().empty() &&
            (!absl::SimpleAtoi(request->page_token(), &from) || from < 0)) {
          return replay::BadPageToken(request->page_token());
        }
        const absl::StatusOr<competition::BlockPage> page = BoardFor(caller).Blocks(
            request->name(), request->bot(), from, PageSize(request->page_size(), caller), order);
        if (!page.ok()) return page.status();
        for (const store::Block& block : page->blocks) {
          ToWire(block, {page->entrants, page->labels}, response->add_blocks());
        }
        if (page->next) response->set_next_page_token(absl::StrCat(*page->next));
        return absl::OkStatus();
      });
}

grpc::ServerUnaryReactor* CompetitionService::ListPairs(grpc::CallbackServerContext* context,
                                                        const v1::ListPairsRequest* request,
                                                        v1::ListPairsResponse* response) {
  return calls_.Serve(
      "referee.v1.CompetitionService.ListPairs", context, response, [=](const Caller& caller) {
        const absl::StatusOr<std::pair<int, int>> from = PairInToken(request->page_token());
        if (!from.ok()) return from.status();
        const absl::StatusOr<competition::PairPage> page = BoardFor(caller).Pairs(
            request->name(), request->bot(), *from, PageSize(request->page_size(), caller),
            CountFromWire(request->season()));
        if (!page.ok()) return page.status();
        response->set_season(static_cast<uint32_t>(page->season));
        for (const competition::PairResult& pair : page->pairs) {
          ToWire(pair, {page->entrants, page->labels}, response->add_pairs());
        }
        if (page->next) {
          response->set_next_page_token(absl::StrCat(page->next->first, "-", page->next->second));
        }
        return absl::OkStatus();
      });
}

grpc::ServerUnaryReactor* CompetitionService::ListRounds(grpc::CallbackServerContext* context,
                                                         const v1::ListRoundsRequest* request,
                                                         v1::ListRoundsResponse* response) {
  return calls_.Serve(
      "referee.v1.CompetitionService.ListRounds", context, response, [=](const Caller& caller) {
        uint32_t from = 0;
        if (!request->page_token().empty() && !absl::SimpleAtoi(request->page_token(), &from)) {
          return replay::BadPageToken(request->page_token());
        }
        const absl::StatusOr<competition::RoundPage> page = BoardFor(caller).Rounds(
            request->name(),
            static_cast<int>(std::min<uint32_t>(request->round(), limits::kMaxBlocks)), from,
            PageSize(request->page_size(), caller));
        if (!page.ok()) return page.status();
        for (const competition::RoundLine& line : page->lines) {
          ToWire(line, page->entrants, response->add_pairings());
        }
        if (page->next) response->set_next_page_token(absl::StrCat(*page->next));
        return absl::OkStatus();
      });
}

grpc::ServerUnaryReactor* CompetitionService::ListTestPoints(
    grpc::CallbackServerContext* context, const v1::ListTestPointsRequest* request,
    v1::ListTestPointsResponse* response) {
  return calls_.Serve(
      "referee.v1.CompetitionService.ListTestPoints", context, response, [=](const Caller& caller) {
        absl::optional<competition::TestCursor> from = competition::TestCursor();
        if (!request->page_token().empty()) from = TestCursorFromToken(request->page_token());
        if (!from.has_value()) return replay::BadPageToken(request->page_token());
        const absl::StatusOr<competition::TestPointPage> page = BoardFor(caller).TestPoints(
            request->name(), *from, request->every(), PageSize(request->page_size(), caller));
        if (!page.ok()) return page.status();
        for (const competition::TestPoint& point : page->points) {
          ToWire(point, response->add_points());
        }
        if (page->next) response->set_next_page_token(TokenOf(*page->next));
        return absl::OkStatus();
      });
}

grpc::ServerUnaryReactor* CompetitionService::ListRatingHistories(
    grpc::CallbackServerContext* context, const v1::ListRatingHistoriesRequest* request,
    v1::ListRatingHistoriesResponse* response) {
  return calls_.Serve("referee.v1.CompetitionService.ListRatingHistories", context, response,
                      [=](const Caller& caller) {
                        int from = 0;
                        if (!request->page_token().empty() &&
                            (!absl::SimpleAtoi(request->page_token(), &from) || from < 0)) {
                          return replay::BadPageToken(request->page_token());
                        }
                        const absl::StatusOr<competition::RatingPage> page =
                            BoardFor(caller).Ratings(request->name(), request->bot(), from,
                                                     PageSize(request->page_size(), caller),
                                                     CountFromWire(request->season()));
                        if (!page.ok()) return page.status();
                        response->set_season(static_cast<uint32_t>(page->season));
                        for (const auto& history : page->histories)
                          ToWire(history, response->add_histories());
                        if (page->next) response->set_next_page_token(absl::StrCat(*page->next));
                        return absl::OkStatus();
                      });
}

grpc::ServerWriteReactor<v1::WatchCompetitionResponse>* CompetitionService::WatchCompetition(
    grpc::CallbackServerContext* context, const v1::WatchCompetitionRequest* request) {
  constexpr char kMethod[] = "referee.v1.CompetitionService.WatchCompetition";
  const std::shared_ptr<CompetitionWatch> stream = CompetitionWatch::Serve(
      {options_.competitions, calls_.executor(), options_.timers, options_.clock, &sessions_,
       calls_.deadlines(), calls_.CountStream(kMethod)},
      context->c_call(), request->name());
  access_.Check(kMethod, *context,
                [stream](const absl::StatusOr<Caller>& caller) { stream->Begin(caller); });
  return stream.get();
}

}  // namespace referee::service
