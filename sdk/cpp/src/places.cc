#include "sdk/cpp/src/places.h"

#include <algorithm>
#include <cstddef>

namespace referee::sdk {
namespace {

// One for each while there are any; the rest is for the first `sharing` of them.
std::vector<int> Split(int count, int streams, int sharing) {
  const int rest = std::max(0, count - streams);
  std::vector<int> parts;
  for (int stream = 0; stream < streams; ++stream) {
    const int more = stream < sharing ? rest / sharing + (stream < rest % sharing ? 1 : 0) : 0;
    parts.push_back((stream < count ? 1 : 0) + more);
  }
  return parts;
}

// Grant for one member of the shares.
std::vector<int> GrantOne(int Share::*member, const Share& promised,
                          const std::vector<Share>& wanted, const std::vector<Share>& held) {
  int spare = promised.*member;
  for (const Share& share : held) spare -= share.*member;
  spare = std::max(0, spare);
  std::vector<int> granted;
  for (size_t i = 0; i < wanted.size(); ++i) {
    const int want = wanted[i].*member;
    const int has = held[i].*member;
    const int more = std::min(std::max(0, want - has), spare);
    spare -= more;
    granted.push_back(std::min(want, has + more));
  }
  return granted;
}

}  // namespace

std::vector<Share> Divide(const Share& promised, int homes, bool here) {
  const int streams = homes + 1;
  const int sharing = here || homes == 0 ? streams : homes;
  std::vector<Share> shares(static_cast<size_t>(streams));
  const int served = promised.turns == 0 ? streams : std::min(promised.turns, streams);
  const std::vector<int> places = Split(promised.places, served, std::min(served, sharing));
  for (size_t i = 0; i < places.size(); ++i) shares[i].places = places[i];
  if (promised.turns == 0) return shares;
  const std::vector<int> turns = Split(promised.turns, streams, sharing);
  for (size_t i = 0; i < turns.size(); ++i) shares[i].turns = turns[i];
  return shares;
}

std::vector<Share> Grant(const Share& promised, const std::vector<Share>& wanted,
                         const std::vector<Share>& held) {
  const std::vector<int> places = GrantOne(&Share::places, promised, wanted, held);
  const std::vector<int> turns = GrantOne(&Share::turns, promised, wanted, held);
  std::vector<Share> granted;
  for (size_t i = 0; i < places.size(); ++i) {
    if (promised.turns == 0) {
      granted.push_back({places[i], 0});
    } else if (places[i] > 0 && turns[i] > 0) {
      granted.push_back({places[i], std::min(turns[i], places[i])});
    } else {
      granted.push_back({});
    }
  }
  return granted;
}

}  // namespace referee::sdk
