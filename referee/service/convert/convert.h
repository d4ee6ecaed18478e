// Converts matches, their terms and their events to and from the messages of the protocol.
#ifndef REFEREE_SERVICE_CONVERT_CONVERT_H_
#define REFEREE_SERVICE_CONVERT_CONVERT_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "proto/referee/v1/bot_service.pb.h"
#include "proto/referee/v1/match.pb.h"
#include "proto/referee/v1/match_service.pb.h"
#include "referee/dice/dice.h"
#include "referee/games/game.h"
#include "referee/host/link.h"
#include "referee/host/match_runner.h"
#include "referee/match/match.h"
#include "referee/replay/terms_wire.h"

namespace referee::service {

using replay::FromWire;
using replay::ToWire;

// --- To the wire. Each overwrites `out`, which must be empty. ---

void ToWire(absl::Time time, google::protobuf::Timestamp* out);
void ToWire(const match::SeatTime& time, v1::SeatTime* out);
void ToWire(const match::Match& match, const match::Played& played, v1::TurnPlayed* out);
void ToWire(const match::Match& match, const match::Forfeited& forfeited, v1::SeatForfeited* out);
// How a request lists the legal moves.
enum class MoveList { kNone, kMoves, kNotations };
MoveList MoveListOf(const v1::Hello& hello);
void LegalMovesToWire(const games::Game& game, absl::Span<const games::Move> moves, MoveList list,
                      v1::TurnRequest* out);
void TurnRequestToWire(const match::Match& match, Seat seat, Instant now, MoveList list,
                       v1::TurnRequest* out);
// Converts the match at its start, for MatchStart.
void MatchToWire(const match::Match& match, v1::Match* out);
void SnapshotToWire(const match::Match& match, v1::Snapshot* out);
// Convert a match that may still wait for its bots. For MatchRunner::Inspect and observers.
void MatchToWire(const host::MatchRunner& runner, v1::Match* out);
void SnapshotToWire(const host::MatchRunner& runner, v1::Snapshot* out);
// REQUIRES: runner.ended().
void VerdictToWire(const host::MatchRunner& runner, v1::Verdict* out);
// Each result has 32 bytes, or is empty.
void HashesToWire(absl::Span<const absl::optional<dice::NonceHash>> hashes,
                  google::protobuf::RepeatedPtrField<std::string>* out);

// --- From the wire. Each returns InvalidArgument that names the field. ---

// The name of the game that `options` are for; empty if there is none.
std::string GameName(const v1::GameOptions& options);
// Returns the game with complete options. If the game does not allow `seats` seats, the error names
// `seats_field`.
absl::StatusOr<std::shared_ptr<const games::Game>> FromWire(const v1::GameOptions& options,
                                                            int seats,
                                                            absl::string_view seats_field);
absl::StatusOr<host::MatchRequest> FromWire(const v1::CreateMatchRequest& request);

}  // namespace referee::service

#endif  // REFEREE_SERVICE_CONVERT_CONVERT_H_
