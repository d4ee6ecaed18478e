#include "referee/node/instances.h"

#include <sodium.h>

#include <algorithm>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "referee/base/errors.h"
#include "referee/base/ids.h"
#include "referee/base/limits.h"
#include "referee/replay/files.h"

namespace referee::node {
namespace {

constexpr size_t kMaxNameBytes = 64;  // a fingerprint
constexpr size_t kMaxFileBytes = (limits::kMaxFormerInstances + 1) * (kMaxNameBytes + 1);

std::string PathIn(const std::string& data_dir) { return data_dir + "/instances"; }

absl::Status BadFile(const std::string& path) {
  return absl::InvalidArgumentError(absl::StrCat(
      path,
      ": is not a list of names; remove it, and blocks that the referee before this one left "
      "are taken over when its lease has lapsed"));
}

bool IsInstanceName(absl::string_view line) {
  return line.size() <= kMaxNameBytes && IsPlainText(line);
}

absl::StatusOr<std::vector<std::string>> ReadNames(const std::string& path) {
  const absl::StatusOr<std::string> text = replay::ReadWholeFile(path, kMaxFileBytes);
  if (absl::IsResourceExhausted(text.status())) return BadFile(path);
  if (!text.ok()) return text.status();
  std::vector<std::string> names = absl::StrSplit(*text, '\n', absl::SkipEmpty());
  return std::all_of(names.begin(), names.end(), IsInstanceName)
             ? absl::StatusOr<std::vector<std::string>>(std::move(names))
             : BadFile(path);
}

}  // namespace

absl::StatusOr<Instances> Instances::Begin(const std::string& data_dir, absl::Time now,
                                           const std::string& unnamed) {
  absl::StatusOr<std::vector<std::string>> former = Find(data_dir, unnamed);
  if (!former.ok()) return former.status();
  uint8_t random[10];
  randombytes_buf(random, sizeof(random));
  Instances instances(PathIn(data_dir), MatchId::Make(now, random).text(), *std::move(former));
  if (absl::Status written = instances.Write(); !written.ok()) return written;
  return instances;
}

absl::StatusOr<std::vector<std::string>> Instances::Find(const std::string& data_dir,
                                                         const std::string& unnamed) {
  absl::StatusOr<std::vector<std::string>> former = ReadNames(PathIn(data_dir));
  if (absl::IsNotFound(former.status())) former = std::vector<std::string>{unnamed};
  if (!former.ok()) return former.status();
  // The leases of the earliest ones have lapsed long since.
  const auto most = static_cast<size_t>(limits::kMaxFormerInstances);
  if (former->size() > most) former->resize(most);
  return former;
}

absl::Status Instances::ForgetFormer() {
  former_.clear();
  return Write();
}

absl::Status Instances::Write() const {
  std::string text = name_ + "\n";
  for (const std::string& name : former_) absl::StrAppend(&text, name, "\n");
  return replay::WriteFileWhole(path_, text, 0600, /*sync=*/true);
}

}  // namespace referee::node
