// The notation of time controls. What is read is within its limits, and is read again as the same
// from what is printed of it.
#include <string>

#include "referee/match/time_control.h"
#include "tests/fuzz/claim.h"
#include "tests/fuzz/fuzzed_bytes.h"

namespace referee::fuzz {

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view text = FuzzedBytes(data, size).Rest();
  const auto time_control = match::ParseTimeControl(text);
  if (!time_control.ok()) {
    Claim(!time_control.status().message().empty(), "a refusal says why", text);
    return 0;
  }
  Claim(match::Validate(*time_control).ok(), "what is read is valid", text);
  const std::string printed = match::TimeControlText(*time_control);
  const auto again = match::ParseTimeControl(printed);
  Claim(again.ok() && *again == *time_control, "what is printed is read as the same", printed);
  Claim(match::TimeControlText(*again) == printed, "it is printed in one way", printed);
  return 0;
}

}  // namespace referee::fuzz
