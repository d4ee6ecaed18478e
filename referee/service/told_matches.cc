#include "referee/service/told_matches.h"

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "referee/base/errors.h"
#include "referee/replay/replay.h"
#include "referee/service/convert/convert.h"

namespace referee::service {
namespace {

// Some 300 bytes each.
constexpr size_t kMostFacts = 10'000;

absl::optional<absl::Time> EndOf(const host::MatchRunner& runner) {
  if (runner.ended() == nullptr) return absl::nullopt;
  return runner.ended()->time;
}

}  // namespace

Audience AudienceOf(const Caller& caller) {
  return {caller.name, caller.role, caller.reads_for_observers};
}

absl::Duration ToldMatches::DelayOf(absl::string_view request_id) const {
  if (options_.competitions == nullptr) return absl::ZeroDuration();
  return options_.competitions->WatchDelayOf(request_id);
}

Telling ToldMatches::TellingOf(const Audience& audience, const host::MatchRunner& runner) const {
  return Telling(audience, runner.request().bots, DelayOf(runner.request_id()));
}

void ToldMatches::HideCourse(const Telling& telling, absl::Time create_time,
                             v1::Match* match) const {
  const bool begun = telling.IsTold(create_time, options_.clock->WallNow());
  match->set_state(begun ? v1::MATCH_STATE_RUNNING : v1::MATCH_STATE_WAITING);
  match->clear_turns_played();
  match->clear_verdict();
}

void ToldMatches::MatchToWire(const Audience& audience, const host::MatchRunner& runner,
                              v1::Match* out) const {
  service::MatchToWire(runner, out);
  const Telling telling = TellingOf(audience, runner);
  if (telling.IsTold(EndOf(runner), options_.clock->WallNow())) return;
  HideCourse(telling, runner.create_time(), out);
}

void ToldMatches::SnapshotToWire(const Audience& audience, const host::MatchRunner& runner,
                                 v1::Snapshot* out) const {
  const Telling telling = TellingOf(audience, runner);
  if (telling.IsTold(EndOf(runner), options_.clock->WallNow())) {
    return service::SnapshotToWire(runner, out);
  }
  MatchToWire(audience, runner, out->mutable_match());
}

bool ToldMatches::IsToldOf(const Audience& audience, const host::MatchRunner& runner) const {
  const Telling telling = TellingOf(audience, runner);
  return telling.IsTold(runner.create_time(), options_.clock->WallNow());
}

absl::StatusOr<ToldMatches::Facts> ToldMatches::ReadFacts(const MatchId& id) const {
  {
    MutexLock lock(&mutex_);
    const auto known = facts_.find(id);
    if (known != facts_.end()) return known->second;
  }
  const absl::StatusOr<std::string> file = options_.archive->Read(id);
  if (!file.ok()) return file.status();
  absl::StatusOr<replay::Replay> replay = replay::Parse(*file);
  if (!replay.ok()) return replay.status();
  const match::Ended* const ended = replay->ended();
  Facts facts;
  facts.request_id = std::move(replay->setup.request_id);
  facts.bots = std::move(replay->setup.bots);
  // A match without an end counts as ended when it was created.
  facts.end_time = ended == nullptr ? replay->setup.create_time : ended->time;
  MutexLock lock(&mutex_);
  if (facts_.emplace(id, facts).second) read_.push_back(id);
  if (read_.size() > kMostFacts) {
    facts_.erase(read_.front());
    read_.pop_front();
  }
  return facts;
}

absl::StatusOr<absl::optional<ToldMatches::Facts>> ToldMatches::FactsOf(const MatchId& id) const {
  const std::shared_ptr<host::MatchRunner> runner = options_.host->Find(id);
  if (runner == nullptr) {
    absl::StatusOr<Facts> facts = ReadFacts(id);
    if (!facts.ok()) return facts.status();
    return absl::optional<Facts>(*std::move(facts));
  }
  if (!runner->over()) return absl::optional<Facts>();
  return absl::optional<Facts>(
      Facts{runner->request_id(), runner->request().bots, runner->ended()->time});
}

absl::Status ToldMatches::CheckReplay(const Audience& audience, const MatchId& id) const {
  const bool any = options_.competitions != nullptr && options_.competitions->any_watch_delay();
  if (!any || audience.hears_all()) return absl::OkStatus();
  const absl::StatusOr<absl::optional<Facts>> facts = FactsOf(id);
  // A replay that cannot be read reveals nothing. The caller's own read reports the error.
  if (!facts.ok() || !facts->has_value()) return absl::OkStatus();
  const Telling telling(audience, (*facts)->bots, DelayOf((*facts)->request_id));
  const absl::Time end = (*facts)->end_time;
  if (telling.IsTold(end, options_.clock->WallNow())) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      "match ", Quoted(id.text()), " is told from ",
      absl::FormatTime(absl::RFC3339_sec, telling.WhenTold(end), absl::UTCTimeZone()),
      " on: its competition has a watch delay of ", absl::FormatDuration(telling.delay())));
}

}  // namespace referee::service
