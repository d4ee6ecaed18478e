// refctl replay verify: replays matches, and reports whether they are valid.
//
// Reports each replay, and sums for folders.
#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "referee/base/errors.h"
#include "referee/base/mutex.h"
#include "referee/ctl/command.h"
#include "referee/ctl/replay/commands.h"
#include "referee/ctl/replay/source.h"
#include "referee/ctl/terminal/print.h"
#include "referee/dice/dice.h"
#include "referee/replay/key_files.h"
#include "referee/replay/verifier.h"

namespace referee::ctl {
namespace {

using replay::DiceOrigin;
using replay::KeyRing;
using replay::PublicKey;
using replay::Verification;

struct VerifyFlags {
  std::vector<std::string> replays;
  SourceFlags source;
  std::string key_file;  // empty: any signer is accepted
  bool verbose = false;  // a line for each replay in folders, too
  bool json = false;
};

// The result for one replay.
struct Checked {
  absl::Status read;  // not OK: the replay could not be read
  Verification verification;
};

// Verifies replays on all cores, and returns the results in order.
class ParallelVerifier {
 public:
  ParallelVerifier(ReplaySource* source, const std::vector<NamedReplay>& replays,
                   absl::optional<KeyRing> keys)
      : source_(*source), replays_(replays), keys_(std::move(keys)), results_(replays.size()) {
    const size_t cores = std::max(1u, std::thread::hardware_concurrency());
    for (size_t i = 0; i < std::min(cores, replays.size()); ++i) {
      threads_.emplace_back([this] { Work(); });
    }
  }
  ~ParallelVerifier() {
    for (std::thread& thread : threads_) thread.join();
  }

  // Waits for the result of replay `i`.
  Checked Take(size_t i) {
    MutexLock lock(&mutex_);
    while (results_[i] == nullptr) done_.Wait(&mutex_);
    return std::move(*std::exchange(results_[i], nullptr));
  }

 private:
  void Work() {
    for (size_t i = next_++; i < replays_.size(); i = next_++) {
      auto checked = std::make_unique<Checked>();
      const absl::StatusOr<std::string> bytes = source_.Read(replays_[i]);
      checked->read = bytes.status();
      if (bytes.ok()) checked->verification = replay::Verify(*bytes, keys_);
      MutexLock lock(&mutex_);
      results_[i] = std::move(checked);
      done_.NotifyOne();
    }
  }

  ReplaySource& source_;
  const std::vector<NamedReplay>& replays_;
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
  if (!found.match_id.text().empty()) json["match_id"] = found.match_id.text();
  if (found.dice != DiceOrigin::kUnknown)
    json["dice"] = std::string(replay::DiceOriginText(found.dice));
  if (found.public_key.has_value()) {
    json["public_key"] = dice::Hex(*found.public_key);
    json["fingerprint"] = replay::Fingerprint(*found.public_key);
  }
  return json;
}

// Whether the match is valid but the organiser chose its dice, which readers should know.
bool HasPinnedDice(const Verification& found) {
  return (found.ok || found.in_part) && found.dice == DiceOrigin::kPinned;
}

std::string PinnedNote() {
  return absl::StrCat(" (", replay::DiceOriginText(DiceOrigin::kPinned), ")");
}

Exit ExitFor(const Verification& found) {
  if (found.ok) return Exit::kOk;
  return found.in_part ? Exit::kInPart : Exit::kNegative;
}

// The more serious exit status. An unreadable file ranks above an invalid one, because it may hide
// anything; an invalid one ranks above one that was checked in part.
Exit Worse(Exit a, Exit b) {
  for (const Exit exit : {Exit::kUsage, Exit::kNegative, Exit::kInPart}) {
    if (a == exit || b == exit) return exit;
  }
  return Exit::kOk;
}

std::string Replays(size_t count) {
  return absl::StrCat(count, count == 1 ? " replay" : " replays");
}

// Prints the results of the replays, and the sums at the end.
class VerifyReport {
 public:
  VerifyReport(const VerifyFlags& flags, bool signer_known, const Output& output)
      : flags_(flags), signer_known_(signer_known), output_(output) {}

  void Add(const NamedReplay& named, const Checked& checked) {
    if (named.below_a_folder) ++below_folders_;
    if (!checked.read.ok()) {
      output_.Error(checked.read);
      ++unread_;
      exit_ = Exit::kUsage;
      return;
    }
    if (checked.verification.ok || checked.verification.in_part) WarnOfSigner();
    Count(checked.verification, named.below_a_folder);
    Print(named, checked.verification);
  }

  // Returns the exit status for all replays.
  Exit End() const {
    if (flags_.json) return exit_;
    if (below_folders_ > 0) PrintSums();
    if (signer_known_) return exit_;
    for (const auto& [key, count] : signers_) {
      output_.out() << "signed by the key with fingerprint " << replay::Fingerprint(key) << ": "
                    << Replays(count) << "\n";
    }
    return exit_;
  }

 private:
  // Warns before the first accepted signature, if the signer is unknown.
  void WarnOfSigner() {
    if (!signer_known_ && !flags_.json && !warned_) output_.out() << kSignerNotKnown;
    warned_ = true;
  }

  void Count(const Verification& found, bool below_a_folder) {
    exit_ = Worse(exit_, ExitFor(found));
    if (found.ok || found.in_part) ++signers_[*found.public_key];
    found.ok ? ++ok_ : found.in_part ? ++in_part_ : ++bad_;
    if (found.in_part && below_a_folder && !flags_.verbose) ++not_checked_[found.problem];
    if (HasPinnedDice(found)) ++pinned_;
  }

  void Print(const NamedReplay& named, const Verification& found) const {
    const std::string name = NameOf(named);
    if (flags_.json) {
      output_.out() << JsonLine(
          VerificationJson(named.id ? named.text : name, found, signer_known_));
      return;
    }
    // For a folder of thousands, prints invalid replays only.
    const bool bad = !found.ok && !found.in_part;
    if (named.below_a_folder && !flags_.verbose && !bad) return;
    output_.out() << name << ": " << (found.ok ? "OK" : found.problem)
                  << (HasPinnedDice(found) ? PinnedNote() : "") << '\n';
  }

  void PrintSums() const {
    std::ostream& out = output_.out();
    for (const auto& [problem, count] : not_checked_)
      out << Replays(count) << ": " << problem << '\n';
    out << Replays(ok_ + bad_ + in_part_ + unread_) << ": " << ok_ << " OK, " << bad_ << " bad";
    if (in_part_ > 0) out << ", " << in_part_ << " verified in part";
    if (unread_ > 0) out << ", " << unread_ << " not read";
    out << '\n';
    if (pinned_ > 0) out << "of them " << pinned_ << PinnedNote() << '\n';
  }

  const VerifyFlags& flags_;
  const bool signer_known_;
  const Output& output_;
  bool warned_ = false;
  Exit exit_ = Exit::kOk;
  size_t ok_ = 0;
  size_t bad_ = 0;
  size_t in_part_ = 0;
  size_t unread_ = 0;
  size_t pinned_ = 0;
  size_t below_folders_ = 0;
  std::map<std::string, size_t> not_checked_;  // by reason, for replays without a line
  std::map<PublicKey, size_t> signers_;
};

// Prints results in order, and continues after unreadable replays.
absl::StatusOr<Exit> VerifyReplays(const VerifyFlags& flags, const Output& output) {
  absl::optional<KeyRing> keys;
  if (!flags.key_file.empty()) {
    absl::StatusOr<KeyRing> ring = replay::ReadKeyRing(flags.key_file);
    if (!ring.ok()) return At("--key", ring.status());
    keys = *std::move(ring);
  }
  const absl::StatusOr<std::vector<NamedReplay>> named = ReplaySource::Expand(flags.replays);
  if (!named.ok()) return named.status();

  VerifyReport report(flags, keys.has_value(), output);
  ReplaySource source(flags.source);
  ParallelVerifier verifier(&source, *named, std::move(keys));
  for (size_t i = 0; i < named->size(); ++i) report.Add((*named)[i], verifier.Take(i));
  return report.End();
}

}  // namespace

void AddReplayVerify(CLI::App* replay, Chosen* chosen) {
  const auto [verify, flags] = AddSubcommand(
      replay, chosen, "verify",
      "Plays matches again and checks everything: dice, turns, clocks, result, signature\n\n"
      "Prints 'FILE: OK' or the first problem, with its turn. Adds 'dice pinned by the organiser' "
      "if they were. For folders it prints what is wrong, and at the end the count\n"
      "of each kind; -v prints a line for each.\n"
      "Exit status 1 if any replay is bad, 2 if one cannot be read. Without --key anybody's "
      "signature counts: that is said first, and who signed last (with --json: \"signer_known\": "
      "false).\n\n"
      "Of a game that this program does not know it checks all but the rules: signature, seed, "
      "nonces, the order of the records, clocks, ranks. It says so ('verified in part', with "
      "--json \"verified_in_part\": true), and the exit status is 3 if no file is bad.",
      VerifyReplays);
  AddOption(verify, "REPLAY", "", &flags->replays, kReplaysHelp)->required();
  AddOption(verify, "--key", "FILE", &flags->key_file,
            "The referee's public keys, whose signatures count: its key.ring or key.pub. A "
            "former key counts for matches that ended before it was replaced");
  verify->add_flag("-v,--verbose", flags->verbose, "Prints a line for each replay in a folder");
  verify->add_flag("--json", flags->json, "Prints a JSON object for each replay, one a line");
  AddSourceFlags(verify, &flags->source);
}

}  // namespace referee::ctl
