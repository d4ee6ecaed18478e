#include "referee/node/instances.h"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "referee/base/errors.h"
#include "referee/base/ids.h"
#include "referee/base/limits.h"
#include "referee/replay/files.h"

namespace referee::node {
namespace {

constexpr char kBootFile[] = "/proc/sys/kernel/random/boot_id";
constexpr size_t kMaxNameBytes = 64;
constexpr size_t kMaxBootBytes = 64;
constexpr size_t kMaxLockBytes = 64;
constexpr size_t kMaxLineBytes = kMaxNameBytes + 1 + kMaxBootBytes + 1 + kMaxLockBytes;
constexpr size_t kMaxFileBytes = (limits::kMaxFormerInstances + 1) * (kMaxLineBytes + 1);

std::string PathIn(const std::string& data_dir) { return data_dir + "/instances"; }

absl::Status BadFile(const std::string& path) {
  return absl::InvalidArgumentError(absl::StrCat(
      path,
      ": is not a list of names; remove it, and blocks that the referee before this one left "
      "are taken over when its lease has lapsed"));
}

// The name, the boot id and the lock identity of a line; missing parts are empty.
std::array<absl::string_view, 3> PartsOf(absl::string_view line) {
  const auto [name, run] = std::pair<absl::string_view, absl::string_view>(
      absl::StrSplit(line, absl::MaxSplits(' ', 1)));
  const auto [boot, lock] =
      std::pair<absl::string_view, absl::string_view>(absl::StrSplit(run, absl::MaxSplits(' ', 1)));
  return {name, boot, lock};
}

bool IsInstanceLine(absl::string_view line) {
  const auto [name, boot, lock] = PartsOf(line);
  return name.size() <= kMaxNameBytes && boot.size() <= kMaxBootBytes &&
         lock.size() <= kMaxLockBytes && IsPlainText(line);
}

// Whether `run` has ended, as seen by a process of the run `own`. A device number identifies a
// mounted file system until the next boot, or until the file system is no longer in use.
bool HasEnded(const Run& run, const Run& own) {
  return !own.boot.empty() && !own.lock.empty() && run.boot == own.boot && run.lock == own.lock;
}

constexpr absl::Duration kLeaseLook = absl::Seconds(1);

absl::Status StillRuns(const std::string& owner) {
  return absl::FailedPreconditionError(absl::StrCat(
      "referee ", Quoted(owner),
      ", which used this data directory before, still runs: it renews its "
      "lease. It uses the same disk or a copy of it, here or on another machine: stop it, or "
      "give this referee a data directory of its own"));
}

}  // namespace

std::string BootId() {
  const absl::StatusOr<std::string> id = replay::ReadWholeFile(kBootFile, kMaxBootBytes);
  return id.ok() ? std::string(absl::StripAsciiWhitespace(*id)) : "";
}

Instances::Instances(std::string path, Line own, std::vector<Line> lines)
    : path_(std::move(path)),
      name_(own.name),
      former_have_ended_(
          std::all_of(lines.begin(), lines.end(),
                      [&](const Line& line) { return HasEnded(line.run, own.run); })),
      lines_(std::move(lines)) {
  for (const Line& line : lines_) former_.push_back(line.name);
  lines_.insert(lines_.begin(), std::move(own));
}

absl::StatusOr<Instances> Instances::Begin(const std::string& data_dir, absl::Time now, Run run) {
  absl::StatusOr<std::vector<Line>> former = FindLines(data_dir);
  if (!former.ok()) return former.status();
  uint8_t random[10];
  randombytes_buf(random, sizeof(random));
  Instances instances(PathIn(data_dir), {MatchId::Make(now, random).text(), std::move(run)},
                      *std::move(former));
  if (absl::Status written = instances.Write(); !written.ok()) return written;
  return instances;
}

absl::StatusOr<std::vector<std::string>> Instances::Find(const std::string& data_dir) {
  const absl::StatusOr<std::vector<Line>> lines = FindLines(data_dir);
  if (!lines.ok()) return lines.status();
  std::vector<std::string> names;
  for (const Line& line : *lines) names.push_back(line.name);
  return names;
}

absl::StatusOr<std::vector<Instances::Line>> Instances::FindLines(const std::string& data_dir) {
  const std::string path = PathIn(data_dir);
  const absl::StatusOr<std::string> text = replay::ReadWholeFile(path, kMaxFileBytes);
  if (absl::IsNotFound(text.status())) return std::vector<Line>();
  if (absl::IsResourceExhausted(text.status())) return BadFile(path);
  if (!text.ok()) return text.status();
  std::vector<Line> lines;
  for (const absl::string_view line : absl::StrSplit(*text, '\n', absl::SkipEmpty())) {
    if (!IsInstanceLine(line)) return BadFile(path);
    const auto [name, boot, lock] = PartsOf(line);
    lines.push_back({std::string(name), {std::string(boot), std::string(lock)}});
  }
  // Drops the earliest instances: their leases have lapsed long ago.
  const auto most = static_cast<size_t>(limits::kMaxFormerInstances);
  if (lines.size() > most) lines.resize(most);
  return lines;
}

absl::Status Instances::Disown(const std::string& data_dir) {
  return replay::WriteFileWhole(PathIn(data_dir), "", 0600, /*sync=*/true);
}

absl::Status Instances::ForgetFormer() {
  former_.clear();
  lines_.resize(1);
  return Write();
}

absl::Status Instances::Write() const {
  std::string text;
  for (const Line& line : lines_) {
    const Run& run = line.run;
    // A lock identity without a boot id is useless.
    const bool known = !run.boot.empty();
    absl::StrAppend(&text, line.name, known ? " " : "", run.boot);
    absl::StrAppend(&text, known && !run.lock.empty() ? absl::StrCat(" ", run.lock) : "", "\n");
  }
  return replay::WriteFileWhole(path_, text, 0600, /*sync=*/true);
}

absl::Status AwaitLeaseEnd(store::Store* store, absl::Span<const std::string> owners,
                           const std::function<void(absl::Duration)>& wait) {
  absl::Duration before = absl::InfiniteDuration();
  for (;;) {
    const absl::StatusOr<std::vector<store::LeaseHolder>> holders = store->ListLeaseHolders();
    if (!holders.ok()) return holders.status();
    const store::LeaseHolder* last = nullptr;
    for (const store::LeaseHolder& holder : *holders) {
      if (!holder.remaining || std::count(owners.begin(), owners.end(), holder.owner) == 0)
        continue;
      if (last == nullptr || *holder.remaining > *last->remaining) last = &holder;
    }
    if (last == nullptr || *last->remaining <= absl::ZeroDuration()) return absl::OkStatus();
    if (*last->remaining > before) return StillRuns(last->owner);
    before = *last->remaining;
    wait(std::min(before, kLeaseLook));
  }
}

}  // namespace referee::node
