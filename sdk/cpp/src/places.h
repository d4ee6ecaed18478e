// Divides what a bot has promised among its streams, so that it holds in sum. Pure.
//
// The streams are those of the homes, the more important first, and last the letter box: the one
// that nobody referred the bot to. tests/golden/referral.jsonl has examples, for all SDKs.
#ifndef REFEREE_SDK_SRC_PLACES_H_
#define REFEREE_SDK_SRC_PLACES_H_

#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"

namespace referee::sdk {

// What is promised to one referee, or to all together.
struct Share {
  int places = 0;  // matches at once
  int turns = 0;   // that are thought about at once; 0 of a promise: as many as places

  friend bool operator==(const Share& a, const Share& b) {
    return a.places == b.places && a.turns == b.turns;
  }
};

// A block has a match for each of its seats, and all of them begin together: a stream with fewer
// places than that may never be given any. No game has more seats.
inline constexpr int kBlock = 6;

// How many of the streams that share have a part at a time; the others have their turn. `sharing`:
// how many share, 1 at least.
int Served(const Share& promised, int sharing);

// Who has a turn in a shift: of the streams that share those whose addresses weigh most in it. All
// bots that share the same streams are at the same ones at a time, and so can meet there; those
// whose clocks differ are now and then. Shifts are numbered from the Unix epoch.
uint32_t Weight(int64_t shift, absl::string_view address);

// What each stream is to have: the homes in their order, and the letter box. The homes share it;
// `here`: the letter box does, too, and else it has one place of those that blocks do not need.
// Where there are too many to share, the first have all.
std::vector<Share> Divide(const Share& promised, int homes, bool here);

// What can be promised to each stream now, towards what it is to have. `held`: what each may still
// take at most, or plays. Who has too much gets less at once, but others get that only when it is
// held no more. REQUIRES: `wanted` and `held` have the same size.
std::vector<Share> Grant(const Share& promised, const std::vector<Share>& wanted,
                         const std::vector<Share>& held);

}  // namespace referee::sdk

#endif  // REFEREE_SDK_SRC_PLACES_H_
