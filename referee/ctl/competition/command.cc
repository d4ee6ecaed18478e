// refctl competition: creates, runs and shows competitions of a running referee.

#include <chrono>
#include <ostream>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "proto/referee/v1/admin_service.grpc.pb.h"
#include "referee/base/clock.h"
#include "referee/base/command_line.h"
#include "referee/base/errors.h"
#include "referee/base/mutex.h"
#include "referee/ctl/client.h"
#include "referee/ctl/command.h"
#include "referee/ctl/competition/commands.h"
#include "referee/ctl/competition/flags.h"
#include "referee/ctl/competition/tables.h"
#include "referee/ctl/competition/text.h"
#include "referee/ctl/terminal/confirm.h"
#include "referee/ctl/terminal/live_screen.h"
#include "referee/ctl/terminal/print.h"
#include "referee/ctl/terminal/signals.h"
#include "referee/ctl/terminal/table.h"
#include "referee/host/errors.h"

namespace referee::ctl {
namespace {

using Stub = CompetitionStub;

struct Flags {
  ClientFlags client;
  std::string name;
  std::string bot;
  bool json = false;
  bool yes = false;  // season, finish, leave
  // create
  CompetitionFlags competition;
  std::string request_id;
  bool start = false;
};

std::string Text(const v1::Competition& competition, const Flags& flags) {
  return flags.json ? JsonLine(competition) : CompetitionLine(competition);
}

// --- create ---

absl::StatusOr<Exit> Create(const Flags& flags, const Output& output) {
  absl::StatusOr<v1::CompetitionSpec> spec = ReadCompetition(flags.competition);
  if (!spec.ok()) return spec.status();
  const absl::StatusOr<CompetitionClient> client = CompetitionClient::Make(flags.client);
  if (!client.ok()) return client.status();
  const auto made = CreateCompetition(*client, *std::move(spec), flags.request_id, flags.start);
  if (!made.ok()) return Refused(InFlags(made.status()), output);
  output.out() << Text(*made, flags);
  return Exit::kOk;
}

// --- Calls about one competition ---

// Makes a call that names a competition and returns its new state.
template <typename Request, typename Response>
absl::StatusOr<Exit> CallAbout(const Flags& flags, const Output& output, const Request& request,
                               grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&,
                                                            Response*)) {
  return Answer(CallOnce(flags.client, method, request), output,
                [&](const Response& response) { return Text(response.competition(), flags); });
}

// Makes such a call whose request has only the name.
template <typename Request, auto kMethod>
absl::StatusOr<Exit> Call(const Flags& flags, const Output& output) {
  return CallAbout(flags, output, About<Request>(flags), kMethod);
}

absl::StatusOr<Exit> Finish(const Flags& flags, const Output& output) {
  return IfConfirmed(
      flags.yes,
      absl::StrCat("Finish the competition ", Quoted(flags.name),
                   " for good? It cannot go on afterwards."),
      output,
      [&] { return Call<v1::FinishCompetitionRequest, &Stub::FinishCompetition>(flags, output); });
}

absl::StatusOr<Exit> Season(const Flags& flags, const Output& output) {
  auto request = About<v1::BeginSeasonRequest>(flags);
  request.set_request_id(flags.request_id);
  return IfConfirmed(flags.yes,
                     absl::StrCat("Begin a new season of ", Quoted(flags.name),
                                  "? The tallies of this one end for good."),
                     output, [&] { return CallAbout(flags, output, request, &Stub::BeginSeason); });
}

absl::StatusOr<Exit> Join(const Flags& flags, const Output& output) {
  auto request = About<v1::JoinCompetitionRequest>(flags);
  request.set_bot(flags.bot);
  return CallAbout(flags, output, request, &Stub::JoinCompetition);
}

// Whether the competition is a ladder, which a withdrawn bot may rejoin.
absl::StatusOr<bool> IsLadder(const Flags& flags) {
  const auto found =
      CallOnce(flags.client, &Stub::GetCompetition, About<v1::GetCompetitionRequest>(flags));
  if (!found.ok()) return found.status();
  return found->competition().spec().format() == v1::COMPETITION_FORMAT_LADDER;
}

absl::StatusOr<Exit> Leave(const Flags& flags, const Output& output) {
  bool may_come_back = flags.yes;
  if (!may_come_back) {
    const absl::StatusOr<bool> ladder = IsLadder(flags);
    if (!ladder.ok()) return Refused(ladder.status(), output);
    may_come_back = *ladder;
  }
  auto request = About<v1::LeaveCompetitionRequest>(flags);
  request.set_bot(flags.bot);
  return IfConfirmed(
      may_come_back,
      absl::StrCat("Withdraw ", flags.bot.empty() ? "the bot" : Quoted(flags.bot), " from ",
                   Quoted(flags.name), " for good? Only a ladder lets it come back."),
      output, [&] { return CallAbout(flags, output, request, &Stub::LeaveCompetition); });
}

// --- What is shown ---

// Why a bot is in no competition. Only organisers may learn whether the bot exists.
absl::Status WhyInNone(const Flags& flags) {
  v1::GetBotRequest request;
  request.set_name(flags.bot);
  const absl::StatusOr<v1::GetBotResponse> found =
      CallOnce(flags.client, &v1::AdminService::Stub::GetBot, request);
  if (absl::IsNotFound(found.status())) return host::UnknownBot(flags.bot);
  const v1::Role role = found.ok() ? found->bot().role() : v1::ROLE_UNSPECIFIED;
  if (role == v1::ROLE_ORGANISER) return host::NotABot(flags.bot, "organiser");
  if (role == v1::ROLE_OBSERVER) return host::NotABot(flags.bot, "observer");
  return absl::NotFoundError(
      absl::StrCat("bot ", Quoted(flags.bot), " is entered in no competition"));
}

absl::StatusOr<Exit> List(const Flags& flags, const Output& output) {
  const absl::StatusOr<CompetitionClient> client = CompetitionClient::Make(flags.client);
  if (!client.ok()) return client.status();
  v1::ListCompetitionsRequest request;
  request.set_bot(flags.bot);
  bool any = false;
  const auto print = [&](const v1::ListCompetitionsResponse& page) {
    for (const v1::Competition& competition : page.competitions()) {
      any = true;
      output.out() << Text(competition, flags);
    }
    return output.out().good();
  };
  const absl::Status listed = client->ForEachPage(&Stub::ListCompetitions, request, print);
  if (!listed.ok() || any) return Ended(listed, output);
  if (!flags.bot.empty()) return Refused(WhyInNone(flags), output);
  output.Error("there are no competitions yet; 'refctl competition create' makes one");
  return Exit::kOk;
}

absl::StatusOr<Exit> Show(const Flags& flags, const Output& output) {
  return Answer(
      CallOnce(flags.client, &Stub::GetCompetition, About<v1::GetCompetitionRequest>(flags)),
      output, [&](const v1::GetCompetitionResponse& shown) {
        return flags.json ? JsonLine(shown.competition()) : CompetitionText(shown.competition());
      });
}

// --- blocks and matches ---

template <typename Row, typename Rows>
absl::StatusOr<Exit> PrintBlocks(const Flags& flags, const Columns<Row>& columns, const Rows& rows,
                                 Form form, const Output& output) {
  const absl::StatusOr<CompetitionClient> client = CompetitionClient::Make(flags.client);
  if (!client.ok()) return client.status();
  auto request = About<v1::ListBlocksRequest>(flags);
  request.set_bot(flags.bot);
  return PrintPages(*client, &Stub::ListBlocks, request, columns, rows, form, output);
}

absl::StatusOr<Exit> Blocks(const Flags& flags, const Output& output) {
  const auto blocks = [](const v1::ListBlocksResponse& page) -> const auto& {
    return page.blocks();
  };
  return PrintBlocks(flags, BlocksTable(), blocks, flags.json ? Form::kJson : Form::kTable, output);
}

// The JSON of matches is the JSON of their blocks.
absl::StatusOr<Exit> Matches(const Flags& flags, const Output& output) {
  if (flags.json) return Blocks(flags, output);
  const auto matches = [](const v1::ListBlocksResponse& page) { return MatchesOf(page.blocks()); };
  return PrintBlocks(flags, MatchesTable(), matches, Form::kTable, output);
}

// --- watch ---

enum class WatchStyle {
  kTable,  // redrawn in place; for terminals
  kLines,  // a progress line now and then, and the table at the end
  kJson,   // a JSON object for each message, one per line
};

constexpr std::chrono::milliseconds kTryAgainAfter(500);
constexpr absl::Duration kLineEvery = absl::Seconds(10);

// The current call, which a signal can end. Thread-safe.
class CurrentCall {
 public:
  // Returns false if no call may start any more.
  bool Begin(grpc::ClientContext* context) {
    MutexLock lock(&mutex_);
    context_ = stopped_ ? nullptr : context;
    return !stopped_;
  }
  void End() {
    MutexLock lock(&mutex_);
    context_ = nullptr;
  }
  // Cancels the current call, and prevents further ones.
  void Stop() {
    MutexLock lock(&mutex_);
    stopped_ = true;
    if (context_ != nullptr) context_->TryCancel();
    changed_.NotifyAll();
  }
  // Waits before the next attempt. Returns false if there is none.
  bool Pause() {
    MutexLock lock(&mutex_);
    if (!stopped_) changed_.WaitFor(&mutex_, kTryAgainAfter);
    return !stopped_;
  }
  bool stopped() {
    MutexLock lock(&mutex_);
    return stopped_;
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  bool stopped_ ABSL_GUARDED_BY(mutex_) = false;
  grpc::ClientContext* context_ ABSL_GUARDED_BY(mutex_) = nullptr;
};

// Shows updates in one of the styles.
class View {
 public:
  View(WatchStyle style, const Output& output)
      : style_(style), output_(output), screen_(&output.out()) {}

  void Take(const v1::WatchCompetitionResponse& news) {
    if (lost_) Say("the referee is back");
    lost_ = false;
    last_ = news;
    switch (style_) {
      case WatchStyle::kTable:
        screen_.Draw(StandingsText(news.competition(), news.standings(),
                                   {false, false, TerminalSize().columns}),
                     TerminalSize());
        return;
      case WatchStyle::kLines:
        TakeAsLine(news);
        return;
      case WatchStyle::kJson:
        output_.out() << JsonLine(news) << std::flush;
        return;
    }
  }

  // Reports a lost connection to the referee.
  void Lose(const absl::Status& why) {
    if (!lost_) Say(absl::StrCat("the referee has gone, waiting for it: ", why.message()));
    lost_ = true;
  }

  bool begun() const { return last_.has_competition(); }

 private:
  void TakeAsLine(const v1::WatchCompetitionResponse& news) {
    const v1::Competition& competition = news.competition();
    const bool over = competition.state() == v1::COMPETITION_STATE_FINISHED;
    const Instant now = clock_.Now();
    if (competition.state() != shown_state_ || now >= next_line_) {
      output_.out() << absl::FormatTime("%Y-%m-%d %H:%M:%S UTC", absl::Now(), absl::UTCTimeZone())
                    << "  " << ProgressText(competition) << std::endl;
      shown_state_ = competition.state();
      next_line_ = now + kLineEvery;
    }
    if (over) output_.out() << StandingsText(competition, news.standings()) << std::flush;
  }

  void Say(const std::string& text) {
    // Later drawing starts below this text.
    screen_.Leave();
    output_.Error(text);
  }

  const WatchStyle style_;
  const Output& output_;
  const SystemClock clock_;
  LiveScreen screen_;
  v1::WatchCompetitionResponse last_;
  bool lost_ = false;
  v1::CompetitionState shown_state_ = v1::COMPETITION_STATE_UNSPECIFIED;
  Instant next_line_;
};

// Whether the referee, and with it the competition, may come back.
bool MayComeBack(const absl::Status& status) {
  return absl::IsUnavailable(status) || absl::IsCancelled(status) || absl::IsUnknown(status);
}

// Makes one call and shows its updates until it ends.
absl::Status Follow(const CompetitionClient& client, const v1::WatchCompetitionRequest& request,
                    CurrentCall* call, View* view) {
  grpc::ClientContext context;
  client.connection().Authorise(&context);
  if (!call->Begin(&context)) return absl::OkStatus();
  const auto reader = client.stub().WatchCompetition(&context, request);
  v1::WatchCompetitionResponse news;
  while (reader->Read(&news)) view->Take(news);
  const grpc::Status end = reader->Finish();
  call->End();
  return client.connection().Explain(end);
}

// Follows the competition until it finishes, or until SIGINT, SIGTERM or SIGHUP. If the referee
// disconnects, reports it and waits without limit.
absl::StatusOr<Exit> Watch(const Flags& flags, const Output& output) {
  const WatchStyle style = flags.json                 ? WatchStyle::kJson
                           : output.out_is_terminal() ? WatchStyle::kTable
                                                      : WatchStyle::kLines;
  CurrentCall call;
  // Made before gRPC starts threads.
  const StopSignals signals([&call] { call.Stop(); });
  const absl::StatusOr<CompetitionClient> client = CompetitionClient::Make(flags.client);
  if (!client.ok()) return client.status();
  const auto request = About<v1::WatchCompetitionRequest>(flags);
  View view(style, output);
  do {
    const absl::Status ended = Follow(*client, request, &call, &view);
    if (ended.ok() || call.stopped()) return Exit::kOk;
    if (!view.begun() || !MayComeBack(ended)) return Refused(ended, output);
    view.Lose(ended);
  } while (call.Pause());
  return Exit::kOk;
}

// --- The command line ---

using Function = absl::StatusOr<Exit> (*)(const Flags&, const Output&);

using Added = Subcommand<Flags>;

void AddCreate(CLI::App* group, Chosen* chosen) {
  const Added added = AddForOrganisers(
      group, chosen, "create", "Makes a competition; it waits for 'refctl competition start'",
      Create, /*json=*/false);
  AddCompetitionFlags(added.command, &added.flags->competition);
  added.command->add_flag("--start", added.flags->start, "Starts it at once");
  AddOption(added.command, "--request-id", "TEXT", &added.flags->request_id,
            "Any text: the same command with the same text makes no second competition");
  added.command->add_flag("--json", added.flags->json, "Prints JSON");
}

Added AddWithBot(CLI::App* group, Chosen* chosen, const std::string& name,
                 const std::string& description, Function work, const std::string& bot) {
  const Added added = AddAbout(group, chosen, name, description, work);
  AddOption(added.command, "--bot", "NAME", &added.flags->bot, bot);
  return added;
}

void AddSeason(CLI::App* group, Chosen* chosen) {
  const Added added = AddAbout(
      group, chosen, "season",
      "Begins a new season of a ladder: tallies from nothing, ratings from what they were, "
      "but less sure; former tables stay",
      Season);
  AddOption(added.command, "--request-id", "TEXT", &added.flags->request_id,
            "Any text: the same command with the same text begins no second season");
  AddYes(added.command, &added.flags->yes);
}

}  // namespace

absl::StatusOr<v1::Competition> CreateCompetition(const CompetitionClient& client,
                                                  v1::CompetitionSpec spec,
                                                  const std::string& request_id, bool start) {
  v1::CreateCompetitionRequest request;
  *request.mutable_spec() = std::move(spec);
  request.set_request_id(request_id);
  auto made = client.Call(&Stub::CreateCompetition, request);
  if (!made.ok()) return made.status();
  if (!start || made->competition().state() != v1::COMPETITION_STATE_NEW) {
    return std::move(*made->mutable_competition());
  }
  v1::StartCompetitionRequest named;
  named.set_name(made->competition().spec().name());
  auto started = client.Call(&Stub::StartCompetition, named);
  if (!started.ok()) return started.status();
  return std::move(*started->mutable_competition());
}

void AddCompetitionCommands(CLI::App* app, Chosen* chosen) {
  CLI::App* const group = app->add_subcommand(
      "competition", "Makes, runs and shows ladders and tournaments of a running referee");
  group->require_subcommand(1);
  AddCreate(group, chosen);
  AddAbout(group, chosen, "start", "Starts a competition that was made",
           Call<v1::StartCompetitionRequest, &Stub::StartCompetition>);
  AddAbout(group, chosen, "pause", "Begins no more blocks; those that run go on to their end",
           Call<v1::PauseCompetitionRequest, &Stub::PauseCompetition>);
  AddAbout(group, chosen, "resume", "Goes on after a pause",
           Call<v1::ResumeCompetitionRequest, &Stub::ResumeCompetition>);
  AddSeason(group, chosen);
  const Added finish =
      AddAbout(group, chosen, "finish", "Ends a competition for good; its standings stay", Finish);
  AddYes(finish.command, &finish.flags->yes);
  AddChangeCommands(group, chosen);
  AddWithBot(group, chosen, "join", "Enters a bot into a ladder, or lets it come back", Join,
             "The bot (default: the one whose token is used)");
  const Added leave = AddWithBot(
      group, chosen, "leave",
      "Withdraws a bot, from all but ladders for good; it plays to the end what it has begun, or "
      "forfeits",
      Leave, "The bot (default: the one whose token is used)");
  AddYes(leave.command, &leave.flags->yes);
  const Added list =
      AddForOrganisers(group, chosen, "list", "Lists competitions, newest first", List);
  AddOption(list.command, "--bot", "NAME", &list.flags->bot,
            "Only those in which this bot is entered, or was")
      ->check(CLI::Validator(
          [](const std::string& bot) { return bot.empty() ? "the name is empty" : ""; }, "",
          "name"));
  AddAbout(group, chosen, "show", "Shows what a competition is and how far", Show);
  AddTableCommands(group, chosen);
  AddWithBot(group, chosen, "blocks", "Lists blocks: the matches that share their dice", Blocks,
             "Only its blocks");
  AddWithBot(group, chosen, "matches", "Lists matches with their results", Matches,
             "Only its matches");
  AddAbout(group, chosen, "watch",
           "Follows a competition until it is finished: a table on a terminal, lines elsewhere",
           Watch);
}

}  // namespace referee::ctl
