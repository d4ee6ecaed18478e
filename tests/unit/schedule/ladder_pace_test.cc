// Tests of when a ladder with a pace begins its blocks, in its first minutes and later.
#include "referee/schedule/ladder.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/unit/schedule/ladder_runs.h"
#include "tests/unit/schedule/tournament.h"

namespace referee::schedule {
namespace {

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

}  // namespace
}  // namespace referee::schedule
