#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "proto/referee/v1/competition_service.grpc.pb.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/replay/errors.h"
#include "referee/service/access/access.h"
#include "referee/service/competition_watch.h"
#include "referee/service/convert/competition.h"
#include "referee/service/convert/convert.h"
#include "referee/service/errors.h"
#include "referee/service/services.h"
#include "referee/service/told_matches.h"
#include "referee/service/unary_service.h"

namespace referee::service {
namespace {

// Returns the bot that joins or leaves: the named bot for an organiser, the caller for a bot.
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

// Adds the reason to the remark of a bot that is shut out.
void AddWhyShutOut(const Authenticator& authenticator, v1::Standing* standing) {
  const std::string why = authenticator.WhyShutOut(standing->bot());
  if (why.empty()) return;
  standing->set_remark(
      absl::StrCat(standing->remark(), standing->remark().empty() ? "" : "; ", why));
}

// Parses a page token of the form "<low>-<high>": the pair of entrant numbers at which the page
// begins.
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

// Parses a page token that is a number. An empty token leaves `from` unchanged.
template <typename Number>
absl::Status ReadNumberToken(const std::string& token, Number* from) {
  const bool good = token.empty() || (absl::SimpleAtoi(token, from) && *from >= 0);
  return good ? absl::OkStatus() : replay::BadPageToken(token);
}

absl::Status CheckRequestId(const std::string& id) {
  if (id.size() <= limits::kMaxRequestIdBytes) return absl::OkStatus();
  return BadValue("request_id", id, "at most 64 bytes");
}

using View = absl::StatusOr<competition::CompetitionView>;

absl::Status Fill(const ServerOptions& options, const View& view, v1::Competition* out) {
  if (!view.ok()) return view.status();
  ToWire(*view, options.clock->WallNow(), out);
  return absl::OkStatus();
}

// Returns the board that the caller may see: live, or the published one.
const competition::Board& BoardFor(const ServerOptions& options, const Caller& caller) {
  if (AudienceOf(caller).hears_all()) return *options.competitions;
  return options.competitions->told();
}

// Returns the caller's view after a change that returned `changed`.
View AfterChange(const ServerOptions& options, const Caller& caller, absl::string_view name,
                 View changed) {
  if (!changed.ok() || AudienceOf(caller).hears_all()) return changed;
  return options.competitions->told().WholeViewOf(name);
}

absl::Status CreateCompetition(const ServerOptions& options, const Caller& caller,
                               const v1::CreateCompetitionRequest& request,
                               v1::CreateCompetitionResponse* response) {
  if (absl::Status good = CheckRequestId(request.request_id()); !good.ok()) return good;
  absl::StatusOr<schedule::Spec> spec = FromWire(request.spec());
  if (!spec.ok()) return spec.status();
  absl::Status valid = schedule::Validate(*spec);
  if (valid.ok()) valid = CheckAreBots(options.authenticator, spec->entrants);
  if (!valid.ok()) return valid;
  return Fill(options,
              options.competitions->Create(*std::move(spec), request.request_id(), caller.name),
              response->mutable_competition());
}

absl::Status JoinCompetition(const ServerOptions& options, const Caller& caller,
                             const v1::JoinCompetitionRequest& request,
                             v1::JoinCompetitionResponse* response) {
  const absl::StatusOr<std::string> bot = BotMeant(caller, request.bot());
  if (!bot.ok()) return bot.status();
  const absl::Status known = CheckAreBots(options.authenticator, {*bot});
  if (!known.ok()) return known;
  View joined = options.competitions->Join(request.name(), *bot, caller.name);
  return Fill(options, AfterChange(options, caller, request.name(), std::move(joined)),
              response->mutable_competition());
}

absl::Status LeaveCompetition(const ServerOptions& options, const Caller& caller,
                              const v1::LeaveCompetitionRequest& request,
                              v1::LeaveCompetitionResponse* response) {
  const absl::StatusOr<std::string> bot = BotMeant(caller, request.bot());
  if (!bot.ok()) return bot.status();
  View left = options.competitions->Leave(request.name(), *bot, caller.name);
  return Fill(options, AfterChange(options, caller, request.name(), std::move(left)),
              response->mutable_competition());
}

absl::Status UpdateCompetition(const ServerOptions& options, const Caller& caller,
                               const v1::UpdateCompetitionRequest& request,
                               v1::UpdateCompetitionResponse* response) {
  return Fill(
      options,
      options.competitions->Update(
          request.name(),
          [request](schedule::Spec* spec) { return service::Update(request, spec); }, caller.name),
      response->mutable_competition());
}

absl::Status BeginSeason(const ServerOptions& options, const Caller& caller,
                         const v1::BeginSeasonRequest& request, v1::BeginSeasonResponse* response) {
  if (absl::Status good = CheckRequestId(request.request_id()); !good.ok()) return good;
  return Fill(options,
              options.competitions->BeginSeason(request.name(), request.request_id(), caller.name),
              response->mutable_competition());
}

absl::Status RemoveCompetition(const ServerOptions& options, const Caller& caller,
                               const v1::RemoveCompetitionRequest& request,
                               v1::RemoveCompetitionResponse*) {
  return options.competitions->Remove(request.name(), caller.name);
}

absl::Status DropBlock(const ServerOptions& options, const Caller& caller,
                       const v1::DropBlockRequest& request, v1::DropBlockResponse* response) {
  constexpr uint64_t kMost = std::numeric_limits<int64_t>::max();
  const auto number = static_cast<int64_t>(std::min(request.number(), kMost));
  return Fill(
      options,
      options.competitions->DropBlock(request.name(), number, request.reason(), caller.name),
      response->mutable_competition());
}

absl::Status ListCompetitions(const ServerOptions& options, const Caller& caller,
                              const v1::ListCompetitionsRequest& request,
                              v1::ListCompetitionsResponse* response) {
  store::CompetitionId before;
  if (!request.page_token().empty()) {
    // Ids of competitions have the same form as match ids.
    if (!MatchId::Parse(request.page_token()).ok())
      return replay::BadPageToken(request.page_token());
    before = store::CompetitionId(request.page_token());
  }
  absl::optional<schedule::Format> format;
  if (request.format() != v1::COMPETITION_FORMAT_UNSPECIFIED) {
    const absl::StatusOr<schedule::Format> asked = FromWire(request.format());
    if (!asked.ok()) return asked.status();
    format = *asked;
  }
  absl::StatusOr<competition::CompetitionPage> page =
      BoardFor(options, caller)
          .List(before, PageSize(request.page_size(), caller.max_page_size), format, request.bot());
  if (!page.ok()) return page.status();
  const absl::Time now = options.clock->WallNow();
  for (competition::CompetitionView& view : page->competitions) {
    ListedToWire(std::move(view), now, response->add_competitions());
  }
  if (page->next) response->set_next_page_token(page->next->text());
  return absl::OkStatus();
}

absl::Status GetCompetition(const ServerOptions& options, const Caller& caller,
                            const v1::GetCompetitionRequest& request,
                            v1::GetCompetitionResponse* response) {
  const competition::Board& all = BoardFor(options, caller);
  const std::string& id = request.competition_id();
  return Fill(options, id.empty() ? all.Get(request.name()) : all.Get(store::CompetitionId(id)),
              response->mutable_competition());
}

absl::Status GetStandings(const ServerOptions& options, const Caller& caller,
                          const v1::GetStandingsRequest& request,
                          v1::GetStandingsResponse* response) {
  const absl::StatusOr<competition::StandingsView> table =
      BoardFor(options, caller).Standings(request.name(), CountFromWire(request.season()));
  if (!table.ok()) return table.status();
  response->set_season(static_cast<uint32_t>(table->season));
  for (const competition::Standing& standing : table->standings) {
    v1::Standing* const line = response->add_standings();
    ToWire(standing, line);
    AddWhyShutOut(*options.authenticator, line);
  }
  return Fill(options, table->view, response->mutable_competition());
}

absl::Status ListBlocks(const ServerOptions& options, const Caller& caller,
                        const v1::ListBlocksRequest& request, v1::ListBlocksResponse* response) {
  using competition::BlockOrder;
  const BlockOrder order =
      request.newest_first() ? BlockOrder::kNewestFirst : BlockOrder::kOldestFirst;
  int64_t from = request.newest_first() ? std::numeric_limits<int64_t>::max() : 0;
  if (absl::Status read = ReadNumberToken(request.page_token(), &from); !read.ok()) return read;
  const absl::StatusOr<competition::BlockPage> page =
      BoardFor(options, caller)
          .Blocks(request.name(), request.bot(), from,
                  PageSize(request.page_size(), caller.max_page_size), order);
  if (!page.ok()) return page.status();
  for (const store::Block& block : page->blocks) {
    ToWire(block, {page->entrants, page->labels}, response->add_blocks());
  }
  if (page->next) response->set_next_page_token(absl::StrCat(*page->next));
  return absl::OkStatus();
}

absl::Status ListPairs(const ServerOptions& options, const Caller& caller,
                       const v1::ListPairsRequest& request, v1::ListPairsResponse* response) {
  const absl::StatusOr<std::pair<int, int>> from = PairInToken(request.page_token());
  if (!from.ok()) return from.status();
  const absl::StatusOr<competition::PairPage> page =
      BoardFor(options, caller)
          .Pairs(request.name(), request.bot(), *from,
                 PageSize(request.page_size(), caller.max_page_size),
                 CountFromWire(request.season()));
  if (!page.ok()) return page.status();
  response->set_season(static_cast<uint32_t>(page->season));
  for (const competition::PairResult& pair : page->pairs) {
    ToWire(pair, {page->entrants, page->labels}, response->add_pairs());
  }
  if (page->next) {
    response->set_next_page_token(absl::StrCat(page->next->first, "-", page->next->second));
  }
  return absl::OkStatus();
}

absl::Status ListRounds(const ServerOptions& options, const Caller& caller,
                        const v1::ListRoundsRequest& request, v1::ListRoundsResponse* response) {
  uint32_t from = 0;
  if (absl::Status read = ReadNumberToken(request.page_token(), &from); !read.ok()) return read;
  const absl::StatusOr<competition::RoundPage> page =
      BoardFor(options, caller)
          .Rounds(request.name(),
                  static_cast<int>(std::min<uint32_t>(request.round(), limits::kMaxBlocks)), from,
                  PageSize(request.page_size(), caller.max_page_size));
  if (!page.ok()) return page.status();
  for (const competition::RoundLine& line : page->lines) {
    ToWire(line, page->entrants, response->add_pairings());
  }
  if (page->next) response->set_next_page_token(absl::StrCat(*page->next));
  return absl::OkStatus();
}

absl::Status ListTestPoints(const ServerOptions& options, const Caller& caller,
                            const v1::ListTestPointsRequest& request,
                            v1::ListTestPointsResponse* response) {
  absl::optional<competition::TestCursor> from = competition::TestCursor();
  if (!request.page_token().empty()) from = TestCursorFromToken(request.page_token());
  if (!from.has_value()) return replay::BadPageToken(request.page_token());
  const absl::StatusOr<competition::TestPointPage> page =
      BoardFor(options, caller)
          .TestPoints(request.name(), *from, request.every(),
                      PageSize(request.page_size(), caller.max_page_size));
  if (!page.ok()) return page.status();
  for (const competition::TestPoint& point : page->points) {
    ToWire(point, response->add_points());
  }
  if (page->next) response->set_next_page_token(TokenOf(*page->next));
  return absl::OkStatus();
}

absl::Status ListRatingHistories(const ServerOptions& options, const Caller& caller,
                                 const v1::ListRatingHistoriesRequest& request,
                                 v1::ListRatingHistoriesResponse* response) {
  int from = 0;
  if (absl::Status read = ReadNumberToken(request.page_token(), &from); !read.ok()) return read;
  const absl::StatusOr<competition::RatingPage> page =
      BoardFor(options, caller)
          .Ratings(request.name(), request.bot(), from,
                   PageSize(request.page_size(), caller.max_page_size),
                   CountFromWire(request.season()));
  if (!page.ok()) return page.status();
  response->set_season(static_cast<uint32_t>(page->season));
  for (const auto& history : page->histories) ToWire(history, response->add_histories());
  if (page->next) response->set_next_page_token(absl::StrCat(*page->next));
  return absl::OkStatus();
}

class CompetitionService final
    : public UnaryService<v1::CompetitionService,
                          v1::CompetitionService::WithCallbackMethod_WatchCompetition<
                              v1::CompetitionService::Service>> {
 public:
  explicit CompetitionService(const ServiceParts& parts)
      // Two threads: standings of a million results take seconds.
      : UnaryService(parts, /*threads=*/2) {
    Serve(&service::CreateCompetition, Requests::kLarge);
    using competition::Competitions;
    ServeChange<v1::StartCompetitionRequest, v1::StartCompetitionResponse>(&Competitions::Start);
    ServeChange<v1::PauseCompetitionRequest, v1::PauseCompetitionResponse>(&Competitions::Pause);
    ServeChange<v1::ResumeCompetitionRequest, v1::ResumeCompetitionResponse>(&Competitions::Resume);
    ServeChange<v1::FinishCompetitionRequest, v1::FinishCompetitionResponse>(&Competitions::Finish);
    Serve(&service::JoinCompetition);
    Serve(&service::LeaveCompetition);
    Serve(&service::UpdateCompetition);
    Serve(&service::BeginSeason);
    Serve(&service::RemoveCompetition);
    Serve(&service::DropBlock);
    Serve(&service::ListCompetitions);
    Serve(&service::GetCompetition);
    Serve(&service::GetStandings);
    Serve(&service::ListBlocks);
    Serve(&service::ListPairs);
    Serve(&service::ListRounds);
    Serve(&service::ListTestPoints);
    Serve(&service::ListRatingHistories);
  }

  grpc::ServerWriteReactor<v1::WatchCompetitionResponse>* WatchCompetition(
      grpc::CallbackServerContext* context, const v1::WatchCompetitionRequest* request) override;

 private:
  // Serves an organiser's call that changes the state of a competition.
  template <typename Request, typename Response>
  void ServeChange(View (competition::Competitions::*change)(absl::string_view name,
                                                             absl::string_view who)) {
    ServeBy<Request, Response>(
        Requests::kSmall,
        [this, change](const Caller& caller, const Request& request, Response* response) {
          const ServerOptions& options = parts_.options;
          return Fill(options, (options.competitions->*change)(request.name(), caller.name),
                      response->mutable_competition());
        });
  }
};

grpc::ServerWriteReactor<v1::WatchCompetitionResponse>* CompetitionService::WatchCompetition(
    grpc::CallbackServerContext* context, const v1::WatchCompetitionRequest* request) {
  constexpr char kMethod[] = "referee.v1.CompetitionService.WatchCompetition";
  const std::shared_ptr<CompetitionWatch> stream = CompetitionWatch::Serve(
      {parts_.options.competitions, calls_.executor(), parts_.options.timers, parts_.options.clock,
       parts_.sessions, parts_.deadlines, CallCount(parts_.options.metrics, kMethod)},
      context->c_call(), request->name());
  parts_.access.Check(kMethod, *context,
                      [stream](const absl::StatusOr<Caller>& caller) { stream->Begin(caller); });
  return stream.get();
}

}  // namespace

std::unique_ptr<grpc::Service> MakeCompetitionService(const ServiceParts& parts) {
  return std::make_unique<CompetitionService>(parts);
}

}  // namespace referee::service
