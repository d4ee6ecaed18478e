// The rounds and the bracket of a competition as text. Pure.
#ifndef REFEREE_CTL_COMPETITION_ROUNDS_H_
#define REFEREE_CTL_COMPETITION_ROUNDS_H_

#include <string>

#include "google/protobuf/repeated_field.h"
#include "proto/referee/v1/round.pb.h"
#include "referee/ctl/terminal/print.h"

namespace referee::ctl {

// Pairings:
//
//   round  bots      points   scores  blocks  result
//   1      ann, bob  1.5 0.5  23 17   0       ann wins; bob forfeited 1 match
//   1      cyd       2.0      -       -       bye, counts as won
//
// Points and scores are in the order of the bots.
const Columns<v1::RoundPairing>& RoundsTable();

// The tree of a knockout, from the first round on the left to who has won on the right, with the
// points of each bot in its tie; "?" stands for a bot that is not known yet. REQUIRES: all ties of
// the knockout, by round and place.
std::string BracketText(const google::protobuf::RepeatedPtrField<v1::RoundPairing>& ties);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_COMPETITION_ROUNDS_H_
