// The rounds and the bracket of a competition as text. Pure.
#ifndef REFEREE_CTL_COMPETITION_ROUNDS_H_
#define REFEREE_CTL_COMPETITION_ROUNDS_H_

#include <string>

#include "google/protobuf/repeated_field.h"
#include "proto/referee/v1/round.pb.h"

namespace referee::ctl {

// A table of pairings, a line each; with or without the line that names the columns:
//
//   round  bots      points   scores  blocks  result
//   1      ann, bob  1.5 0.5  23 17   0       ann wins; bob forfeited 1 match
//   1      cyd       2.0      -       -       bye, counts as won
//
// Points and scores are in the order of the bots.
std::string RoundsText(const google::protobuf::RepeatedPtrField<v1::RoundPairing>& pairings,
                       bool heading);

// The tree of a knockout, from the first round on the left to who has won on the right, with the
// points of each bot in its tie; "?" stands for a bot that is not known yet. REQUIRES: all ties of
// the knockout, by round and place.
std::string BracketText(const google::protobuf::RepeatedPtrField<v1::RoundPairing>& ties);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_COMPETITION_ROUNDS_H_
