#include "referee/launch/process_tree.h"

#include <cstdint>
#include <fstream>
#include <iterator>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"

namespace referee::launch {
namespace {

// The longest chain of parents that is followed.
constexpr int kMaxDepth = 10'000;

struct Origin {
  pid_t parent = 0;
  uint64_t started = 0;  // in ticks since boot
};

std::string StatOf(pid_t process) {
  std::ifstream file(absl::StrCat("/proc/", process, "/stat"));
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// Unset if the process has ended.
absl::optional<Origin> OriginOf(pid_t process) {
  const std::string stat = StatOf(process);
  // The name, in parentheses, may contain anything.
  const size_t name_end = stat.rfind(')');
  if (name_end == std::string::npos) return absl::nullopt;
  const std::vector<absl::string_view> fields =
      absl::StrSplit(absl::string_view(stat).substr(name_end + 1), ' ', absl::SkipEmpty());
  constexpr size_t kParent = 1;
  constexpr size_t kStarted = 19;
  Origin origin;
  if (fields.size() <= kStarted || !absl::SimpleAtoi(fields[kParent], &origin.parent) ||
      !absl::SimpleAtoi(fields[kStarted], &origin.started)) {
    return absl::nullopt;
  }
  return origin;
}

}  // namespace

bool DescendsFrom(pid_t process, pid_t ancestor) {
  absl::optional<Origin> origin = OriginOf(process);
  for (int depth = 0; origin && depth < kMaxDepth; ++depth) {
    if (process == ancestor) return true;
    process = origin->parent;
    const absl::optional<Origin> parent = OriginOf(process);
    // A parent younger than its child is another process that reuses the id of the ended parent.
    if (!parent || parent->started > origin->started) return false;
    origin = parent;
  }
  return false;
}

std::string NameOfProcess(pid_t process) {
  const std::string stat = StatOf(process);
  const size_t begin = stat.find('(');
  const size_t end = stat.rfind(')');
  return end == std::string::npos ? "?" : stat.substr(begin + 1, end - begin - 1);
}

}  // namespace referee::launch
