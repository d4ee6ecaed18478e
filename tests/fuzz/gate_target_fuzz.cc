// The target of a request, from anybody. What is passed on is plain text, and short.
#include <string>

#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/gate/route.h"
#include "tests/fuzz/claim.h"
#include "tests/fuzz/fuzzed_bytes.h"

namespace referee::fuzz {

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view target = FuzzedBytes(data, size).Rest();
  const auto route = gate::ReadTarget(target);
  if (!route.ok()) {
    Claim(!route.status().message().empty(), "a refusal says why", target);
    return 0;
  }
  Claim(IsPlainText(route->name), "a name is plain text", target);
  Claim(route->name.size() <= limits::kMaxNameBytes, "a name is short", target);
  for (const auto& [name, value] : route->parameters) {
    Claim(IsPlainText(name) && IsPlainText(value), "a parameter is plain text", target);
    Claim(value.size() <= 512, "a parameter is short", target);
  }
  return 0;
}

}  // namespace referee::fuzz
