// Converts a bot's items about a match to events of that match. Pure functions.
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

// The match, turn and request that an item refers to.
struct MatchItem {
  const std::string& match_id;
  uint32_t turn;                     // for fault reports
  absl::optional<uint32_t> answers;  // the turn in PendingRequests; nullopt: no answer
  uint32_t request;
};

// Whether the item is a Ready, a Nonce, a MoveReply or a Resign.
bool IsOfMatch(const v1::BotItem& item);
// REQUIRES: IsOfMatch(item). The item must outlive the result.
MatchItem MatchItemOf(const v1::BotItem& item);
// Converts `item` for the match in `slot`. `written` is when the transport had taken the answered
// request. Returns InvalidArgument that names the field if the item is malformed. REQUIRES:
// IsOfMatch(item), slot.runner.
absl::StatusOr<match::Event> EventOf(const v1::BotItem& item, const host::Bot::Slot& slot,
                                     Instant written);

}  // namespace referee::service

#endif  // REFEREE_SERVICE_PLAY_SAID_H_
