#include "referee/ctl/duel/finished_matches.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/base/rotation.h"
#include "referee/replay/archive.h"
#include "referee/replay/replay.h"
#include "referee/replay/summary.h"
#include "referee/service/convert/competition.h"
#include "referee/store/block.h"

namespace referee::ctl {
namespace {

// How long a bot may write after its time is up: the SDKs then print where the bot is.
constexpr absl::Duration kLateWords = absl::Milliseconds(300);

// Reads the results of a duel from its competition.
class ResultReader {
 public:
  ResultReader(const DuelPlan& plan, const competition::Competitions& competitions,
               const NotesById& notes, DuelReport* report)
      : plan_(plan), competitions_(competitions), notes_(notes), report_(*report) {}

  absl::Status Read() {
    absl::StatusOr<competition::CompetitionView> view = competitions_.Get(kDuelName);
    if (!view.ok()) return view.status();
    competition_ = std::move(view->competition);
    if (view->test) report_.sprt = view->test->sprt;
    for (absl::optional<int64_t> from = 0; from.has_value();) {
      const absl::StatusOr<competition::BlockPage> page =
          competitions_.Blocks(kDuelName, "", *from, limits::kMaxPageSize);
      if (!page.ok()) return page.status();
      for (const store::Block& block : page->blocks) {
        if (absl::Status added = Add(block); !added.ok()) return added;
      }
      from = page->next;
    }
    return plan_.all_play() ? absl::OkStatus() : ReadTable();
  }

 private:
  absl::Status Add(const store::Block& block) {
    for (const store::Attempt& attempt : block.attempts) {
      for (const store::BlockMatch& match : attempt.matches) {
        if (match.verdict.times.late.valid()) ++report_.played_again;
      }
    }
    const bool is_void = block.state == store::BlockState::kVoid;
    if (block.state == store::BlockState::kRunning) return AddRunning(block);
    const std::vector<store::BlockMatch>& matches =
        is_void && !block.attempts.empty() ? block.attempts.back().matches : block.matches;
    for (size_t rotation = 0; rotation < matches.size(); ++rotation) {
      const store::BlockMatch& match = matches[rotation];
      if (block.state == store::BlockState::kDropped) {
        if (!match.verdict.ranks.empty()) ++report_.surplus;
        continue;
      }
      if (absl::Status added =
              Add(block, store::CountedAttempt(block), match, static_cast<int>(rotation));
          !added.ok()) {
        return added;
      }
      if (block.number < competition_.counted) report_.counted = report_.matches.size();
    }
    return absl::OkStatus();
  }

  // Adds ended matches of an unfinished block. The store may not have these matches. The end of the
  // duel may have voided an attempt after some of its matches had ended.
  absl::Status AddRunning(const store::Block& block) {
    std::map<int, std::pair<MatchId, int>> over;  // by rotation, with the attempt
    for (int attempt = block.attempt; attempt >= 0; --attempt) {
      const std::string request =
          replay::BlockRequestId(competition_.id.text(), block.number, attempt);
      for (const auto& [id, notes] : notes_) {
        if (notes.request_id == request) over.try_emplace(notes.rotation, id, attempt);
      }
    }
    for (const auto& [rotation, match] : over) {
      const auto& [id, attempt] = match;
      if (absl::Status added = Add(block, attempt, {id, {}}, rotation); !added.ok()) return added;
    }
    return absl::OkStatus();
  }

  absl::Status Add(const store::Block& block, int attempt, const store::BlockMatch& played,
                   int rotation) {
    const int seats = plan_.spec.seats;
    absl::StatusOr<MatchNotes> notes = NotesOf(played.id);
    // The match was cancelled before it started.
    if (absl::IsNotFound(notes.status()) && block.state == store::BlockState::kVoid) {
      return absl::OkStatus();
    }
    if (!notes.ok()) return notes.status();
    const match::Verdict& verdict = notes->verdict;
    DuelMatch& match = report_.matches.emplace_back();
    match.index = static_cast<int>(block.number) * seats + rotation;
    match.id = played.id;
    match.seed = *store::PinnedSeedOf(competition_, block.number, attempt);
    match.ending = verdict.ending;
    match.reason = verdict.reason;
    if (!plan_.data_dir().empty())
      match.replay_path = replay::Archive(plan_.data_dir()).PathOf(match.id);
    MatchFigures& figures = notes->figures;
    figures.times.resize(static_cast<size_t>(seats));
    figures.forgiven.resize(static_cast<size_t>(seats));
    figures.faults.resize(static_cast<size_t>(seats));
    match.seats.resize(static_cast<size_t>(seats));
    for (int seat = 0; seat < seats; ++seat) {
      DuelSeat& result = match.seats[static_cast<size_t>(seat)];
      const auto at = static_cast<size_t>(seat);
      result.bot = block.pairing.bots[static_cast<size_t>(PlaceOfSeat(seat, rotation, seats))];
      result.times = figures.times[at];
      result.forgiven = figures.forgiven[at];
      result.fault = std::move(figures.faults[at]);
      if (verdict.ending == match::Ending::kFinished) {
        result.score = verdict.scores[at];
        result.rank = verdict.ranks[at];
      }
    }
    for (const match::SeatForfeit& forfeit : verdict.forfeits) {
      match.seats[static_cast<size_t>(forfeit.seat.index())].forfeit = forfeit.cause;
    }
    return absl::OkStatus();
  }

  absl::StatusOr<MatchNotes> NotesOf(const MatchId& id) {
    const auto noted = notes_.find(id);
    if (noted != notes_.end()) return noted->second;
    if (plan_.resume_dir.empty()) return absl::NotFoundError("it was not played here");
    const absl::StatusOr<std::string> file = replay::Archive(plan_.resume_dir).Read(id);
    if (!file.ok()) return file.status();
    const absl::StatusOr<replay::Replay> replay = replay::Parse(*file);
    if (!replay.ok()) return replay.status();
    ++report_.resumed;
    return MatchNotes{FiguresOf(replay->setup, replay->records), *replay->ended()};
  }

  absl::Status ReadTable() {
    const absl::StatusOr<competition::StandingsView> table = competitions_.Standings(kDuelName);
    if (!table.ok()) return table.status();
    v1::GetStandingsResponse& out = report_.table.emplace();
    service::ToWire(table->view, absl::InfinitePast(), out.mutable_competition());
    for (const competition::Standing& standing : table->standings) {
      service::ToWire(standing, out.add_standings());
    }
    if (plan_.spec.format != schedule::Format::kKnockout) return absl::OkStatus();
    for (absl::optional<size_t> from = 0; from.has_value();) {
      const auto page = competitions_.Rounds(kDuelName, 0, *from, limits::kMaxPageSize);
      if (!page.ok()) return page.status();
      for (const competition::RoundLine& line : page->lines) {
        service::ToWire(line, page->entrants, report_.ties.Add());
      }
      from = page->next;
    }
    return absl::OkStatus();
  }

  const DuelPlan& plan_;
  const competition::Competitions& competitions_;
  const NotesById& notes_;
  DuelReport& report_;
  store::Competition competition_;
};

}  // namespace

size_t PlaceOf(const DuelPlan& plan, const std::string& bot) {
  const auto found =
      std::find_if(plan.bots.begin(), plan.bots.end(),
                   [&bot](const launch::BotCommand& one) { return one.name == bot; });
  return static_cast<size_t>(found - plan.bots.begin());
}

FinishedMatches::FinishedMatches(const DuelPlan* plan, const DuelBots* bots)
    : plan_(*plan), bots_(*bots), unready_(plan->bots.size()), did_instead_(plan->bots.size()) {}

void FinishedMatches::Take(FinishedMatch finished, Instant now) {
  NoteReadiness(finished);
  if (AddWritten(&finished, /*late=*/false)) {
    unread_.push_back({std::move(finished), now + kLateWords});
  } else {
    Keep(std::move(finished));
  }
}

void FinishedMatches::Keep(FinishedMatch finished) {
  notes_[finished.id] = {std::move(finished.figures), std::move(finished.verdict),
                         std::move(finished.request_id), finished.rotation};
}

void FinishedMatches::KeepUnread(Instant until) {
  while (!unread_.empty() && unread_.front().due <= until) {
    FinishedMatch match = std::move(unread_.front().match);
    unread_.pop_front();
    AddWritten(&match, /*late=*/true);
    Keep(std::move(match));
  }
}

void FinishedMatches::NoteReadiness(const FinishedMatch& finished) {
  const std::vector<absl::optional<SeatFault>>& faults = finished.figures.faults;
  for (size_t seat = 0; seat < finished.bots.size(); ++seat) {
    const size_t bot = PlaceOf(plan_, finished.bots[seat]);
    const SeatFault* const fault =
        seat < faults.size() && faults[seat].has_value() ? &*faults[seat] : nullptr;
    const bool unready = finished.nobody_ready || (fault != nullptr && fault->unready);
    unready_[bot] = unready ? unready_[bot] + 1 : 0;
    did_instead_[bot] =
        fault != nullptr
            ? fault->detail
            : absl::StrCat("was not ready within ", absl::FormatDuration(plan_.time_control.ready));
  }
}

// Matches may end in another order than they were made; the first one made counts.
bool FinishedMatches::IsFirstOfItsKind(const MatchId& match, size_t bot, const SeatFault& fault) {
  const auto kind = std::make_tuple(bot, fault.cause, fault.forfeits);
  MatchId& first = first_faults_.try_emplace(kind, match).first->second;
  first = std::min(first, match);
  return first == match;
}

bool FinishedMatches::AddWritten(FinishedMatch* finished, bool late) {
  bool more = false;
  std::vector<absl::optional<SeatFault>>& faults = finished->figures.faults;
  for (size_t seat = 0; seat < faults.size(); ++seat) {
    absl::optional<SeatFault>& fault = faults[seat];
    const size_t bot = PlaceOf(plan_, finished->bots[seat]);
    if (!fault || !IsFirstOfItsKind(finished->id, bot, *fault)) continue;
    const bool is_timeout = fault->cause == match::Cause::kTimeout;
    more = more || is_timeout;
    if (late && !is_timeout) continue;
    fault->written = bots_.LastLines(bot, kShownLines);
  }
  return more;
}

absl::Status FinishedMatches::UnreadyBot() const {
  for (size_t i = 0; i < unready_.size(); ++i) {
    if (unready_[i] < kUnreadyLimit) continue;
    return absl::UnavailableError(absl::StrCat(
        "bot ", Quoted(plan_.bots[i].name), " was not ready in ", kUnreadyLimit,
        " matches in a row, so the duel ends here; the last time it ", did_instead_[i],
        "; an SDK resigns when the bot fails as a match starts, and a bot that is caught in a loop "
        "answers nothing",
        LogEnd(bots_.Tail(i))));
  }
  return absl::OkStatus();
}

absl::Status ReadResults(const DuelPlan& plan, const competition::Competitions& competitions,
                         const NotesById& notes, DuelReport* report) {
  return ResultReader(plan, competitions, notes, report).Read();
}

}  // namespace referee::ctl
