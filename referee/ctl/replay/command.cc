// refctl replay: checks replay files, prints them, shows them.

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "nlohmann/json.hpp"
#include "referee/base/errors.h"
#include "referee/base/mutex.h"
#include "referee/ctl/command.h"
#include "referee/ctl/replay/files.h"
#include "referee/ctl/replay/times.h"
#include "referee/ctl/replay/viewer.h"
#include "referee/ctl/validators.h"
#include "referee/dice/dice.h"
#include "referee/replay/json.h"
#include "referee/replay/transcript.h"
#include "referee/replay/verifier.h"

namespace referee::ctl {
namespace {

using replay::DiceOrigin;
using replay::KeyRing;
using replay::PublicKey;
using replay::Verification;
using Json = nlohmann::ordered_json;

struct Flags {
  std::vector<std::string> files;
  std::string file;
  std::string key_file;
  std::string format = "text";
  std::string turn;
  bool json = false;
};

// --- replay verify ---

// What became of one file.
struct Checked {
  absl::Status read;  // whether there was anything to verify
  Verification verification;
};

// Verifies files on all cores, and gives the results in the order of the files.
class ParallelVerifier {
 public:
  ParallelVerifier(const std::vector<std::string>& files, absl::optional<KeyRing> keys)
      : files_(files), keys_(std::move(keys)), results_(files.size()) {
    const size_t cores = std::max(1u, std::thread::hardware_concurrency());
    for (size_t i = 0; i < std::min(cores, files.size()); ++i) {
      threads_.emplace_back([this] { Work(); });
    }
  }
  ~ParallelVerifier() {
    for (std::thread& thread : threads_) thread.join();
  }

  // Waits for the result of file `i`.
  Checked Take(size_t i) {
    MutexLock lock(&mutex_);
    while (results_[i] == nullptr) done_.Wait(&mutex_);
    return std::move(*std::exchange(results_[i], nullptr));
  }

 private:
  void Work() {
    for (size_t i = next_++; i < files_.size(); i = next_++) {
      auto checked = std::make_unique<Checked>();
      const absl::StatusOr<std::string> bytes = replay::ReadFile(files_[i]);
      checked->read = bytes.status();
      if (bytes.ok()) checked->verification = replay::Verify(*bytes, keys_);
      MutexLock lock(&mutex_);
      results_[i] = std::move(checked);
      done_.NotifyOne();
    }
  }

  const std::vector<std::string>& files_;
  const absl::optional<KeyRing> keys_;
  std::atomic<size_t> next_{0};
  Mutex mutex_;
  CondVar done_;
  std::vector<std::unique_ptr<Checked>> results_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::thread> threads_;
};

constexpr char kSignerNotKnown[] =
    "the signer is not known: without --key anybody's signature counts, and who signed may have "
    "made the match up\n";

Json VerificationJson(const std::string& file, const Verification& found, bool signer_known) {
  Json json = {{"file", file}, {"signer_known", signer_known}, {"ok", found.ok}};
  if (found.in_part) json["verified_in_part"] = true;
  if (!found.ok) json["problem"] = found.problem;
  if (found.turn > 0) json["turn"] = found.turn;
  if (found.untimed) json["untimed"] = true;
  if (found.former_clocks) json["former_clocks"] = true;
  if (!found.match_id.text().empty()) json["match_id"] = found.match_id.text();
  if (found.dice != DiceOrigin::kUnknown)
    json["dice"] = std::string(replay::DiceOriginText(found.dice));
  if (found.public_key.has_value()) {
    json["public_key"] = dice::Hex(*found.public_key);
    json["fingerprint"] = replay::Fingerprint(*found.public_key);
  }
  return json;
}

// What a reader should know of the dice of a match that is good; usual dice need no word.
std::string DiceNote(const Verification& found) {
  const bool good = found.ok || found.in_part;
  const bool usual = found.dice == DiceOrigin::kTwoSteps || found.dice == DiceOrigin::kUnknown;
  return good && !usual ? absl::StrCat(" (", replay::DiceOriginText(found.dice), ")") : "";
}

// The same of its clocks.
absl::string_view ClockNote(const Verification& found) {
  const bool good = found.ok || found.in_part;
  if (good && found.untimed) return " (where the time of its turns went was not recorded)";
  return good && found.former_clocks ? " (by the former rules of the clocks)" : "";
}

Exit ExitFor(const Verification& found) {
  if (found.ok) return Exit::kOk;
  return found.in_part ? Exit::kInPart : Exit::kNegative;
}

// A file that cannot be read hides what is in it; one that is bad counts more than one of which not
// all is known.
Exit Worse(Exit a, Exit b) {
  for (const Exit exit : {Exit::kUsage, Exit::kNegative, Exit::kInPart}) {
    if (a == exit || b == exit) return exit;
  }
  return Exit::kOk;
}

absl::StatusOr<Exit> VerifyFiles(const Flags& flags, const Output& output) {
  absl::optional<KeyRing> keys;
  if (!flags.key_file.empty()) {
    absl::StatusOr<KeyRing> ring = replay::ReadKeyRing(flags.key_file);
    if (!ring.ok()) return At("--key", ring.status());
    keys = *std::move(ring);
  }
  const absl::StatusOr<std::vector<std::string>> files = ExpandReplayPaths(flags.files);
  if (!files.ok()) return files.status();

  Exit exit = Exit::kOk;
  std::map<PublicKey, size_t> signers;
  const bool signer_known = keys.has_value();
  if (!signer_known && !flags.json) output.out() << kSignerNotKnown;
  ParallelVerifier verifier(*files, std::move(keys));
  for (size_t i = 0; i < files->size(); ++i) {
    const std::string name = ReplayPathText((*files)[i]);
    const Checked checked = verifier.Take(i);
    const Verification& found = checked.verification;
    if (!checked.read.ok()) {
      output.Error(checked.read);
      exit = Exit::kUsage;
      continue;
    }
    exit = Worse(exit, ExitFor(found));
    if (found.ok || found.in_part) ++signers[*found.public_key];
    if (flags.json) {
      output.out() << VerificationJson(name, found, signer_known)
                          .dump(-1, ' ', false, Json::error_handler_t::replace)
                   << '\n';
    } else {
      output.out() << name << ": " << (found.ok ? "OK" : found.problem) << DiceNote(found)
                   << ClockNote(found) << '\n';
    }
  }
  if (flags.json || signer_known) return exit;
  for (const auto& [key, count] : signers) {
    output.out() << "signed by the key with fingerprint " << replay::Fingerprint(key) << ": "
                 << count << (count == 1 ? " replay\n" : " replays\n");
  }
  return exit;
}

// --- replay export ---

absl::StatusOr<Exit> ExportFiles(const Flags& flags, const Output& output) {
  const absl::StatusOr<std::vector<std::string>> files = ExpandReplayPaths(flags.files);
  if (!files.ok()) return files.status();
  for (const std::string& file : *files) {
    const absl::StatusOr<replay::Replay> replay = LoadReplay(file);
    if (!replay.ok()) return replay.status();
    output.out() << (flags.format == "json" ? replay::ReplayJson(*replay)
                                            : replay::Transcript(*replay));
  }
  return Exit::kOk;
}

// --- replay times ---

absl::StatusOr<Exit> PrintTimes(const Flags& flags, const Output& output) {
  const absl::StatusOr<replay::Replay> replay = LoadReplay(flags.file);
  if (!replay.ok()) return replay.status();
  output.out() << (flags.json ? TimesJson(*replay) : TimesText(*replay));
  return Exit::kOk;
}

// --- replay show ---

// The step that --turn asks for.
absl::StatusOr<size_t> ReadTurn(const std::string& text, const replay::Playback& playback) {
  const size_t last = playback.steps().size() - 1;
  if (text == "last") return last;
  const uint32_t turns = playback.steps()[last].turns_played;
  uint32_t turn;
  if (!absl::SimpleAtoi(text, &turn) || turn > turns) {
    return BadValue("--turn", text,
                    absl::StrCat("a turn of this match: 0 to ", turns, ", or last"));
  }
  return playback.StepOfTurn(turn);
}

absl::StatusOr<Exit> ShowFile(const Flags& flags, const Output& output) {
  const absl::StatusOr<replay::Replay> replay = LoadReplay(flags.file);
  if (!replay.ok()) return replay.status();
  const replay::Playback playback(*replay);
  if (playback.steps().empty()) {
    output.out() << replay::Transcript(*replay);
    return Exit::kOk;
  }
  games::DrawStyle style;
  style.colour = output.colour();
  if (flags.turn.empty()) {
    const absl::Status viewed = ViewReplay(*replay, playback, style);
    if (!viewed.ok()) return viewed;
    return Exit::kOk;
  }
  const absl::StatusOr<size_t> step = ReadTurn(flags.turn, playback);
  if (!step.ok()) return step.status();
  output.out() << ReplayScreen(*replay, playback, *step, style);
  return Exit::kOk;
}

void AddVerify(CLI::App* replay, Chosen* chosen) {
  auto flags = std::make_shared<Flags>();
  CLI::App* verify = replay->add_subcommand(
      "verify",
      "Plays matches again and checks everything: dice, turns, clocks, result, signature\n\n"
      "Prints 'FILE: OK' or the first thing that is wrong, with its turn; and where dice are\n"
      "unusual: 'dice pinned by the organiser', or 'nonces in one step' (of older referees, where\n"
      "who gave its nonce last could have seen the others). Exit status 1 if any file is bad.\n"
      "Without --key anybody's signature counts: that is said first, and who signed last (with\n"
      "--json: \"signer_known\": false).\n\n"
      "Of a game that this program does not know it checks all but the rules: signature, seed,\n"
      "nonces, the order of the records, clocks, ranks. It says so ('verified in part', with "
      "--json\n"
      "\"verified_in_part\": true), and the exit status is 3 if no file is bad.");
  verify->add_option("FILE", flags->files, "Replay files, directories of them, or -")
      ->required()
      ->type_name("");
  verify
      ->add_option("--key", flags->key_file,
                   "The referee's public keys, whose signatures count: its key.ring or key.pub. A "
                   "former key counts for matches that ended before it was replaced")
      ->type_name("FILE");
  verify->add_flag("--json", flags->json, "Print a JSON object a file, one a line");
  OnChosen(verify, chosen, [flags](const Output& output) { return VerifyFiles(*flags, output); });
}

void AddExport(CLI::App* replay, Chosen* chosen) {
  auto flags = std::make_shared<Flags>();
  CLI::App* exported = replay->add_subcommand("export", "Prints matches as text or JSON");
  exported->add_option("FILE", flags->files, "Replay files, directories of them, or -")
      ->required()
      ->type_name("");
  exported->add_option("--format", flags->format, "text (a transcript) or json; default text")
      ->check(OneOf({"text", "json"}))
      ->type_name("FORMAT");
  OnChosen(exported, chosen, [flags](const Output& output) { return ExportFiles(*flags, output); });
}

void AddTimes(CLI::App* replay, Chosen* chosen) {
  auto flags = std::make_shared<Flags>();
  CLI::App* times = replay->add_subcommand(
      "times",
      "Prints where the time of a match went, turn by turn and seat by seat\n\n"
      "For each turn: what it could take and was charged; when the clock started, the request was\n"
      "written, and the reply read; the referee's own delay until it was taken up; the link's "
      "round\n"
      "trip; how long the clock stood still for a lost link; network time that was not charged.\n"
      "It prints what the file says; whether that is true, 'replay verify' tells.");
  times->add_option("FILE", flags->file, "A replay file, or -")->required()->type_name("");
  times->add_flag("--json", flags->json, "Print a JSON object, with times in nanoseconds");
  OnChosen(times, chosen, [flags](const Output& output) { return PrintTimes(*flags, output); });
}

void AddShow(CLI::App* replay, Chosen* chosen) {
  auto flags = std::make_shared<Flags>();
  CLI::App* show = replay->add_subcommand(
      "show",
      "Shows a match on the terminal, turn by turn\n\n"
      "Keys: arrows go turn by turn, PgUp and PgDn by ten, Home and End to the ends, q quits.");
  show->add_option("FILE", flags->file, "A replay file, or -")->required()->type_name("");
  show->add_option("--turn", flags->turn,
                   "Print the position after this turn (0: the start; last) and exit")
      ->type_name("N");
  OnChosen(show, chosen, [flags](const Output& output) { return ShowFile(*flags, output); });
}

}  // namespace

void AddReplayCommands(CLI::App* app, Chosen* chosen) {
  CLI::App* replay = app->add_subcommand("replay", "Checks, prints and shows replays of matches");
  replay->require_subcommand(1);
  AddVerify(replay, chosen);
  AddExport(replay, chosen);
  AddTimes(replay, chosen);
  AddShow(replay, chosen);
}

}  // namespace referee::ctl
