// refctl duel: plays matches between bots on this machine.

#include <sodium.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "referee/base/command_line.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/base/progress.h"
#include "referee/competition/terms.h"
#include "referee/ctl/command.h"
#include "referee/ctl/competition/flags.h"
#include "referee/ctl/dice_flag.h"
#include "referee/ctl/duel/duel.h"
#include "referee/ctl/duel/launch_flags.h"
#include "referee/ctl/duel/report.h"
#include "referee/ctl/match/flags.h"
#include "referee/dice/dice.h"
#include "referee/games/catalogue.h"
#include "referee/games/errors.h"
#include "referee/launch/bot_command.h"
#include "referee/schedule/spec.h"
#include "referee/service/convert/competition.h"

namespace referee::ctl {
namespace {

constexpr char kDescription[] =
    "Plays matches between bots on this machine, with a referee of its own";

constexpr char kFooter[] =
    "Each bot is a command: it is started once, connects to the referee that REFEREE_ADDRESS names "
    "in its environment with the token in REFEREE_TOKEN, and plays all matches. Bots that are "
    "built with an SDK do that by themselves. Seats rotate from match to match: as many matches in "
    "a row as there are seats are a block, in which each bot has each seat once.\n\n"
    "More bots than a match has seats play against each other, as --format says: with --rounds N "
    "each pairing plays N blocks. Then the table of the competition follows, too.\n\n"
    "Prints a line for each bot: matches won alone and shared, mean rank and score, mean and worst "
    "time for a move, and forfeits by cause; where faults are forgiven (--on-timeout, "
    "--on-illegal), also the turns that the referee played in the bot's place, by cause, and the "
    "illegal moves after which it was let try again. Of two bots also Elo with its bars of 95 % "
    "and the likelihood that the first is the stronger, from blocks, so that what the two matches "
    "of a block have in common does not deceive. The bars hold for few blocks too; if every match "
    "was won, or lost, there is a bound on one side only. Of a duel that is stopped before its end "
    "they take the blocks before the first that is not over, whichever ended meanwhile.\n\n"
    "With --sprt the duel goes on until it can tell whether the first of two bots is elo0 or elo1 "
    "Elo above the second, wrong with a probability of at most alpha or beta; nelo0 and nelo1 are "
    "normalized Elo, which take as many matches whatever the share of draws. Blocks enter the test "
    "in the order in which they were begun. A test stops when results look good or bad enough, so "
    "Elo and its bars are corrected for that then: half of all tests overstate it, half "
    "understate.\n\n"
    "Below the table stands what each bot did wrong first, of each kind: in which match and turn, "
    "as which seat, why, the command that shows its replay (with --replay-dir), and the bot's last "
    "output\n"
    "(--bot-logs keeps all). Where turns were lost on time while their bot\n"
    "had others to think about, a line says so. A bot that is not ready in three matches in a row, "
    "or resigns before its first turn, ends the duel.\n\n"
    "Each bot has a socket of its own, where only processes that its command has started may speak "
    "for it. --isolate keeps the files, the processes and the network from bots of strangers.\n\n"
    "Exit status: 0 if all matches were played to a result, 1 if one has none; with --sprt 0 if H1 "
    "(elo1) was accepted, 1 if H0 was or it was not decided; 2 if the duel could not be played; "
    "with --fail-on-forfeit 4 if it was played and a bot forfeited a match. No bot is left running "
    "in any case.\n\n"
    "Examples:\n"
    "  refctl duel --game hypnosia --bot ./mine --bot old=./mine-v1 --seed 1\n"
    "  refctl duel --game isaac --bot ./a --bot ./b --bot ./c --format swiss";

struct Flags {
  CompetitionFlags competition;
  std::vector<std::string> bots;
  int seats = 0;  // 0: the number of bots, or the fewest
  int matches = 10;
  int concurrency = 0;
  std::string seed;
  LaunchFlags launch;
  std::string start_timeout = "10s";
  bool json = false;
  bool quiet = false;
  bool fail_on_forfeit = false;
  DuelPlan plan;  // only the fields that are copied from flags
  const CLI::Option* matches_given = nullptr;
};

constexpr int kMaxMatches = 1'000'000;

int DefaultConcurrency() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

// Checks first for a missing file, because it may cause other errors.
absl::Status CheckFiles(const Flags& flags) {
  const std::string& path = flags.competition.positions;
  if (path.empty() || access(path.c_str(), R_OK) == 0) return absl::OkStatus();
  return At("--positions", FileError("cannot read", path, errno));
}

// If no format is named, all bots play in each match where that is possible.
absl::StatusOr<int> SeatsOf(const Flags& flags, const games::GameType& type) {
  const int bots = static_cast<int>(flags.bots.size());
  if (flags.seats > 0) return flags.seats;
  if (bots < type.min_seats()) {
    return At("--bot", games::BadSeatCount(type.name(), bots, type.min_seats(), type.max_seats()));
  }
  const bool all = flags.competition.format.empty() && bots <= type.max_seats();
  return all ? bots : type.min_seats();
}

// The number of matches of a duel in which all bots play in each match, in whole blocks.
int MatchesOf(const Flags& flags, int seats) {
  const bool given = flags.matches_given->count() > 0;
  const int matches = given || flags.competition.sprt.empty() ? flags.matches : kMaxMatches;
  return (matches + seats - 1) / seats * seats;
}

// The commands of the bots as plain text, which tell duels apart.
std::string Description(const std::vector<launch::BotCommand>& bots) {
  std::string text = "bots:";
  for (const launch::BotCommand& bot : bots) {
    absl::StrAppend(&text, " ", bot.name, "=", absl::CHexEscape(bot.command));
  }
  if (text.size() <= limits::kMaxDescriptionBytes) return text;
  dice::Bytes32 hash;
  crypto_hash_sha256(hash.data(), reinterpret_cast<const uint8_t*>(text.data()), text.size());
  return absl::StrCat("bots: SHA-256 of their commands ", dice::Hex(hash));
}

// The competition of the duel.
absl::StatusOr<schedule::Spec> ReadSpec(const Flags& flags,
                                        const std::vector<launch::BotCommand>& bots) {
  const absl::StatusOr<games::Entry> entry = games::Find(flags.competition.game);
  if (!entry.ok()) return At("--game", entry.status());
  const absl::StatusOr<int> seats = SeatsOf(flags, *entry->type);
  if (!seats.ok()) return seats.status();
  CompetitionFlags competition = flags.competition;
  competition.name = std::string(kDuelName);
  const bool test = !competition.sprt.empty();
  if (test && bots.size() != 2) {
    return absl::InvalidArgumentError(
        absl::StrCat("--sprt: tells the strength of one bot from that of another, and here are ",
                     bots.size(), "; name two, with --bot"));
  }
  if (test) competition.format = "test";
  if (competition.format.empty()) competition.format = "round-robin";
  competition.seats = static_cast<uint32_t>(*seats);
  const bool all_play = static_cast<int>(bots.size()) == *seats;
  if (all_play) competition.rounds = limits::kMaxBlocks;
  if (!all_play && flags.matches_given->count() > 0) {
    return absl::InvalidArgumentError(
        "--matches: is for bots that all play in each match; give --rounds, how often each pairing "
        "is played");
  }
  competition.pinned = true;
  for (const launch::BotCommand& bot : bots) competition.entrants.push_back(bot.name);
  // The duel checks on its bots itself; a bot that loses on time stays in.
  competition.terms.spec.set_silence_limit(0);
  competition.terms.spec.set_description(Description(bots));
  const absl::StatusOr<v1::CompetitionSpec> wire = ReadCompetition(competition);
  if (!wire.ok()) return wire.status();
  absl::StatusOr<schedule::Spec> spec = service::FromWire(*wire);
  if (!spec.ok()) return InFlags(spec.status());
  spec->absence_limit = limits::kMaxAbsenceLimit;
  if (absl::Status settled = competition::Settle(&*spec); !settled.ok()) return InFlags(settled);
  return spec;
}

absl::StatusOr<DuelPlan> MakePlan(const Flags& flags) {
  if (absl::Status there = CheckFiles(flags); !there.ok()) return there;
  DuelPlan plan = flags.plan;
  absl::StatusOr<std::vector<launch::BotCommand>> bots = launch::ReadBotCommands(flags.bots);
  if (!bots.ok()) return bots.status();
  plan.bots = *std::move(bots);
  absl::StatusOr<schedule::Spec> spec = ReadSpec(flags, plan.bots);
  if (!spec.ok()) return spec.status();
  plan.spec = *std::move(spec);
  const absl::StatusOr<competition::CompetitionTerms> terms = competition::ReadTerms(plan.spec);
  if (!terms.ok()) return terms.status();
  plan.game = terms->game;
  plan.time_control = terms->time_control;
  plan.policies = terms->policies;
  plan.matches = plan.all_play()
                     ? MatchesOf(flags, plan.spec.seats)
                     : static_cast<int>(schedule::PlannedBlocks(plan.spec)) * plan.spec.seats;
  absl::StatusOr<Launching> launching = ReadLaunching(flags.launch, plan.bots.size());
  if (!launching.ok()) return launching.status();
  plan.launching = *std::move(launching);
  if (!absl::ParseDuration(flags.start_timeout, &plan.start_timeout) ||
      plan.start_timeout <= absl::ZeroDuration()) {
    return BadValue("--start-timeout", flags.start_timeout, "a time such as 10s");
  }
  plan.concurrency =
      std::min(flags.concurrency > 0 ? flags.concurrency : DefaultConcurrency(), plan.matches);
  if (!flags.seed.empty()) plan.dice = ReadDiceSeed(flags.seed);
  return plan;
}

constexpr char kMemoryLimitText[] =
    "note: --bot-memory limits the private memory of each process of a bot, not shared memory, nor "
    "the bot as a whole; see sdk/README.md, 'Bots of strangers'\n";

absl::StatusOr<Exit> PlayDuel(const Flags& flags, const Output& output) {
  const absl::StatusOr<DuelPlan> plan = MakePlan(flags);
  if (!plan.ok()) return plan.status();
  if (plan->launching.isolate && !flags.quiet) output.err() << kMemoryLimitText;
  Progress progress(&output.err(), flags.quiet ? Progress::Style::kNone : output.progress_style());
  const DuelReport report = RunDuel(*plan, &progress);
  const bool any = !report.matches.empty();
  if (flags.json) {
    output.out() << ReportJson(*plan, report) << '\n';
  } else if (any) {
    output.out() << ReportText(*plan, report);
    if (!plan->data_dir().empty()) {
      output.out() << "replays are in " << plan->data_dir() << "/replays\n";
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
  CompetitionFlags* const competition = &flags->competition;
  AddGameFlags(duel, &competition->game, &competition->options);
  AddPositionsFlag(duel, &competition->positions);
  AddOption(duel, "--bot", "[NAME=]CMD", &flags->bots,
            "A bot: a command for /bin/sh; once for each bot. NAME=CMD names it (default:\n"
            "after its program); write 'env A=1 CMD' for a command that begins with A=1")
      ->required()
      ->allow_extra_args(false);
  AddOption(duel, "--format", "FORMAT", &competition->format,
            "Of more bots than a match has seats: how they meet. round-robin (default),\n"
            "gauntlet (the first bot against all others), swiss or knockout")
      ->check(OneOf({"round-robin", "gauntlet", "swiss", "knockout"}));
  AddOption(duel, "--seats", "N", &flags->seats,
            "Bots in a match (default: all, if the game has as many seats and no --format\n"
            "is given; else the fewest of the game)")
      ->check(Whole(2, limits::kMaxSeats));
  AddFormatFlags(duel, competition);
  AddJudgingFlags(duel, &competition->judging);
  AddOption(duel, "--seed", "N|HEX", &flags->seed,
            "Pins the dice to a number, or to 64 hex digits: the same bots play the same matches\n"
            "again. A block is as many matches as there are seats, with the same dice and the\n"
            "seats rotated (default: 32 random bytes, which the report names; a bot may guess a\n"
            "small number, and foresee the dice)")
      ->check(DiceSeed());
}

void AddRunFlags(CLI::App* duel, Flags* flags) {
  flags->matches_given =
      AddOption(duel, "--matches", "N", &flags->matches,
                absl::StrCat("How many matches, rounded up to whole blocks; with --sprt the "
                             "most (default\nthen: ",
                             kMaxMatches, ")"))
          ->check(Whole(1, kMaxMatches))
          ->capture_default_str();
  AddOption(
      duel, "--sprt", "TERMS", &flags->competition.sprt,
      SprtHelp(
          "Stops as soon as a sequential test of two bots is decided, such as\n"
          "elo0=0,elo1=10,alpha=0.05,beta=0.05 or nelo0=0,nelo1=10; alpha and beta are\n"
          "0.05 if left out. Or the name of a preset, and what is to be else, as gain,beta=0.1:"));
  AddOption(duel, "--concurrency", "N", &flags->concurrency,
            absl::StrCat("How many matches at once; a bot gets no more of them than it says "
                         "that it\nthinks about at once (default: ",
                         DefaultConcurrency(), ", the number of cores)"))
      ->check(Whole(1, 1024));
  duel->add_flag("--oversubscribe", flags->plan.oversubscribe,
                 "Gives each bot as many matches as it plays at once, however few turns it thinks\n"
                 "about: turns then wait for each other in the bot, on its clock");
  AddOption(duel, "--start-timeout", "TIME", &flags->start_timeout,
            "How long bots may take to connect")
      ->capture_default_str();
  CLI::Option* const replay_dir =
      AddOption(duel, "--replay-dir", "DIR", &flags->plan.replay_dir,
                "Keeps the replays in DIR/replays/YYYY/MM/DD, signed with DIR/key, which is\n"
                "made (default: they are not kept). DIR must be new or empty, or of an earlier\n"
                "duel or a referee");
  AddOption(duel, "--bot-logs", "DIR", &flags->plan.bot_logs,
            "Keeps what each bot writes to stdout and stderr in DIR/<name>.log: the first and\n"
            "the last megabyte, the last one when the duel is over (default: the end is shown\n"
            "when a bot fails). DIR must be new or empty, or of an earlier duel, whose logs it\n"
            "writes over");
  duel->add_flag("--recover", flags->plan.recover,
                 "Starts a bot that ends again, when its clocks have lost it the matches that it\n"
                 "was in (default: the duel ends)");
  AddOption(duel, "--resume", "DIR", &flags->plan.resume_dir,
            "Keeps what is played in DIR, with the replays, and goes on from there if it has\n"
            "matches: give the same flags; --matches may be more, and the seed is that of DIR.\n"
            "DIR must be new or empty, or of an earlier duel or a referee")
      ->excludes(replay_dir);
  duel->add_flag("--fail-on-forfeit", flags->fail_on_forfeit,
                 "Exit status 4 if a bot forfeited a match");
  duel->add_flag("--json", flags->json,
                 "Prints one JSON object, on one line, instead of the table");
  duel->add_flag("-q,--quiet", flags->quiet, "Shows no progress on stderr");
}

}  // namespace

void AddDuelCommand(CLI::App* app, Chosen* chosen) {
  const auto [duel, flags] = AddSubcommand(app, chosen, "duel", kDescription, PlayDuel);
  duel->footer(kFooter);
  AddMatchFlags(duel, flags.get());
  AddRunFlags(duel, flags.get());
  AddLaunchFlags(duel, &flags->launch);
}

}  // namespace referee::ctl
