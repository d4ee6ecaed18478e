#include "referee/gate/port_file.h"

#include <cstddef>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "referee/base/errors.h"
#include "referee/replay/files.h"

namespace referee::gate {
namespace {

constexpr size_t kMaxPortFileBytes = 6;  // five digits and the line end

bool IsPort(absl::string_view text) {
  if (!absl::ConsumeSuffix(&text, "\n") || text.empty()) return false;
  for (const char c : text) {
    if (!absl::ascii_isdigit(static_cast<unsigned char>(c))) return false;
  }
  return true;
}

}  // namespace

absl::Status CheckPortFile(const std::string& path) {
  const absl::StatusOr<std::string> there = replay::ReadWholeFile(path, kMaxPortFileBytes);
  if (absl::IsNotFound(there.status())) return absl::OkStatus();
  if (there.ok() && (there->empty() || IsPort(*there))) return absl::OkStatus();
  if (!there.ok() && !absl::IsResourceExhausted(there.status())) return there.status();
  return absl::AlreadyExistsError(
      absl::StrCat(Quoted(path), ": another file is there, which no gate wrote; name a new file"));
}

absl::Status WritePortFile(const std::string& path, const std::string& address) {
  const std::string port = absl::StrCat(address.substr(address.rfind(':') + 1), "\n");
  return replay::WriteFileWhole(path, port, 0666, /*sync=*/false);
}

}  // namespace referee::gate
