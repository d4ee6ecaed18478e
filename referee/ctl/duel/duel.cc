#include "referee/ctl/duel/duel.h"

#include <string.h>

#include <algorithm>
#include <deque>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/util/message_differencer.h"
#include "referee/base/errors.h"
#include "referee/base/mutex.h"
#include "referee/ctl/dice_flag.h"
#include "referee/ctl/duel/duel_bots.h"
#include "referee/ctl/duel/embedded_referee.h"
#include "referee/ctl/duel/finished_matches.h"
#include "referee/ctl/duel/report.h"
#include "referee/ctl/terminal/signals.h"
#include "referee/launch/temp_dir.h"
#include "referee/replay/data_dir.h"
#include "referee/replay/own_folder.h"
#include "referee/store/spec_wire.h"

namespace referee::ctl {
namespace {

// How often the duel checks its time limits; everything else is notified.
constexpr absl::Duration kLookEvery = absl::Milliseconds(100);
// The shortest time between two reads of the competition from the store.
constexpr absl::Duration kPause = absl::Milliseconds(10);
// How long matches may go on after a bot has ended for good.
constexpr absl::Duration kPatience = absl::Minutes(1);
// The most restarts of a bot in a row without an ended match.
constexpr int kMaxStartsInVain = 3;
// The account that creates the competition.
constexpr absl::string_view kWho = "local";

// What a field of the spec means in a duel, for people.
std::string FlagOf(const google::protobuf::FieldDescriptor& field) {
  if (field.name() == "entrants") return "list of bots";
  return field.name() == "description" ? "command of a bot" : field.name();
}

// Checks that a stored competition matches the plan. Returns FailedPrecondition that names the
// difference.
absl::Status CheckIsThis(const store::Competition& kept, const DuelPlan& plan) {
  using google::protobuf::FieldDescriptor;
  v1::CompetitionSpec was;
  v1::CompetitionSpec is;
  absl::Status converted = store::SpecToWire(kept.spec, &was);
  if (converted.ok()) converted = store::SpecToWire(plan.spec, &is);
  if (!converted.ok()) return converted;
  for (int i = 0; i < was.GetDescriptor()->field_count(); ++i) {
    const std::vector<const FieldDescriptor*> field = {was.GetDescriptor()->field(i)};
    google::protobuf::util::MessageDifferencer differencer;
    if (differencer.CompareWithFields(was, is, field, field)) continue;
    return absl::FailedPreconditionError(
        absl::StrCat("--resume ", plan.resume_dir, ": is of another duel, with another ",
                     FlagOf(*field.front()), "; give the same flags, or another folder"));
  }
  if (!plan.dice || SeedOf(*plan.dice) == *kept.dice_seed) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("--resume ", plan.resume_dir,
                   ": is of another duel, with another seed; leave out --seed, or give another "
                   "folder"));
}

class Duel {
 public:
  Duel(const DuelPlan& plan, Progress* progress)
      : plan_(plan), progress_(*progress), signals_([this] { changed_.Notify(); }) {
    recoveries_.resize(plan.bots.size());
    starts_in_vain_.resize(plan.bots.size());
    ended_before_.resize(plan.bots.size());
  }

  DuelReport Run();

 private:
  // Notifications from the threads of the referee, the bots and signals to the thread of the duel.
  class News {
   public:
    void Notify() {
      MutexLock lock(&mutex_);
      any_ = true;
      changed_.NotifyAll();
    }
    void Add(FinishedMatch match) {
      MutexLock lock(&mutex_);
      finished_.push_back(std::move(match));
      any_ = true;
      changed_.NotifyAll();
    }
    // Waits up to `limit` for news. Returns whether there is any, and the finished matches.
    bool Await(absl::Duration limit, std::deque<FinishedMatch>* finished) {
      MutexLock lock(&mutex_);
      if (!any_) changed_.WaitFor(&mutex_, absl::ToChronoNanoseconds(limit));
      *finished = std::exchange(finished_, {});
      return std::exchange(any_, false);
    }

   private:
    Mutex mutex_;
    CondVar changed_;
    bool any_ ABSL_GUARDED_BY(mutex_) = false;
    std::deque<FinishedMatch> finished_ ABSL_GUARDED_BY(mutex_);
  };

  absl::Status SetUp();
  absl::Status StartReferee();
  // Creates the competition, or finds it.
  absl::Status Enter();
  absl::Status StartBots();
  absl::Status StartBot(size_t bot);
  absl::Status AwaitBots();
  absl::Status Play();
  absl::Status Begin();
  // Reads the progress of the competition.
  absl::Status Look();
  void FinishRunning();
  void TearDown();

  // Waits for news and handles it.
  void Wait(absl::Duration limit);
  void Take(FinishedMatch finished);
  // An error that stops the duel, if any.
  absl::Status Problem();
  absl::Status EndedBot();
  // Restarts a bot that has ended, if the plan says so, once its matches have ended as losses.
  absl::Status Recover(size_t bot, absl::string_view ending);
  // An error that names a bot that the competition withdrew or suspended, if any.
  absl::Status TakenOut() const;
  absl::Status Stalled();
  std::string Tail(int bot) const { return bots_->Tail(static_cast<size_t>(bot)); }

  Instant Now() const { return referee_->clock().Now(); }
  competition::Competitions& competitions() const { return referee_->competitions(); }
  store::CompetitionState state() const { return view_.competition.state; }
  bool finished() const {
    const int64_t counted = view_.competition.counted * plan_.spec.seats;
    return state() == store::CompetitionState::kFinished ||
           (plan_.all_play() && counted >= plan_.matches);
  }
  // Ended matches, as shown to people.
  int done() const { return static_cast<int>(counted_before_) + done_; }

  const DuelPlan& plan_;
  Progress& progress_;
  News changed_;
  const StopSignals signals_;
  absl::optional<launch::TempDir> directory_;
  std::unique_ptr<DuelBots> bots_;
  std::unique_ptr<EmbeddedReferee> referee_;  // uses bots_ to check connections
  competition::CompetitionView view_;         // at the last read
  Instant look_;                              // the earliest next read
  bool news_ = true;                          // since the last read
  int64_t counted_before_ = 0;                // matches played before the duel resumed
  match::DiceSource dice_;
  std::vector<DuelReport::Recovery> recoveries_;  // by bot, like the next two
  std::vector<int> starts_in_vain_;               // since the last ended match
  std::vector<int64_t> ended_before_;             // ended_ when its previous process ended
  std::unique_ptr<FinishedMatches> matches_;      // the ended ones
  int64_t ended_ = 0;                             // matches
  int done_ = 0;                                  // of these, with a result
  bool playing_ = false;                          // matches may start
  bool stopping_ = false;                         // the end of the duel ends open matches
  absl::Status recording_problem_;                // why a replay could not be written
  Instant alive_;                                 // when a match last ran
};

DuelReport Duel::Run() {
  DuelReport report;
  report.problem = SetUp();
  if (report.problem.ok() && !finished()) {
    report.problem = StartBots();
    if (report.problem.ok()) report.problem = AwaitBots();
    if (report.problem.ok()) report.problem = Play();
  }
  TearDown();
  if (bots_ != nullptr) report.refusals = bots_->Refusals();
  if (view_.competition.id == store::CompetitionId()) return report;
  report.recoveries = recoveries_;
  report.dice = dice_;
  const absl::Status read = ReadResults(plan_, competitions(), matches_->notes(), &report);
  if (report.problem.ok()) report.problem = read;
  return report;
}

// --- Start and end ---

absl::Status Duel::SetUp() {
  if (!plan_.data_dir().empty()) {
    const absl::Status own = replay::CheckNewOrDataDir(plan_.data_dir());
    if (!own.ok()) return At(plan_.resume_dir.empty() ? "--replay-dir" : "--resume", own);
  }
  absl::StatusOr<launch::TempDir> directory = launch::TempDir::Make();
  if (!directory.ok()) return directory.status();
  directory_ = *std::move(directory);
  if (!plan_.bot_logs.empty()) {
    const absl::Status own = replay::OwnFolder(
        plan_.bot_logs, {"bot-logs.manifest", "refctl-duel-logs 1", "refctl duel"});
    if (!own.ok()) return At("--bot-logs", own);
  }
  const std::string logs = plan_.bot_logs.empty() ? directory_->path() : plan_.bot_logs;

  bots_ = std::make_unique<DuelBots>(
      DuelBots::Options{&plan_, directory_->path(), logs, [this] { changed_.Notify(); }});
  matches_ = std::make_unique<FinishedMatches>(&plan_, bots_.get());
  if (absl::Status started = StartReferee(); !started.ok()) return started;
  return Enter();
}

absl::Status Duel::StartBots() {
  for (size_t i = 0; i < plan_.bots.size(); ++i) {
    if (absl::Status started = StartBot(i); !started.ok()) return started;
  }
  return absl::OkStatus();
}

absl::Status Duel::StartReferee() {
  absl::StatusOr<std::unique_ptr<EmbeddedReferee>> referee = EmbeddedReferee::Start(
      plan_, directory_->path(), bots_.get(),
      [this](FinishedMatch match) { changed_.Add(std::move(match)); },
      [this] { changed_.Notify(); });
  if (!referee.ok()) return referee.status();
  referee_ = *std::move(referee);
  return absl::OkStatus();
}

absl::Status Duel::Enter() {
  absl::StatusOr<competition::CompetitionView> view = competitions().Get(kDuelName);
  if (absl::IsNotFound(view.status())) {
    dice_ = plan_.dice ? *plan_.dice : DrawDiceSeed();
    view = competitions().Create(plan_.spec, "", kWho, SeedOf(dice_));
  } else if (view.ok()) {
    if (absl::Status is = CheckIsThis(view->competition, plan_); !is.ok()) return is;
    dice_ = plan_.dice ? *plan_.dice : match::DiceSource{{}, view->competition.dice_seed};
  }
  if (!view.ok()) return view.status();
  view_ = *std::move(view);
  counted_before_ = view_.competition.counted * plan_.spec.seats;
  const auto watched = competitions().Watch(kDuelName, [this] { changed_.Notify(); });
  return watched.status();
}

absl::Status Duel::StartBot(size_t bot) {
  return bots_->Start(bot, EmbeddedReferee::AddressOf(directory_->path(), bot));
}

absl::Status Duel::AwaitBots() {
  progress_.Note("waiting for the bots to connect");
  const Instant until = Now() + plan_.start_timeout;
  for (;;) {
    const auto missing =
        std::find_if(plan_.bots.begin(), plan_.bots.end(), [this](const launch::BotCommand& bot) {
          return referee_->host().CountConnects(bot.name) == 0;
        });
    if (missing == plan_.bots.end()) return absl::OkStatus();
    if (absl::Status problem = Problem(); !problem.ok()) return problem;
    if (Now() >= until) {
      return absl::UnavailableError(
          absl::StrCat("bot ", Quoted(missing->name), " runs, but has not connected within ",
                       absl::FormatDuration(plan_.start_timeout),
                       "; it finds the referee in REFEREE_ADDRESS and its token in REFEREE_TOKEN "
                       "(--start-timeout gives it longer)",
                       LogEnd(Tail(static_cast<int>(missing - plan_.bots.begin())))));
    }
    Wait(std::min(kLookEvery, until - Now()));
  }
}

void Duel::TearDown() {
  stopping_ = true;
  // Bots that are being stopped have no more output to wait for.
  if (matches_ != nullptr) matches_->KeepUnread(Instant::InfiniteFuture());
  if (referee_ != nullptr) referee_->Stop();
  if (bots_ != nullptr) bots_->Stop();
  if (referee_ != nullptr) {
    Wait(absl::ZeroDuration());
    matches_->KeepUnread(Instant::InfiniteFuture());
  }
  progress_.Clear();
}

// --- Matches ---

absl::Status Duel::Play() {
  if (absl::Status begun = Begin(); !begun.ok()) return begun;
  playing_ = true;
  alive_ = Now();
  // A test ends when it is decided, and a tie when it is won.
  const bool exact = plan_.spec.format != schedule::Format::kTest &&
                     plan_.spec.format != schedule::Format::kKnockout;
  if (!exact) progress_.set_total(Progress::Total::kMost);
  while (!finished()) {
    absl::Status problem = Look();
    if (problem.ok()) problem = Problem();
    if (!problem.ok()) {
      FinishRunning();
      return problem;
    }
    progress_.Show(done(), plan_.matches, referee_->running(), Now(),
                   view_.test ? RatioText(view_.test->sprt) : "");
    if (!finished()) Wait(news_ ? std::min(kLookEvery, look_ - Now()) : kLookEvery);
  }
  while (matches_->any_unread() && signals_.received() == 0) Wait(kLookEvery);
  return recording_problem_.ok() ? TakenOut() : recording_problem_;
}

absl::Status Duel::Begin() {
  if (state() == store::CompetitionState::kNew) {
    return competitions().Start(kDuelName, kWho).status();
  }
  if (state() == store::CompetitionState::kPaused) {
    return competitions().Resume(kDuelName, kWho).status();
  }
  return absl::OkStatus();
}

absl::Status Duel::Look() {
  if (!news_ || Now() < look_) return absl::OkStatus();
  news_ = false;
  absl::StatusOr<competition::CompetitionView> view = competitions().Get(kDuelName);
  if (!view.ok()) return view.status();
  view_ = *std::move(view);
  look_ = Now() + kPause;
  return absl::OkStatus();
}

// Lets running matches end; no further match starts.
void Duel::FinishRunning() {
  static_cast<void>(competitions().Pause(kDuelName, kWho));
  const Instant until = Now() + kPatience;
  while (referee_->running() > 0 && signals_.received() == 0 && Now() < until) {
    progress_.Note(absl::StrCat("stopping; ", referee_->running(), " matches may still end"));
    Wait(kLookEvery);
  }
}

void Duel::Wait(absl::Duration limit) {
  std::deque<FinishedMatch> finished;
  if (changed_.Await(limit, &finished) || limit >= kLookEvery) news_ = true;
  for (FinishedMatch& match : finished) Take(std::move(match));
  matches_->KeepUnread(Now());
}

void Duel::Take(FinishedMatch finished) {
  // Ignores a match that the end of the referee ended, and one whose block is no longer to be
  // played.
  const bool has_result = finished.verdict.ending == match::Ending::kFinished;
  if (!has_result && (stopping_ || (finished.verdict.ending == match::Ending::kCancelled &&
                                    !finished.nobody_ready))) {
    return;
  }
  alive_ = Now();
  ++ended_;
  if (has_result) ++done_;
  if (recording_problem_.ok()) recording_problem_ = finished.sealed;
  matches_->Take(std::move(finished), alive_);
}

// --- Problems ---

absl::Status Duel::Problem() {
  if (signals_.received() != 0) {
    return absl::CancelledError(absl::StrCat("stopped by a signal (",
                                             strsignal(signals_.received()), ") after ", done(),
                                             " of ", plan_.matches, " matches"));
  }
  // After the last match, the ends of bots no longer matter.
  if (plan_.all_play() && done() >= plan_.matches) return Stalled();
  if (absl::Status ended = EndedBot(); !ended.ok()) return ended;
  if (absl::Status unready = matches_->UnreadyBot(); !unready.ok()) return unready;
  if (!recording_problem_.ok()) return recording_problem_;
  return playing_ ? Stalled() : absl::OkStatus();
}

absl::Status Duel::EndedBot() {
  for (size_t i = 0; i < plan_.bots.size(); ++i) {
    const absl::optional<std::string> ending = bots_->EndingOf(i);
    if (!ending) continue;
    const bool was_connected = referee_->host().CountConnects(plan_.bots[i].name) > 0;
    if (!plan_.recover || !was_connected) {
      return absl::UnavailableError(absl::StrCat("bot ", Quoted(plan_.bots[i].name), " ", *ending,
                                                 LogEnd(Tail(static_cast<int>(i)))));
    }
    if (absl::Status recovered = Recover(i, *ending); !recovered.ok()) return recovered;
  }
  return absl::OkStatus();
}

// Waits until the bot has lost its matches. Otherwise it would return to the position at which it
// ended, and might end there again and again.
absl::Status Duel::Recover(size_t bot, absl::string_view ending) {
  if (referee_->Plays(plan_.bots[bot].name)) return absl::OkStatus();
  if (ended_ > ended_before_[bot]) starts_in_vain_[bot] = 0;
  ended_before_[bot] = ended_;
  if (starts_in_vain_[bot] >= kMaxStartsInVain) {
    return absl::UnavailableError(absl::StrCat("bot ", Quoted(plan_.bots[bot].name),
                                               " was started again ", kMaxStartsInVain,
                                               " times in a row, and no match ended meanwhile; the "
                                               "last time it ",
                                               ending, LogEnd(Tail(static_cast<int>(bot)))));
  }
  ++starts_in_vain_[bot];
  ++recoveries_[bot].times;
  recoveries_[bot].ending = std::string(ending);
  return StartBot(bot);
}

absl::Status Duel::TakenOut() const {
  const absl::StatusOr<competition::StandingsView> table = competitions().Standings(kDuelName);
  if (!table.ok()) return table.status();
  for (const competition::Standing& standing : table->standings) {
    const store::Entrant& entrant = standing.entrant;
    if (entrant.presence == store::Presence::kIn) continue;
    return absl::UnavailableError(absl::StrCat("bot ", Quoted(entrant.name), " ", entrant.reason,
                                               LogEnd(bots_->Tail(PlaceOf(plan_, entrant.name)))));
  }
  return absl::OkStatus();
}

absl::Status Duel::Stalled() {
  if (referee_->running() > 0 || finished()) {
    alive_ = Now();
    return absl::OkStatus();
  }
  if (Now() - alive_ < plan_.start_timeout) return absl::OkStatus();
  for (size_t i = 0; i < plan_.bots.size(); ++i) {
    const std::string& name = plan_.bots[i].name;
    if (referee_->host().connected(name)) continue;
    return absl::UnavailableError(
        absl::StrCat("bot ", Quoted(name), " runs, but has been disconnected for ",
                     absl::FormatDuration(plan_.start_timeout), LogEnd(Tail(static_cast<int>(i)))));
  }
  return absl::UnavailableError(absl::StrCat("no match could begin for ",
                                             absl::FormatDuration(plan_.start_timeout),
                                             ", though all bots are connected: ", view_.waits_for));
}

}  // namespace

DuelReport RunDuel(const DuelPlan& plan, Progress* progress) { return Duel(plan, progress).Run(); }

}  // namespace referee::ctl
