#include "tests/simulation/relay_plan.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/games/catalogue.h"
#include "tests/simulation/random.h"

namespace referee::simulation {
namespace {

using absl::Microseconds;
using absl::Milliseconds;
using absl::Seconds;

constexpr absl::Duration kFaulty = Seconds(40);  // how long things may fail

std::shared_ptr<const games::Game> GameOf(int seats, bool is_short) {
  static const auto* const all = [] {
    auto* games = new std::vector<std::shared_ptr<const games::Game>>();
    for (int of = 2; of <= 3; ++of) {
      for (const char* turns : {"3", "9"}) {
        games->push_back(
            games::Find("hypnosia")->type->Create(of, {{"turn_limit", turns}}).value());
      }
    }
    return games;
  }();
  return (*all)[static_cast<size_t>((seats - 2) * 2 + (is_short ? 0 : 1))];
}

RelayBotPlan MakeBot(uint64_t seed, int index) {
  Random random(seed, For::kBot, index);
  RelayBotPlan bot;
  bot.name = absl::StrCat("bot-", index);
  bot.max_matches = random.OneIn(2) ? 1 : random.Between(2, 4);
  bot.node = random.Below(kNodes);
  bot.connects_at = random.Between(absl::ZeroDuration(), Milliseconds(500));
  bot.latency = random.Between(Microseconds(20), Milliseconds(random.OneIn(4) ? 20 : 2));
  bot.thinks = random.Between(Microseconds(100), Milliseconds(random.OneIn(2) ? 5 : 60));
  switch (random.Below(8)) {
    case 0:
      bot.slow = 150;
      break;
    case 1:
      bot.silent = 15;
      break;
    case 2:
      bot.resigns = 15;
      break;
    case 3:
      bot.never_ready = 100;
      break;
    default:
      break;
  }
  return bot;
}

RelayMatchPlan MakeMatch(uint64_t seed, int index, int bots) {
  Random random(seed, For::kMatch, index);
  RelayMatchPlan match;
  match.node = random.Below(kNodes);
  std::vector<int> all;
  for (int i = 0; i < bots; ++i) all.push_back(i);
  for (int i = bots; i > 1; --i) {
    std::swap(all[static_cast<size_t>(i) - 1], all[static_cast<size_t>(random.Below(i))]);
  }
  const int seats = random.OneIn(3) && bots > 2 ? 3 : 2;
  all.resize(static_cast<size_t>(seats));
  match.bots = std::move(all);
  match.game = GameOf(seats, random.OneIn(2));
  match.time_control.per_move = Milliseconds(random.Between(100, 600));
  match.time_control.ready = Milliseconds(random.Between(500, 2500));
  if (random.OneIn(4)) match.policies.link_grace = Milliseconds(random.Between(1, 5000));
  if (random.OneIn(4)) {
    match.policies.on_timeout.action = match::FaultPolicy::Action::kSubstitute;
  }
  match.pinned = random.OneIn(2);
  match.created_at = random.Between(absl::ZeroDuration(), Seconds(random.OneIn(2) ? 35 : 3));
  return match;
}

RelayFault MakeFault(uint64_t seed, int index, int bots) {
  Random random(seed, For::kFault, index);
  RelayFault fault;
  // Most faults are those of bots.
  constexpr RelayFault::Kind kKinds[] = {
      RelayFault::Kind::kBotCut,   RelayFault::Kind::kBotCut,   RelayFault::Kind::kBotMoves,
      RelayFault::Kind::kPeerCut,  RelayFault::Kind::kPeerCut,  RelayFault::Kind::kPeerMuted,
      RelayFault::Kind::kPeerHeld, RelayFault::Kind::kPeerSlow, RelayFault::Kind::kStalled,
      RelayFault::Kind::kStalled,  RelayFault::Kind::kKilled};
  fault.kind = kKinds[random.Below(11)];
  fault.at = random.Between(absl::ZeroDuration(), random.OneIn(2) ? kFaulty : Seconds(5));
  fault.bot = random.Below(bots);
  fault.node = random.Below(kNodes);
  fault.to_owner = random.OneIn(2);
  fault.silent = random.OneIn(3);
  fault.loses_disk = random.OneIn(2);
  fault.node_after = random.Between(absl::ZeroDuration(), Milliseconds(random.OneIn(3) ? 2000 : 5));
  fault.bot_after = random.Between(absl::ZeroDuration(), Milliseconds(random.OneIn(3) ? 2000 : 5));
  fault.lasts = random.Between(Milliseconds(1), Milliseconds(random.OneIn(3) ? 4000 : 400));
  if (fault.kind == RelayFault::Kind::kKilled) {
    fault.lasts = random.Between(Milliseconds(1), Seconds(random.OneIn(3) ? 30 : 4));
  }
  if (fault.kind == RelayFault::Kind::kPeerSlow) fault.lasts *= 4;
  if (fault.kind == RelayFault::Kind::kPeerCut && random.OneIn(3)) fault.lasts = Seconds(25);
  return fault;
}

}  // namespace

RelayPlan MakeRelayPlan(uint64_t seed) {
  Random random(seed, For::kPlan);
  RelayPlan plan;
  plan.seed = seed;
  plan.peer_delay = random.Between(Microseconds(50), Milliseconds(random.OneIn(3) ? 100 : 3));
  plan.heals_at = kFaulty + Seconds(5);
  const int bots = random.Between(2, 6);
  for (int i = 0; i < bots; ++i) plan.bots.push_back(MakeBot(seed, i));
  for (int i = random.Between(4, 20); i > 0; --i) {
    plan.matches.push_back(MakeMatch(seed, static_cast<int>(plan.matches.size()), bots));
  }
  const int faults = random.OneIn(4) ? 0 : random.Between(1, random.OneIn(3) ? 12 : 4);
  for (int i = 0; i < faults; ++i) plan.faults.push_back(MakeFault(seed, i, bots));
  return plan;
}

}  // namespace referee::simulation
