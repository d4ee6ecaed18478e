// refctl replay: verifies, prints, exports and shows replays.

#include <signal.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "referee/base/command_line.h"
#include "referee/base/errors.h"
#include "referee/ctl/command.h"
#include "referee/ctl/replay/commands.h"
#include "referee/ctl/replay/course.h"
#include "referee/ctl/replay/export_file.h"
#include "referee/ctl/replay/screen.h"
#include "referee/ctl/replay/source.h"
#include "referee/ctl/replay/viewer.h"
#include "referee/ctl/terminal/signals.h"
#include "referee/replay/json.h"
#include "referee/replay/transcript.h"
#include "referee/view/page.h"
#include "referee/view/view.h"

namespace referee::ctl {
namespace {

// --- replay export, replay html ---

// The flags of commands that write matches.
struct WriteFlags {
  std::vector<std::string> replays;
  SourceFlags source;
  OutputFlags output;
  std::string format = "text";  // for export; or "json", "jsonl"
  bool positions = false;       // for export
  bool json = false;            // for html
};

// Writes `text_of` each match, then `end`. Skips replays that cannot be read. If none can be read,
// leaves an existing file unchanged.
template <typename TextOf, typename End>
absl::StatusOr<Exit> WriteMatches(const WriteFlags& flags, const Output& output,
                                  const TextOf& text_of, const End& end) {
  const absl::StatusOr<std::vector<NamedReplay>> named = ReplaySource::Expand(flags.replays);
  if (!named.ok()) return named.status();
  absl::StatusOr<ExportFile> file = ExportFile::Open(flags.output, &output.out());
  if (!file.ok()) return At("--output", file.status());
  ReplaySource source(flags.source);
  std::vector<absl::Status> bad;
  for (const NamedReplay& one : *named) {
    const absl::StatusOr<std::string> text = text_of(one, &source);
    if (!text.ok()) {
      bad.push_back(text.status());
      continue;
    }
    if (absl::Status written = file->Write(*text); !written.ok()) return At("--output", written);
  }
  for (const absl::Status& why : bad) output.Error(why);
  if (bad.size() == named->size()) return Exit::kUsage;
  const absl::StatusOr<std::string> last = end();
  if (!last.ok()) return last.status();
  absl::Status written = file->Write(*last);
  if (written.ok()) written = file->Commit();
  if (!written.ok()) return At("--output", written);
  if (bad.empty()) return Exit::kOk;
  return ReplaysNotRead(bad.size(), named->size());
}

absl::StatusOr<Exit> ExportReplays(const WriteFlags& flags, const Output& output) {
  const auto text_of = [&](const NamedReplay& one,
                           ReplaySource* source) -> absl::StatusOr<std::string> {
    const absl::StatusOr<replay::Replay> replay = source->Load(one);
    if (!replay.ok()) return replay.status();
    replay::Extras extras;
    extras.competition = source->CompetitionOf(one, *replay);
    extras.positions = flags.positions;
    if (flags.format == "text") return replay::Transcript(*replay, extras);
    return replay::ReplayJson(
        *replay, extras,
        flags.format == "json" ? replay::JsonLayout::kPretty : replay::JsonLayout::kOneLine);
  };
  return WriteMatches(flags, output, text_of, [] { return absl::StatusOr<std::string>(""); });
}

absl::StatusOr<Exit> WriteReplayHtml(const WriteFlags& flags, const Output& output) {
  v1::MatchViews views;
  const auto add = [&](const NamedReplay& one,
                       ReplaySource* source) -> absl::StatusOr<std::string> {
    const absl::StatusOr<std::string> bytes = source->Read(one);
    if (!bytes.ok()) return bytes.status();
    const absl::StatusOr<replay::Replay> replay = replay::Parse(*bytes);
    if (!replay.ok()) return At(NameOf(one), replay.status());
    absl::StatusOr<v1::MatchView> view = view::MakeView(*replay, *bytes);
    if (!view.ok()) return view.status();
    *views.add_matches() = *std::move(view);
    return "";
  };
  return WriteMatches(flags, output, add, [&]() -> absl::StatusOr<std::string> {
    if (flags.json) return view::ViewsJson(views, view::JsonLayout::kPretty);
    return view::MakePage(views);
  });
}

// --- replay show ---

struct ShowFlags {
  std::string replay;
  SourceFlags source;
  std::string turn;
};

// The step that --turn selects.
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

absl::StatusOr<Exit> Show(const ShowFlags& flags, const Output& output) {
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

void AddExport(CLI::App* replay, Chosen* chosen) {
  const auto [exported, flags] =
      AddSubcommand(replay, chosen, "export",
                    "Writes matches as text or JSON\n\n"
                    "It goes on after a replay that it cannot read, says at the end which those "
                    "were, and the exit status is 2. The name of a match's competition is there "
                    "when the match came from a referee, or --data-dir is given.",
                    ExportReplays);
  AddOption(exported, "REPLAY", "", &flags->replays, kReplaysHelp)->required();
  AddOption(exported, "--format", "FORMAT", &flags->format,
            "text (a transcript), json, or jsonl (JSON, a match a line); default text")
      ->check(OneOf({"text", "json", "jsonl"}));
  AddOutputFlags(exported, &flags->output);
  exported->add_flag("--positions", flags->positions,
                     "Adds the position at the start and after each turn");
  AddSourceFlags(exported, &flags->source);
}

void AddHtml(CLI::App* replay, Chosen* chosen) {
  const auto [html, flags] = AddSubcommand(
      replay, chosen, "html",
      "Writes matches as one page for a browser\n\n"
      "The page opens from disk and asks nothing of any network: the board turn by turn, dice, "
      "faults, scores, where the time went. It checks signature, commitment and dice by itself; "
      "whether the rules were kept, 'replay verify' tells. It holds the replay files, too.\n\n"
      "It goes on after a replay that it cannot read, says which those were, and the exit status "
      "is 2.",
      WriteReplayHtml);
  AddOption(html, "REPLAY", "", &flags->replays, kReplaysHelp)->required();
  AddOutputFlags(html, &flags->output);
  html->add_flag("--json", flags->json,
                 "Writes what the page draws (proto/referee/v1/view.proto) as JSON, not the page");
  AddSourceFlags(html, &flags->source);
}

void AddShow(CLI::App* replay, Chosen* chosen) {
  const auto [show, flags] = AddSubcommand(
      replay, chosen, "show",
      "Shows a match on the terminal, turn by turn\n\n"
      "Keys: arrows go turn by turn, PgUp and PgDn by ten, Home and End to the ends, g N to turn "
      "N; e and E go to the next and the previous event (capture, fault, forfeit, new leader), f "
      "and F to a fault or forfeit, c and C to a capture; space plays by itself, + and - set how "
      "fast; u and d scroll what is too long for the window; ? explains keys and signs; q quits.",
      Show);
  AddOption(show, "REPLAY", "", &flags->replay, kReplayHelp)->required();
  AddOption(show, "--turn", "N", &flags->turn,
            "Print the position after this turn (0: the start; last) and exit");
  AddSourceFlags(show, &flags->source);
}

}  // namespace

void AddReplayCommands(CLI::App* app, Chosen* chosen) {
  CLI::App* replay = app->add_subcommand("replay", "Checks, prints and shows replays of matches");
  replay->require_subcommand(1);
  AddReplayVerify(replay, chosen);
  AddExport(replay, chosen);
  AddHtml(replay, chosen);
  AddReplayTimes(replay, chosen);
  AddShow(replay, chosen);
}

}  // namespace referee::ctl
