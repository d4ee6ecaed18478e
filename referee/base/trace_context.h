// Where a match stands in a distributed trace, as W3C Trace Context has it
// (https://www.w3.org/TR/trace-context/): what a caller sends as `traceparent` names a trace and a
// span of its own in it. Pure functions, thread-safe.
//
//   StatusOr<std::string> trace_parent = ReadTraceParent(
//       "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
//   TraceOfMatch(match, *trace_parent);  // "4bf92f3577b34da6a3ce929d0e0e4736"
//   TraceOfMatch(match, "");             // one of its own
#ifndef REFEREE_BASE_TRACE_CONTEXT_H_
#define REFEREE_BASE_TRACE_CONTEXT_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "referee/base/ids.h"

namespace referee {

// Reads the value of a `traceparent`: version, trace, span of the caller and flags, in lower-case
// hex digits with dashes between. Returns it in the form of version 00, 55 bytes, which says
// as much of later versions as 00 knows. Returns InvalidArgument that shows what is right
// otherwise.
absl::StatusOr<std::string> ReadTraceParent(absl::string_view text);

// The parts of a traceparent, as hex digits: 32 of the trace, 16 of the caller's span.
// REQUIRES: ReadTraceParent returned it.
absl::string_view TraceIdOf(absl::string_view trace_parent);
absl::string_view ParentSpanIdOf(absl::string_view trace_parent);

// The trace that a match is in, 32 hex digits: the one of `trace_parent`, as ReadTraceParent
// returns it, or if that is empty one of its own: the 128 bits of its id.
std::string TraceOfMatch(const MatchId& id, absl::string_view trace_parent);

}  // namespace referee

#endif  // REFEREE_BASE_TRACE_CONTEXT_H_
