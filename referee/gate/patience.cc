#include "referee/gate/patience.h"

#include <algorithm>
#include <string>

#include "absl/strings/string_view.h"

namespace referee::gate {
namespace {

constexpr absl::string_view kSays = "call again in ";
constexpr absl::Duration kLeast = absl::Milliseconds(10);

}  // namespace

absl::optional<absl::Duration> CallAgainIn(const absl::Status& refused) {
  if (!absl::IsResourceExhausted(refused)) return absl::nullopt;
  const absl::string_view message = refused.message();
  const size_t begin = message.find(kSays);
  if (begin == absl::string_view::npos) return absl::nullopt;
  const absl::string_view said = message.substr(begin + kSays.size());
  absl::Duration wait;
  if (!absl::ParseDuration(std::string(said.substr(0, said.find(','))), &wait)) {
    return absl::nullopt;
  }
  return std::max(wait, kLeast);
}

}  // namespace referee::gate
