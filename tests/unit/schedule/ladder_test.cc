// Ladder: what tells most is played, and nobody is left behind.
#include "referee/schedule/ladder.h"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "referee/rating/rating.h"
#include "referee/schedule/pace.h"
#include "tests/unit/schedule/tournament.h"

namespace referee::schedule {
namespace {

int Spread(const std::vector<int>& counts, size_t from = 0) {
  const auto [least, most] = std::minmax_element(counts.begin() + from, counts.end());
  return *most - *least;
}

void RateAtRandom(Tournament* tournament, Chance* chance) {
  const int bots = static_cast<int>(tournament->begun().size());
  tournament->schedule().Rated(chance->Below(bots), rating::Rating{10.0 + chance->Below(30),
                                                                   0.5 + chance->Below(80) / 10.0});
}

TEST(Ladder, NobodyWhoIsThereGetsFurtherAheadWhoeverComesAndGoes) {
  for (const int seats : {2, 3, 6}) {
    for (uint64_t seed = 0; seed < 10; ++seed) {
      Tournament tournament(SpecOf(Format::kLadder, 14, seats), seed);
      tournament.steady = {6, 7, 8, 9, 10, 11, 12, 13};
      tournament.absent_one_in = 3;
      tournament.leave_one_in = 500;
      tournament.at_once = 1 + static_cast<int>(seed % 2);
      tournament.max_running = 4;
      Chance chance(seed);
      for (int step = 0; step < 3000; ++step) {
        tournament.Step();
        RateAtRandom(&tournament, &chance);
        ASSERT_LE(Spread(tournament.begun(), 6), kLadderLead) << seats << " seats, seed " << seed;
      }
      EXPECT_GT(tournament.blocks().size(), 500u) << seats << " seats, seed " << seed;
    }
  }
}

TEST(Ladder, PlaysTheBotThatIsKnownLeastAgainstOneThatIsNear) {
  const auto schedule = Schedule::Make(SpecOf(Format::kLadder, 6));
  for (int bot = 0; bot < 6; ++bot) schedule->Rated(bot, rating::Rating{10.0 + 5 * bot, 1.0});
  schedule->Rated(3, rating::Rating{25.0, 8.0});
  schedule->Rated(4, rating::Rating{29.0, 1.0});
  const absl::optional<rating::Pairing> next =
      schedule->Next(std::vector<bool>(6, true), Instant());
  ASSERT_TRUE(next.has_value());
  EXPECT_EQ(next->bots, (std::vector<int>{3, 4}));
}

TEST(Ladder, NobodyMeetsTheSameBotAgainAtOnceWhereThereIsAChoice) {
  Tournament tournament(SpecOf(Format::kLadder, 3), 1);
  tournament.max_running = 1;
  while (tournament.blocks().size() < 300) tournament.Step();
  const std::vector<rating::Pairing>& blocks = tournament.blocks();
  for (size_t i = 1; i < blocks.size(); ++i) {
    EXPECT_NE(std::set<int>(blocks[i].bots.begin(), blocks[i].bots.end()),
              std::set<int>(blocks[i - 1].bots.begin(), blocks[i - 1].bots.end()));
  }
}

TEST(Ladder, TwoBotsMeetAgainAndAgain) {
  Tournament tournament(SpecOf(Format::kLadder, 2), 1);
  for (int step = 0; step < 1000; ++step) tournament.Step();
  EXPECT_GT(tournament.blocks().size(), 100u);
}

TEST(Ladder, AllMeetManyOthers) {
  Tournament tournament(SpecOf(Format::kLadder, 20), 1);
  while (tournament.blocks().size() < 1000) tournament.Step();
  std::vector<std::set<int>> met(20);
  for (const rating::Pairing& block : tournament.blocks()) {
    met[block.bots[0]].insert(block.bots[1]);
    met[block.bots[1]].insert(block.bots[0]);
  }
  for (const std::set<int>& others : met) EXPECT_GE(others.size(), 9u);
}

// Plays blocks one by one; gives how many each bot began.
std::vector<int> PlayAlone(Schedule* schedule, int64_t first, int blocks,
                           const std::vector<bool>& free) {
  std::vector<int> begun(free.size(), 0);
  for (int i = 0; i < blocks; ++i) {
    const absl::optional<rating::Pairing> next = schedule->Next(free, Instant());
    if (!next.has_value()) break;
    for (const int bot : next->bots) ++begun[bot];
    schedule->Played(first + i, OutcomeOf(*next, {0, 1}));
  }
  return begun;
}

TEST(Ladder, OneThatJoinsLateIsNotGivenWhatItMissed) {
  const auto schedule = Schedule::Make(SpecOf(Format::kLadder, 8));
  PlayAlone(schedule.get(), 0, 4000, std::vector<bool>(8, true));
  ASSERT_EQ(schedule->Join(), absl::OkStatus());
  const std::vector<int> begun = PlayAlone(schedule.get(), 4000, 90, std::vector<bool>(9, true));
  EXPECT_GE(begun[8], 20 - kLadderLead);
  EXPECT_LE(begun[8], 20 + 2 * kLadderLead);
  for (int bot = 0; bot < 8; ++bot) EXPECT_GT(begun[bot], 0) << "the others go on";
}

TEST(Ladder, OneThatWasAwayIsNotGivenWhatItMissed) {
  const auto schedule = Schedule::Make(SpecOf(Format::kLadder, 8));
  std::vector<bool> free(8, true);
  PlayAlone(schedule.get(), 0, 100, free);
  free[2] = false;
  PlayAlone(schedule.get(), 100, 4000, free);
  free[2] = true;
  const std::vector<int> begun = PlayAlone(schedule.get(), 4100, 400, free);
  EXPECT_LE(Spread(begun), 2 * kLadderLead);
  EXPECT_GT(begun[2], 0);
}

TEST(Ladder, GoesOnWithoutThoseThatLeftAndWithThoseThatComeBack) {
  const auto schedule = Schedule::Make(SpecOf(Format::kLadder, 4));
  const std::vector<bool> free(4, true);
  schedule->Withdraw(1);
  EXPECT_EQ(PlayAlone(schedule.get(), 0, 60, free)[1], 0);
  EXPECT_EQ(schedule->Scores()[3].remark, "withdrawn");
  EXPECT_EQ(schedule->Rejoin(0).code(), absl::StatusCode::kFailedPrecondition) << "it never left";
  EXPECT_EQ(schedule->Rejoin(1), absl::OkStatus());
  EXPECT_GT(PlayAlone(schedule.get(), 60, 60, free)[1], 0);
}

TEST(Ladder, WaitsWhenTooFewAreThere) {
  const auto schedule = Schedule::Make(SpecOf(Format::kLadder, 0));
  EXPECT_EQ(schedule->Next({}, Instant()), absl::nullopt);
  ASSERT_EQ(schedule->Join(), absl::OkStatus());
  EXPECT_EQ(schedule->Next({true}, Instant()), absl::nullopt);
  ASSERT_EQ(schedule->Join(), absl::OkStatus());
  EXPECT_EQ(schedule->Next({true, false}, Instant()), absl::nullopt);
  EXPECT_TRUE(schedule->Next({true, true}, Instant()).has_value());
  EXPECT_FALSE(schedule->done());
  EXPECT_EQ(schedule->blocks_left(), -1);
}

TEST(Ladder, ASlowBotHoldsUpNobodyBeforeTheLeadIsUsedUp) {
  const auto schedule = Schedule::Make(SpecOf(Format::kLadder, 5));
  std::vector<bool> free(5, true);
  const absl::optional<rating::Pairing> slow = schedule->Next(free, Instant());
  ASSERT_TRUE(slow.has_value());
  free[slow->bots[0]] = free[slow->bots[1]] = false;
  const std::vector<int> begun = PlayAlone(schedule.get(), 1, 1000, free);
  for (int bot = 0; bot < 5; ++bot) {
    if (free[bot]) {
      EXPECT_GE(begun[bot], kLadderLead);
      EXPECT_LE(begun[bot], kLadderLead + 1);
    }
  }
}

TEST(Ladder, BotsThatHaveNotPlayedYetHaveNotJustMet) {
  const auto schedule = Schedule::Make(SpecOf(Format::kLadder, 4));
  const rating::Pairing first = *schedule->Next({true, true, false, false}, Instant());
  schedule->Played(0, OutcomeOf(first, {0, 1}));
  for (const int bot : first.bots) schedule->Rated(bot, rating::Rating{25.0, 5.0});
  schedule->Rated(2, rating::Rating{25.0, 8.0});
  schedule->Rated(3, rating::Rating{25.0, 7.0});
  EXPECT_EQ(schedule->Next(std::vector<bool>(4, true), Instant())->bots, (std::vector<int>{2, 3}));
}

TEST(Ladder, MadeAgainKnowsWhoHasMet) {
  const std::vector<Entrant> entrants(4);
  const std::vector<PairCount> met = {{0, 1, 3}, {0, 2, 1}, {0, 3, 2}};
  const auto schedule = Schedule::MakeLadder(SpecOf(Format::kLadder, 4), entrants, met, 6);
  EXPECT_EQ(schedule->Next(std::vector<bool>(4, true), Instant())->bots, (std::vector<int>{0, 2}));
}

TEST(Meetings, KeepThoseThatABotHasMetMost) {
  constexpr int kMany = static_cast<int>(Meetings::kMaxOpponents);
  Meetings meetings(kMany + 2);
  for (int other = 1; other <= kMany; ++other) meetings.Add({0, other, other == 7 ? 1 : 2});
  meetings.Add({0, kMany + 1, 1});
  ASSERT_EQ(meetings.Of(0).size(), Meetings::kMaxOpponents);
  for (const Meetings::Met& met : meetings.Of(0)) {
    EXPECT_NE(met.bot, 7);
    EXPECT_EQ(met.times, met.bot == kMany + 1 ? 1 : 2);
  }
}

TEST(IdleBudget, IsAShareOfWhatIsPlayedAndIsSpentByTheBlock) {
  const auto at = [](absl::Duration time) { return Instant() + time; };
  IdleBudget budget;
  budget.Look(at(absl::ZeroDuration()), 10);
  EXPECT_EQ(budget.left(1), absl::ZeroDuration());
  budget.Look(at(absl::Seconds(100)), 10);
  EXPECT_EQ(budget.left(1), absl::Seconds(30)) << "3 % of 1,000 s";
  EXPECT_EQ(budget.left(2), absl::Seconds(15));
  EXPECT_EQ(budget.Wait(2), at(absl::Seconds(115)));
  budget.Look(at(absl::Seconds(110)), 10);
  EXPECT_EQ(budget.left(1), absl::Seconds(30 - 20 + 3));
  budget.Look(at(absl::Hours(100)), 10);
  EXPECT_EQ(budget.left(1), IdleBudget::kMost);
}

// Begins as many blocks as the pace allows now.
int BeginAllowed(Pace* pace, int bot) {
  int begun = 0;
  for (; pace->Allows(bot); ++begun) pace->Begin(bot);
  return begun;
}

TEST(Pace, LetsAMinutesWorthBeSavedAndBeSpentOverAMinuteAndAllGoOnTogether) {
  const auto at = [](int seconds) { return Instant() + absl::Seconds(seconds); };
  Pace pace(6);
  pace.AddBot();
  pace.AddBot();
  pace.Look(at(100));
  EXPECT_EQ(BeginAllowed(&pace, 0), 2) << "of six that are saved";
  EXPECT_TRUE(pace.Allows(1));
  EXPECT_EQ(pace.next(), at(110));
  pace.Look(at(109));
  EXPECT_FALSE(pace.Allows(0));
  for (int step = 1; step <= 4; ++step) {
    pace.Look(at(100 + 10 * step));
    EXPECT_EQ(BeginAllowed(&pace, 0), 2) << step;
  }
  pace.Look(at(150));
  EXPECT_EQ(BeginAllowed(&pace, 0), 1) << "all that was saved is spent: one for each step";
  EXPECT_EQ(pace.next(), at(160));
  pace.Look(at(10'000));
  int begun = 0;
  for (int step = 0; step < 10; ++step) {
    pace.Look(at(10'000 + 10 * step));
    begun += BeginAllowed(&pace, 0);
  }
  EXPECT_EQ(begun, 6 + 9) << "no more than a minute's worth is saved";
}

TEST(Pace, OfShortStepsLetsSixSecondsWorthBeginTogether) {
  Pace pace(6'000);  // a step lasts 10 ms
  pace.AddBot();
  pace.Look(Instant());
  EXPECT_EQ(BeginAllowed(&pace, 0), 1'200);
  pace.Look(Instant() + absl::Seconds(1));
  EXPECT_EQ(BeginAllowed(&pace, 0), 200);
}

TEST(Pace, BelowOneAMinuteLetsOneBegin) {
  Pace pace(0.5);
  pace.AddBot();
  pace.Look(Instant());
  EXPECT_TRUE(pace.Allows(0));
  pace.Begin(0);
  pace.Look(Instant() + absl::Seconds(119));
  EXPECT_FALSE(pace.Allows(0));
  pace.Look(Instant() + absl::Seconds(120));
  EXPECT_TRUE(pace.Allows(0));
}

TEST(Pace, OfZeroIsNoLimit) {
  Pace pace(0);
  pace.AddBot();
  pace.Look(Instant());
  for (int i = 0; i < 10'000; ++i) pace.Begin(0);
  EXPECT_TRUE(pace.Allows(0));
}

// A ladder of bots that are always free and whose blocks take no time.
class InstantLadder {
 public:
  explicit InstantLadder(const Spec& spec) : schedule_(Schedule::Make(spec)) {
    for (size_t i = 0; i < spec.entrants.size(); ++i) AddBot();
  }

  void Join() {
    ASSERT_EQ(schedule_->Join(), absl::OkStatus());
    AddBot();
  }

  // Plays all blocks that can begin now; goes on to when the ladder asks again. Returns false if it
  // never does.
  bool Step() {
    const std::vector<bool> free(ratings_.size(), true);
    while (const absl::optional<rating::Pairing> next = schedule_->Next(free, now_)) Play(*next);
    if (schedule_->asks_again() == Instant::InfiniteFuture()) return false;
    EXPECT_GT(schedule_->asks_again(), now_);
    now_ = schedule_->asks_again();
    return true;
  }

  Schedule& schedule() { return *schedule_; }
  absl::Duration time() const { return now_ - Instant(); }
  const std::vector<int>& begun() const { return begun_; }
  const std::vector<rating::Rating>& ratings() const { return ratings_; }
  int met(int a, int b) const { return met_.at({std::min(a, b), std::max(a, b)}); }

 private:
  void AddBot() {
    ratings_.emplace_back();
    begun_.push_back(0);
  }

  void Play(const rating::Pairing& pairing) {
    std::vector<rating::Rating> before;
    for (const int bot : pairing.bots) {
      ++begun_[bot];
      before.push_back(ratings_[bot]);
    }
    ++met_[{std::min(pairing.bots[0], pairing.bots[1]),
            std::max(pairing.bots[0], pairing.bots[1])}];
    const rating::BlockOutcome outcome =
        OutcomeOf(pairing, chance_.OneIn(2) ? std::vector<int>{0, 1} : std::vector<int>{1, 0});
    schedule_->Played(number_++, outcome);
    const std::vector<rating::Rating> after = rating::Update(before, outcome);
    for (size_t i = 0; i < after.size(); ++i) {
      ratings_[pairing.bots[i]] = after[i];
      schedule_->Rated(pairing.bots[i], after[i]);
    }
  }

  std::unique_ptr<Schedule> schedule_;
  Chance chance_{1};
  Instant now_;
  int64_t number_ = 0;
  std::vector<rating::Rating> ratings_;
  std::vector<int> begun_;
  std::map<std::pair<int, int>, int> met_;
};

TEST(Ladder, BeginsNoMoreBlocksOfABotThanItsPaceAllowsAndStillMixes) {
  for (const int bots : {4, 7, 20}) {
    Spec spec = SpecOf(Format::kLadder, bots);
    spec.pace = 10;
    InstantLadder ladder(spec);
    while (ladder.time() < absl::Hours(1)) ASSERT_TRUE(ladder.Step());
    EXPECT_EQ(ladder.schedule().rests(),
              "its bots have begun as many blocks as the pace allows for now");
    for (const int begun : ladder.begun()) {
      EXPECT_LE(begun, 10 + 60 * 10 + 1) << bots;
      EXPECT_GE(begun, 60 * 10 - kLadderLead) << bots << ": nobody is slower than the pace";
    }
    for (int a = 0; a < bots; ++a) {
      for (int b = a + 1; b < bots; ++b) {
        EXPECT_GE(ladder.met(a, b), 600 / (bots - 1) / 2) << a << " and " << b << " of " << bots;
      }
    }
  }
}

// A ladder whose bots connect one after another, so long apart. Blocks take a second; each bot
// plays four at once.
struct Arrivals {
  Spec spec;
  absl::Duration apart;

  struct Played {
    int blocks = 0;
    std::set<std::pair<int, int>> pairs;
    absl::Duration first = absl::InfiniteDuration();  // from when the last bot of two was there
  };
  // Plays for so long, and so many blocks at most.
  Played Play(absl::Duration time, int most) const {
    const auto schedule = Schedule::Make(spec);
    const auto bots = static_cast<int>(spec.entrants.size());
    std::multimap<Instant, std::pair<int64_t, rating::Pairing>> running;
    std::vector<int> playing(spec.entrants.size(), 0);
    Played played;
    for (Instant now; now - Instant() <= time; now = now + absl::Milliseconds(100)) {
      while (!running.empty() && running.begin()->first <= now) {
        const auto& [number, pairing] = running.begin()->second;
        for (const int bot : pairing.bots) --playing[bot];
        schedule->Played(number, OutcomeOf(pairing, {0, 1}));
        running.erase(running.begin());
      }
      for (;;) {
        std::vector<bool> free;
        for (int bot = 0; bot < bots; ++bot) {
          free.push_back(now - Instant() >= bot * apart && playing[bot] < 4);
        }
        const absl::optional<rating::Pairing> next = schedule->Next(free, now);
        if (!next.has_value()) break;
        for (const int bot : next->bots) ++playing[bot];
        running.emplace(now + absl::Seconds(1), std::pair(played.blocks, *next));
        if (played.blocks == 0) played.first = now - Instant() - apart;
        played.pairs.insert(std::minmax(next->bots[0], next->bots[1]));
        if (++played.blocks == most) return played;
      }
    }
    return played;
  }
};

Spec LadderOf(int bots, double pace) {
  Spec spec = SpecOf(Format::kLadder, bots);
  spec.pace = pace;
  return spec;
}

TEST(Ladder, FirstBotsThatConnectDoNotSpendTheirMinutesWorthOnEachOther) {
  for (const absl::Duration apart : {absl::Seconds(5), absl::Seconds(5) / 7}) {
    const Arrivals::Played played =
        Arrivals{LadderOf(8, kDefaultPace), apart}.Play(absl::Minutes(3), 35);
    EXPECT_EQ(played.blocks, 35);
    EXPECT_GE(played.pairs.size(), 20u) << "of 28, " << apart << " apart";
  }
}

TEST(Ladder, BeginsAsMuchInItsFirstMinutesAsThePaceAllows) {
  for (const int bots : {2, 3, 8}) {
    const Arrivals arrivals{LadderOf(bots, kDefaultPace), absl::ZeroDuration()};
    const Arrivals::Played played = arrivals.Play(absl::Minutes(5), 1'000'000);
    // A minute's worth that was saved, and five minutes.
    EXPECT_GE(played.blocks, bots * 58 / 2) << bots;
    EXPECT_LE(played.blocks, bots * 61 / 2) << bots;
  }
}

TEST(Ladder, WaitsAMomentForTheOthersOnlyIfItHasAPaceAndSomeAreNotThere) {
  const auto first = [](int bots, double pace, absl::Duration apart) {
    return Arrivals{LadderOf(bots, pace), apart}.Play(absl::Minutes(1), 1).first;
  };
  EXPECT_EQ(first(8, kDefaultPace, absl::Seconds(5)), kLadderGathers);
  EXPECT_EQ(first(8, kDefaultPace, absl::Milliseconds(100)), absl::Milliseconds(600))
      << "until all are there";
  EXPECT_EQ(first(2, kDefaultPace, absl::Seconds(5)), absl::ZeroDuration());
  EXPECT_EQ(first(8, 0, absl::Seconds(5)), absl::ZeroDuration());
}

TEST(Ladder, ThatGoesOnWithBlocksThatRunWaitsForNobody) {
  const std::vector<RecentBlock> running = {{5, {{0, 1}}, true}};
  const auto schedule = Schedule::MakeLadder(LadderOf(4, kDefaultPace), std::vector<Entrant>(4), {},
                                             /*next_number=*/6, running);
  EXPECT_TRUE(schedule->Next({true, true, false, false}, Instant()).has_value());
}

TEST(Ladder, RestsWhenAllAreKnownAndGoesOnForABotThatJoins) {
  Spec spec = SpecOf(Format::kLadder, 6);
  spec.goal_width = 200;
  InstantLadder ladder(spec);
  while (ladder.Step()) {
  }
  // (2 * 1.96 * 173.7 / 200)^2 * 4 blocks against equals.
  for (const int begun : ladder.begun()) {
    EXPECT_GE(begun, 47);
    EXPECT_LE(begun, 60) << "it plays no longer than that needs";
  }
  EXPECT_EQ(ladder.schedule().rests(),
            "all strengths are known as well as the goal of 200 Elo asks; it goes on when a bot "
            "joins");
  const std::vector<int> before = ladder.begun();
  ladder.Join();
  while (ladder.Step()) {
  }
  EXPECT_GE(ladder.begun()[6], 47) << "those that rest do not hold it back";
  int more = 0;
  for (int bot = 0; bot < 6; ++bot) more += ladder.begun()[bot] - before[bot];
  EXPECT_EQ(more, ladder.begun()[6]) << "the others play with it alone";
}

TEST(Ladder, MadeAgainKnowsWhoIsAtTheGoal) {
  Spec spec = SpecOf(Format::kLadder, 3);
  spec.goal_width = 200;
  const std::vector<PairCount> met = {{0, 1, 30}, {0, 2, 30}, {1, 2, 30}};
  const auto rests = Schedule::MakeLadder(spec, std::vector<Entrant>(3), met, 90);
  EXPECT_EQ(rests->Next(std::vector<bool>(3, true), Instant()), absl::nullopt);
  EXPECT_EQ(rests->asks_again(), Instant::InfiniteFuture());
  spec.goal_width = 100;
  const auto goes_on = Schedule::MakeLadder(spec, std::vector<Entrant>(3), met, 90);
  EXPECT_TRUE(goes_on->Next(std::vector<bool>(3, true), Instant()).has_value());
}

// A ladder that is played by chance, and all that a store keeps of it.
class StoredLadder {
 public:
  StoredLadder(const Spec& spec, uint64_t seed)
      : spec_(spec), chance_(seed), entrants_(spec.entrants.size()), ladder_(MadeAgain()) {}

  // A block begins, if the goal lets one, and the oldest of several that run ends.
  void Step() {
    const std::vector<bool> all(entrants_.size(), true);
    if (const absl::optional<rating::Pairing> next = ladder_->Next(all, Instant())) {
      blocks_.push_back({static_cast<int64_t>(blocks_.size()), *next, true});
      for (const int bot : next->bots) ++entrants_[bot].blocks_begun;
    }
    if (chance_.OneIn(2) && ended_ < blocks_.size()) End(ended_++);
    const int bot = chance_.Below(static_cast<int>(entrants_.size()));
    entrants_[bot].rating = {22.0 + chance_.Below(7), 1.0};
    ladder_->Rated(bot, entrants_[bot].rating);
  }
  // One that knows what the store does.
  std::unique_ptr<Ladder> MadeAgain() const {
    const auto next = static_cast<int64_t>(blocks_.size());
    std::vector<PairCount> met;
    std::vector<RecentBlock> recent;
    std::vector<Entrant> entrants = entrants_;
    for (const RecentBlock& block : blocks_) {
      const bool came_to_nothing = nothing_.count(block.number) > 0;
      if (came_to_nothing) continue;
      for (const int bot : block.pairing.bots) ++entrants[bot].blocks;
      if (block.running || (spec_.seats > 2 && block.number >= next - kLadderMemory)) {
        recent.push_back(block);
      } else if (spec_.seats == 2) {
        for (const PairCount& pair : PairsOf(block.pairing)) met.push_back(pair);
      }
    }
    return std::make_unique<Ladder>(spec_, entrants, met, next, recent);
  }
  int64_t blocks() const { return static_cast<int64_t>(blocks_.size()); }
  static std::vector<bool> AtGoal(Ladder* ladder, size_t bots) {
    std::vector<bool> at_goal;
    for (size_t bot = 0; bot < bots; ++bot) {
      at_goal.push_back(ladder->IsAtGoal(static_cast<int>(bot)));
    }
    return at_goal;
  }
  std::vector<bool> AtGoal() { return AtGoal(ladder_.get(), entrants_.size()); }

 private:
  void End(size_t number) {
    RecentBlock& block = blocks_[number];
    block.running = false;
    if (chance_.OneIn(3)) {
      nothing_.insert(block.number);
      return chance_.OneIn(2) ? ladder_->Dropped(block.number) : ladder_->Voided(block.number);
    }
    const std::vector<int> standing(block.pairing.bots.size(), 0);
    ladder_->Played(block.number, OutcomeOf(block.pairing, standing));
  }

  const Spec spec_;
  Chance chance_;
  std::vector<Entrant> entrants_;
  std::vector<RecentBlock> blocks_;  // by number
  std::set<int64_t> nothing_;        // numbers of blocks that came to nothing
  size_t ended_ = 0;                 // of them, the first ones
  std::unique_ptr<Ladder> ladder_;
};

TEST(Ladder, MadeAgainAtAnyBlockMeasuresTheSameForItsGoal) {
  for (const int seats : {2, 3}) {
    Spec spec = SpecOf(Format::kLadder, 8, seats);
    spec.goal_width = seats == 2 ? 60 : 26;  // of three after more blocks than it remembers
    StoredLadder kept(spec, 1);
    int at_goal = 0;
    int not_at_goal = 0;
    for (int step = 0; step < (seats == 2 ? 5'000 : 14'000); ++step) {
      kept.Step();
      if (step % 97 != 0) continue;
      const std::vector<bool> kept_at_goal = kept.AtGoal();
      ASSERT_EQ(StoredLadder::AtGoal(kept.MadeAgain().get(), 8), kept_at_goal)
          << seats << " seats, after " << kept.blocks() << " blocks";
      const auto count = std::count(kept_at_goal.begin(), kept_at_goal.end(), true);
      at_goal += static_cast<int>(count);
      not_at_goal += 8 - static_cast<int>(count);
    }
    EXPECT_GT(at_goal, 50) << seats;
    EXPECT_GT(not_at_goal, 50) << seats;
    EXPECT_GT(kept.blocks(), seats > 2 ? kLadderMemory : 1'000);
  }
}

TEST(Ladder, GoesOnWhenOneThatFellBehindComesOffTheGoal) {
  Spec spec = SpecOf(Format::kLadder, 7);
  spec.goal_width = 50;
  const auto schedule =
      Schedule::MakeLadder(spec, std::vector<Entrant>(7), {{0, 1, 10'000}}, /*next_number=*/0);
  // Its block lasts for long, and the other bot of it leaves: it is there, and nobody waits for it.
  const rating::Pairing slow =
      *schedule->Next({true, false, true, false, false, false, false}, Instant());
  schedule->Withdraw(2);
  const std::vector<int> others =
      PlayAlone(schedule.get(), 1, 200, {false, false, false, true, true, true, true});
  ASSERT_GT(*std::min_element(others.begin() + 3, others.end()), 4 * kLadderLead);
  schedule->Played(0, OutcomeOf(slow, {0, 1}));
  schedule->Rated(0, rating::Rating{300.0, 8.0});  // far from whom it met: that told little
  const std::vector<int> more = PlayAlone(schedule.get(), 201, 500, std::vector<bool>(7, true));
  EXPECT_EQ(std::accumulate(more.begin(), more.end(), 0), 1000);
}

TEST(Ladder, OfBotsThatAreNotAtTheGoalNobodyGetsFurtherAheadThanTheLead) {
  Spec spec = SpecOf(Format::kLadder, 5);
  spec.goal_width = 200;
  const auto schedule =
      Schedule::MakeLadder(spec, std::vector<Entrant>(5), {{0, 1, 1000}}, /*next_number=*/0);
  std::vector<bool> free = {true, true, false, true, true};
  const rating::Pairing slow = *schedule->Next({false, true, true, false, false}, Instant());
  EXPECT_EQ(std::set<int>(slow.bots.begin(), slow.bots.end()), (std::set<int>{1, 2}));
  free[1] = false;
  const std::vector<int> begun = PlayAlone(schedule.get(), 1, 1000, free);
  for (const int bot : {3, 4}) {
    EXPECT_GE(begun[bot], kLadderLead) << bot;
    EXPECT_LE(begun[bot], kLadderLead + 1) << bot;
  }
}

TEST(Ladder, MadeAgainKeepsWhoIsBehind) {
  std::vector<Entrant> entrants(4);
  const int64_t begun[] = {100, 92, 90, 7};
  for (int bot = 0; bot < 4; ++bot) entrants[bot].blocks_begun = begun[bot];
  const auto schedule = Schedule::MakeLadder(SpecOf(Format::kLadder, 4), entrants, {}, 150);
  std::vector<int> more = PlayAlone(schedule.get(), 150, 200, std::vector<bool>(4, true));
  const std::vector<int> of_first = {100 + more[0], 92 + more[1], 90 + more[2]};
  EXPECT_LE(Spread(of_first), kLadderLead);
  EXPECT_LE(more[3], more[0] + 2 * kLadderLead) << "it is not given what it missed";
}

}  // namespace
}  // namespace referee::schedule
