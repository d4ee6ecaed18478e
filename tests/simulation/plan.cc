#include "tests/simulation/plan.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/games/catalogue.h"
#include "tests/simulation/random.h"

namespace referee::simulation {
namespace {

using absl::Microseconds;
using absl::Milliseconds;
using absl::Seconds;

// One in so many seeds has a competition, and fewer other matches; none of those that are carried
// out twice (trial.cc), since groups meet in it.
constexpr uint64_t kCompetitionSeeds = 4;
constexpr uint64_t kCompetitionSeed = 2;
constexpr absl::Duration kFaulty = Seconds(20);  // how long things may fail

std::shared_ptr<const games::Game> MakeGame(absl::string_view name, int seats,
                                            std::vector<games::Option> options) {
  return games::Find(name)->type->Create(seats, options).value();
}

// Short ones, made once: a board takes longer to read than a match to play. By number of seats.
const std::vector<std::shared_ptr<const games::Game>>& Games(int seats) {
  static const auto* const all = [] {
    auto* games = new std::vector<std::vector<std::shared_ptr<const games::Game>>>(7);
    for (int seats : {2, 3, 4, 6}) {
      for (const char* turns : {"1", "4", "9", "16"}) {
        for (const char* bridges : {"true", "false"}) {
          (*games)[seats].push_back(
              MakeGame("hypnosia", seats, {{"stack_bridges", bridges}, {"turn_limit", turns}}));
        }
      }
    }
    (*games)[2].push_back(MakeGame("isaac", 2, {}));
    return games;
  }();
  return (*all)[seats];
}

match::TimeControl MakeTimeControl(Random* random) {
  match::TimeControl control;
  control.per_move = Milliseconds(random->Between(20, 1000));
  if (random->OneIn(4)) control.first_move = Milliseconds(random->Between(1, 1000));
  if (random->OneIn(4)) control.ready = Milliseconds(random->Between(50, 3000));
  if (random->OneIn(6)) control.match = Milliseconds(random->Between(500, 5000));
  if (random->OneIn(3)) {
    control.stall_per_move = Milliseconds(random->OneIn(3) ? 0 : random->Between(1, 100));
    control.stall_per_match = control.stall_per_move * random->Between(1, 20);
  }
  if (random->OneIn(2)) return control;
  control.bank = Milliseconds(random->Between(100, 5000));
  if (random->OneIn(2)) control.increment = Milliseconds(random->Between(1, 50));
  if (random->OneIn(3)) control.per_move = absl::InfiniteDuration();
  return control;
}

match::FaultPolicy MakeFaultPolicy(Random* random, bool retry) {
  match::FaultPolicy policy;
  switch (random->Below(retry ? 4 : 3)) {
    case 0:
      policy.action = match::FaultPolicy::Action::kForfeit;
      break;
    case 1:
    case 2:
      policy.action = match::FaultPolicy::Action::kSubstitute;
      break;
    case 3:
      policy.action = match::FaultPolicy::Action::kRetry;
      break;
  }
  if (random->OneIn(2)) policy.substitute = match::FaultPolicy::Substitute::kRandom;
  policy.max_strikes = random->Between(1, 4);
  policy.max_tries = random->Between(2, 4);
  return policy;
}

match::Policies MakePolicies(Random* random) {
  match::Policies policies;
  if (random->OneIn(2)) policies.on_timeout = MakeFaultPolicy(random, /*retry=*/false);
  if (random->OneIn(2)) policies.on_illegal = MakeFaultPolicy(random, /*retry=*/true);
  if (random->OneIn(3)) policies.link_grace = Milliseconds(random->Between(1, 5000));
  if (random->OneIn(3)) {
    policies.lag.per_move = Milliseconds(random->Between(1, 30));
    policies.lag.per_match = policies.lag.per_move * random->Between(1, 20);
  }
  return policies;
}

void GiveHabits(Random* random, BotPlan* bot) {
  constexpr int kOften = 150;
  constexpr int kSeldom = 15;
  // Most bots have one bad habit, or none; a few have all.
  switch (random->Below(15)) {
    case 0:
      bot->slow = kOften;
      break;
    case 1:
      bot->silent = kSeldom;
      break;
    case 2:
      bot->illegal = kSeldom;
      break;
    case 3:
      bot->unreadable = kSeldom;
      break;
    case 4:
      bot->chatty = 500;
      break;
    case 5:
      bot->resigns = kSeldom;
      bot->resigns_at_start = kOften;
      break;
    case 6:
      bot->never_ready = kOften;
      break;
    case 7:
      bot->slow = bot->chatty = bot->late = bot->shuts = bot->bad_nonces = kOften;
      bot->silent = bot->illegal = bot->unreadable = bot->resigns = bot->never_ready = kSeldom;
      bot->resigns_at_start = kSeldom;
      break;
    case 8:
      bot->late = kOften;
      break;
    case 9:
      bot->shuts = kOften;
      break;
    case 10:
      bot->late = bot->shuts = kOften;
      break;
    case 11:
      bot->bad_nonces = kOften;
      break;
    default:
      break;
  }
  bot->repeats = random->OneIn(3);
}

BotPlan MakeBot(uint64_t seed, int index, int group) {
  Random random(seed, For::kBot, index);
  BotPlan bot;
  bot.group = group;
  bot.name = absl::StrCat("bot-", group, "-", index);
  bot.max_matches = random.OneIn(4) ? 1 : random.Between(2, 8);
  bot.connects_at = random.Between(absl::ZeroDuration(), Milliseconds(500));
  if (random.OneIn(10)) bot.connects_at += Seconds(random.Below(10));
  bot.latency = random.Between(Microseconds(20), Milliseconds(random.OneIn(4) ? 20 : 1));
  bot.jitter = random.OneIn(2) ? absl::ZeroDuration() : bot.latency;
  bot.thinks = random.Between(Microseconds(10), Milliseconds(10));
  bot.keeps_existing = random.OneIn(4);
  GiveHabits(&random, &bot);
  bot.news_may_wait = random.OneIn(2);
  return bot;
}

void GiveDiskFault(Random* random, MatchPlan* match) {
  if (!random->OneIn(12)) return;
  constexpr DiskFault kKinds[] = {DiskFault::kOpenFails, DiskFault::kWriteFails,
                                  DiskFault::kWriteTears, DiskFault::kArchiveFails};
  match->disk_fault = kKinds[random->Below(4)];
  if (match->disk_fault == DiskFault::kOpenFails) return;
  match->disk_fault_at = 1 + random->Below(random->OneIn(2) ? 3 : 20);
}

MatchPlan MakeMatch(uint64_t seed, int index, int group, const std::vector<int>& bots) {
  Random random(seed, For::kMatch, index);
  MatchPlan match;
  match.group = group;
  // As many of the group's bots as a game has seats, in any order.
  std::vector<int> seats = bots;
  for (size_t i = seats.size(); i > 1; --i) {
    std::swap(seats[i - 1], seats[static_cast<size_t>(random.Below(static_cast<int>(i)))]);
  }
  size_t count = 2;
  if (random.OneIn(3)) count = static_cast<size_t>(random.Between(2, 6));
  count = std::min(count, seats.size());
  if (count == 5) count = 4;
  seats.resize(count);
  match.bots = std::move(seats);
  const auto& games = Games(static_cast<int>(count));
  match.game = games[static_cast<size_t>(random.Below(static_cast<int>(games.size())))];
  match.time_control = MakeTimeControl(&random);
  match.policies = MakePolicies(&random);
  match.pinned = random.OneIn(3);
  match.created_at = random.Between(absl::ZeroDuration(), Seconds(random.OneIn(4) ? 15 : 2));
  match.asked_twice = random.OneIn(6);
  if (random.OneIn(12)) {
    match.cancelled_at = match.created_at + random.Between(absl::ZeroDuration(), Seconds(2));
  }
  match.watched = random.OneIn(4);
  GiveDiskFault(&random, &match);
  return match;
}

// A match, or all of a block, of which one has what may happen to a match.
void AddMatches(int group, const std::vector<int>& bots, Plan* plan) {
  const int first = static_cast<int>(plan->matches.size());
  MatchPlan match = MakeMatch(plan->seed, first, group, bots);
  Random random(plan->seed, For::kBlock, first);
  if (!random.OneIn(5)) {
    plan->matches.push_back(std::move(match));
    return;
  }
  const int rotations = static_cast<int>(match.bots.size());
  const int unlucky = random.Below(rotations);
  for (const int bot : match.bots) {
    int& max_matches = plan->bots[static_cast<size_t>(bot)].max_matches;
    max_matches = std::max(max_matches, rotations);
  }
  match.block = first;
  for (match.rotation = 0; match.rotation < rotations; ++match.rotation) {
    MatchPlan one = match;
    one.watched = random.OneIn(4);
    if (match.rotation != unlucky) {
      one.cancelled_at = absl::InfiniteDuration();
      one.disk_fault = DiskFault::kNone;
    }
    plan->matches.push_back(std::move(one));
    std::rotate(match.bots.begin(), match.bots.begin() + 1, match.bots.end());
  }
}

// The first two bots of a group answer at once, in so many matches that turns wait for one another.
void AddRush(int group, const std::vector<int>& bots, Plan* plan) {
  Random random(plan->seed, For::kRush, group);
  if (!random.OneIn(8)) return;
  const std::vector<int> both(bots.begin(), bots.begin() + 2);
  for (const int index : both) {
    BotPlan& bot = plan->bots[static_cast<size_t>(index)];
    bot.max_matches = 16;
    bot.latency = random.Between(Microseconds(20), Microseconds(200));
    bot.jitter = absl::ZeroDuration();
    bot.thinks = random.Between(Microseconds(10), Milliseconds(1));
  }
  for (int i = random.Between(8, 16); i > 0; --i) {
    MatchPlan match = MakeMatch(plan->seed, static_cast<int>(plan->matches.size()), group, both);
    const absl::Duration earlier = match.created_at;
    match.created_at = random.Between(absl::ZeroDuration(), Milliseconds(300));
    match.cancelled_at += match.created_at - earlier;
    plan->matches.push_back(std::move(match));
  }
}

// All bots of a group but the first leave their matches one after another, while the first thinks
// for as long as it can: this must not lengthen its time.
void AddPuppets(int group, const std::vector<int>& bots, Plan* plan) {
  Random random(plan->seed, For::kLeaves, group);
  if (bots.size() < 3 || !random.OneIn(4)) return;
  for (const int index : bots) {
    BotPlan& bot = plan->bots[static_cast<size_t>(index)];
    bot.leaves = index == bots.front() ? 0 : 700;
    bot.max_matches = 8;
  }
  plan->bots[static_cast<size_t>(bots.front())].slow = 700;
  for (int i = random.Between(2, 6); i > 0; --i) {
    MatchPlan match = MakeMatch(plan->seed, static_cast<int>(plan->matches.size()), group, bots);
    const size_t seats = std::min<size_t>(bots.size() == 5 ? 4 : bots.size(), 6);
    match.bots.assign(bots.begin(), bots.begin() + static_cast<std::ptrdiff_t>(seats));
    const auto& games = Games(static_cast<int>(seats));
    match.game = games[static_cast<size_t>(random.Below(static_cast<int>(games.size())))];
    plan->matches.push_back(std::move(match));
  }
}

LinkFault MakeLinkFault(uint64_t seed, int index, const std::vector<int>& bots) {
  Random random(seed, For::kFault, index);
  LinkFault fault;
  fault.kind = static_cast<LinkFault::Kind>(random.Below(5));
  fault.bot = bots[static_cast<size_t>(random.Below(static_cast<int>(bots.size())))];
  fault.at = random.Between(absl::ZeroDuration(), Seconds(random.OneIn(3) ? 15 : 2));
  fault.lasts = random.Between(Milliseconds(1), random.OneIn(3) ? Seconds(8) : Milliseconds(300));
  // Mostly both ends know at once; at times one is half open for long.
  const auto after = [&random] {
    if (random.OneIn(2)) return random.Between(absl::ZeroDuration(), Milliseconds(1));
    return random.Between(absl::ZeroDuration(), random.OneIn(3) ? Seconds(20) : Milliseconds(500));
  };
  fault.referee_after = after();
  fault.bot_after = after();
  fault.back_after =
      random.Between(Microseconds(100), random.OneIn(4) ? Seconds(3) : Milliseconds(200));
  return fault;
}

RefereeFault MakeRefereeFault(uint64_t seed, int index) {
  Random random(seed, For::kRestart, index);
  RefereeFault fault;
  fault.kind = static_cast<RefereeFault::Kind>(random.Below(8) % 7);
  fault.at = random.Between(absl::ZeroDuration(), Seconds(random.OneIn(3) ? 15 : 2));
  fault.write = random.Below(random.OneIn(2) ? 4 : 60);
  fault.down = random.Between(Milliseconds(1), Seconds(2));
  fault.leaves = random.OneIn(2);
  fault.lasts = random.Between(Microseconds(500), Milliseconds(random.OneIn(3) ? 3000 : 300));
  fault.wall_by = random.Between(Milliseconds(1), absl::Hours(1));
  return fault;
}

// Many stalls, within a second or so: shorter and longer than what is given back.
void AddStorm(Plan* plan) {
  Random random(plan->seed, For::kStorm);
  const absl::Duration begins = random.Between(absl::ZeroDuration(), Seconds(5));
  for (int i = random.Between(2, 40); i > 0; --i) {
    RefereeFault fault;
    fault.kind = RefereeFault::Kind::kStalled;
    fault.at = begins + random.Between(absl::ZeroDuration(), Milliseconds(1500));
    fault.lasts = random.Between(Microseconds(300), Milliseconds(random.OneIn(8) ? 500 : 20));
    plan->referee_faults.push_back(fault);
  }
}

// As many blocks as make a competition of its kind, and few.
void GiveFormat(Random* random, schedule::Spec* spec) {
  constexpr schedule::Format kFormats[] = {schedule::Format::kRoundRobin,
                                           schedule::Format::kGauntlet, schedule::Format::kSwiss,
                                           schedule::Format::kKnockout, schedule::Format::kLadder};
  spec->format = kFormats[random->Below(5)];
  const bool of_two =
      spec->format == schedule::Format::kSwiss || spec->format == schedule::Format::kKnockout;
  if (!of_two && spec->entrants.size() > 2 && random->OneIn(3)) spec->seats = 3;
  if (spec->format == schedule::Format::kKnockout && random->OneIn(3)) spec->best_of = 3;
  if (spec->format == schedule::Format::kGauntlet && random->OneIn(2)) spec->rounds = 2;
  if (random->OneIn(2)) spec->max_running = random->Between(1, 3);
}

// A test of the first two bots, which the simulated ones, that play at random, decide now and then.
void MakeTest(schedule::Spec* spec) {
  spec->format = schedule::Format::kTest;
  spec->entrants.resize(2);
  spec->seats = 2;
  spec->best_of = 0;
  spec->rounds = 24;
  spec->sprt = rating::SprtTerms{-300, 300, 0.2, 0.2};
}

CompetitionPlan MakeCompetition(Plan* plan) {
  Random random(plan->seed, For::kCompetition);
  CompetitionPlan competition;
  schedule::Spec& spec = competition.spec;
  spec.name = "cup";
  std::vector<int> bots;
  for (size_t i = 0; i < plan->bots.size(); ++i) bots.push_back(static_cast<int>(i));
  for (size_t i = bots.size(); i > 1; --i) {
    std::swap(bots[i - 1], bots[static_cast<size_t>(random.Below(static_cast<int>(i)))]);
  }
  bots.resize(
      std::min(bots.size(), static_cast<size_t>(random.Between(2, random.OneIn(4) ? 5 : 4))));
  for (const int bot : bots) spec.entrants.push_back(plan->bots[static_cast<size_t>(bot)].name);
  GiveFormat(&random, &spec);
  // Of a stream of its own: other seeds keep their plans.
  if (Random(plan->seed, For::kCompetition, -1).OneIn(5)) MakeTest(&spec);
  Random of_pace(plan->seed, For::kCompetition, -2);
  if (spec.format == schedule::Format::kLadder && of_pace.OneIn(2)) {
    spec.pace = of_pace.Between(1, 120);
  }
  for (const int bot : bots) {
    int& max_matches = plan->bots[static_cast<size_t>(bot)].max_matches;
    max_matches = std::max(max_matches, spec.seats);
  }
  plan->max_running = std::max(plan->max_running, spec.seats);
  spec.game = "hypnosia";
  spec.options = {{"turn_limit", random.OneIn(2) ? "2" : "6"}};
  spec.time_control = match::TimeControlText(MakeTimeControl(&random));
  const match::Policies policies = MakePolicies(&random);
  spec.on_timeout = match::FaultPolicyText(policies.on_timeout);
  spec.on_illegal = match::FaultPolicyText(policies.on_illegal);
  spec.on_lost_link = match::LinkPolicyText(policies.link_grace);
  if (random.OneIn(4)) spec.absence_limit = Seconds(random.Between(1, 10));
  spec.pinned = random.OneIn(2);
  competition.created_at = random.Between(absl::ZeroDuration(), Milliseconds(1500));
  if (random.OneIn(2)) competition.store_fails = random.OneIn(3) ? 400 : 60;
  if (random.OneIn(3)) competition.disk_fails = 50;
  if (random.OneIn(3)) competition.meddles = 150;
  const bool of_many = spec.format == schedule::Format::kLadder;
  if (of_many && !Random(plan->seed, For::kCompetition, -2).OneIn(3)) competition.succeeds = 80;
  return competition;
}

}  // namespace

std::vector<int> Plan::Together(int index) const {
  const MatchPlan& match = matches[static_cast<size_t>(index)];
  if (match.block < 0) return {index};
  std::vector<int> all;
  for (size_t i = 0; i < match.bots.size(); ++i) all.push_back(match.block + static_cast<int>(i));
  return all;
}

Plan MakePlan(uint64_t seed) {
  Random random(seed, For::kPlan);
  Plan plan;
  plan.seed = seed;
  plan.groups = random.Between(1, 4);
  plan.max_running = random.OneIn(6) ? random.Between(1, 4) : 1000;
  plan.sealing = random.Between(Microseconds(50), Milliseconds(3));
  plan.resume_limit = random.Between(Milliseconds(100), Seconds(random.OneIn(2) ? 30 : 2));
  plan.heals_at = kFaulty;
  const bool competes = seed % kCompetitionSeeds == kCompetitionSeed;
  for (int group = 0; group < plan.groups; ++group) {
    Random of_group(seed, For::kGroup, group);
    std::vector<int> bots;
    const int count = of_group.OneIn(3) ? of_group.Between(2, 6) : of_group.Between(2, 3);
    for (int i = 0; i < count; ++i) {
      bots.push_back(static_cast<int>(plan.bots.size()));
      plan.bots.push_back(MakeBot(seed, bots.back(), group));
    }
    const int matches = of_group.Between(2, 8);
    for (int i = competes ? matches / 3 : matches; i > 0; --i) {
      AddMatches(group, bots, &plan);
    }
    AddRush(group, bots, &plan);
    AddPuppets(group, bots, &plan);
    for (int i = of_group.OneIn(3) ? 0 : of_group.Below(6); i > 0; --i) {
      plan.link_faults.push_back(
          MakeLinkFault(seed, static_cast<int>(plan.link_faults.size()), bots));
    }
  }
  const int referee_faults = random.OneIn(2) ? 0 : random.Below(3);
  for (int i = referee_faults + (competes ? 1 : 0); i > 0; --i) {
    plan.referee_faults.push_back(
        MakeRefereeFault(seed, static_cast<int>(plan.referee_faults.size())));
  }
  if (competes) plan.competition = MakeCompetition(&plan);
  if (random.OneIn(3)) AddStorm(&plan);
  return plan;
}

Plan Calmed(Plan plan, int group) {
  for (BotPlan& bot : plan.bots) {
    if (bot.group != group) continue;
    bot.slow = bot.silent = bot.illegal = bot.unreadable = bot.chatty = bot.resigns = 0;
    bot.never_ready = bot.late = bot.shuts = bot.bad_nonces = bot.leaves = 0;
    bot.resigns_at_start = 0;
    bot.repeats = false;
  }
  for (MatchPlan& match : plan.matches) {
    if (match.group != group) continue;
    match.disk_fault = DiskFault::kNone;
    match.cancelled_at = absl::InfiniteDuration();
  }
  const auto of_group = [&](const LinkFault& fault) {
    return plan.bots[static_cast<size_t>(fault.bot)].group == group;
  };
  plan.link_faults.erase(std::remove_if(plan.link_faults.begin(), plan.link_faults.end(), of_group),
                         plan.link_faults.end());
  return plan;
}

}  // namespace referee::simulation
