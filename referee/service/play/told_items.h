// Items of the Play stream about matches, and what goes with them, for each link that makes them:
// of a bot that is connected here, or to another referee. Pure functions.
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

// Each fills `item`, which is empty.
void FillStart(const match::Match& match, Seat seat, v1::RefereeItem* item);
void FillRevealNonce(const match::Match& match, v1::RefereeItem* item);
void FillEnd(const host::MatchRunner& runner, v1::RefereeItem* item);
void FillFault(absl::string_view match_id, uint32_t turn, v1::FaultKind kind,
               absl::string_view message, v1::RefereeItem* item);

v1::FaultKind ToWire(match::TellFault::Kind kind);
// Whether it counts against what a bot may do wrong. An illegal move does not, as the match's
// policy counts the tries; nor does an answer to a request that was replaced, which is no fault of
// the bot.
bool CountsAsFault(match::TellFault::Kind kind);
// Whether the start asks the bot for a Ready.
bool AsksReady(const match::Match& match);
// The last turn that the bot lost on time in the match, if it did.
absl::optional<match::LostTurn> LostTurnOf(const host::MatchRunner& runner, absl::string_view bot);

}  // namespace referee::service

#endif  // REFEREE_SERVICE_PLAY_TOLD_ITEMS_H_
