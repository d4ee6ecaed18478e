// refctl replay: checks replays, prints them, shows them.

#include <signal.h>

#include <memory>
#include <string>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "referee/base/command_line.h"
#include "referee/base/errors.h"
#include "referee/ctl/command.h"
#include "referee/ctl/replay/course.h"
#include "referee/ctl/replay/export.h"
#include "referee/ctl/replay/html.h"
#include "referee/ctl/replay/screen.h"
#include "referee/ctl/replay/source.h"
#include "referee/ctl/replay/times.h"
#include "referee/ctl/replay/verify.h"
#include "referee/ctl/replay/viewer.h"
#include "referee/ctl/terminal/signal_queue.h"
#include "referee/replay/transcript.h"

namespace referee::ctl {
namespace {

// Of a command that shows one match.
struct Flags {
  std::string replay;
  SourceFlags source;
  std::string turn;
  bool json = false;
};

// --- replay times ---

absl::StatusOr<Exit> PrintTimes(const Flags& flags, const Output& output) {
  const absl::StatusOr<replay::Replay> replay = ReplaySource(flags.source).Load(flags.replay);
  if (!replay.ok()) return replay.status();
  output.out() << (flags.json ? TimesJson(*replay) : TimesText(*replay));
  return Exit::kOk;
}

// --- replay show ---

// The step that --turn asks for.
absl::StatusOr<size_t> ReadTurn(const std::string& text, const Course& course) {
  if (text == "last") return course.steps.size() - 1;
  const uint32_t turns = course.steps.back().turns_played;
  uint32_t turn;
  if (!absl::SimpleAtoi(text, &turn) || turn > turns) {
    return BadValue("--turn", text,
                    absl::StrCat("a turn of this match: 0 to ", turns, ", or last"));
  }
  return course.StepOfTurn(turn);
}

absl::StatusOr<Exit> View(const Course& course, const games::DrawStyle& style) {
  absl::StatusOr<int> signal = 0;
  {
    SignalQueue signals;
    signal = ViewMatch(course, style, &signals);
  }
  if (!signal.ok()) return signal.status();
  if (*signal != 0) raise(*signal);
  return Exit::kOk;
}

absl::StatusOr<Exit> Show(const Flags& flags, const Output& output) {
  const absl::StatusOr<replay::Replay> replay = ReplaySource(flags.source).Load(flags.replay);
  if (!replay.ok()) return replay.status();
  const Course course = CourseOf(*replay);
  if (course.steps.empty()) {
    output.out() << replay::Transcript(*replay);
    return Exit::kOk;
  }
  games::DrawStyle style;
  style.colour = output.colour();
  if (flags.turn.empty()) {
    return View(course, style);
  }
  const absl::StatusOr<size_t> step = ReadTurn(flags.turn, course);
  if (!step.ok()) return step.status();
  output.out() << ScreenOfStep(course, *step, style);
  return Exit::kOk;
}

// --- The command line ---

void AddVerify(CLI::App* replay, Chosen* chosen) {
  const auto [verify, flags] = AddSubcommand<VerifyFlags>(
      replay, chosen, "verify",
      "Plays matches again and checks everything: dice, turns, clocks, result, signature\n\n"
      "Prints 'FILE: OK' or the first problem, with its turn. Adds 'dice pinned by the\n"
      "organiser' if they were. For folders it prints what is wrong, and at the end the count\n"
      "of each kind; -v prints a line for each.\n"
      "Exit status 1 if any replay is bad, 2 if one cannot be read. Without --key anybody's\n"
      "signature counts: that is said first, and who signed last (with --json: \"signer_known\":\n"
      "false).\n\n"
      "Of a game that this program does not know it checks all but the rules: signature, seed,\n"
      "nonces, the order of the records, clocks, ranks. It says so ('verified in part', with "
      "--json "
      "\"verified_in_part\": true), and the exit status is 3 if no file is bad.",
      VerifyReplays);
  verify->add_option("REPLAY", flags->replays, kReplaysHelp)->required()->type_name("");
  verify
      ->add_option("--key", flags->key_file,
                   "The referee's public keys, whose signatures count: its key.ring or key.pub. A "
                   "former key counts for matches that ended before it was replaced")
      ->type_name("FILE");
  verify->add_flag("-v,--verbose", flags->verbose, "Prints a line for each replay in a folder");
  verify->add_flag("--json", flags->json, "Prints a JSON object for each replay, one a line");
  AddSourceFlags(verify, &flags->source);
}

void AddExport(CLI::App* replay, Chosen* chosen) {
  const auto [exported, flags] = AddSubcommand<ReplayExportFlags>(
      replay, chosen, "export",
      "Writes matches as text or JSON\n\n"
      "It goes on after a replay that it cannot read, says at the end which those were, and the\n"
      "exit status is 2. The name of a match's competition is there when the match came from a\n"
      "referee, or --data-dir is given.",
      ExportReplays);
  exported->add_option("REPLAY", flags->replays, kReplaysHelp)->required()->type_name("");
  exported
      ->add_option("--format", flags->format,
                   "text (a transcript), json, or jsonl (JSON, a match a line); default text")
      ->check(OneOf({"text", "json", "jsonl"}))
      ->type_name("FORMAT");
  AddOutputFlags(exported, &flags->output);
  exported->add_flag("--positions", flags->positions,
                     "Adds the position at the start and after each turn");
  AddSourceFlags(exported, &flags->source);
}

void AddHtml(CLI::App* replay, Chosen* chosen) {
  const auto [html, flags] = AddSubcommand<ReplayHtmlFlags>(
      replay, chosen, "html",
      "Writes matches as one page for a browser\n\n"
      "The page opens from disk and asks nothing of any network: the board turn by turn, dice,\n"
      "faults, scores, where the time went. It checks signature, commitment and dice by itself;\n"
      "whether the rules were kept, 'replay verify' tells. It holds the replay files, too.\n\n"
      "It goes on after a replay that it cannot read, says which those were, and the exit status\n"
      "is 2.",
      WriteReplayHtml);
  html->add_option("REPLAY", flags->replays, kReplaysHelp)->required()->type_name("");
  AddOutputFlags(html, &flags->output);
  html->add_flag("--json", flags->json,
                 "Writes what the page draws (proto/referee/v1/view.proto) as JSON, not the page");
  AddSourceFlags(html, &flags->source);
}

void AddTimes(CLI::App* replay, Chosen* chosen) {
  const auto [times, flags] = AddSubcommand<Flags>(
      replay, chosen, "times",
      "Prints where the time of a match went, turn by turn and seat by seat\n\n"
      "For each turn: what it could take and was charged; when the clock started, the request was\n"
      "written, and the reply read; the referee's own delay until it was taken up; the link's "
      "round\n"
      "trip; how long the clock stood still for a lost link; network time that was not charged.\n"
      "It prints what the file says; whether that is true, 'replay verify' tells.",
      PrintTimes);
  times->add_option("REPLAY", flags->replay, kReplayHelp)->required()->type_name("");
  times->add_flag("--json", flags->json, "Print a JSON object, with times in nanoseconds");
  AddSourceFlags(times, &flags->source);
}

void AddShow(CLI::App* replay, Chosen* chosen) {
  const auto [show, flags] = AddSubcommand<Flags>(
      replay, chosen, "show",
      "Shows a match on the terminal, turn by turn\n\n"
      "Keys: arrows go turn by turn, PgUp and PgDn by ten, Home and End to the ends, g N to turn\n"
      "N; e and E go to the next and the previous event (capture, fault, forfeit, new leader), f\n"
      "and F to a fault or forfeit, c and C to a capture; space plays by itself, + and - set how\n"
      "fast; u and d scroll what is too long for the window; ? explains keys and signs; q quits.",
      Show);
  show->add_option("REPLAY", flags->replay, kReplayHelp)->required()->type_name("");
  show->add_option("--turn", flags->turn,
                   "Print the position after this turn (0: the start; last) and exit")
      ->type_name("N");
  AddSourceFlags(show, &flags->source);
}

}  // namespace

void AddReplayCommands(CLI::App* app, Chosen* chosen) {
  CLI::App* replay = app->add_subcommand("replay", "Checks, prints and shows replays of matches");
  replay->require_subcommand(1);
  AddVerify(replay, chosen);
  AddExport(replay, chosen);
  AddHtml(replay, chosen);
  AddTimes(replay, chosen);
  AddShow(replay, chosen);
}

}  // namespace referee::ctl
