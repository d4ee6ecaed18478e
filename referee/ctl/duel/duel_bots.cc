#include "referee/ctl/duel/duel_bots.h"

#include <sodium.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "referee/base/errors.h"
#include "referee/launch/process_tree.h"

namespace referee::ctl {
namespace {

// How long bots may take to end after SIGTERM.
constexpr absl::Duration kTerminateLimit = absl::Seconds(2);
constexpr absl::Duration kTrialLimit = absl::Seconds(10);
constexpr int kTailLines = 20;
constexpr size_t kLastBytes = 16 * 1024;
// The most lines of refusals.
constexpr size_t kMaxRefusals = 16;

std::string AbsolutePath(const std::string& path) {
  std::string absolute = std::filesystem::absolute(path).lexically_normal().string();
  while (absolute.size() > 1 && absolute.back() == '/') absolute.pop_back();
  return absolute;
}

// Paths that an isolated bot must not read: the duel's own files, and the other bots.
std::vector<std::string> HiddenFrom(size_t bot, const DuelPlan& plan, const std::string& folder,
                                    const launch::Surroundings& where) {
  std::vector<std::string> hidden = {folder};
  for (const std::string& path : {plan.replay_dir, plan.bot_logs, plan.resume_dir}) {
    if (!path.empty()) hidden.push_back(AbsolutePath(path));
  }
  for (size_t other = 0; other < plan.bots.size(); ++other) {
    if (other == bot) continue;
    const std::vector<std::string> paths = launch::OwnPaths(plan.bots[other].command, where);
    hidden.insert(hidden.end(), paths.begin(), paths.end());
  }
  return hidden;
}

absl::Status NotStarted(const std::string& name, const absl::Status& cause) {
  return At(absl::StrCat("bot ", Quoted(name), " cannot be started"), cause);
}

}  // namespace

std::string NewToken() {
  std::array<char, 32> bytes;
  randombytes_buf(bytes.data(), bytes.size());
  return absl::BytesToHexString(absl::string_view(bytes.data(), bytes.size()));
}

std::string LogEnd(absl::string_view log) {
  return log.empty() ? "; it wrote nothing" : absl::StrCat("; the end of what it wrote:\n", log);
}

DuelBots::DuelBots(Options options)
    : options_(std::move(options)),
      plan_(*options_.plan),
      isolations_(plan_.bots.size()),
      outputs_(plan_.bots.size()),
      processes_(plan_.bots.size()) {
  for (size_t i = 0; i < plan_.bots.size(); ++i) tokens_.push_back(NewToken());
}

absl::StatusOr<launch::Isolation> DuelBots::IsolationOf(size_t bot,
                                                        const std::string& address) const {
  const launch::Surroundings where = launch::Surroundings::OfThisProcess();
  launch::Isolation::Options options;
  options.command = plan_.bots[bot].command;
  options.socket = std::string(absl::StripPrefix(address, "unix:"));
  options.readable = plan_.launching.readable;
  options.hidden = HiddenFrom(bot, plan_, options_.folder, where);
  options.memory_bytes = plan_.launching.memory_bytes;
  absl::StatusOr<launch::Isolation> isolation = launch::Isolation::Make(options, where);
  if (!isolation.ok()) return isolation;
  const absl::Status works = TryIsolation(*isolation);
  if (!works.ok()) return works;
  return isolation;
}

absl::Status DuelBots::TryIsolation(const launch::Isolation& isolation) const {
  absl::StatusOr<std::unique_ptr<launch::BotOutput>> output =
      launch::BotOutput::Make(absl::StrCat(options_.folder, "/isolation.log"));
  if (!output.ok()) return output.status();
  launch::BotProcess::Options trial;
  trial.command = "true";
  trial.output = *std::move(output);
  trial.isolation = isolation;
  const absl::StatusOr<std::unique_ptr<launch::BotProcess>> process =
      launch::BotProcess::Start(trial);
  if (!process.ok()) return process.status();
  const std::string ending = (*process)->AwaitEnding(kTrialLimit).value_or("did not end");
  if (ending == "exited with status 0") return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      "--isolate: bwrap cannot isolate a program here, it ", ending,
      "; allow user namespaces (kernel.unprivileged_userns_clone=1, user.max_user_namespaces, "
      "AppArmor; in a container a seccomp profile that permits them), or leave the flag out if you "
      "trust the bots",
      LogEnd((*process)->LogTail(kTailLines))));
}

absl::Status DuelBots::Start(size_t bot, const std::string& address) {
  const std::string& name = plan_.bots[bot].name;
  if (plan_.launching.isolate && !isolations_[bot]) {
    absl::StatusOr<launch::Isolation> isolation = IsolationOf(bot, address);
    if (!isolation.ok()) return isolation.status();
    isolations_[bot] = *std::move(isolation);
  }
  if (outputs_[bot] == nullptr) {
    absl::StatusOr<std::unique_ptr<launch::BotOutput>> output =
        launch::BotOutput::Make(absl::StrCat(options_.logs, "/", name, ".log"));
    if (!output.ok()) return NotStarted(name, output.status());
    outputs_[bot] = *std::move(output);
  }
  launch::BotProcess::Options options;
  options.command = plan_.bots[bot].command;
  options.environment = launch::BotEnvironment(address, tokens_[bot]);
  options.output = outputs_[bot];
  options.on_exit = options_.on_exit;
  options.isolation = isolations_[bot];
  if (!plan_.launching.cpus.empty()) options.cpus = plan_.launching.cpus[bot];
  MutexLock lock(&mutex_);
  processes_[bot] = nullptr;
  absl::StatusOr<std::unique_ptr<launch::BotProcess>> process = launch::BotProcess::Start(options);
  if (!process.ok()) return NotStarted(name, process.status());
  processes_[bot] = *std::move(process);
  return absl::OkStatus();
}

absl::optional<std::string> DuelBots::EndingOf(size_t bot) const {
  MutexLock lock(&mutex_);
  if (processes_[bot] == nullptr) return absl::nullopt;
  absl::optional<std::string> ending = processes_[bot]->ending();
  if (ending && isolations_[bot]) {
    absl::StrAppend(&*ending,
                    " (it is isolated: --readable lets it read more files, and --bot-memory gives "
                    "it more memory)");
  }
  return ending;
}

std::string DuelBots::Tail(size_t bot) const {
  MutexLock lock(&mutex_);
  return processes_[bot] == nullptr ? "" : processes_[bot]->LogTail(kTailLines);
}

std::vector<std::string> DuelBots::LastLines(size_t bot, int lines) const {
  if (bot >= outputs_.size() || outputs_[bot] == nullptr) return {};
  return launch::LastLines(outputs_[bot]->Tail(kLastBytes), lines);
}

void DuelBots::Stop() {
  MutexLock lock(&mutex_);
  processes_.erase(std::remove(processes_.begin(), processes_.end(), nullptr), processes_.end());
  for (const auto& process : processes_) process->Terminate();
  const absl::Time until = absl::Now() + kTerminateLimit;
  for (const auto& process : processes_) process->KillAfter(until - absl::Now());
  processes_.clear();
  outputs_.clear();
}

// --- Which process may act as which bot ---

// Unless this program runs as root, processes of root may connect. This admits a bot in a
// container, whose processes are not descendants of the bot's command.
absl::Status DuelBots::CheckPeer(size_t bot, const ucred& process) {
  if (plan_.launching.any_process || (process.uid == 0 && geteuid() != 0)) return absl::OkStatus();
  MutexLock lock(&mutex_);
  const bool its_own =
      bot < processes_.size() && processes_[bot] != nullptr && processes_[bot]->Owns(process.pid);
  return its_own ? absl::OkStatus() : Refuse(bot, process);
}

absl::Status DuelBots::Refuse(size_t bot, const ucred& process) {
  std::string owner;
  for (size_t i = 0; i < processes_.size() && i < plan_.bots.size(); ++i) {
    if (processes_[i] != nullptr && processes_[i]->Owns(process.pid)) owner = plan_.bots[i].name;
  }
  const std::string line = absl::StrCat(
      "the process ", Quoted(launch::NameOfProcess(process.pid)),
      owner.empty() ? "" : absl::StrCat(" of bot ", Quoted(owner)), " dialled the address of bot ",
      Quoted(plan_.bots[bot].name),
      owner.empty()
          ? ", whose command did not start it, and was turned away; --any-process lets it "
            "in"
          : ", and was turned away");
  if (refusals_.size() < kMaxRefusals || refusals_.count(line) > 0) ++refusals_[line];
  return absl::PermissionDeniedError(line);
}

std::vector<std::string> DuelBots::Refusals() const {
  MutexLock lock(&mutex_);
  std::vector<std::string> lines;
  for (const auto& [line, times] : refusals_) {
    lines.push_back(times == 1 ? line : absl::StrCat(line, " (", times, " times)"));
  }
  return lines;
}

}  // namespace referee::ctl
