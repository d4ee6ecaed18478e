#include "referee/host/paused_games.h"

#include <cstddef>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "referee/base/errors.h"
#include "referee/replay/files.h"

namespace referee::host {
namespace {

absl::Status NotPausedGames(absl::string_view path) {
  return absl::InvalidArgumentError(
      absl::StrCat(path,
                   ": is not a list of paused games, a line each with the reason; remove it, "
                   "and none is paused"));
}

constexpr size_t kMaxFileBytes = 64 << 10;

}  // namespace

absl::StatusOr<PausedGames::Reasons> PausedGames::Read(const std::string& path) {
  const absl::StatusOr<std::string> text = replay::ReadWholeFile(path, kMaxFileBytes);
  if (absl::IsNotFound(text.status())) return Reasons();
  if (absl::IsResourceExhausted(text.status())) return NotPausedGames(path);
  if (!text.ok()) return text.status();
  Reasons reasons;
  for (const absl::string_view line : absl::StrSplit(*text, '\n', absl::SkipEmpty())) {
    const std::vector<std::string> parts = absl::StrSplit(line, absl::MaxSplits(' ', 1));
    if (parts.size() != 2 || parts[0].empty() || !IsPlainText(line)) return NotPausedGames(path);
    reasons[parts[0]] = parts[1];
  }
  return reasons;
}

absl::StatusOr<std::unique_ptr<PausedGames>> PausedGames::Open(std::string path, Host* host) {
  Reasons reasons;
  if (!path.empty()) {
    absl::StatusOr<Reasons> kept = Read(path);
    if (!kept.ok()) return kept.status();
    reasons = *std::move(kept);
  }
  for (const auto& [game, reason] : reasons) host->HoldBackGame(game, reason);
  return std::unique_ptr<PausedGames>(new PausedGames(std::move(path), host, std::move(reasons)));
}

absl::Status PausedGames::Pause(const std::string& game, const std::string& reason) {
  MutexLock lock(&mutex_);
  Reasons changed = reasons_;
  changed[game] = reason;
  if (absl::Status written = Write(changed); !written.ok()) return written;
  reasons_ = std::move(changed);
  host_.HoldBackGame(game, reason);
  return absl::OkStatus();
}

absl::Status PausedGames::Resume(const std::string& game) {
  MutexLock lock(&mutex_);
  Reasons changed = reasons_;
  if (changed.erase(game) == 0) {
    return absl::NotFoundError(absl::StrCat(
        "game ", Quoted(game), " is not paused here; 'refctl game list' lists those that are"));
  }
  if (absl::Status written = Write(changed); !written.ok()) return written;
  reasons_ = std::move(changed);
  host_.HoldBackGame(game, "");
  return absl::OkStatus();
}

PausedGames::Reasons PausedGames::List() const {
  MutexLock lock(&mutex_);
  return reasons_;
}

absl::Status PausedGames::Write(const Reasons& reasons) const {
  if (path_.empty()) return absl::OkStatus();
  std::string text;
  for (const auto& [game, reason] : reasons) absl::StrAppend(&text, game, " ", reason, "\n");
  return replay::WriteFileWhole(path_, text, 0600, /*sync=*/true);
}

}  // namespace referee::host
