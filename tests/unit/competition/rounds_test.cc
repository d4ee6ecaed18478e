// Tests of rounds and brackets, read page by page, while names change or disappear.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "referee/store/removal.h"
#include "tests/unit/competition/competition_fixture.h"

namespace referee::testing {
namespace {

using competition::RoundLine;
using competition::RoundPage;
using schedule::Format;
using schedule::PairingState;
using ::testing::HasSubstr;
using ::testing::SizeIs;

std::vector<Player> Players() {
  return {{"ada"}, {"bea", 8, true}, {"cleo"}, {"dora", 8, true}, {"eve"}};
}

std::vector<std::string> Names(int bots) {
  const std::vector<std::string> all = {"ada", "bea", "cleo", "dora", "eve"};
  return {all.begin(), all.begin() + bots};
}

class CompetitionRounds : public ::testing::Test {
 protected:
  void Play(Format format, int bots) {
    contest_.Boot();
    contest_.Start(CompetitionFixture::SpecOf(format, Names(bots)));
    ASSERT_TRUE(contest_.RunToEnd());
  }
  RoundPage Page(int round = 0, size_t from = 0, int limit = 100) {
    return contest_.competitions().Rounds("cup", round, from, limit).value();
  }

  CompetitionFixture contest_{Players()};
};

TEST_F(CompetitionRounds, OfASwissAddUpToThePointsOfTheTable) {
  Play(Format::kSwiss, 5);
  std::map<std::string, double> points;
  for (const RoundLine& line : Page().lines) {
    for (size_t place = 0; place < line.pairing.bots.size(); ++place) {
      points[Names(5)[line.pairing.bots[place]]] +=
          static_cast<double>(line.pairing.points[place]) / 2;
    }
  }
  const competition::StandingsView table = contest_.competitions().Standings("cup").value();
  int byes = 0;
  for (const competition::Standing& line : table.standings) {
    EXPECT_EQ(line.points, points[line.entrant.name]) << line.entrant.name;
    byes += line.byes;
  }
  EXPECT_EQ(byes, 3) << "one in each round of five bots";
}

TEST_F(CompetitionRounds, OfARoundRobinHoldEachBlockOnce) {
  Play(Format::kRoundRobin, 4);
  const RoundPage page = Page();
  ASSERT_THAT(page.lines, SizeIs(6));
  for (const RoundLine& line : page.lines) {
    EXPECT_EQ(line.pairing.state, PairingState::kPlayed);
    EXPECT_THAT(line.pairing.blocks, SizeIs(1));
    EXPECT_EQ(line.pairing.points[0] + line.pairing.points[1], 4);
  }
  EXPECT_EQ(page.lines.back().pairing.round, 3);
}

TEST_F(CompetitionRounds, AreKnownBeforeTheStart) {
  contest_.Boot();
  ASSERT_TRUE(contest_.competitions()
                  .Create(CompetitionFixture::SpecOf(Format::kRoundRobin, Names(4)), "", "local")
                  .ok());
  const RoundPage page = Page();
  ASSERT_THAT(page.lines, SizeIs(6));
  for (const RoundLine& line : page.lines) {
    EXPECT_EQ(line.pairing.state, PairingState::kWaiting);
  }
}

TEST_F(CompetitionRounds, AreReadPageByPageAndRoundByRound) {
  Play(Format::kRoundRobin, 4);
  EXPECT_THAT(Page(2).lines, SizeIs(2));
  const RoundPage first = Page(0, 0, 4);
  EXPECT_THAT(first.lines, SizeIs(4));
  ASSERT_TRUE(first.next.has_value());
  const RoundPage rest = Page(0, *first.next, 4);
  EXPECT_THAT(rest.lines, SizeIs(2));
  EXPECT_FALSE(rest.next.has_value());
}

// The blocks of the pairings that have any, as they stand.
std::string StatesOf(const RoundPage& page) {
  std::string text;
  for (const RoundLine& line : page.lines) {
    absl::StrAppend(&text, line.pairing.blocks.empty() ? -1 : line.pairing.blocks[0], ":",
                    static_cast<int>(line.pairing.state), " ");
  }
  return text;
}

TEST_F(CompetitionRounds, ThatGoOnAreReadOnceForAllTheirPages) {
  contest_.Boot();
  schedule::Spec spec = CompetitionFixture::SpecOf(Format::kRoundRobin, Names(5));
  spec.max_running = 1;
  contest_.Start(spec);
  ASSERT_TRUE(contest_.RunUntil([&] { return contest_.Row().counted >= 2; }));
  const int& lists = contest_.process_store().block_lists;
  const int before = lists;
  const RoundPage first = Page(0, 0, 3);
  const int each = lists - before;
  EXPECT_GT(each, 0);
  ASSERT_TRUE(first.next.has_value());
  EXPECT_THAT(Page(0, *first.next, 3).lines, SizeIs(3));
  Page(0, 0, 3);
  EXPECT_EQ(lists, before + each) << "nothing has changed";
  const int64_t counted = contest_.Row().counted;
  ASSERT_TRUE(contest_.RunUntil([&] { return contest_.Row().counted > counted; }));
  Page(0, 0, 3);
  EXPECT_GT(lists, before + each);
}

TEST_F(CompetitionRounds, OfALaterPageAreThoseOfTheFirstForAWhile) {
  contest_.Boot();
  for (const Format format : {Format::kRoundRobin, Format::kSwiss}) {
    schedule::Spec spec = CompetitionFixture::SpecOf(format, Names(5));
    spec.name = std::string(schedule::FormatName(format));
    spec.max_running = 1;
    spec.rounds = 2;
    ASSERT_TRUE(contest_.competitions().Create(spec, "", "local").ok());
    ASSERT_TRUE(contest_.competitions().Start(spec.name, "local").ok());
    const auto page = [&](size_t from) {
      return contest_.competitions().Rounds(spec.name, 0, from, 100).value();
    };
    ASSERT_TRUE(contest_.RunUntil([&] { return contest_.Row(spec.name).counted >= 1; }));
    RoundPage first = page(0);
    const absl::Time then = contest_.clock().WallNow();
    ASSERT_TRUE(contest_.RunUntil([&] { return contest_.Row(spec.name).counted >= 2; }));
    ASSERT_LT(contest_.clock().WallNow() - then, absl::Seconds(5));
    first.lines.erase(first.lines.begin());
    EXPECT_EQ(StatesOf(page(1)), StatesOf(first));
    const std::string now = StatesOf(page(0));
    EXPECT_NE(now.substr(now.find(' ') + 1), StatesOf(first));
    ASSERT_TRUE(contest_.RunToEnd(spec.name));
    const std::string over = StatesOf(page(0));
    EXPECT_EQ(over.find(absl::StrCat(":", static_cast<int>(PairingState::kRunning))),
              std::string::npos);
  }
}

TEST_F(CompetitionRounds, OfAKnockoutAreItsBracket) {
  Play(Format::kKnockout, 5);
  const RoundPage page = Page();
  ASSERT_THAT(page.lines, SizeIs(7));
  EXPECT_EQ(page.lines[0].pairing.state, PairingState::kBye);
  const schedule::RoundPairing& final = page.lines.back().pairing;
  EXPECT_EQ(final.round, 3);
  ASSERT_GE(final.winner, 0);
  EXPECT_NE(final.decision, schedule::TieDecision::kNone);
  const competition::StandingsView table = contest_.competitions().Standings("cup").value();
  EXPECT_EQ(table.standings.front().entrant.name, Names(5)[final.winner]);
}

TEST_F(CompetitionRounds, CountTheMatchesThatABotForfeited) {
  contest_.player("bea").answers = false;
  Play(Format::kRoundRobin, 2);
  const RoundPage page = Page();
  ASSERT_THAT(page.lines, SizeIs(1));
  const RoundLine& line = page.lines.front();
  const size_t bea = line.pairing.bots[0] == 1 ? 0 : 1;
  EXPECT_EQ(line.forfeits[bea], 2);
  EXPECT_EQ(line.forfeits[1 - bea], 0);
}

TEST_F(CompetitionRounds, ThatDoNotExistAreNotFound) {
  Play(Format::kRoundRobin, 4);
  const auto page = contest_.competitions().Rounds("cup", 9, 0, 10);
  EXPECT_TRUE(absl::IsNotFound(page.status()));
  EXPECT_THAT(std::string(page.status().message()), HasSubstr("has no round 9; it has 3 rounds"));
}

TEST_F(CompetitionRounds, OfASwissAreNotFoundBeforeTheyArePaired) {
  contest_.Boot();
  schedule::Spec spec = CompetitionFixture::SpecOf(Format::kSwiss, Names(4));
  spec.rounds = 3;
  ASSERT_TRUE(contest_.competitions().Create(spec, "", "local").ok());
  const auto message = [&](int round) {
    return std::string(contest_.competitions().Rounds("cup", round, 0, 10).status().message());
  };
  EXPECT_EQ(message(1), "");
  EXPECT_THAT(message(2), HasSubstr("round 2 is not paired yet; only 1 of 3 rounds is paired"));
  EXPECT_THAT(message(4), HasSubstr("has no round 4; it has 3 rounds"));
}

TEST_F(CompetitionRounds, AreNotThereForALadder) {
  contest_.Boot();
  contest_.Start(CompetitionFixture::SpecOf(Format::kLadder, Names(3)));
  const auto page = contest_.competitions().Rounds("cup", 0, 0, 10);
  EXPECT_TRUE(absl::IsFailedPrecondition(page.status()));
  EXPECT_THAT(std::string(page.status().message()), HasSubstr("has no rounds"));
}

// --- Names ---

class CompetitionName : public CompetitionRounds {
 protected:
  absl::Status Rename(absl::string_view name, const std::string& to) {
    const auto change = [&](schedule::Spec* spec) {
      spec->name = to;
      return absl::OkStatus();
    };
    return contest_.competitions().Update(name, change, "olga").status();
  }
};

TEST_F(CompetitionName, MayChangeWhileItRuns) {
  contest_.Boot();
  contest_.Start(CompetitionFixture::SpecOf(Format::kRoundRobin, Names(4)));
  ASSERT_TRUE(Rename("cup", "spring cup").ok());
  EXPECT_TRUE(contest_.RunToEnd("spring cup"));
  EXPECT_TRUE(absl::IsNotFound(contest_.competitions().Get("cup").status()));
  const auto audit = contest_.store().ListAudit(0, 10);
  ASSERT_TRUE(audit.ok());
  EXPECT_EQ(audit->front().action, "competition.set");
  EXPECT_EQ(audit->front().detail, "name 'spring cup', was 'cup'");
}

TEST_F(CompetitionName, IsNotTakenFromAnother) {
  Play(Format::kRoundRobin, 2);
  schedule::Spec other = CompetitionFixture::SpecOf(Format::kRoundRobin, Names(2));
  other.name = "other";
  ASSERT_TRUE(contest_.competitions().Create(other, "", "local").ok());
  EXPECT_TRUE(absl::IsAlreadyExists(Rename("cup", "other")));
  EXPECT_TRUE(absl::IsInvalidArgument(Rename("cup", "a\nb")));
}

TEST_F(CompetitionName, IsFreeOnceTheCompetitionIsRemoved) {
  Play(Format::kRoundRobin, 3);
  ASSERT_TRUE(contest_.competitions().Remove("cup", "olga").ok());
  EXPECT_TRUE(absl::IsNotFound(contest_.competitions().Get("cup").status()));
  const auto audit = contest_.store().ListAudit(0, 1);
  ASSERT_TRUE(audit.ok());
  const auto removal = store::RemovalIn(audit->front());
  ASSERT_TRUE(removal.has_value()) << audit->front().detail;
  EXPECT_EQ(removal->blocks, 3);
  EXPECT_EQ(audit->front().subject, "cup");
  contest_.Start(CompetitionFixture::SpecOf(Format::kRoundRobin, Names(2)));
  EXPECT_TRUE(contest_.RunToEnd());
}

TEST_F(CompetitionName, IsForgottenAlsoWhenItIsRemovedBeforeTheNextStep) {
  Play(Format::kRoundRobin, 2);
  ASSERT_TRUE(Rename("cup", "old").ok());  // calls for a step
  ASSERT_TRUE(contest_.competitions().Remove("old", "olga").ok());
  contest_.RunFor(absl::Minutes(5));
  EXPECT_THAT(contest_.log(), ::testing::Not(::testing::Contains(HasSubstr("cannot go on"))));
  contest_.Start(CompetitionFixture::SpecOf(Format::kRoundRobin, Names(2)));
  EXPECT_TRUE(contest_.RunToEnd());
}

TEST_F(CompetitionName, IsOfNoMatterToWhoAsksById) {
  contest_.Boot();
  const store::CompetitionId id =
      contest_.Start(CompetitionFixture::SpecOf(Format::kRoundRobin, Names(4)));
  const auto watched = contest_.competitions().Watch("cup", [] {});
  ASSERT_TRUE(watched.ok()) << watched.status();
  EXPECT_EQ(watched->competition, id);
  ASSERT_TRUE(Rename("cup", "spring cup").ok());
  const auto table = contest_.competitions().Standings(watched->competition);
  ASSERT_TRUE(table.ok()) << table.status();
  EXPECT_EQ(table->view.competition.spec.name, "spring cup");
}

TEST_F(CompetitionName, StaysWhileItRuns) {
  contest_.Boot();
  contest_.Start(CompetitionFixture::SpecOf(Format::kLadder, Names(3)));
  const absl::Status removed = contest_.competitions().Remove("cup", "olga");
  EXPECT_TRUE(absl::IsFailedPrecondition(removed));
  EXPECT_THAT(std::string(removed.message()), HasSubstr("finish it first"));
}

}  // namespace
}  // namespace referee::testing
