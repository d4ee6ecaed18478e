#include "referee/node/instances.h"

#include <sodium.h>

#include <algorithm>
#include <cstddef>

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
constexpr size_t kMaxLineBytes = kMaxNameBytes + 1 + kMaxBootBytes;
constexpr size_t kMaxFileBytes = (limits::kMaxFormerInstances + 1) * (kMaxLineBytes + 1);

std::string PathIn(const std::string& data_dir) { return data_dir + "/instances"; }

absl::Status BadFile(const std::string& path) {
  return absl::InvalidArgumentError(absl::StrCat(
      path,
      ": is not a list of names; remove it, and blocks that the referee before this one left "
      "are taken over when its lease has lapsed"));
}

// A line's name, and its boot id if it has one.
std::pair<absl::string_view, absl::string_view> PartsOf(absl::string_view line) {
  return absl::StrSplit(line, absl::MaxSplits(' ', 1));
}

bool IsInstanceLine(absl::string_view line) {
  const auto [name, boot] = PartsOf(line);
  return name.size() <= kMaxNameBytes && boot.size() <= kMaxBootBytes && IsPlainText(line);
}

constexpr absl::Duration kLeaseLook = absl::Seconds(1);

absl::Status StillRuns(const std::string& owner) {
  return absl::FailedPreconditionError(absl::StrCat(
      "referee ", Quoted(owner),
      ", which used this data directory before, still runs: it renews its "
      "lease. It has the same disk, or a copy of it, on another machine: stop it, or give this "
      "referee a data directory of its own"));
}

}  // namespace

std::string BootId() {
  const absl::StatusOr<std::string> id = replay::ReadWholeFile(kBootFile, kMaxBootBytes);
  return id.ok() ? std::string(absl::StripAsciiWhitespace(*id)) : "";
}

Instances::Instances(std::string path, Line own, std::vector<Line> lines, const std::string& boot)
    : path_(std::move(path)),
      name_(own.name),
      former_have_ended_(!boot.empty() &&
                         std::all_of(lines.begin(), lines.end(),
                                     [&](const Line& line) { return line.boot == boot; })),
      lines_(std::move(lines)) {
  for (const Line& line : lines_) former_.push_back(line.name);
  lines_.insert(lines_.begin(), std::move(own));
}

absl::StatusOr<Instances> Instances::Begin(const std::string& data_dir, absl::Time now,
                                           const std::string& boot) {
  absl::StatusOr<std::vector<Line>> former = FindLines(data_dir);
  if (!former.ok()) return former.status();
  uint8_t random[10];
  randombytes_buf(random, sizeof(random));
  Instances instances(PathIn(data_dir), {MatchId::Make(now, random).text(), boot},
                      *std::move(former), boot);
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
    const auto [name, boot] = PartsOf(line);
    lines.push_back({std::string(name), std::string(boot)});
  }
  // The leases of the earliest ones have lapsed long since.
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
    absl::StrAppend(&text, line.name, line.boot.empty() ? "" : " ", line.boot, "\n");
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
