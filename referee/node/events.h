// The log's events of a node: how matches begin and end, and what holds new ones up.
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

// Of a record that is news: a beginning, a resumption, a forfeit. None of others.
absl::optional<log::Event> EventOf(const match::Setup& setup, const match::Record& record);
// REQUIRES: runner.ended().
log::Event EndOf(const host::MatchRunner& runner);
log::Event NotArchived(const MatchId& id, const absl::Status& why);
log::Event ArchivedLate(const MatchId& id);

// As host::LoadWatch reports it: fewer matches may run at once, or all of `most` again.
log::Event LoadChanged(int limit, int most, absl::Duration stall);
// As host::DiskWatch reports them: why no match begins, or empty; whether the disk says its size.
log::Event DiskChanged(absl::string_view why);
log::Event DiskAnswered(const absl::Status& free);
// `why_not`: as Readiness has it.
log::Event HealthChanged(absl::string_view why_not);

}  // namespace referee::node

#endif  // REFEREE_NODE_EVENTS_H_
