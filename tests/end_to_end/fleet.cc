#include "tests/end_to_end/fleet.h"

#include <signal.h>
#include <sys/wait.h>

#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"

namespace referee::end_to_end {
namespace {

namespace fs = std::filesystem;

constexpr char kLadder[] = "ladder";
constexpr absl::Duration kLook = absl::Milliseconds(20);
constexpr absl::Duration kConnectLimit = absl::Seconds(1);

volatile sig_atomic_t asked_to_end = 0;

std::string BotName(size_t number) { return absl::StrCat("bot-", number); }

}  // namespace

// --- Waiting ---

bool Interrupted() { return asked_to_end != 0; }

void ListenToSignals() {
  struct sigaction action {};
  action.sa_handler = [](int) { asked_to_end = 1; };
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
}

absl::Status AwaitCondition(const std::string& what, const std::function<bool()>& condition) {
  const bool held = Eventually([&] { return Interrupted() || condition(); }, kLook);
  if (Interrupted()) return absl::CancelledError("interrupted");
  return held ? absl::OkStatus() : absl::DeadlineExceededError(what + " did not happen");
}

// --- The database ---

postgres::Connection* FleetQueries::Connect() {
  if (db_ != nullptr && db_->usable()) return db_.get();
  postgres::ConnectionOptions options;
  options.connect_limit = kConnectLimit;
  auto db = postgres::Connection::Open(url_, options);
  db_ = db.ok() ? *std::move(db) : nullptr;
  return db_.get();
}

template <typename Take>
void FleetQueries::Ask(const std::string& sql, const Take& take) {
  // The first connection may be one to a server that is no more.
  for (const bool is_last : {false, true}) {
    postgres::Connection* const db = Connect();
    if (db == nullptr) return;
    postgres::Statement found = db->Prepare(sql);
    while (found.Step()) take(found);
    if (is_last || db->usable()) return;
  }
}

absl::optional<int64_t> FleetQueries::Number(const std::string& sql) {
  absl::optional<int64_t> number;
  Ask(sql, [&](const postgres::Statement& found) { number = found.Int(0); });
  return number;
}

absl::optional<std::string> FleetQueries::Text(const std::string& sql) {
  const std::vector<std::string> lines = Lines(sql, 1);
  return lines.empty() ? absl::nullopt : absl::make_optional(lines.front());
}

std::vector<std::string> FleetQueries::Lines(const std::string& sql, int columns) {
  std::vector<std::string> lines;
  Ask(sql, [&](const postgres::Statement& found) {
    std::vector<std::string> texts;
    for (int column = 0; column < columns; ++column) texts.emplace_back(found.Text(column));
    lines.push_back(absl::StrJoin(texts, "  "));
  });
  return lines;
}

// --- The fleet ---

Fleet::Fleet(Sandbox* sandbox, FleetOptions options)
    : sandbox_(*sandbox),
      options_(std::move(options)),
      queries_(options_.store),
      referees_(static_cast<size_t>(options_.referees)) {}

std::string Fleet::DataDir(int referee) const { return Path(absl::StrCat("data-", referee)); }
std::string Fleet::Address(int referee) const {
  return absl::StrCat("unix:", Path(absl::StrCat("socket-", referee)));
}

absl::Status Fleet::Begin() {
  fs::create_directory(Path("shelf"));
  const absl::StatusOr<std::string> migrated =
      Refctl({"store", "migrate", "--store", options_.store});
  if (!migrated.ok()) return migrated.status();
  for (int referee = 0; referee < options_.referees; ++referee) {
    // All sign with the key of the first, so that an audit takes what each has played.
    if (referee > 0) {
      fs::create_directory(DataDir(referee));
      for (const char* file : {"/key", "/key.pub", "/key.ring"}) {
        fs::copy(DataDir(0) + file, DataDir(referee) + file);
      }
    }
    if (absl::Status status = Start(referee); !status.ok()) return status;
  }
  if (absl::Status status = AddAccounts(); !status.ok()) return status;
  std::vector<std::string> names;
  for (size_t bot = 0; bot < tokens_.size(); ++bot) names.push_back(BotName(bot));
  const absl::StatusOr<std::string> created = Refctl(
      {"competition", "create", kLadder, "--format", "ladder", "--game", "hypnosia", "--option",
       "turn_limit=10", "--pace", "0", "--max-running", absl::StrCat(4 * options_.homes), "--homes",
       absl::StrCat(options_.homes), "--bots", absl::StrJoin(names, ","), "--start"});
  if (!created.ok()) return created.status();
  return StartBots();
}

absl::Status Fleet::AddAccounts() {
  const auto add = [this](std::vector<std::string> more) -> absl::StatusOr<std::string> {
    std::vector<std::string> command = {"bot", "add", "--store", options_.store};
    command.insert(command.end(), more.begin(), more.end());
    absl::StatusOr<std::string> token = Refctl(std::move(command));
    if (token.ok()) absl::StripAsciiWhitespace(&*token);
    return token;
  };
  const absl::StatusOr<std::string> organiser = add({"olga", "--role", "organiser"});
  if (!organiser.ok()) return organiser.status();
  organiser_ = *organiser;
  for (int bot = 0; bot < options_.bots; ++bot) {
    const absl::StatusOr<std::string> token = add({BotName(tokens_.size())});
    if (!token.ok()) return token.status();
    tokens_.push_back(*token);
  }
  return absl::OkStatus();
}

absl::Status Fleet::StartBots() {
  for (size_t bot = 0; bot < tokens_.size(); ++bot) {
    const int first = static_cast<int>(bot) % options_.referees;
    bots_.push_back(sandbox_.Start(
        {"bots/random"}, {{"REFEREE_ADDRESS", Address(first)}, {"REFEREE_TOKEN", tokens_[bot]}}));
  }
  return AwaitCondition("the first block of the ladder", [this] {
    return queries_.Number("SELECT counted FROM referee.competition").value_or(0) > 0;
  });
}

absl::Status Fleet::StopBots() {
  for (const pid_t bot : bots_) kill(bot, SIGTERM);
  for (const pid_t bot : std::exchange(bots_, {})) {
    const Ran ran = sandbox_.Await(bot);
    if (ran.status != 0) {
      return absl::InternalError(absl::StrCat("a bot ended with ", ran.status, ": ", ran.err));
    }
  }
  return absl::OkStatus();
}

absl::Status Fleet::Finish() {
  // A referee whose database was restarted asks to try again.
  absl::StatusOr<std::string> finished;
  const auto is_asked = [&] {
    finished = Refctl({"competition", "finish", kLadder, "--yes"});
    const std::string state =
        queries_.Text("SELECT state FROM referee.competition").value_or("RUNNING");
    return finished.ok() || state != "RUNNING";
  };
  absl::Status status = AwaitCondition("that the ladder can be finished", is_asked);
  if (!status.ok()) return finished.ok() ? status : finished.status();
  status = AwaitCondition("the end of the ladder", [this] {
    return queries_.Text("SELECT state FROM referee.competition") == "FINISHED";
  });
  if (!status.ok()) return status;
  if (status = StopBots(); !status.ok()) return status;
  for (int referee = 0; referee < options_.referees; ++referee) {
    if (status = Stop(referee); !status.ok()) return status;
  }
  return status;
}

absl::StatusOr<std::string> Fleet::Refctl(std::vector<std::string> arguments) {
  Sandbox::Environment environment;
  for (size_t referee = 0; referee < referees_.size(); ++referee) {
    if (referees_[referee] == 0) continue;
    environment.emplace_back("REFEREE_ADDRESS", Address(static_cast<int>(referee)));
  }
  if (!organiser_.empty()) environment.emplace_back("REFEREE_TOKEN", organiser_);
  const std::string line = absl::StrJoin(arguments, " ");
  arguments.insert(arguments.begin(), "refctl");
  const Ran ran = sandbox_.Run(arguments, environment);
  if (ran.status == 0) return ran.out;
  return absl::InternalError(
      absl::StrCat("refctl ", line, " ended with ", ran.status, ": ", ran.out, ran.err));
}

// --- Faults of one referee ---

absl::Status Fleet::Start(int referee) {
  const auto at = static_cast<size_t>(referee);
  const FleetOptions::Place place =
      at < options_.places.size() ? options_.places[at] : FleetOptions::Place{{}, options_.store};
  std::vector<std::string> command = place.entry;
  for (const std::string& part :
       {Program("refereed"), std::string("--listen"), Address(referee), std::string("--data-dir"),
        DataDir(referee), std::string("--store"), place.store, std::string("--shelf"),
        "dir:" + Path("shelf"), std::string("--lease"), absl::FormatDuration(options_.lease)}) {
    command.push_back(part);
  }
  const pid_t pid = sandbox_.Start(command);
  referees_[static_cast<size_t>(referee)] = pid;
  const auto is_ready = [&] { return absl::StrContains(sandbox_.Written(pid).err, "ready: "); };
  absl::Status started =
      AwaitCondition("the start of a referee", [&] { return is_ready() || HasEnded(pid); });
  if (started.ok() && !is_ready()) {
    started = absl::InternalError(
        absl::StrCat("referee ", referee, " did not start: ", sandbox_.Written(pid).err));
  }
  return started;
}

absl::Status Fleet::Stop(int referee) {
  const pid_t pid = std::exchange(referees_[static_cast<size_t>(referee)], 0);
  kill(pid, SIGTERM);
  const Ran ran = sandbox_.Await(pid);
  if (ran.status == 0) return absl::OkStatus();
  return absl::InternalError(
      absl::StrCat("referee ", referee, " ended with ", ran.status, ": ", ran.err));
}

void Fleet::Kill(int referee) {
  const pid_t pid = std::exchange(referees_[static_cast<size_t>(referee)], 0);
  kill(pid, SIGKILL);
  sandbox_.Await(pid);
}

void Fleet::Suspend(int referee) { kill(referees_[static_cast<size_t>(referee)], SIGSTOP); }
void Fleet::Resume(int referee) { kill(referees_[static_cast<size_t>(referee)], SIGCONT); }

absl::Status Fleet::Drain(int referee) {
  // It may not have its lease back yet after the fault before.
  const absl::Status leased =
      AwaitCondition("a lease of a referee", [&] { return !HasLapsed(referee); });
  if (!leased.ok()) return leased;
  return Refctl({"fleet", "drain", Address(referee), "--store", options_.store}).status();
}

// --- How it goes ---

absl::optional<int> Fleet::Home() {
  const absl::optional<std::string> address = queries_.Text(
      "SELECT address FROM referee.lease JOIN referee.competition ON home = term WHERE until > "
      "extract(epoch FROM clock_timestamp()) * 1000000");
  for (int referee = 0; referee < options_.referees; ++referee) {
    if (address == Address(referee)) return referee;
  }
  return absl::nullopt;
}

bool Fleet::HasLapsed(int referee) {
  // A lease that has ended may be gone altogether.
  return queries_.Number(
             absl::StrCat("SELECT count(*) FROM referee.lease WHERE address = '", Address(referee),
                          "' AND until > extract(epoch FROM clock_timestamp()) * 1000000")) == 0;
}

absl::Status Fleet::CheckAlive() {
  std::vector<pid_t> programs = bots_;
  programs.insert(programs.end(), referees_.begin(), referees_.end());
  for (const pid_t pid : programs) {
    if (pid == 0 || !HasEnded(pid)) continue;
    return absl::InternalError(
        absl::StrCat("a program has ended by itself: ", sandbox_.Written(pid).err));
  }
  return absl::OkStatus();
}

absl::Status Fleet::Audit() {
  return Refctl({"archive", "audit", "--data-dir", DataDir(0), "--store", options_.store, "--shelf",
                 "dir:" + Path("shelf")})
      .status();
}

}  // namespace referee::end_to_end
