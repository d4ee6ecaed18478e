// refctl duel: plays matches between bots on this machine.

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "referee/base/command_line.h"
#include "referee/base/errors.h"
#include "referee/base/progress.h"
#include "referee/ctl/command.h"
#include "referee/ctl/dice_flag.h"
#include "referee/ctl/duel/duel.h"
#include "referee/ctl/duel/duel_state.h"
#include "referee/ctl/duel/launch_flags.h"
#include "referee/ctl/duel/report.h"
#include "referee/ctl/errors.h"
#include "referee/ctl/match/game_options.h"
#include "referee/ctl/match/judging_flags.h"
#include "referee/ctl/match/positions.h"
#include "referee/games/catalogue.h"
#include "referee/games/errors.h"
#include "referee/launch/bot_command.h"

namespace referee::ctl {
namespace {

constexpr char kDescription[] =
    "Plays matches between bots on this machine, with a referee of its own";

constexpr char kFooter[] =
    "Each bot is a command: it is started once, connects to the referee that REFEREE_ADDRESS "
    "names\n"
    "in its environment with the token in REFEREE_TOKEN, and plays all matches. Bots that are "
    "built\n"
    "with an SDK do that by themselves. Seats rotate from match to match: as many matches in a row "
    "as\n"
    "there are bots are a block, in which each has each seat once.\n\n"
    "Prints a line for each bot: matches won alone and shared, mean rank and score, mean and\n"
    "worst time for a move, and forfeits by cause; where faults are forgiven (--on-timeout,\n"
    "--on-illegal), also the turns that the referee played in the bot's place, by cause, and the\n"
    "illegal moves after which it was let try again. Of two bots also Elo with its bars of 95 %\n"
    "and the likelihood that the first is the stronger, from blocks, so that what the two matches\n"
    "of a block have in common does not deceive. The bars hold for few blocks too; if every match\n"
    "was won, or lost, there is a bound on one side only. Of a duel that is stopped before its "
    "end\n"
    "they take the blocks before the first that is not over, whichever ended meanwhile.\n\n"
    "With --sprt the duel goes on until it can tell whether the first of two bots is elo0 or elo1\n"
    "Elo above the second, wrong with a probability of at most alpha or beta; nelo0 and nelo1 are\n"
    "normalized Elo, which take as many matches whatever the share of draws. Blocks enter the "
    "test\n"
    "in the order in which they were begun. A test stops when results look good or bad enough, so\n"
    "Elo and its bars are corrected for that then: half of all tests overstate it, half "
    "understate.\n\n"
    "Below the table stands what each bot did wrong first, of each kind: in which match and turn, "
    "as\n"
    "which seat, why, the command that shows its replay (with --replay-dir), and the bot's last "
    "output\n"
    "(--bot-logs keeps all). Where turns were lost on time while their bot\n"
    "had others to think about, a line says so. A bot that is not ready in three matches in a row, "
    "or\n"
    "resigns before its first turn, ends the duel.\n\n"
    "Each bot has a socket of its own, where only processes that its command has started may "
    "speak\n"
    "for it. --isolate keeps the files, the processes and the network from bots of strangers.\n\n"
    "Exit status: 0 if all matches were played to a result, 1 if one has none; with --sprt 0 if "
    "H1\n"
    "(elo1) was accepted, 1 if H0 was or it was not decided; 2 if the duel could not be played; "
    "with\n"
    "--fail-on-forfeit 4 if it was played and a bot forfeited a match. No bot is left running in "
    "any\n"
    "case.\n\n"
    "Example: refctl duel --game hypnosia --bot ./mine --bot old=./mine-v1 --matches 100 --seed 1";

struct Flags {
  std::string game;
  std::vector<std::string> bots;
  std::vector<std::string> options;
  std::string positions;
  int matches = 10;
  int concurrency = 0;
  std::string seed;
  std::string sprt;
  JudgingFlags judging;
  LaunchFlags launch;
  std::string replay_dir;
  std::string bot_logs;
  std::string start_timeout = "10s";
  bool json = false;
  bool quiet = false;
  bool recover = false;
  bool oversubscribe = false;
  bool fail_on_forfeit = false;
  std::string resume;
  const CLI::Option* matches_given = nullptr;
};

constexpr int kMaxMatches = 1'000'000;

int DefaultConcurrency() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

// Those that are given, or those of the duel that is to go on, or new ones.
absl::StatusOr<match::DiceSource> ReadDice(const Flags& flags) {
  if (!flags.seed.empty()) return *ReadDiceSeed(flags.seed);
  if (!flags.resume.empty()) {
    const absl::StatusOr<absl::optional<match::DiceSource>> kept = DiceInState(flags.resume);
    if (!kept.ok()) return kept.status();
    if (*kept) return **kept;
  }
  return DrawDiceSeed();
}

// A file that is missing is said before all else: what is wrong beside it may come from that.
absl::Status CheckFiles(const Flags& flags) {
  const std::string& path = flags.positions;
  if (path.empty() || access(path.c_str(), R_OK) == 0) return absl::OkStatus();
  return At("--positions", FileError("cannot read", path, errno));
}

absl::StatusOr<DuelPlan> MakePlan(const Flags& flags) {
  if (absl::Status there = CheckFiles(flags); !there.ok()) return there;
  const absl::StatusOr<games::Entry> entry = games::Find(flags.game);
  if (!entry.ok()) return At("--game", entry.status());
  DuelPlan plan;
  absl::StatusOr<std::vector<launch::BotCommand>> bots = launch::ReadBotCommands(flags.bots);
  if (!bots.ok()) return bots.status();
  plan.bots = *std::move(bots);
  const int seats = static_cast<int>(plan.bots.size());
  if (seats < entry->type->min_seats() || seats > entry->type->max_seats()) {
    const absl::Status bad = games::BadSeatCount(
        entry->type->name(), seats, entry->type->min_seats(), entry->type->max_seats());
    const bool pairs = entry->type->max_seats() == 2 && seats > 2;
    return At("--bot", pairs ? TooManyBotsForAMatch(bad, entry->type->name(), seats) : bad);
  }
  absl::StatusOr<std::shared_ptr<const games::Game>> game =
      MakeGame(*entry->type, seats, flags.options);
  if (!game.ok()) return game.status();
  plan.game = *std::move(game);
  absl::StatusOr<std::vector<std::string>> positions =
      ReadPositions(flags.positions, *entry->type, *plan.game);
  if (!positions.ok()) return positions.status();
  plan.positions = *std::move(positions);
  const absl::StatusOr<Judging> judging = ReadJudging(flags.judging);
  if (!judging.ok()) return judging.status();
  plan.time_control = judging->time_control;
  plan.policies = judging->policies;
  absl::StatusOr<Launching> launching = ReadLaunching(flags.launch, plan.bots.size());
  if (!launching.ok()) return launching.status();
  plan.launching = *std::move(launching);
  if (!absl::ParseDuration(flags.start_timeout, &plan.start_timeout) ||
      plan.start_timeout <= absl::ZeroDuration()) {
    return BadValue("--start-timeout", flags.start_timeout, "a time such as 10s");
  }
  plan.matches = flags.matches;
  if (!flags.sprt.empty()) {
    const absl::StatusOr<rating::SprtTerms> terms = rating::ParseSprtTerms(flags.sprt);
    if (!terms.ok()) return At("--sprt", terms.status());
    if (plan.bots.size() != 2)
      return absl::InvalidArgumentError(
          absl::StrCat("--sprt: tells the strength of one bot from that of another, and here are ",
                       plan.bots.size(), "; name two, with --bot"));
    plan.sprt = *terms;
    if (flags.matches_given->count() == 0) plan.matches = kMaxMatches;
  }
  plan.concurrency =
      std::min(flags.concurrency > 0 ? flags.concurrency : DefaultConcurrency(), plan.matches);
  const absl::StatusOr<match::DiceSource> dice = ReadDice(flags);
  if (!dice.ok()) return dice.status();
  plan.dice = *dice;
  plan.recover = flags.recover;
  plan.oversubscribe = flags.oversubscribe;
  plan.state_path = flags.resume;
  plan.replay_dir = flags.replay_dir;
  plan.bot_logs = flags.bot_logs;
  return plan;
}

Progress::Style ProgressStyle(const Flags& flags, const Output& output) {
  if (flags.quiet) return Progress::Style::kNone;
  return output.err_is_terminal() ? Progress::Style::kTerminal : Progress::Style::kLines;
}

absl::StatusOr<Exit> PlayDuel(const Flags& flags, const Output& output) {
  const absl::StatusOr<DuelPlan> plan = MakePlan(flags);
  if (!plan.ok()) return plan.status();
  Progress progress(&output.err(), ProgressStyle(flags, output));
  const DuelReport report = RunDuel(*plan, &progress);
  const bool any = !report.matches.empty();
  if (flags.json) {
    output.out() << ReportJson(*plan, report) << '\n';
  } else if (any) {
    output.out() << ReportText(*plan, report);
    if (!plan->replay_dir.empty()) {
      output.out() << "replays are in " << plan->replay_dir << "/replays\n";
    }
  }
  for (const std::string& refusal : report.refusals) output.err() << "warning: " << refusal << '\n';
  if (!report.problem.ok()) return report.problem;
  if (flags.fail_on_forfeit && CountForfeited(report) > 0) return Exit::kForfeit;
  const bool good =
      report.sprt ? report.sprt->accepted() == rating::Hypothesis::kH1 : CountVoid(report) == 0;
  return good ? Exit::kOk : Exit::kNegative;
}

void AddMatchFlags(CLI::App* duel, Flags* flags) {
  AddGameFlags(duel, &flags->game, &flags->options);
  AddPositionsFlag(duel, &flags->positions);
  duel->add_option("--bot", flags->bots,
                   "A bot: a command for /bin/sh; once for each seat. NAME=CMD names it (default:\n"
                   "after its program); write 'env A=1 CMD' for a command that begins with A=1")
      ->required()
      ->allow_extra_args(false)
      ->type_name("[NAME=]CMD");
  AddJudgingFlags(duel, &flags->judging);
  duel->add_option(
          "--seed", flags->seed,
          "Pins the dice of block b, from 0, to this number plus b, or to what follows from\n"
          "64 hex digits: the same bots play the same matches again. A block is as many\n"
          "matches as there are bots, with the same dice and the seats rotated (default: 32\n"
          "random bytes, which the report names; a bot may guess a small number, and foresee\n"
          "the dice)")
      ->check(DiceSeed())
      ->type_name("N|HEX");
}

std::string SprtHelp() {
  std::string text =
      "Stops as soon as a sequential test of two bots is decided, such as\n"
      "elo0=0,elo1=10,alpha=0.05,beta=0.05 or nelo0=0,nelo1=10; alpha and beta are\n"
      "0.05 if left out. Or the name of a preset, and what is to be else, as gain,beta=0.1:";
  for (const rating::SprtPreset& preset : rating::SprtPresets()) {
    absl::StrAppend(&text, "\n", preset.name, ": ", rating::SprtTermsText(preset.terms), ", ",
                    preset.what);
  }
  return text;
}

void AddRunFlags(CLI::App* duel, Flags* flags) {
  flags->matches_given =
      duel->add_option("--matches", flags->matches,
                       absl::StrCat("How many matches; with --sprt the most (default then: ",
                                    kMaxMatches, ")"))
          ->check(Whole(1, kMaxMatches))
          ->capture_default_str()
          ->type_name("N");
  duel->add_option("--sprt", flags->sprt, SprtHelp())->type_name("TERMS");
  duel->add_option("--concurrency", flags->concurrency,
                   absl::StrCat("How many matches at once; a bot gets no more of them than it says "
                                "that it\nthinks about at once (default: ",
                                DefaultConcurrency(), ", the number of cores)"))
      ->check(Whole(1, 1024))
      ->type_name("N");
  duel->add_flag("--oversubscribe", flags->oversubscribe,
                 "Gives each bot as many matches as it plays at once, however few turns it thinks\n"
                 "about: turns then wait for each other in the bot, on its clock");
  duel->add_option("--start-timeout", flags->start_timeout, "How long bots may take to connect")
      ->capture_default_str()
      ->type_name("TIME");
  duel->add_option("--replay-dir", flags->replay_dir,
                   "Keeps the replays in DIR/replays/YYYY/MM/DD, signed with DIR/key, which is\n"
                   "made (default: they are not kept)")
      ->type_name("DIR");
  duel->add_option(
          "--bot-logs", flags->bot_logs,
          "Keeps what each bot writes to stdout and stderr in DIR/<name>.log: the first and\n"
          "the last megabyte, the last one when the duel is over (default: the end is shown\n"
          "when a bot fails). DIR must be new or empty, or of an earlier duel, whose logs it\n"
          "writes over")
      ->type_name("DIR");
  duel->add_flag("--recover", flags->recover,
                 "Starts a bot that ends again, when its clocks have lost it the matches that it\n"
                 "was in (default: the duel ends)");
  duel->add_option("--resume", flags->resume,
                   "Keeps what is played in FILE, and goes on from there if it has matches: give\n"
                   "the same flags; --matches may be more, and the seed is that of FILE")
      ->type_name("FILE");
  duel->add_flag("--fail-on-forfeit", flags->fail_on_forfeit,
                 "Exit status 4 if a bot forfeited a match");
  duel->add_flag("--json", flags->json,
                 "Prints one JSON object, on one line, instead of the table");
  duel->add_flag("-q,--quiet", flags->quiet, "Shows no progress on stderr");
}

}  // namespace

void AddDuelCommand(CLI::App* app, Chosen* chosen) {
  const auto flags = std::make_shared<Flags>();
  CLI::App* const duel = app->add_subcommand("duel", kDescription);
  duel->footer(kFooter);
  AddMatchFlags(duel, flags.get());
  AddRunFlags(duel, flags.get());
  AddLaunchFlags(duel, &flags->launch);
  OnChosen(duel, chosen, [flags](const Output& output) { return PlayDuel(*flags, output); });
}

}  // namespace referee::ctl
