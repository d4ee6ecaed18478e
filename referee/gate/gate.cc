#include "referee/gate/gate.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/gate/ask.h"
#include "referee/gate/errors.h"
#include "referee/gate/finished_match.h"
#include "referee/gate/ticket.h"
#include "referee/view/page.h"

namespace referee::gate {
namespace {

absl::Status NothingListed() { return absl::NotFoundError("there is no such thing here"); }

absl::Status NothingOfBot(absl::string_view what, absl::string_view name, absl::string_view bot) {
  return absl::NotFoundError(absl::StrCat("there is no ", what, " ", Quoted(name),
                                          " here in which bot ", Quoted(bot), " plays"));
}

constexpr char kRobots[] = "User-agent: *\nDisallow: /api/\n";

bool ForMachines(Resource resource) {
  return resource == Resource::kLive || resource == Resource::kReady ||
         resource == Resource::kRobots;
}

// The error for a missing thing, in the words of spectators.
absl::Status NothingAt(const Route& route) {
  switch (route.resource) {
    case Resource::kMatch:
    case Resource::kMatchEvents:
      return NothingNamed("match", route.name);
    case Resource::kReplayPage:
    case Resource::kReplayFile:
    case Resource::kReplayView:
      return NothingNamed("replay of match", route.name);
    default:
      break;
  }
  if (route.name.empty()) return NothingListed();
  const std::string& bot = route.Parameter("bot");
  for (const char* part : {"season", "round"}) {
    const std::string& number = route.Parameter(part);
    if (number.empty()) continue;
    return bot.empty() ? NothingNamed(part, number) : NothingOfBot(part, number, bot);
  }
  return bot.empty() ? NothingNamed("competition", route.name)
                     : NothingOfBot("competition", route.name, bot);
}

// Removes the refctl commands in brackets from the message, since they are for organisers.
absl::Status WithoutCommands(const absl::Status& status) {
  std::string message(status.message());
  const size_t from = message.find(" ('refctl ");
  if (from == std::string::npos) return status;
  const size_t to = message.find(')', from);
  if (to == std::string::npos) return status;
  message.erase(from, to + 1 - from);
  return absl::Status(status.code(), message);
}

// Whether `json` is an empty list for a named thing. A list of all is often empty, but names
// nothing that could be made up.
bool NamesWhatIsNotThere(const Route& route, absl::string_view json) {
  if (json != "{}") return false;
  for (const char* name : {"bot", "opponent", "game", "competition"}) {
    if (!route.Parameter(name).empty()) return true;
  }
  return false;
}

// Converts an error of the referee to one for the gate's client, without the referee's details.
absl::Status ForWatchers(const Route& route, const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return status;
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kFailedPrecondition:
      return WithoutCommands(status);
    case absl::StatusCode::kNotFound:
      return NothingAt(route);
    case absl::StatusCode::kResourceExhausted:
      return TooManyCalls();
    case absl::StatusCode::kPermissionDenied:
    case absl::StatusCode::kUnauthenticated:
      return absl::PermissionDeniedError("the referee does not let this gate look at that");
    default:
      return RefereeSilent();
  }
}

std::string EtagOf(absl::string_view text) { return absl::StrCat("\"", DigestOf(text), "\""); }

constexpr std::pair<Resource, view::SiteKind> kShells[] = {
    {Resource::kIndexPage, view::SiteKind::kIndex},
    {Resource::kMatchPage, view::SiteKind::kMatch},
    {Resource::kCompetitionPage, view::SiteKind::kCompetition},
    {Resource::kBotPage, view::SiteKind::kBot},
    {Resource::kReplaysPage, view::SiteKind::kArchive},
};

// Makes the pages that fetch their data by script.
std::map<Resource, SharedContent> MakeShells() {
  std::map<Resource, SharedContent> shells;
  for (const auto& [resource, kind] : kShells) {
    std::string page = view::MakeSitePage(kind);
    std::string etag = EtagOf(page);
    shells[resource] = MakeContent(kHtmlType, std::move(page), std::move(etag));
  }
  return shells;
}

// Makes the content of a replay route.
absl::StatusOr<SharedContent> ContentOf(const Route& route, std::string replay, size_t max_turns) {
  if (route.resource == Resource::kReplayFile) {
    return MakeContent(kFileType, std::move(replay), absl::StrCat("\"", route.name, "\""),
                       /*compress=*/false);  // already compressed
  }
  const bool page = route.resource == Resource::kReplayPage;
  absl::StatusOr<std::string> text =
      page ? PageOf(replay, max_turns) : ViewJsonOf(replay, max_turns);
  if (!text.ok()) return text.status();
  std::string etag = EtagOf(*text);
  return MakeContent(page ? kHtmlType : kJsonType, *std::move(text), std::move(etag));
}

}  // namespace

Gate::Gate(Options options, Upstream* upstream, Loop* loop)
    : environment_{upstream, loop, options.bounds},
      ticket_key_(std::move(options.ticket_key)),
      upstream_(*upstream),
      loop_(*loop),
      shells_(MakeShells()),
      cache_(options.bounds.cache_bytes),
      budget_(options.bounds, loop->Now()) {}

absl::StatusOr<absl::Time> Gate::Admit(const Route& route, absl::string_view cookies,
                                       absl::Time now) const {
  if (is_public() || ForMachines(route.resource)) return absl::InfiniteFuture();
  std::string ticket = route.ticket;
  if (ticket.empty()) TicketFromCookies(cookies, &ticket);
  return CheckTicket(ticket_key_, ticket, now);
}

void Gate::Get(const Route& route, const std::string& visitor, ThenContent then) {
  switch (route.resource) {
    case Resource::kLive:
      return then(MakeContent(kTextType, "ok\n"));
    case Resource::kReady:
      if (!upstream_.Ready()) return then(RefereeSilent());
      return then(MakeContent(kTextType, "ok\n"));
    case Resource::kRobots:
      return then(MakeContent(kTextType, kRobots));
    case Resource::kMatch:
      return GetMatch(route, visitor, std::move(then));
    case Resource::kIndexPage:
    case Resource::kMatchPage:
    case Resource::kCompetitionPage:
    case Resource::kBotPage:
    case Resource::kReplaysPage:
      return then(shells_.at(route.resource));
    default:
      return GetKept(route, visitor, std::move(then));
  }
}

void Gate::GetMatch(const Route& route, const std::string& visitor, ThenContent then) {
  Follow(route, visitor,
         [then = std::move(then)](const absl::StatusOr<std::shared_ptr<Feed>>& feed) {
           if (!feed.ok()) return then(feed.status());
           const auto content = std::make_shared<Content>();
           content->plain = static_cast<const MatchFeed&>(**feed).View();
           then(SharedContent(content));
         });
}

void Gate::Follow(const Route& route, const std::string& visitor, ThenFeed then) {
  const bool match = route.resource != Resource::kCompetitionEvents;
  const std::string key = absl::StrCat(match ? "m" : "c", route.name);
  auto held = feeds_.find(key);
  if (held != feeds_.end() && held->second.feed->failed()) {
    feeds_.erase(held);
    held = feeds_.end();
  }
  if (held == feeds_.end()) {
    const absl::StatusOr<std::shared_ptr<Feed>> begun = BeginFeed(key, route, visitor);
    if (!begun.ok()) return then(begun.status());
    held = feeds_.emplace(key, Held{*begun, loop_.Now(), visitor}).first;
    (*begun)->Start();
  }
  const std::shared_ptr<Feed> feed = held->second.feed;
  feed->WhenOpen([this, key, route, feed = std::weak_ptr<Feed>(feed),
                  then = std::move(then)](const absl::Status& status) {
    const std::shared_ptr<Feed> open = feed.lock();
    const auto opened = feeds_.find(key);
    const bool is_first = opened != feeds_.end() && opened->second.feed == open;
    budget_.Settle(key, is_first ? std::exchange(opened->second.visitor, "") : "", status);
    if (!status.ok()) return then(ForWatchers(route, status));
    if (open == nullptr) return then(RefereeSilent());
    then(open);
  });
}

absl::StatusOr<std::shared_ptr<Feed>> Gate::BeginFeed(const std::string& key, const Route& route,
                                                      const std::string& visitor) {
  if (feeds_.size() >= bounds().feeds) Sweep();
  const auto opening = static_cast<size_t>(std::count_if(
      feeds_.begin(), feeds_.end(), [](const auto& held) { return !held.second.feed->opened(); }));
  const bool crowded = !budget_.Knows(key) && opening >= CallBudget::Half(bounds().feeds);
  if (crowded || feeds_.size() >= bounds().feeds) {
    return absl::UnavailableError(
        absl::StrCat(bounds().feeds,
                     " matches and competitions are watched here already; "
                     "try again in some seconds"));
  }
  if (absl::Status taken = budget_.Take(key, visitor, loop_.Now()); !taken.ok()) return taken;
  if (route.resource == Resource::kCompetitionEvents) {
    return std::make_shared<CompetitionFeed>(environment_, route.name);
  }
  return std::make_shared<MatchFeed>(environment_, route.name);
}

void Gate::GetKept(const Route& route, const std::string& visitor, ThenContent then) {
  const std::string key = route.Key();
  if (SharedContent kept = cache_.Find(key, loop_.Now())) return then(kept);
  const auto waiting = waiting_.find(key);
  if (waiting != waiting_.end()) return waiting->second.all.push_back(std::move(then));
  if (absl::Status taken = TakeCall(key, visitor); !taken.ok()) return then(taken);
  waiting_[key] = {!budget_.Knows(key), /*made_up=*/false, visitor, {std::move(then)}};
  const bool replay = route.resource == Resource::kReplayPage ||
                      route.resource == Resource::kReplayFile ||
                      route.resource == Resource::kReplayView;
  replay ? FetchReplay(route) : FetchList(route);
}

absl::Status Gate::TakeCall(const std::string& key, const std::string& visitor) {
  const auto are_new = static_cast<size_t>(std::count_if(
      waiting_.begin(), waiting_.end(), [](const auto& waiting) { return waiting.second.is_new; }));
  const bool crowded = !budget_.Knows(key) && are_new >= CallBudget::Half(bounds().calls);
  if (crowded || waiting_.size() >= bounds().calls) return TooManyCalls();
  return budget_.Take(key, visitor, loop_.Now());
}

void Gate::FetchList(const Route& route) {
  Ask(&upstream_, route, [this, route](absl::StatusOr<std::string> json) {
    if (!json.ok()) return Give(route.Key(), ForWatchers(route, json.status()));
    waiting_.at(route.Key()).made_up = NamesWhatIsNotThere(route, *json);
    MakeThenGive(
        route,
        [json = *std::move(json)]() -> absl::StatusOr<SharedContent> {
          return MakeContent(kJsonType, json);
        },
        loop_.Now() + bounds().fresh);
  });
}

void Gate::FetchReplay(const Route& route) {
  upstream_.FetchReplay(route.name, bounds().replay_bytes,
                        [this, route](absl::StatusOr<std::string> replay) {
                          if (!replay.ok()) {
                            return Give(route.Key(), ForWatchers(route, replay.status()));
                          }
                          MakeThenGive(
                              route,
                              [route, replay = *std::move(replay), turns = bounds().replay_turns] {
                                return ContentOf(route, replay, turns);
                              },
                              Instant::InfiniteFuture());
                        });
}

void Gate::MakeThenGive(const Route& route, std::function<absl::StatusOr<SharedContent>()> make,
                        Instant until) {
  const auto made = std::make_shared<absl::StatusOr<SharedContent>>(nullptr);
  loop_.Away([made, make = std::move(make)] { *made = make(); },
             [this, made, key = route.Key(), until] {
               if (made->ok()) cache_.Add(key, **made, until);
               Give(key, *made);
             });
}

void Gate::Give(const std::string& key, const absl::StatusOr<SharedContent>& content) {
  const auto waiting = waiting_.find(key);
  const std::vector<ThenContent> all = std::move(waiting->second.all);
  const bool made_up = content.ok() && waiting->second.made_up;
  budget_.Settle(key, waiting->second.visitor, made_up ? NothingListed() : content.status());
  waiting_.erase(waiting);
  for (const ThenContent& then : all) then(content);
}

void Gate::Sweep() {
  const Instant now = loop_.Now();
  budget_.Sweep(now);
  for (auto held = feeds_.begin(); held != feeds_.end();) {
    if (held->second.feed.use_count() > 1) held->second.left = now;
    const bool gone = now - held->second.left >= bounds().linger;
    held = gone || held->second.feed->failed() ? feeds_.erase(held) : std::next(held);
  }
}

}  // namespace referee::gate
