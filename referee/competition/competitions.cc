#include "referee/competition/competitions.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/competition/block_end.h"
#include "referee/competition/terms.h"
#include "referee/replay/archive.h"
#include "referee/store/errors.h"
#include "referee/store/removal.h"

namespace referee::competition {
namespace {

using store::CompetitionState;

// How many times a change of state is tried when other callers change the competition meanwhile.
constexpr int kTries = 3;

// `hint`: what the caller can do instead.
absl::Status CompetitionInState(absl::string_view competition, CompetitionState state,
                                absl::string_view hint) {
  return absl::FailedPreconditionError(absl::StrCat("competition ", Quoted(competition), ": is ",
                                                    store::StateName(state), "; ", hint));
}

}  // namespace

FindReplay ReadsArchive(replay::Archive archive, FindReplay kept) {
  return [kept = std::move(kept),
          archive = std::move(archive)](const MatchId& id) -> absl::StatusOr<replay::Replay> {
    const absl::StatusOr<std::string> file = archive.Read(id);
    if (absl::IsNotFound(file.status())) return kept(id);
    if (!file.ok()) return file.status();
    return replay::Parse(*file);
  };
}

Competitions::Competitions(CompetitionsOptions options)
    : Competitions(options, std::make_shared<CompetitionLoop>(options)) {}

Competitions::Competitions(CompetitionsOptions options, std::shared_ptr<CompetitionLoop> loop)
    : Board(options.store, loop.get(), options.clock),
      options_(std::move(options)),
      loop_(std::move(loop)),
      told_store_(options_.store, options_.clock),
      told_(&told_store_, loop_.get(), options_.clock, &told_store_) {}

Competitions::~Competitions() { Close(); }

// --- The process ---

absl::Status Competitions::Open(host::Host* host) {
  SetHost(host);
  told_.SetHost(host);
  const absl::Status noted = NoteWatchDelays();
  return noted.ok() ? loop_->Open(host) : noted;
}

absl::Status Competitions::NoteWatchDelays() {
  store::CompetitionId before;
  for (;;) {
    const absl::StatusOr<std::vector<store::Competition>> page =
        options_.store->ListCompetitions(before, limits::kMaxPageSize);
    if (!page.ok()) return page.status();
    for (const store::Competition& competition : *page) loop_->watch_delays().Note(competition);
    if (page->size() < limits::kMaxPageSize) return absl::OkStatus();
    before = page->back().id;
  }
}

// --- Changes ---

store::AuditEntry Competitions::Audit(absl::string_view who, absl::string_view action,
                                      absl::string_view subject, absl::string_view detail) const {
  return {0,
          options_.clock->WallNow(),
          std::string(who),
          std::string(action),
          std::string(subject),
          std::string(detail)};
}

store::CompetitionId Competitions::NewId(absl::Time now) {
  uint8_t random[10];
  options_.entropy(absl::MakeSpan(random));
  MutexLock lock(&mutex_);
  last_id_ = std::max(now, last_id_ + absl::Milliseconds(1));
  return store::CompetitionId(MatchId::Make(last_id_, random).text());
}

absl::StatusOr<CompetitionView> Competitions::Create(schedule::Spec spec,
                                                     absl::string_view request_id,
                                                     absl::string_view who,
                                                     const absl::optional<dice::Seed>& dice_seed) {
  if (absl::Status settled = Settle(&spec); !settled.ok()) return settled;
  store::Competition competition;
  competition.create_time = options_.clock->WallNow();
  competition.id = NewId(competition.create_time);
  competition.request_id = std::string(request_id);
  if (spec.pinned) {
    competition.dice_seed = dice_seed;
    if (!dice_seed) options_.entropy(absl::MakeSpan(competition.dice_seed.emplace().bytes));
  }
  if (spec.format == schedule::Format::kKnockout) {
    competition.lot_seed.emplace();
    options_.entropy(absl::MakeSpan(competition.lot_seed->bytes));
  }
  const store::AuditEntry audit =
      Audit(who, "competition.create", spec.name,
            absl::StrCat("a ", schedule::FormatName(spec.format), " of ", spec.game, ", ",
                         spec.seats, " seats, ", spec.entrants.size(), " entrants"));
  competition.spec = std::move(spec);
  absl::StatusOr<store::Competition> made = options_.store->CreateCompetition(competition, audit);
  if (!made.ok()) return made.status();
  loop_->watch_delays().Note(*made);
  return ViewOf(*std::move(made));
}

absl::StatusOr<CompetitionView> Competitions::Amend(
    absl::string_view name,
    absl::FunctionRef<absl::StatusOr<store::Competition>(const store::Competition&)> write) {
  for (int tries = 1;; ++tries) {
    absl::StatusOr<store::Competition> before = options_.store->FindCompetition(name);
    if (!before.ok()) return before.status();
    absl::StatusOr<store::Competition> changed = write(*before);
    if (absl::IsAborted(changed.status()) && tries < kTries) continue;
    if (!changed.ok()) return changed.status();
    loop_->Changed(*changed);
    changed->spec.entrants = std::move(before->spec.entrants);
    changed->labels = std::move(before->labels);
    return ViewOf(*std::move(changed));
  }
}

absl::StatusOr<CompetitionView> Competitions::Change(absl::string_view name,
                                                     absl::Span<const CompetitionState> from,
                                                     CompetitionState to, absl::string_view action,
                                                     absl::string_view who,
                                                     absl::string_view hint) {
  return Amend(name, [&](const store::Competition& now) -> absl::StatusOr<store::Competition> {
    if (std::find(from.begin(), from.end(), now.state) == from.end()) {
      const bool ended = now.state == CompetitionState::kFinished;
      return CompetitionInState(name, now.state, ended ? "it has ended already" : hint);
    }
    return options_.store->SetState(now.id, now.state, to, options_.clock->WallNow(),
                                    Audit(who, absl::StrCat("competition.", action), name,
                                          absl::StrCat("was ", store::StateName(now.state))));
  });
}

absl::StatusOr<CompetitionView> Competitions::Start(absl::string_view name, absl::string_view who) {
  return Change(name, {CompetitionState::kNew}, CompetitionState::kRunning, "start", who,
                "only one that is NEW is started; one that is PAUSED is resumed");
}

absl::StatusOr<CompetitionView> Competitions::Pause(absl::string_view name, absl::string_view who) {
  return Change(name, {CompetitionState::kRunning}, CompetitionState::kPaused, "pause", who,
                "only one that is RUNNING is paused");
}

absl::StatusOr<CompetitionView> Competitions::Resume(absl::string_view name,
                                                     absl::string_view who) {
  return Change(name, {CompetitionState::kPaused}, CompetitionState::kRunning, "resume", who,
                "only one that is PAUSED is resumed; one that is NEW is started");
}

absl::StatusOr<CompetitionView> Competitions::Finish(absl::string_view name,
                                                     absl::string_view who) {
  return Change(name,
                {CompetitionState::kNew, CompetitionState::kRunning, CompetitionState::kPaused},
                CompetitionState::kFinishing, "finish", who,
                "it ends as soon as what is being played is over");
}

absl::StatusOr<CompetitionView> Competitions::Update(
    absl::string_view name, absl::FunctionRef<absl::Status(schedule::Spec*)> change,
    absl::string_view who) {
  return Amend(name, [&](const store::Competition& now) -> absl::StatusOr<store::Competition> {
    schedule::Spec spec = now.spec;
    if (absl::Status made = change(&spec); !made.ok()) return made;
    // A ladder lists a bot once per version, which Settle would refuse.
    if (spec.format == schedule::Format::kLadder) spec.entrants.clear();
    // Settle first, so that defaults are compared and audited by value.
    if (absl::Status settled = Settle(&spec); !settled.ok()) return settled;
    const absl::StatusOr<std::string> detail = ChangeText(now, spec);
    if (!detail.ok()) return detail.status();
    if (detail->empty()) return now;
    return options_.store->UpdateSpec(now.id, now.version, spec,
                                      Audit(who, "competition.set", name, *detail));
  });
}

absl::StatusOr<CompetitionView> Competitions::DropBlock(absl::string_view name, int64_t number,
                                                        absl::string_view reason,
                                                        absl::string_view who) {
  if (reason.empty() || reason.size() > limits::kMaxReasonBytes || !IsPlainText(reason)) {
    return BadValue("reason", reason, "1 to 256 bytes without control characters");
  }
  const absl::StatusOr<store::Competition> competition = options_.store->FindCompetition(name);
  if (!competition.ok()) return competition.status();
  if (competition->state == CompetitionState::kNew ||
      competition->state == CompetitionState::kFinished) {
    return CompetitionInState(name, competition->state, "no block is open in it");
  }
  const absl::StatusOr<store::Block> block = options_.store->GetBlock(competition->id, number);
  if (absl::IsNotFound(block.status())) return BlockNotOpen(name, number);
  if (!block.ok()) return block.status();
  if (block->state != store::BlockState::kRunning) return BlockNotOpen(name, number);
  const absl::Status given_up = loop_->GiveUp(
      competition->id, number, absl::StrCat("given up by ", who, ": ", reason),
      Audit(who, "competition.drop-block", name, absl::StrCat("block ", number, ": ", reason)));
  if (!given_up.ok()) return given_up;
  return WholeViewOf(name);
}

absl::StatusOr<CompetitionView> Competitions::BeginSeason(absl::string_view name,
                                                          absl::string_view request_id,
                                                          absl::string_view who) {
  const absl::StatusOr<store::Competition> competition = options_.store->FindCompetition(name);
  if (!competition.ok()) return competition.status();
  if (competition->spec.format != schedule::Format::kLadder) {
    return OnlyALadderHasSeasons(competition->spec);
  }
  const absl::StatusOr<store::Competition> begun = options_.store->BeginSeason(
      competition->id, request_id, options_.clock->WallNow(),
      Audit(who, "competition.season", name, absl::StrCat("after season ", competition->season)));
  if (!begun.ok()) return begun.status();
  loop_->Changed(*begun);
  return WholeViewOf(name);
}

void Competitions::VersionChanged(absl::string_view bot) {
  const auto entries = options_.store->ListEntries(bot, limits::kMaxPageSize);
  if (!entries.ok()) return;
  for (const store::Entry& entry : *entries) {
    const bool over = entry.state == CompetitionState::kFinished;
    if (over || entry.entrant.successor) continue;
    const auto competition = options_.store->GetCompetition(entry.competition);
    if (competition.ok()) loop_->Changed(*competition);
  }
}

absl::Status Competitions::Remove(absl::string_view name, absl::string_view who) {
  const absl::StatusOr<store::Competition> competition = options_.store->FindCompetition(name);
  if (!competition.ok()) return competition.status();
  if (competition->state != CompetitionState::kNew &&
      competition->state != CompetitionState::kFinished) {
    return CompetitionInState(name, competition->state,
                              "only one that is NEW or FINISHED is removed; finish it first");
  }
  return options_.store->RemoveCompetition(
      competition->id,
      Audit(who, store::kRemoveCompetition, name, store::RemovalDetail(*competition)));
}

absl::StatusOr<CompetitionView> Competitions::Join(absl::string_view name, absl::string_view bot,
                                                   absl::string_view who) {
  if (!IsPlainName(bot)) return BadName("bot", bot);
  const absl::StatusOr<store::Competition> competition = options_.store->FindCompetition(name);
  if (!competition.ok()) return competition.status();
  if (competition->spec.format != schedule::Format::kLadder) {
    return absl::FailedPreconditionError(absl::StrCat(
        "competition ", Quoted(name), ": is a ", schedule::FormatName(competition->spec.format),
        ", which has the entrants that it was made with; only a ladder is joined later"));
  }
  const absl::StatusOr<store::Entrant> joined = options_.store->Join(
      competition->id, bot, Audit(who, "competition.join", name, absl::StrCat("bot ", bot)));
  if (!joined.ok()) return joined.status();
  loop_->Changed(*competition);
  return WholeViewOf(name);
}

absl::StatusOr<CompetitionView> Competitions::Leave(absl::string_view name, absl::string_view bot,
                                                    absl::string_view who) {
  const absl::StatusOr<store::Competition> competition = options_.store->FindCompetition(name);
  if (!competition.ok()) return competition.status();
  if (competition->state == CompetitionState::kFinished) {
    return CompetitionInState(name, competition->state, "nothing changes in it any more");
  }
  const std::string reason = who == bot ? "it left" : absl::StrCat("taken out by ", who);
  const absl::StatusOr<store::Entrant> left =
      options_.store->TakeOut(competition->id, bot, store::Presence::kWithdrawn, reason,
                              Audit(who, "competition.leave", name, absl::StrCat("bot ", bot)));
  if (!left.ok()) return left.status();
  loop_->Changed(*competition);
  return WholeViewOf(name);
}

// --- Reading ---

absl::Duration Competitions::WatchDelayOf(absl::string_view request_id) const {
  const absl::optional<store::CompetitionId> id = CompetitionOfRequest(request_id);
  return id.has_value() ? loop_->watch_delays().Of(*id) : absl::ZeroDuration();
}

absl::StatusOr<Competitions::Watched> Competitions::Watch(absl::string_view name,
                                                          std::function<void()> changed) {
  const absl::StatusOr<store::Competition> competition = options_.store->FindCompetition(name);
  if (!competition.ok()) return competition.status();
  const absl::StatusOr<WatchId> watch = loop_->watches().Add(competition->id, std::move(changed));
  if (!watch.ok()) return watch.status();
  return Watched{*watch, competition->id};
}

}  // namespace referee::competition
