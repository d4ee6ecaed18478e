#include "sdk/cpp/src/places.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/str_cat.h"

namespace referee::sdk {
namespace {

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

int Served(const Share& promised, int sharing) {
  int enough = promised.places / kBlock;
  if (promised.turns > 0) enough = std::min(enough, promised.turns);
  return std::max(1, std::min(enough, sharing));
}

// FNV-1a, with the finaliser of MurmurHash3, so that each bit depends on all.
uint32_t Weight(int64_t shift, absl::string_view address) {
  uint32_t hash = 0x811C9DC5;
  for (const char c : absl::StrCat(shift, " ", address)) {
    hash = (hash ^ static_cast<uint8_t>(c)) * 0x01000193;
  }
  hash = (hash ^ (hash >> 16)) * 0x85EBCA6B;
  hash = (hash ^ (hash >> 13)) * 0xC2B2AE35;
  return hash ^ (hash >> 16);
}

std::vector<Share> Divide(const Share& promised, int homes, bool here) {
  const int sharing = homes > 0 && !here ? homes : homes + 1;
  const int first = Served(promised, sharing);
  const bool box = sharing == homes && promised.places > first * kBlock && promised.turns != first;
  std::vector<Share> shares(static_cast<size_t>(homes + 1));
  for (int Share::*member : {&Share::places, &Share::turns}) {
    if (promised.*member == 0) continue;
    const int all = promised.*member - (box ? 1 : 0);
    for (int i = 0; i < first; ++i) shares[i].*member = all / first + (i < all % first ? 1 : 0);
    if (box) shares.back().*member = 1;
  }
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
