#include "referee/ctl/duel/duel.h"

#include <string.h>

#include <algorithm>
#include <deque>
#include <map>
#include <tuple>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/mutex.h"
#include "referee/base/rotation.h"
#include "referee/ctl/duel/blocks.h"
#include "referee/ctl/duel/duel_bots.h"
#include "referee/ctl/duel/duel_state.h"
#include "referee/ctl/duel/embedded_referee.h"
#include "referee/ctl/errors.h"
#include "referee/ctl/terminal/stop_signals.h"
#include "referee/launch/temp_dir.h"
#include "referee/replay/own_folder.h"

namespace referee::ctl {
namespace {

// How often the duel looks whether time is up: nothing else is found out by looking.
constexpr absl::Duration kLookEvery = absl::Milliseconds(100);
// How long matches may go on when a bot is gone for good.
constexpr absl::Duration kPatience = absl::Minutes(1);
// A bot that ends is started again so often in a row if no match ends meanwhile.
constexpr int kMaxStartsInVain = 3;
// How long a bot may take to write where it is once its time is up: the SDKs do that.
constexpr absl::Duration kLateWords = absl::Milliseconds(300);
// A match that the machine's stalls make void is played again so often.
constexpr int kMaxPlayedAgain = 5;

class Duel {
 public:
  Duel(const DuelPlan& plan, Progress* progress)
      : plan_(plan), progress_(*progress), signals_([this] { changed_.Notify(); }) {
    if (plan.sprt) sprt_.emplace(*plan.sprt);
    recoveries_.resize(plan.bots.size());
    starts_in_vain_.resize(plan.bots.size());
    ended_before_.resize(plan.bots.size());
    unready_.resize(plan.bots.size());
    did_instead_.resize(plan.bots.size());
  }

  DuelReport Run();

 private:
  // What the threads of the referee, of the bots and of signals tell the one that runs the duel.
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
    // Waits until there is something new, for `limit` at most, and returns the matches among it.
    std::deque<FinishedMatch> Await(absl::Duration limit) {
      MutexLock lock(&mutex_);
      if (!any_) changed_.WaitFor(&mutex_, absl::ToChronoNanoseconds(limit));
      any_ = false;
      return std::exchange(finished_, {});
    }

   private:
    Mutex mutex_;
    CondVar changed_;
    bool any_ ABSL_GUARDED_BY(mutex_) = false;
    std::deque<FinishedMatch> finished_ ABSL_GUARDED_BY(mutex_);
  };

  absl::Status SetUp();
  // Takes over what was played before.
  absl::Status ReadState();
  absl::Status StartReferee();
  absl::Status StartBot(size_t bot);
  absl::Status AwaitBots();
  absl::Status Play();
  absl::Status CreateMatches();
  void FinishRunning();
  void TearDown();

  // Waits for news and takes it in.
  void Wait(absl::Duration limit);
  void Take(FinishedMatch finished);
  DuelMatch MatchOf(int index, const FinishedMatch& finished) const;
  void NoteReadiness(const DuelMatch& match);
  // Adds to the faults of the match what the bots had written, where it is the first of a kind;
  // `late`: only where more may have come since. Returns whether more may come: of a bot whose time
  // was up.
  bool AddWritten(DuelMatch* match, bool late);
  bool IsFirstOfItsKind(const DuelMatch& match, const DuelSeat& seat);
  // Takes in the matches that waited for what their bots write, up to this time.
  void KeepUnread(Instant until);
  void AwaitUnread();
  void Keep(DuelMatch match);
  // Lets the blocks that are over enter the test, up to the first that is not.
  void Test();

  // What keeps the duel from going on, if anything does.
  absl::Status Problem();
  absl::Status EndedBot();
  // A bot that is to be started again loses its matches first; no others begin meanwhile.
  bool AnyBotEnded() const;
  // Starts a bot that has ended again, if that is wanted and its matches are over.
  absl::Status Recover(size_t bot, absl::string_view ending);
  absl::Status UnreadyBot() const;
  absl::Status Stalled();
  std::string Tail(int bot) const { return bots_->Tail(static_cast<size_t>(bot)); }

  Instant Now() const { return referee_->clock().Now(); }
  int done() const { return static_cast<int>(matches_.size() + unread_.size()); }
  bool all_played() const { return done() >= plan_.matches || decided(); }
  bool decided() const { return sprt_ && sprt_->accepted() != rating::Hypothesis::kNone; }

  const DuelPlan& plan_;
  Progress& progress_;
  News changed_;
  const StopSignals signals_;
  absl::optional<launch::TempDir> directory_;
  std::unique_ptr<DuelBots> bots_;
  std::unique_ptr<EmbeddedReferee> referee_;      // asks bots_ who may connect
  std::unique_ptr<DuelState> state_;              // null if nothing is kept
  std::vector<DuelReport::Recovery> recoveries_;  // by bot, as are the next
  std::vector<int> starts_in_vain_;               // since a match ended last
  std::vector<int64_t> ended_before_;             // ended_ by the end of its process before
  std::vector<int> unready_;                      // matches in a row
  // What each did in the last of those, for people.
  std::vector<std::string> did_instead_;
  // The first match, by index, in which a bot had a fault of a kind: its cause, and whether the
  // match was forfeited.
  std::map<std::tuple<int, match::Cause, bool>, int> first_faults_;

  std::deque<int> due_;                        // indices of matches that were not created yet
  absl::flat_hash_map<MatchId, int> created_;  // indices of matches that are not over
  std::map<int, DuelMatch> matches_;           // those that are over, by index
  struct Unread {
    DuelMatch match;
    Instant due;  // when its bots have written what they will
  };
  std::deque<Unread> unread_;        // those that are over, too
  int64_t ended_ = 0;                // matches, with those that are played again
  std::map<int, int> played_again_;  // how often, by index
  absl::optional<rating::Sprt> sprt_;
  int tested_ = 0;                  // matches before this one have entered the test
  bool stopping_ = false;           // open matches are ended by the end of the duel
  absl::Status recording_problem_;  // what kept a replay from being written
  Instant alive_;                   // when a match ran last
};

DuelReport Duel::Run() {
  DuelReport report;
  report.problem = ReadState();
  report.resumed = done();
  Test();
  if (report.problem.ok() && !all_played()) {
    report.problem = SetUp();
    if (report.problem.ok()) report.problem = AwaitBots();
    if (report.problem.ok()) report.problem = Play();
    TearDown();
  }
  report.recoveries = recoveries_;
  if (bots_ != nullptr) report.refusals = bots_->Refusals();
  for (auto& [index, match] : matches_) {
    if (decided() && index >= tested_) {
      ++report.surplus;
    } else {
      report.matches.push_back(std::move(match));
    }
  }
  report.sprt = sprt_;
  for (const auto& [index, times] : played_again_) report.played_again += times;
  return report;
}

// --- Start and end ---

absl::Status Duel::SetUp() {
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
  if (absl::Status started = StartReferee(); !started.ok()) return started;
  for (size_t i = 0; i < plan_.bots.size(); ++i) {
    if (absl::Status started = StartBot(i); !started.ok()) return started;
  }
  return absl::OkStatus();
}

absl::Status Duel::StartReferee() {
  EmbeddedReferee::Options options;
  options.folder = directory_->path();
  options.data_dir = plan_.replay_dir;
  options.on_finished = [this](FinishedMatch match) { changed_.Add(std::move(match)); };
  options.on_connection = [this] { changed_.Notify(); };
  options.oversubscribe = plan_.oversubscribe;
  for (size_t i = 0; i < plan_.bots.size(); ++i) {
    options.bots.push_back({plan_.bots[i].name, bots_->token(i), [this, i](const ucred& process) {
                              return bots_->CheckPeer(i, process);
                            }});
  }
  absl::StatusOr<std::unique_ptr<EmbeddedReferee>> referee =
      EmbeddedReferee::Start(std::move(options));
  if (!referee.ok()) return referee.status();
  referee_ = *std::move(referee);
  return absl::OkStatus();
}

absl::Status Duel::ReadState() {
  if (plan_.state_path.empty()) return absl::OkStatus();
  absl::StatusOr<std::unique_ptr<DuelState>> state = DuelState::Open(plan_.state_path, plan_);
  if (!state.ok()) return state.status();
  state_ = *std::move(state);
  for (DuelMatch& match : state_->TakeMatches()) {
    const int index = match.index;
    if (index < plan_.matches) matches_.emplace(index, std::move(match));
  }
  return absl::OkStatus();
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
  KeepUnread(Instant::InfiniteFuture());  // of bots that are stopped there is nothing to read
  if (referee_ != nullptr) referee_->Stop();
  if (bots_ != nullptr) bots_->Stop();
  if (referee_ != nullptr) Wait(absl::ZeroDuration());
  KeepUnread(Instant::InfiniteFuture());
  progress_.Clear();
}

// --- Matches ---

absl::Status Duel::Play() {
  for (int i = 0; i < plan_.matches; ++i) {
    if (matches_.count(i) == 0) due_.push_back(i);
  }
  alive_ = Now();
  // A test ends when it is decided.
  if (sprt_) progress_.set_total(Progress::Total::kMost);
  while (!all_played()) {
    absl::Status problem = Problem();
    if (problem.ok() && !AnyBotEnded()) problem = CreateMatches();
    if (!problem.ok()) {
      FinishRunning();
      return problem;
    }
    progress_.Show(done(), plan_.matches, referee_->running(), Now(),
                   sprt_ ? RatioText(*sprt_) : "");
    Wait(kLookEvery);
    Test();
  }
  AwaitUnread();
  Test();
  return recording_problem_;
}

absl::Status Duel::CreateMatches() {
  const int bots = static_cast<int>(plan_.bots.size());
  while (!due_.empty() && static_cast<int>(created_.size()) < plan_.concurrency) {
    const int index = due_.front();
    absl::StatusOr<std::shared_ptr<const games::Game>> game = GameOfMatch(plan_, index);
    if (!game.ok()) return At("--positions", game.status());
    host::MatchRequest request;
    request.game = *std::move(game);
    request.time_control = plan_.time_control;
    request.policies = plan_.policies;
    request.dice_source = DiceOfMatch(plan_, index);
    for (int seat = 0; seat < bots; ++seat) {
      request.bots.push_back(plan_.bots[PlaceOfSeat(seat, index, bots)].name);
    }
    const absl::StatusOr<MatchId> id = referee_->host().Create(std::move(request), "");
    if (!id.ok()) return id.status();
    created_[*id] = index;
    due_.pop_front();
  }
  return absl::OkStatus();
}

void Duel::FinishRunning() {
  const Instant until = Now() + kPatience;
  while (referee_->running() > 0 && signals_.received() == 0 && Now() < until) {
    progress_.Note(absl::StrCat("stopping; ", referee_->running(), " matches may still end"));
    Wait(kLookEvery);
  }
}

void Duel::Wait(absl::Duration limit) {
  for (FinishedMatch& finished : changed_.Await(limit)) Take(std::move(finished));
  KeepUnread(Now());
}

void Duel::Take(FinishedMatch finished) {
  const auto created = created_.find(finished.id);
  if (created == created_.end()) return;
  const int index = created->second;
  created_.erase(created);
  if (!finished.begun && finished.verdict.ending == match::Ending::kCancelled) {
    // It waited too long for a free slot.
    due_.push_back(index);
    return;
  }
  // It was not over when the referee stopped.
  if (stopping_ && finished.verdict.ending != match::Ending::kFinished) return;
  alive_ = Now();
  ++ended_;
  if (recording_problem_.ok()) recording_problem_ = finished.sealed;
  if (finished.figures.no_contest && played_again_[index] < kMaxPlayedAgain) {
    ++played_again_[index];
    due_.push_front(index);
    return;
  }

  DuelMatch match = MatchOf(index, finished);
  NoteReadiness(match);
  if (AddWritten(&match, /*late=*/false)) {
    unread_.push_back({std::move(match), Now() + kLateWords});
  } else {
    Keep(std::move(match));
  }
}

void Duel::Keep(DuelMatch match) {
  if (state_ != nullptr && recording_problem_.ok()) recording_problem_ = state_->Add(match);
  const int index = match.index;
  matches_.emplace(index, std::move(match));
}

void Duel::KeepUnread(Instant until) {
  while (!unread_.empty() && unread_.front().due <= until) {
    DuelMatch match = std::move(unread_.front().match);
    unread_.pop_front();
    AddWritten(&match, /*late=*/true);
    Keep(std::move(match));
  }
}

void Duel::AwaitUnread() {
  while (!unread_.empty() && signals_.received() == 0) Wait(kLookEvery);
}

DuelMatch Duel::MatchOf(int index, const FinishedMatch& finished) const {
  DuelMatch match;
  match.index = index;
  match.id = finished.id;
  match.ending = finished.verdict.ending;
  match.reason = finished.verdict.reason;
  if (finished.sealed.ok()) match.replay_path = referee_->ReplayPath(match.id);
  const int seats = static_cast<int>(plan_.bots.size());
  MatchFigures figures = finished.figures;
  match.seats.resize(static_cast<size_t>(seats));
  figures.times.resize(match.seats.size());
  figures.forgiven.resize(match.seats.size());
  figures.faults.resize(match.seats.size());
  for (int seat = 0; seat < seats; ++seat) {
    DuelSeat& result = match.seats[seat];
    result.bot = PlaceOfSeat(seat, index, seats);
    result.times = figures.times[seat];
    result.forgiven = figures.forgiven[seat];
    result.fault = figures.faults[seat];
    if (match.ending == match::Ending::kFinished) {
      result.score = finished.verdict.scores[seat];
      result.rank = finished.verdict.ranks[seat];
    }
  }
  for (const match::SeatForfeit& forfeit : finished.verdict.forfeits) {
    match.seats[forfeit.seat.index()].forfeit = forfeit.cause;
  }
  return match;
}

// A match that nobody was ready for is cancelled, and by nobody else in a duel.
void Duel::NoteReadiness(const DuelMatch& match) {
  const bool nobody = match.ending == match::Ending::kCancelled;
  for (const DuelSeat& seat : match.seats) {
    const bool unready = nobody || (seat.fault && seat.fault->unready);
    unready_[seat.bot] = unready ? unready_[seat.bot] + 1 : 0;
    did_instead_[seat.bot] =
        seat.fault
            ? seat.fault->detail
            : absl::StrCat("was not ready within ", absl::FormatDuration(plan_.time_control.ready));
  }
}

// Matches may end in another order than they began: the first by index is shown.
bool Duel::IsFirstOfItsKind(const DuelMatch& match, const DuelSeat& seat) {
  const auto kind = std::make_tuple(seat.bot, seat.fault->cause, seat.fault->forfeits);
  int& first = first_faults_.try_emplace(kind, match.index).first->second;
  first = std::min(first, match.index);
  return first == match.index;
}

bool Duel::AddWritten(DuelMatch* match, bool late) {
  bool more = false;
  for (DuelSeat& seat : match->seats) {
    if (!seat.fault || !IsFirstOfItsKind(*match, seat)) continue;
    const bool is_timeout = seat.fault->cause == match::Cause::kTimeout;
    more = more || is_timeout;
    if (late && !is_timeout) continue;
    seat.fault->written = bots_->LastLines(static_cast<size_t>(seat.bot), kShownLines);
  }
  return more;
}

void Duel::Test() {
  while (sprt_ && !decided()) {
    const auto first = matches_.find(tested_);
    const auto second = matches_.find(tested_ + 1);
    if (first == matches_.end() || second == matches_.end()) return;
    const absl::optional<int> half_points = HalfPointsOfBlock(first->second, second->second);
    if (half_points) sprt_->Add(*half_points);
    tested_ += 2;
  }
}

// --- Problems ---

absl::Status Duel::Problem() {
  if (signals_.received() != 0) {
    return absl::CancelledError(absl::StrCat("stopped by a signal (",
                                             strsignal(signals_.received()), ") after ", done(),
                                             " of ", plan_.matches, " matches"));
  }
  if (absl::Status ended = EndedBot(); !ended.ok()) return ended;
  if (absl::Status unready = UnreadyBot(); !unready.ok()) return unready;
  if (!recording_problem_.ok()) return recording_problem_;
  return Stalled();
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

bool Duel::AnyBotEnded() const {
  for (size_t i = 0; i < plan_.bots.size(); ++i) {
    if (bots_->EndingOf(i)) return true;
  }
  return false;
}

// Not before it has lost its matches: else it would find the very position that it ended at, and a
// bot that ends there would end for ever.
absl::Status Duel::Recover(size_t bot, absl::string_view ending) {
  if (referee_->running() > 0) return absl::OkStatus();
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

absl::Status Duel::UnreadyBot() const {
  for (size_t i = 0; i < unready_.size(); ++i) {
    if (unready_[i] < kUnreadyLimit) continue;
    return absl::UnavailableError(absl::StrCat(
        "bot ", Quoted(plan_.bots[i].name), " was not ready in ", unready_[i],
        " matches in a row, so the duel ends here; the last time it ", did_instead_[i],
        "; an SDK resigns when the bot fails as a match starts, and a bot that is caught in a loop "
        "answers nothing",
        LogEnd(Tail(static_cast<int>(i)))));
  }
  return absl::OkStatus();
}

absl::Status Duel::Stalled() {
  if (created_.empty() || referee_->running() > 0) {
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
  return absl::UnavailableError(absl::StrCat(
      "no match could begin for ", absl::FormatDuration(plan_.start_timeout),
      ", though all bots are connected; ", "does each of them say in Hello that it plays ",
      plan_.game->name(), ", or any game?"));
}

}  // namespace

DuelReport RunDuel(const DuelPlan& plan, Progress* progress) { return Duel(plan, progress).Run(); }

}  // namespace referee::ctl
