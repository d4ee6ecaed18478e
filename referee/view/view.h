// A match that is over as a view (referee/v1/view.proto): all that a page needs to draw it. Pure,
// thread-safe.
#ifndef REFEREE_VIEW_VIEW_H_
#define REFEREE_VIEW_VIEW_H_

#include "absl/strings/string_view.h"
#include "proto/referee/v1/view.pb.h"
#include "referee/replay/replay.h"

namespace referee::view {

// The view of `replay`, which was read from `bytes`. It goes as far as the records can be played,
// and says why it goes no further; replay::Verify tells whether they are true.
v1::MatchView MakeView(const replay::Replay& replay, absl::string_view bytes);

}  // namespace referee::view

#endif  // REFEREE_VIEW_VIEW_H_
