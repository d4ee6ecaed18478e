#include "referee/competition/runner.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/competition/block_end.h"
#include "referee/competition/schedule_reading.h"
#include "referee/replay/verifier.h"

namespace referee::competition {
namespace {

// The delays between attempts after the store or the host refused something.
constexpr absl::Duration kFirstPatience = absl::Milliseconds(100);
constexpr absl::Duration kLastPatience = absl::Seconds(30);
// The interval of checks for what other referees have done.
constexpr absl::Duration kOthersLook = absl::Milliseconds(200);
// The interval at which an unchanged offer is written again: the store may have dropped it.
constexpr absl::Duration kOfferAgain = absl::Seconds(5);
// How often a refused change is planned anew without a delay.
constexpr int kRefusalsAtOnce = 3;

bool IsRefusal(const absl::Status& status) {
  return absl::IsAborted(status) || absl::IsNotFound(status) || absl::IsAlreadyExists(status) ||
         absl::IsFailedPrecondition(status);
}

bool AnyReady(const match::Match& match) {
  for (int seat = 0; seat < match.seats(); ++seat) {
    if (match.ready(Seat(seat))) return true;
  }
  return false;
}

// The end of a match of which no trace is left.
MatchEnd Lost(const MatchId& match, absl::string_view why) {
  match::Verdict lost;
  lost.ending = match::Ending::kVoid;
  lost.reason = absl::StrCat("match ", match.text(), " was lost: ", why);
  MatchEnd end{std::move(lost)};
  end.recorded = false;
  return end;
}

// Reads the replay of a match from shared storage, to which others can write. Returns NotFound if
// there is none, InvalidArgument if it is not the replay of this match.
absl::StatusOr<replay::Replay> ReadShared(const store::CompetitionId& competition,
                                          const MatchId& match,
                                          const absl::StatusOr<std::string>& file) {
  if (!file.ok()) return file.status();
  absl::StatusOr<replay::Replay> replay = replay::Parse(*file);
  if (!replay.ok()) return replay.status();
  const auto bad = [&](absl::string_view problem) {
    return absl::InvalidArgumentError(
        absl::StrCat("the replay that is shared of match ", match.text(), " is not it: ", problem));
  };
  if (replay->setup.id != match) {
    return bad("it is of match " + replay->setup.id.text());
  }
  if (CompetitionOfRequest(replay->setup.request_id) != competition) {
    return bad("it is of another competition");
  }
  const replay::Verification verified = replay::Verify(*file);
  if (!verified.ok) return bad(verified.problem);
  return replay;
}

}  // namespace

MatchEnd EndOf(const host::MatchRunner& runner) {
  const match::Match* match = runner.match();
  // The other matches of the block, which are stopped because of this one, are void, not cancelled.
  const bool by_itself = runner.ended()->ending == match::Ending::kCancelled;
  const bool unready = by_itself && match != nullptr && runner.begun() && !AnyReady(*match);
  return {*runner.ended(), unready, runner.begun(), runner.recorded()};
}

absl::Status NotTakenUp(absl::string_view competition) {
  return absl::UnavailableError(absl::StrCat("competition ", Quoted(competition),
                                             ": this referee has not taken it up yet; try again"));
}

CompetitionRunner::CompetitionRunner(store::CompetitionId id, const Environment* environment)
    : id_(std::move(id)), environment_(*environment), planner_(id_), patience_(kFirstPatience) {}

// --- A step ---

Instant CompetitionRunner::Step(bool may_begin, bool yields) {
  const Instant now = environment_.clock->Now();
  began_ = false;
  if (now < not_before_ && !(awaits_store_ && StoreAnswersAgain())) return not_before_;
  failed_ = false;
  refused_ = false;
  wrote_ = false;
  const absl::optional<store::Lease> lease = environment_.held_lease->At(now);
  if (lease.has_value()) planner_.GoOnUnder(*lease);
  if (planner_.stale()) {
    if (absl::Status loaded = Load(); loaded.ok()) {
      ++changes_;
    } else {
      planner_.Reread();
      Fail(loaded);
    }
  }
  if (!failed_ && !planner_.stale()) LookAtOthers();
  if (failed_) return not_before_;
  if (idle() || !lease.has_value()) return Instant::InfiniteFuture();
  if (planner_.stale()) return now;  // new bots have come
  planner_.BeginStep({now, environment_.clock->WallNow(),
                      environment_.host->Look(planner_.question()), may_begin, yields, help_,
                      environment_.max_blocks});
  Cancel(planner_.Cancellations());
  const Transaction transaction = planner_.Plan();
  if (Apply(transaction.changes)) {
    if (!transaction.changes.empty()) ++changes_;
    began_ = !transaction.changes.empty() &&
             std::holds_alternative<store::BeginBlock>(transaction.changes.back());
    planner_.Commit(transaction);
    MakeBlocks();
    Offer();
    TakeOut();
    BringBack();
    FinishIfDone();
  }
  for (const std::string& line : planner_.TakeLog()) {
    Tell(log::Level::kInfo, "competition_news", line);
  }
  if (failed_) return not_before_;
  if (!planner_.stale()) {
    for (const BotNotice& notice : planner_.Notices()) {
      environment_.host->TellNotice(notice.bot, notice.text);
    }
    Recover();
  }
  return planner_.NextStep();
}

absl::Status CompetitionRunner::GiveUp(int64_t number, const std::string& reason,
                                       const store::AuditEntry& audit) {
  if (!planner_.loaded()) return NotTakenUp(audit.subject);
  absl::Status may = CheckMayGiveUp(planner_.now(), planner_.open(), number);
  if (may.ok()) may = environment_.store->AppendAudit(audit);
  if (!may.ok()) return may;
  planner_.GiveUp(number, reason, audit.who);
  for (const MatchId& match : planner_.open().UnendedOf(number)) {
    if (environment_.host->Find(match) != nullptr) continue;
    planner_.MatchEnded(match, Lost(match, reason));
  }
  return absl::OkStatus();
}

void CompetitionRunner::Cancel(const std::vector<Cancellation>& cancellations) {
  for (const auto& [match, reason, by] : cancellations) {
    // The match may have begun or ended meanwhile; that is as good.
    static_cast<void>(environment_.host->Cancel(match, reason, by));
  }
}

bool CompetitionRunner::Apply(const std::vector<store::Change>& changes) {
  if (changes.empty()) return true;
  const Instant from = environment_.clock->Now();
  const absl::Status done = environment_.store->Apply(planner_.lease(), changes);
  if (environment_.on_applied) {
    environment_.on_applied(changes, done, environment_.clock->Now() - from);
  }
  if (!done.ok()) {
    Refused(done);
    return false;
  }
  wrote_ = true;
  return true;
}

// --- Other referees ---

void CompetitionRunner::LookAtOthers() {
  const Instant now = environment_.clock->Now();
  if (now < look_at_others_) return;
  const absl::Status looked = planner_.now().home.here ? LookAtForeign() : LookAtGiven();
  // After a failure the next step checks again; without that the competition would seem to go on.
  if (!looked.ok()) return Fail(looked);
  look_at_others_ = now + kOthersLook;
}

absl::Status CompetitionRunner::LookAtGiven() {
  // Blocks given to this referee while it helped may be found later.
  if (planner_.now().row.spec.homes == 1) return absl::OkStatus();
  absl::StatusOr<std::vector<store::Block>> open = environment_.store->ListOpenBlocks(id_);
  if (!open.ok()) return open.status();
  planner_.TakeGiven(*std::move(open));
  return absl::OkStatus();
}

absl::Status CompetitionRunner::LookAtForeign() {
  help_.clear();
  if (planner_.now().row.spec.homes > 1 && planner_.now().running()) {
    absl::StatusOr<std::vector<store::Help>> help = environment_.store->ListHelp(id_);
    if (!help.ok()) return help.status();
    for (store::Help& one : *help) {
      if (one.owner != planner_.lease().owner) help_.push_back(std::move(one));
    }
  }
  if (planner_.now().foreign.empty()) return absl::OkStatus();
  const absl::StatusOr<std::vector<store::Block>> open = environment_.store->ListOpenBlocks(id_);
  if (!open.ok()) return open.status();
  std::set<int64_t> over;
  for (const auto& [number, foreign] : planner_.now().foreign) over.insert(number);
  for (const store::Block& block : *open) {
    if (block.owner != planner_.lease().owner) over.erase(block.number);
  }
  for (const int64_t number : over) {
    absl::StatusOr<store::Block> block = environment_.store->GetBlock(id_, number);
    if (!block.ok()) return block.status();
    planner_.TakeIn(*std::move(block));
    ++changes_;
  }
  return absl::OkStatus();
}

void CompetitionRunner::Offer() {
  if (!planner_.now().home.helps && !offered_.has_value()) return;
  const Instant now = environment_.clock->Now();
  store::Help offer = OfferOf(planner_.now(), planner_.open());
  const bool said =
      offered_.has_value() && offered_->blocks == offer.blocks && offered_->places == offer.places;
  if (planner_.now().home.helps && now < (said ? offer_again_ : offer_anew_)) return;
  if (absl::Status told = environment_.store->OfferHelp(planner_.lease(), id_, offer); !told.ok()) {
    return Refused(told);
  }
  offered_ = std::move(offer);
  if (!planner_.now().home.helps) offered_.reset();
  offer_anew_ = now + kOthersLook;
  offer_again_ = now + kOfferAgain;
}

void CompetitionRunner::MakeBlocks() {
  for (const int64_t number : planner_.BlocksToMake()) {
    // The store or this process may have stalled for so long that another referee has claimed the
    // blocks.
    if (!environment_.held_lease->At(environment_.clock->Now()).has_value()) break;
    const absl::Status made = Make(number);
    if (absl::IsFailedPrecondition(made) ||
        (absl::IsResourceExhausted(made) && !planner_.now().situation.host.held_back.empty())) {
      planner_.CannotMake(number);
    } else if (!made.ok()) {
      Fail(made);
      break;
    }
  }
  if (Apply(planner_.open().Names())) planner_.Named();
}

absl::Status CompetitionRunner::Make(int64_t number) {
  const store::Block& block = planner_.open().at(number).block;
  absl::StatusOr<host::BlockRequest> request = BlockRequestFor(planner_.now().row, terms_, block);
  if (!request.ok()) return request.status();
  absl::StatusOr<std::vector<MatchId>> ids =
      environment_.host->CreateBlock(*std::move(request), BlockRequestId(block));
  if (!ids.ok()) return ids.status();
  const std::shared_ptr<host::MatchRunner> first = environment_.host->Find(ids->front());
  // A block that is played apart has no id in the records of its matches.
  const bool named = first != nullptr && first->block_place().has_value() && !first->is_apart();
  planner_.Made(number, *ids, named ? first->block_place()->block.text() : "");
  if (!planner_.open().at(number).from_before) return absl::OkStatus();
  return LookUp(planner_.open().UnendedOf(number));
}

void CompetitionRunner::TakeOut() {
  for (const Removal& removal : planner_.Removals()) {
    const absl::StatusOr<store::Entrant> taken = environment_.store->TakeOutByHome(
        planner_.lease(), id_, planner_.now().entrants[removal.bot].name, removal.out,
        removal.reason, removal.suspension);
    if (!taken.ok()) return Refused(taken.status());
    planner_.Removed(removal);
  }
}

void CompetitionRunner::BringBack() {
  for (const int bot : planner_.suspended().answered()) {
    const absl::StatusOr<store::Entrant> back = environment_.store->BringBackByHome(
        planner_.lease(), id_, planner_.now().entrants[bot].name);
    if (!back.ok()) return Refused(back.status());
    planner_.Returned(bot);
  }
  for (const std::string& bot : planner_.suspended().to_ping()) environment_.host->Ping(bot);
}

void CompetitionRunner::FinishIfDone() {
  if (failed_ || !planner_.done()) return;
  const absl::StatusOr<store::Competition> finished = environment_.store->SetState(
      id_, planner_.now().row.state, store::CompetitionState::kFinished,
      environment_.clock->WallNow(), absl::nullopt);
  if (!finished.ok()) return Refused(finished.status());
  ++changes_;
  planner_.Finished();
}

// --- Reading ---

absl::Status CompetitionRunner::Load() {
  StoredCompetition stored;
  absl::StatusOr<store::Competition> row = environment_.store->GetCompetition(id_);
  // Only a competition that is not running can have been removed.
  gone_ = absl::IsNotFound(row.status());
  if (gone_) return absl::OkStatus();
  if (!row.ok()) return row.status();
  name_ = row->spec.name;
  absl::StatusOr<std::vector<store::Entrant>> entrants = environment_.store->ReadEntrants(id_);
  if (!entrants.ok()) return entrants.status();
  if (refusals_ == 0 && planner_.TakeOver(*row, *entrants)) return absl::OkStatus();
  if (row->state != store::CompetitionState::kNew &&
      row->state != store::CompetitionState::kFinished) {
    absl::StatusOr<CompetitionTerms> terms = ReadTerms(row->spec);
    if (!terms.ok()) return terms.status();
    absl::StatusOr<std::vector<std::string>> positions = environment_.store->ReadPositions(id_);
    if (!positions.ok()) return positions.status();
    terms->positions = *std::move(positions);
    terms_ = *std::move(terms);
    row->spec.entrants.clear();
    for (const store::Entrant& entrant : *entrants) row->spec.entrants.push_back(entrant.name);
    if (absl::Status read = ReadBlocks(*row, *entrants, &stored); !read.ok()) return read;
  }
  if (row->spec.format == schedule::Format::kTest) {
    absl::StatusOr<std::vector<store::PairTotal>> pairs = environment_.store->ReadPairTotals(id_);
    if (!pairs.ok()) return pairs.status();
    stored.sprt = store::SprtOf(row->spec, *pairs);
  }
  stored.row = *std::move(row);
  stored.entrants = *std::move(entrants);
  Cancel(planner_.Load(std::move(stored)));
  return LookUp(planner_.open().Unended());
}

absl::Status CompetitionRunner::ReadBlocks(const store::Competition& row,
                                           const std::vector<store::Entrant>& entrants,
                                           StoredCompetition* stored) {
  if (!planner_.now().home.here) {
    absl::StatusOr<std::vector<store::Block>> open = environment_.store->ListOpenBlocks(id_);
    if (!open.ok()) return open.status();
    stored->blocks = *std::move(open);
    return absl::OkStatus();
  }
  auto schedule = ReadSchedule(environment_.store, row, entrants, [&](store::Block block) {
    stored->blocks.push_back(std::move(block));
  });
  if (!schedule.ok()) return schedule.status();
  stored->schedule = *std::move(schedule);
  return absl::OkStatus();
}

absl::Status CompetitionRunner::LookUp(const std::vector<MatchId>& matches) {
  for (const MatchId& match : matches) {
    if (absl::Status found = LookUp(match); !found.ok()) return found;
  }
  return absl::OkStatus();
}

absl::Status CompetitionRunner::LookUp(const MatchId& match) {
  const std::shared_ptr<host::MatchRunner> runner = environment_.host->Find(match);
  // The host will report the end of a match that is still running.
  if (runner != nullptr && !runner->over()) return absl::OkStatus();
  const absl::StatusOr<replay::Replay> replay = environment_.find_replay(match);
  // The replay will be in the archive shortly, or could not be archived.
  if (!replay.ok() && runner != nullptr) {
    runner->Inspect([id = id_, post = environment_.post_played](const host::MatchRunner& over) {
      if (over.ended() != nullptr) post(id, over.id(), EndOf(over));
    });
    return absl::OkStatus();
  }
  if (absl::IsNotFound(replay.status()) && environment_.shared_replays != nullptr) {
    LookElsewhere(match);
    return absl::OkStatus();
  }
  absl::StatusOr<MatchEnd> end = EndIn(match, replay);
  if (!end.ok()) return end.status();
  if (environment_.shared_replays != nullptr) {
    environment_.post_played(id_, match, *std::move(end));
  } else {
    planner_.MatchEnded(match, *std::move(end));
  }
  return absl::OkStatus();
}

void CompetitionRunner::LookElsewhere(const MatchId& match) {
  environment_.shared_replays->Find(
      match, [id = id_, match, post = environment_.post,
              log = environment_.log](const absl::StatusOr<std::string>& file) {
        absl::StatusOr<MatchEnd> end = EndIn(match, ReadShared(id, match, file));
        if (end.ok()) {
          post(id, match, *std::move(end));
        } else {
          log::Tell(log, log::Event(log::Level::kWarning, "replay_not_shared",
                                    absl::StrCat("the block of match ", match.text(),
                                                 " waits: ", end.status().message()))
                             .With(log::kMatch, match.text())
                             .With(log::kCompetition, id.text()));
        }
      });
}

absl::StatusOr<MatchEnd> CompetitionRunner::EndIn(const MatchId& match,
                                                  const absl::StatusOr<replay::Replay>& replay) {
  if (replay.ok()) {
    MatchEnd end{*replay->ended()};
    end.begun = replay->records.size() > 1;
    return end;
  }
  if (!absl::IsNotFound(replay.status()) && !absl::IsInvalidArgument(replay.status())) {
    return replay.status();
  }
  return Lost(match, absl::IsNotFound(replay.status())
                         ? "its referee is gone, and left no replay of it"
                         : replay.status().message());
}

// --- Trouble ---

void CompetitionRunner::Refused(const absl::Status& why) {
  if (!IsRefusal(why)) {
    store_fails_ = true;
    return Fail(why);
  }
  // Another writer was first.
  refused_ = true;
  planner_.Reread();
  if (++refusals_ > kRefusalsAtOnce) Fail(why);
}

void CompetitionRunner::Fail(const absl::Status& why) {
  const std::string trouble(why.message());
  if (trouble != trouble_) {
    Tell(log::Level::kWarning, "competition_stuck",
         absl::StrCat("it cannot go on for now: ", trouble));
  }
  trouble_ = trouble;
  failed_ = true;
  awaits_store_ = absl::IsUnavailable(why);
  trouble_under_ = environment_.held_lease->end();
  not_before_ = environment_.clock->Now() + patience_;
  patience_ = std::min(2 * patience_, kLastPatience);
}

void CompetitionRunner::Recover() {
  // A step without writes shows nothing about a store that failed to write.
  if (store_fails_ && !wrote_ && !StoreAnswersAgain()) return;
  store_fails_ = false;
  if (!trouble_.empty()) Tell(log::Level::kInfo, "competition_goes_on", "it goes on");
  trouble_.clear();
  refusals_ = 0;
  patience_ = kFirstPatience;
}

// --- For others ---

Progress CompetitionRunner::progress() {
  Progress progress;
  if (planner_.loaded()) progress = planner_.progress();
  progress.changes = changes_;
  if (!trouble_.empty()) progress.waits_for = trouble_;
  if (trouble_.empty()) {
    std::string sharing = WaitsForSharing();
    if (!sharing.empty()) progress.waits_for = std::move(sharing);
  }
  return progress;
}

std::string CompetitionRunner::WaitsForSharing() const {
  const SharedReplays* const shared = environment_.shared_replays;
  if (shared == nullptr || !shared->any_waits() || !planner_.loaded()) return "";
  for (const auto& matches : {planner_.open().Unshared(), planner_.open().Unended()}) {
    for (const MatchId& match : matches) {
      const std::string why = shared->WhyWaiting(match);
      if (!why.empty()) return absl::StrCat("the replay of a match cannot be shared: ", why);
    }
  }
  return "";
}

void CompetitionRunner::Tell(log::Level level, absl::string_view event,
                             absl::string_view line) const {
  const std::string name = name_.empty() ? id_.text() : Quoted(name_);
  log::Tell(environment_.log,
            log::Event(level, event, absl::StrCat("competition ", name, ": ", line))
                .With(log::kCompetition, id_.text()));
}

}  // namespace referee::competition
