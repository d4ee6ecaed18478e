#include "referee/replay/text_file.h"

#include "absl/strings/string_view.h"
#include "referee/base/errors.h"
#include "referee/base/text.h"
#include "referee/replay/replay.h"

namespace referee::replay {

absl::StatusOr<std::string> ReadTextFile(const std::string& path) {
  const absl::StatusOr<std::string> bytes = ReadFile(path);
  if (!bytes.ok()) return bytes.status();
  const absl::StatusOr<absl::string_view> text = TextOfFile(*bytes);
  if (!text.ok()) return At(Quoted(path), text.status());
  return std::string(*text);
}

}  // namespace referee::replay
