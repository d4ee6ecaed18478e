#include "referee/base/trace_context.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"

namespace referee {
namespace {

// version "-" trace "-" span "-" flags
constexpr size_t kVersionDigits = 2;
constexpr size_t kTraceAt = 3;
constexpr size_t kTraceDigits = 32;
constexpr size_t kSpanAt = kTraceAt + kTraceDigits + 1;
constexpr size_t kSpanDigits = 16;
constexpr size_t kFlagsAt = kSpanAt + kSpanDigits + 1;
constexpr size_t kTraceParentBytes = kFlagsAt + 2;

bool IsHex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

bool IsZero(absl::string_view digits) {
  return std::all_of(digits.begin(), digits.end(), [](char c) { return c == '0'; });
}

// Whether hex digits and dashes are where they are to be.
bool HasForm(absl::string_view text) {
  for (size_t i = 0; i < kTraceParentBytes; ++i) {
    const bool dash = i == kTraceAt - 1 || i == kSpanAt - 1 || i == kFlagsAt - 1;
    if (dash ? text[i] != '-' : !IsHex(text[i])) return false;
  }
  return true;
}

bool IsTraceParent(absl::string_view text) {
  if (text.size() < kTraceParentBytes || !HasForm(text)) return false;
  if (IsZero(TraceIdOf(text)) || IsZero(ParentSpanIdOf(text))) return false;
  const absl::string_view version = text.substr(0, kVersionDigits);
  if (version == "ff") return false;
  // What later versions add comes after a dash.
  return text.size() == kTraceParentBytes || (version != "00" && text[kTraceParentBytes] == '-');
}

}  // namespace

absl::StatusOr<std::string> ReadTraceParent(absl::string_view text) {
  if (!IsTraceParent(text)) {
    return BadValue("traceparent", text,
                    "version, trace, span and flags as in "
                    "'00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01': lower-case hex "
                    "digits, trace and span not all 0");
  }
  return absl::StrCat("00", text.substr(kVersionDigits, kTraceParentBytes - kVersionDigits));
}

absl::string_view TraceIdOf(absl::string_view trace_parent) {
  return trace_parent.substr(kTraceAt, kTraceDigits);
}

absl::string_view ParentSpanIdOf(absl::string_view trace_parent) {
  return trace_parent.substr(kSpanAt, kSpanDigits);
}

std::string TraceOfMatch(const MatchId& id, absl::string_view trace_parent) {
  if (!trace_parent.empty()) return std::string(TraceIdOf(trace_parent));
  std::string own = id.hex();
  // No referee makes an id of zeros, which is not the id of a trace.
  if (IsZero(own)) own.back() = '1';
  return own;
}

}  // namespace referee
