// Where the time of a match went, as a trace: spans in the JSON encoding of OTLP
// (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding), which Jaeger, Tempo and the
// like open. A pure function, thread-safe.
//
// A span for the match has one for its readiness, one for each turn that took time, and `wait` for
// what no turn accounts for. A turn has a span for each part of its time that is not zero:
// `request`, `network`, `bot`, `paused`, `stalled`, `reply`, by whose it was. What took no time (a
// pass, an illegal try, a restart) is an event of the match's span.
//
// A replay says when the match was made, began, was resumed and ended, and how long all else took.
// So a turn is placed where the one before it ended, and waits are at the end, or before a restart.
// What that makes longer than it was (turns may overlap a little) ends later.
#ifndef REFEREE_CTL_REPLAY_TRACE_H_
#define REFEREE_CTL_REPLAY_TRACE_H_

#include <string>

#include "absl/strings/string_view.h"
#include "referee/replay/replay.h"

namespace referee::ctl {

// One object with a line end, an ExportTraceServiceRequest. Its spans are in the trace of
// `trace_parent`, as ReadTraceParent returns it (base/trace_context.h), below the caller's span; if
// it is empty in one of the match's own. The same replay gives the same bytes.
std::string TraceJson(const replay::Replay& replay, absl::string_view trace_parent);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_REPLAY_TRACE_H_
