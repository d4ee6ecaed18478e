// Builds items of the Play stream about matches, for local bots and for other referees. Pure
// functions.
#ifndef REFEREE_SERVICE_PLAY_TOLD_ITEMS_H_
#define REFEREE_SERVICE_PLAY_TOLD_ITEMS_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "proto/referee/v1/bot_service.pb.h"
#include "referee/base/ids.h"
#include "referee/host/match_runner.h"
#include "referee/match/match.h"

namespace referee::service {

// Each fills `item`, which must be empty.
void FillStart(const match::Match& match, Seat seat, v1::RefereeItem* item);
void FillRevealNonce(const match::Match& match, v1::RefereeItem* item);
void FillEnd(const host::MatchRunner& runner, v1::RefereeItem* item);
void FillFault(absl::string_view match_id, uint32_t turn, v1::FaultKind kind,
               absl::string_view message, v1::RefereeItem* item);

v1::FaultKind ToWire(match::TellFault::Kind kind);
// Whether the fault is charged to the bot's allowance. An illegal move is not: the match policy
// counts its tries. An answer to a replaced request is not the bot's fault.
bool CountsAsFault(match::TellFault::Kind kind);
// Whether the start asks the bot for a Ready.
bool AsksReady(const match::Match& match);
// The last turn that the bot lost on time in the match, if any.
absl::optional<match::LostTurn> LostTurnOf(const host::MatchRunner& runner, absl::string_view bot);

}  // namespace referee::service

#endif  // REFEREE_SERVICE_PLAY_TOLD_ITEMS_H_
