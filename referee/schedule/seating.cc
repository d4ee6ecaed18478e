#include "referee/schedule/seating.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

namespace referee::schedule {

namespace {

// Up to this number of seats all orders are tried: 120 for 6.
constexpr size_t kMostSeatsForAll = 6;

using Order = std::array<size_t, limits::kMaxSeats>;

std::pair<int64_t, int64_t> CostOf(const SeatCosts& costs, const Order& order, size_t seats) {
  std::pair<int64_t, int64_t> cost;
  for (size_t i = 0; i < seats; ++i) {
    cost.first += costs.after[order[i]][order[(i + 1) % seats]];
    cost.second += costs.two_after[order[i]][order[(i + 2) % seats]];
  }
  return cost;
}

Order BestOfAll(const SeatCosts& costs, Order order, size_t seats) {
  Order best = order;
  std::pair<int64_t, int64_t> least = CostOf(costs, order, seats);
  while (std::next_permutation(order.begin() + 1, order.begin() + static_cast<ptrdiff_t>(seats))) {
    const std::pair<int64_t, int64_t> cost = CostOf(costs, order, seats);
    if (cost >= least) continue;
    least = cost;
    best = order;
  }
  return best;
}

Order BestByExchanges(const SeatCosts& costs, Order order, size_t seats) {
  std::pair<int64_t, int64_t> least = CostOf(costs, order, seats);
  for (bool better = true; better;) {
    better = false;
    for (size_t i = 1; i < seats; ++i) {
      for (size_t k = i + 1; k < seats; ++k) {
        std::swap(order[i], order[k]);
        const std::pair<int64_t, int64_t> cost = CostOf(costs, order, seats);
        if (cost < least) {
          least = cost;
          better = true;
        } else {
          std::swap(order[i], order[k]);
        }
      }
    }
  }
  return order;
}

}  // namespace

void SeatAtLeastCost(const SeatCosts& costs, rating::Pairing* pairing) {
  const size_t seats = pairing->bots.size();
  Order order;
  std::iota(order.begin(), order.end(), 0);
  order = seats <= kMostSeatsForAll ? BestOfAll(costs, order, seats)
                                    : BestByExchanges(costs, order, seats);
  std::vector<int> seated;
  for (size_t i = 0; i < seats; ++i) seated.push_back(pairing->bots[order[i]]);
  pairing->bots = std::move(seated);
}

void Seating::Seat(rating::Pairing* pairing) const {
  const std::vector<int>& bots = pairing->bots;
  SeatCosts costs;
  for (size_t i = 0; i < bots.size(); ++i) {
    for (size_t k = 0; k < bots.size(); ++k) {
      const auto sat = sat_.find({bots[i], bots[k]});
      if (sat == sat_.end()) continue;
      const auto& [met, after, two_after] = sat->second;
      costs.after[i][k] = CostOfAfter(met, after, bots.size());
      costs.two_after[i][k] = CostOfAfter(met, two_after, bots.size());
    }
  }
  SeatAtLeastCost(costs, pairing);
}

void Seating::Count(const rating::Pairing& pairing) {
  const std::vector<int>& bots = pairing.bots;
  for (size_t i = 0; i < bots.size(); ++i) {
    for (size_t ahead = 1; ahead < bots.size(); ++ahead) {
      Sat& sat = sat_[{bots[i], bots[(i + ahead) % bots.size()]}];
      ++sat.met;
      sat.after += ahead == 1 ? 1 : 0;
      sat.two_after += ahead == 2 ? 1 : 0;
    }
  }
}

}  // namespace referee::schedule
