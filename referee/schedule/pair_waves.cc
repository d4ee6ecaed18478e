#include <algorithm>
#include <utility>

#include "referee/schedule/waves.h"

namespace referee::schedule {
namespace {

// The circle method for an even number of bots: the last bot stays, the others rotate. The order in
// a pair alternates.
Wave Circle(int bots, int round) {
  const int ring = bots - 1;
  Wave wave;
  for (int k = 0; k < bots / 2; ++k) {
    const int ahead = k == 0 ? ring : (round + k) % ring;
    const int behind = (round - k + ring) % ring;
    const bool turned = k == 0 ? round % 2 == 1 : k % 2 == 1;
    wave.push_back(turned ? rating::Pairing{{behind, ahead}} : rating::Pairing{{ahead, behind}});
  }
  return wave;
}

// A Hamiltonian cycle of an odd number of bots: the last bot, then a zigzag through the others.
std::vector<int> Cycle(int bots, int turned) {
  const int ring = bots - 1;
  std::vector<int> cycle = {bots - 1, turned};
  for (int step = 1; 2 * step < ring; ++step) {
    cycle.push_back((turned + step) % ring);
    cycle.push_back((turned - step + ring) % ring);
  }
  cycle.push_back((turned + ring / 2) % ring);
  return cycle;
}

// One of the three waves of a cycle. Along the cycle, every bot is first in a pair once.
Wave PartOfCycle(const std::vector<int>& cycle, int part) {
  if (part == 1) return {rating::Pairing{{cycle.back(), cycle.front()}}};
  Wave wave;
  for (size_t i = part == 0 ? 0 : 1; i + 1 < cycle.size(); i += 2) {
    wave.push_back(rating::Pairing{{cycle[i], cycle[i + 1]}});
  }
  return wave;
}

}  // namespace

PairWaves::PairWaves(int bots, int passes)
    : bots_(bots),
      waves_(int64_t{passes} * waves_per_pass()),
      left_(int64_t{passes} * bots * (bots - 1) / 2),
      withdrawn_(bots, false) {}

int PairWaves::waves_per_pass() const { return bots_ % 2 == 0 ? bots_ - 1 : (bots_ - 1) / 2 * 3; }

Wave PairWaves::At(int64_t index) const {
  const int pass = static_cast<int>(index / waves_per_pass());
  const int in_pass = static_cast<int>(index % waves_per_pass());
  Wave wave =
      bots_ % 2 == 0 ? Circle(bots_, in_pass) : PartOfCycle(Cycle(bots_, in_pass / 3), in_pass % 3);
  const auto left = [this](int bot) { return withdrawn_[bot]; };
  wave.erase(std::remove_if(wave.begin(), wave.end(),
                            [&left](const rating::Pairing& pairing) {
                              return std::any_of(pairing.bots.begin(), pairing.bots.end(), left);
                            }),
             wave.end());
  if (pass % 2 == 1) {
    for (rating::Pairing& pairing : wave) std::swap(pairing.bots[0], pairing.bots[1]);
  }
  return wave;
}

Wave PairWaves::Next() {
  while (next_ < waves_ && left_ > 0) {
    Wave wave = At(next_++);
    if (wave.empty()) continue;
    left_ -= static_cast<int64_t>(wave.size());
    return wave;
  }
  return {};
}

void PairWaves::Begun(const rating::Pairing&) {}

bool PairWaves::Withdraw(int bot) {
  withdrawn_[bot] = true;
  left_ = 0;
  for (int64_t i = next_; i < waves_; ++i) left_ += static_cast<int64_t>(At(i).size());
  return false;
}

}  // namespace referee::schedule
