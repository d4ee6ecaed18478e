// Formats the rounds and the bracket of a competition. Pure.
#ifndef REFEREE_CTL_COMPETITION_ROUNDS_H_
#define REFEREE_CTL_COMPETITION_ROUNDS_H_

#include <string>

#include "google/protobuf/repeated_field.h"
#include "proto/referee/v1/round.pb.h"
#include "referee/ctl/terminal/print.h"

namespace referee::ctl {

// The columns for pairings, with points and scores in the order of the bots:
//
//   round  bots      points   scores  blocks  result
//   1      ann, bob  1.5 0.5  23 17   0       ann wins; bob forfeited 1 match
//   1      cyd       2.0      -       -       bye, counts as won
const Columns<v1::RoundPairing>& RoundsTable();

// The tree of a knockout, with the first round at the left and the winner at the right. It shows
// the points of each bot in its tie, and "?" for a bot not yet known. REQUIRES: `ties` are all ties
// of the knockout, by round and place.
std::string BracketText(const google::protobuf::RepeatedPtrField<v1::RoundPairing>& ties);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_COMPETITION_ROUNDS_H_
