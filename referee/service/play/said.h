// What a bot says of a match, as an event of that match. Pure functions.
#ifndef REFEREE_SERVICE_PLAY_SAID_H_
#define REFEREE_SERVICE_PLAY_SAID_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "proto/referee/v1/bot_service.pb.h"
#include "referee/base/clock.h"
#include "referee/host/bot.h"
#include "referee/match/match.h"

namespace referee::service {

// What an item is about that is about a match.
struct MatchItem {
  const std::string& match_id;
  uint32_t turn;                     // named in a fault
  absl::optional<uint32_t> answers;  // the turn in PendingRequests; none: it answers nothing
  uint32_t request;
};

// Whether it is a Ready, a Nonce, a MoveReply or a Resign.
bool IsOfMatch(const v1::BotItem& item);
// REQUIRES: IsOfMatch(item). The item must outlive the result.
MatchItem MatchItemOf(const v1::BotItem& item);
// What the match in `slot` is to handle; `written` is when the transport had taken the request that
// this answers. Returns InvalidArgument that names the field when the item is malformed. REQUIRES:
// IsOfMatch(item), slot.runner.
absl::StatusOr<match::Event> EventOf(const v1::BotItem& item, const host::Bot::Slot& slot,
                                     Instant written);

}  // namespace referee::service

#endif  // REFEREE_SERVICE_PLAY_SAID_H_
