// What the log hears of matches: their beginnings, forfeits and ends.
#ifndef REFEREE_NODE_MATCH_EVENTS_H_
#define REFEREE_NODE_MATCH_EVENTS_H_

#include "absl/types/optional.h"
#include "referee/host/match_runner.h"
#include "referee/log/event.h"
#include "referee/match/record.h"

namespace referee::node {

// Of a record that is news: a beginning, a resumption, a forfeit. None of others.
absl::optional<log::Event> EventOf(const match::Setup& setup, const match::Record& record);
// REQUIRES: runner.ended().
log::Event EndOf(const host::MatchRunner& runner);

}  // namespace referee::node

#endif  // REFEREE_NODE_MATCH_EVENTS_H_
