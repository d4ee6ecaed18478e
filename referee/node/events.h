// Log events of a node: starts and ends of matches, and conditions that delay new ones.
#ifndef REFEREE_NODE_EVENTS_H_
#define REFEREE_NODE_EVENTS_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/ids.h"
#include "referee/host/match_runner.h"
#include "referee/log/event.h"
#include "referee/match/record.h"

namespace referee::node {

// The event of a start, a resumption or a forfeit; unset for other records.
absl::optional<log::Event> EventOf(const match::Setup& setup, const match::Record& record);
// REQUIRES: runner.ended().
log::Event EndOf(const host::MatchRunner& runner);
log::Event NotArchived(const MatchId& id, const absl::Status& why);
log::Event ArchivedLate(const MatchId& id);

// For host::LoadWatch: fewer than `most` matches may run at once, or all `most` again.
log::Event LoadChanged(int limit, int most, absl::Duration stall);
// For host::DiskWatch: why no match may start, or empty; and whether the disk reports its free
// space.
log::Event DiskChanged(absl::string_view why);
log::Event DiskAnswered(const absl::Status& free);
// `why_not`: as in Readiness::why_not.
log::Event HealthChanged(absl::string_view why_not);

}  // namespace referee::node

#endif  // REFEREE_NODE_EVENTS_H_
