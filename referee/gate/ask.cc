#include "referee/gate/ask.h"

#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"

namespace referee::gate {
namespace {

using Matches = v1::MatchService::StubInterface::async_interface;
using Competitions = v1::CompetitionService::StubInterface::async_interface;
using Replays = v1::ReplayService::StubInterface::async_interface;

constexpr uint32_t kPageSize = 50;

template <typename Request>
Request Paged(const Route& route) {
  Request request;
  const uint32_t size = route.Number("size");
  request.set_page_size(size == 0 ? kPageSize : size);
  request.set_page_token(route.Parameter("page"));
  return request;
}

template <typename Request>
Request PagedOf(const Route& route) {
  Request request = Paged<Request>(route);
  request.set_name(route.name);
  return request;
}

template <typename Request>
Request Of(const Route& route) {
  Request request;
  request.set_name(route.name);
  return request;
}

void AskMatches(Upstream* upstream, const Route& route, Upstream::ThenText then) {
  auto request = Paged<v1::ListMatchesRequest>(route);
  const std::string& state = route.Parameter("state");
  v1::MatchState parsed = v1::MATCH_STATE_UNSPECIFIED;
  if (!state.empty() &&
      (!v1::MatchState_Parse(absl::StrCat("MATCH_STATE_", absl::AsciiStrToUpper(state)), &parsed) ||
       parsed == v1::MATCH_STATE_UNSPECIFIED)) {
    return then(BadValue("state", state, "waiting, running, finished, void or cancelled"));
  }
  request.set_state(parsed);
  upstream->Ask(upstream->matches(), &Matches::ListMatches, request, std::move(then));
}

void AskCompetitions(Upstream* upstream, const Route& route, Upstream::ThenText then) {
  auto request = Paged<v1::ListCompetitionsRequest>(route);
  const std::string& format = route.Parameter("format");
  v1::CompetitionFormat parsed = v1::COMPETITION_FORMAT_UNSPECIFIED;
  if (!format.empty() &&
      (!v1::CompetitionFormat_Parse(
           absl::StrCat("COMPETITION_FORMAT_", absl::AsciiStrToUpper(format)), &parsed) ||
       parsed == v1::COMPETITION_FORMAT_UNSPECIFIED)) {
    return then(
        BadValue("format", format, "round_robin, gauntlet, swiss, knockout, ladder or test"));
  }
  request.set_format(parsed);
  request.set_bot(route.Parameter("bot"));
  upstream->Ask(upstream->competitions(), &Competitions::ListCompetitions, request,
                std::move(then));
}

void AskStandings(Upstream* upstream, const Route& route, Upstream::ThenText then) {
  auto request = Of<v1::GetStandingsRequest>(route);
  request.set_season(route.Number("season"));
  upstream->Ask(upstream->competitions(), &Competitions::GetStandings, request, std::move(then));
}

void AskBlocks(Upstream* upstream, const Route& route, Upstream::ThenText then) {
  auto request = PagedOf<v1::ListBlocksRequest>(route);
  request.set_bot(route.Parameter("bot"));
  const std::string& order = route.Parameter("order");
  if (!order.empty() && order != "newest" && order != "oldest") {
    return then(BadValue("order", order, "newest or oldest"));
  }
  request.set_newest_first(order == "newest");
  upstream->Ask(upstream->competitions(), &Competitions::ListBlocks, request, std::move(then));
}

void AskPairs(Upstream* upstream, const Route& route, Upstream::ThenText then) {
  auto request = PagedOf<v1::ListPairsRequest>(route);
  request.set_bot(route.Parameter("bot"));
  request.set_season(route.Number("season"));
  upstream->Ask(upstream->competitions(), &Competitions::ListPairs, request, std::move(then));
}

void AskRounds(Upstream* upstream, const Route& route, Upstream::ThenText then) {
  auto request = PagedOf<v1::ListRoundsRequest>(route);
  request.set_round(route.Number("round"));
  upstream->Ask(upstream->competitions(), &Competitions::ListRounds, request, std::move(then));
}

void AskPoints(Upstream* upstream, const Route& route, Upstream::ThenText then) {
  auto request = PagedOf<v1::ListTestPointsRequest>(route);
  request.set_every(route.Number("every"));
  upstream->Ask(upstream->competitions(), &Competitions::ListTestPoints, request, std::move(then));
}

void AskRatings(Upstream* upstream, const Route& route, Upstream::ThenText then) {
  auto request = PagedOf<v1::ListRatingHistoriesRequest>(route);
  request.set_bot(route.Parameter("bot"));
  request.set_season(route.Number("season"));
  upstream->Ask(upstream->competitions(), &Competitions::ListRatingHistories, request,
                std::move(then));
}

void AskReplays(Upstream* upstream, const Route& route, Upstream::ThenText then) {
  auto request = Paged<v1::ListReplaysRequest>(route);
  request.set_bot(route.Parameter("bot"));
  request.set_opponent(route.Parameter("opponent"));
  request.set_game(route.Parameter("game"));
  request.set_competition_id(route.Parameter("competition"));
  upstream->Ask(upstream->replays(), &Replays::ListReplays, request, std::move(then));
}

}  // namespace

bool IsAsked(Resource resource) {
  switch (resource) {
    case Resource::kMatches:
    case Resource::kCompetitions:
    case Resource::kCompetition:
    case Resource::kStandings:
    case Resource::kBlocks:
    case Resource::kPairs:
    case Resource::kRounds:
    case Resource::kPoints:
    case Resource::kRatings:
    case Resource::kReplays:
      return true;
    default:
      return false;
  }
}

void Ask(Upstream* upstream, const Route& route, Upstream::ThenText then) {
  switch (route.resource) {
    case Resource::kMatches:
      return AskMatches(upstream, route, std::move(then));
    case Resource::kCompetitions:
      return AskCompetitions(upstream, route, std::move(then));
    case Resource::kCompetition:
      return upstream->Ask(upstream->competitions(), &Competitions::GetCompetition,
                           Of<v1::GetCompetitionRequest>(route), std::move(then));
    case Resource::kStandings:
      return AskStandings(upstream, route, std::move(then));
    case Resource::kBlocks:
      return AskBlocks(upstream, route, std::move(then));
    case Resource::kPairs:
      return AskPairs(upstream, route, std::move(then));
    case Resource::kRounds:
      return AskRounds(upstream, route, std::move(then));
    case Resource::kPoints:
      return AskPoints(upstream, route, std::move(then));
    case Resource::kRatings:
      return AskRatings(upstream, route, std::move(then));
    default:
      return AskReplays(upstream, route, std::move(then));
  }
}

}  // namespace referee::gate
