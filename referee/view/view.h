// Makes the view (referee/v1/view.proto) of a finished match: all that a page needs to draw it.
//
// Pure, thread-safe.
#ifndef REFEREE_VIEW_VIEW_H_
#define REFEREE_VIEW_VIEW_H_

#include "absl/strings/string_view.h"
#include "proto/referee/v1/view.pb.h"
#include "referee/replay/replay.h"

namespace referee::view {

// Returns the view of `replay`, which was read from `bytes`. If a record cannot be played, the view
// ends there and says why. The records are not verified: see replay::Verify.
v1::MatchView MakeView(const replay::Replay& replay, absl::string_view bytes);

}  // namespace referee::view

#endif  // REFEREE_VIEW_VIEW_H_
