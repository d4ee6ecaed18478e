// Tests of an organiser's spec: allowed values, and the words of refusals.
#include "referee/schedule/spec.h"

#include <functional>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "referee/base/limits.h"
#include "tests/unit/schedule/tournament.h"

namespace referee::schedule {
namespace {

struct Refusal {
  const char* what;
  Format format;
  int entrants;
  std::function<void(Spec*)> spoil;
  const char* message;
};

TEST(CompetitionSpec, TakesEachFormat) {
  for (const Format format : {Format::kRoundRobin, Format::kGauntlet, Format::kSwiss,
                              Format::kKnockout, Format::kLadder}) {
    EXPECT_EQ(Validate(SpecOf(format, 8)), absl::OkStatus()) << FormatName(format);
    EXPECT_EQ(*ParseFormat(FormatName(format)), format);
  }
  EXPECT_EQ(Validate(SpecOf(Format::kLadder, 0)), absl::OkStatus()) << "bots may join later";
  Spec test = SpecOf(Format::kTest, 2);
  test.sprt = rating::SprtTerms{0, 10};
  EXPECT_EQ(Validate(test), absl::OkStatus());
  EXPECT_EQ(*ParseFormat("test"), Format::kTest);
  EXPECT_EQ(Validate(SpecOf(Format::kRoundRobin, 6, 6)), absl::OkStatus());
}

TEST(CompetitionSpec, NamesTheFormatsThatThereAre) {
  EXPECT_EQ(ParseFormat("swish").status().message(),
            "format: 'swish' is not one of round-robin, gauntlet, swiss, knockout, ladder, test");
}

TEST(CompetitionSpec, RefusesWhatIsImpossibleAndSaysWhatWouldBeRight) {
  const Refusal refusals[] = {
      {"a name with a control character", Format::kSwiss, 8,
       [](Spec* spec) { spec->name = "a\nb"; },
       "name 'a\\nb': expected 1 to 64 bytes of UTF-8 without control characters"},
      {"no name", Format::kSwiss, 8, [](Spec* spec) { spec->name.clear(); },
       "name '': expected 1 to 64 bytes of UTF-8 without control characters"},
      {"no game", Format::kSwiss, 8, [](Spec* spec) { spec->game.clear(); },
       "game '': expected 1 to 64 bytes of UTF-8 without control characters"},
      {"a bot without a name", Format::kSwiss, 8, [](Spec* spec) { spec->entrants[3].clear(); },
       "entrants[3]: '': expected 1 to 64 bytes of UTF-8 without control characters"},
      {"a bot with a long name", Format::kSwiss, 8,
       [](Spec* spec) { spec->entrants[0] = std::string(65, 'x'); }, "entrants[0]: 'xxx"},
      {"a bot twice", Format::kSwiss, 8, [](Spec* spec) { spec->entrants[5] = "bot2"; },
       "entrants[5]: 'bot2' is number 3 of them already; name each bot once"},
      {"a Swiss of three seats", Format::kSwiss, 8, [](Spec* spec) { spec->seats = 3; },
       "format: a swiss is played by 2 seats, not by 3; take a game of 2 seats, or round-robin"},
      {"a knockout of three seats", Format::kKnockout, 8, [](Spec* spec) { spec->seats = 3; },
       "format: a knockout is played by 2 seats, not by 3"},
      {"a game without seats", Format::kRoundRobin, 8, [](Spec* spec) { spec->seats = 0; },
       "seats: 0 is out of range; expected 2 to 10"},
      {"eleven seats", Format::kLadder, 12, [](Spec* spec) { spec->seats = 11; },
       "seats: 11 is out of range; expected 2 to 10"},
      {"fewer bots than seats", Format::kRoundRobin, 3, [](Spec* spec) { spec->seats = 4; },
       "entrants: 3 given; a round-robin of this game needs at least 4"},
      {"a lone bot", Format::kKnockout, 1, [](Spec*) {},
       "entrants: 1 given; a knockout of this game needs at least 2"},
      {"too many bots", Format::kLadder, limits::kMaxEntrants + 1, [](Spec*) {},
       "entrants: 10001 given; a ladder takes at most 10000"},
      {"too many bots for a Swiss", Format::kSwiss, limits::kMaxSwissEntrants + 1, [](Spec*) {},
       "entrants: 1001 given; a swiss takes at most 1000"},
      {"rounds of a ladder", Format::kLadder, 8, [](Spec* spec) { spec->rounds = 3; },
       "rounds: 3 is given, but a ladder has none; leave it out"},
      {"rounds of a knockout", Format::kKnockout, 8, [](Spec* spec) { spec->rounds = 3; },
       "rounds: 3 is given, but a knockout has none; leave it out, or give best_of"},
      {"a test without hypotheses", Format::kTest, 2, [](Spec*) {},
       "sprt: a test needs the hypotheses that it is to tell apart, such as elo0=0,elo1=10"},
      {"a test of the same", Format::kTest, 2,
       [](Spec* spec) {
         spec->sprt = rating::SprtTerms{5, 5};
       },
       "sprt: 'elo0=5,elo1=5,alpha=0.05,beta=0.05': elo0 must be less than elo1"},
      {"a test of three bots", Format::kTest, 3,
       [](Spec* spec) {
         spec->sprt = rating::SprtTerms{0, 10};
       },
       "entrants: 3 given; a test takes at most 2"},
      {"a test of three seats", Format::kTest, 2, [](Spec* spec) { spec->seats = 3; },
       "format: a test is played by 2 seats, not by 3"},
      {"a ladder with hypotheses", Format::kLadder, 8,
       [](Spec* spec) {
         spec->sprt = rating::SprtTerms{0, 10};
       },
       "sprt: it is given, but a ladder has none; leave it out, or take test"},
      {"a priority without bounds", Format::kLadder, 8, [](Spec* spec) { spec->priority = -1001; },
       "priority: -1001 is out of range; expected -1000 to 1000"},
      {"a watch delay below none", Format::kLadder, 8,
       [](Spec* spec) { spec->watch_delay = -absl::Seconds(1); },
       "watch_delay: -1s is out of range; expected 0 to 24h"},
      {"a watch delay of more than a day", Format::kSwiss, 8,
       [](Spec* spec) { spec->watch_delay = absl::Hours(24) + absl::Nanoseconds(1); },
       "watch_delay: 24h0.000000001s is out of range; expected 0 to 24h"},
      {"best_of of a Swiss", Format::kSwiss, 8, [](Spec* spec) { spec->best_of = 3; },
       "best_of: 3 is given, but a swiss has none; leave it out, or give rounds"},
      {"an even best_of", Format::kKnockout, 8, [](Spec* spec) { spec->best_of = 4; },
       "best_of: 4 is even, so that a tie could end level; expected an odd number from 1 to 99"},
      {"best_of without end", Format::kKnockout, 8, [](Spec* spec) { spec->best_of = 101; },
       "best_of: 101 is out of range; expected 0 to 99"},
      {"extra blocks of a Swiss", Format::kSwiss, 8, [](Spec* spec) { spec->extra_blocks = 0; },
       "extra_blocks: 0 is given, but a swiss has none; leave it out"},
      {"extra blocks without end", Format::kKnockout, 8,
       [](Spec* spec) { spec->extra_blocks = 100; },
       "extra_blocks: 100 is out of range; expected 0 to 99"},
      {"negative rounds", Format::kRoundRobin, 8, [](Spec* spec) { spec->rounds = -1; },
       "rounds: -1 is out of range; expected 0 to 1000000"},
      {"more Swiss rounds than can be played anew", Format::kSwiss, 8,
       [](Spec* spec) { spec->rounds = 6; },
       "rounds: 6 rounds in which nobody meets twice cannot be promised to 8 entrants; expected 1 "
       "to 5, or a round-robin"},
      {"the same of an odd number of bots", Format::kSwiss, 5, [](Spec* spec) { spec->rounds = 4; },
       "rounds: 4 rounds in which nobody meets twice cannot be promised to 5 entrants; expected 1 "
       "to 3, or a round-robin"},
      {"tie-breaks of a ladder", Format::kLadder, 8,
       [](Spec* spec) { spec->tie_breaks = {TieBreak::kWins}; },
       "tie_breaks: wins is given, but a ladder has none; leave it out"},
      {"Buchholz of a round robin", Format::kRoundRobin, 8,
       [](Spec* spec) {
         spec->tie_breaks = {TieBreak::kWins, TieBreak::kBuchholz};
       },
       "tie_breaks: buchholz is given, but a round-robin has none; take direct-encounter"},
      {"a tie-break twice", Format::kSwiss, 8,
       [](Spec* spec) {
         spec->tie_breaks = {TieBreak::kWins, TieBreak::kWins};
       },
       "tie_breaks: wins is given twice; name each once"},
      {"blocks for years", Format::kRoundRobin, 2000, [](Spec*) {},
       "rounds, entrants: this round-robin would take 1999000 blocks; at most 1000000"},
      {"blocks for ages", Format::kGauntlet, 10000,
       [](Spec* spec) { spec->rounds = limits::kMaxBlocks; },
       "rounds, entrants: this gauntlet would take 9999000000 blocks"},
      {"fewer than no blocks at once", Format::kLadder, 8,
       [](Spec* spec) { spec->max_running = -1; },
       "max_running: -1 is out of range; expected 0 to "},
      {"no patience", Format::kSwiss, 8,
       [](Spec* spec) { spec->absence_limit = absl::ZeroDuration(); },
       "absence_limit: 0 is out of range; expected 1s to 720h"},
      {"patience for ever", Format::kSwiss, 8,
       [](Spec* spec) { spec->absence_limit = absl::InfiniteDuration(); },
       "absence_limit: inf is out of range; expected 1s to 720h"},
      {"an option twice", Format::kSwiss, 8,
       [](Spec* spec) {
         spec->options = {{"turns", "1"}, {"turns", "2"}};
       },
       "option 'turns': given twice"},
  };
  for (const Refusal& refusal : refusals) {
    Spec spec = SpecOf(refusal.format, refusal.entrants);
    refusal.spoil(&spec);
    const absl::Status status = Validate(spec);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << refusal.what;
    EXPECT_TRUE(absl::StartsWith(status.message(), refusal.message))
        << refusal.what << ": " << status.message();
  }
}

TEST(CompetitionSpec, SwissHasByDefaultTheRoundsThatFindASoleLeader) {
  EXPECT_EQ(Rounds(SpecOf(Format::kSwiss, 2)), 1);
  EXPECT_EQ(Rounds(SpecOf(Format::kSwiss, 7)), 3);
  EXPECT_EQ(Rounds(SpecOf(Format::kSwiss, 8)), 3);
  EXPECT_EQ(Rounds(SpecOf(Format::kSwiss, 9)), 4);
  EXPECT_EQ(Rounds(SpecOf(Format::kRoundRobin, 9)), 1);
  EXPECT_EQ(Rounds(SpecOf(Format::kLadder, 9)), 0);
}

TEST(CompetitionSpec, NamesTieBreaks) {
  const std::vector<TieBreak> all = TieBreaks(SpecOf(Format::kSwiss, 8));
  EXPECT_EQ(TieBreaksText(all), "buchholz,buchholz-cut-1,direct-encounter,sonneborn-berger,wins");
  EXPECT_EQ(*ParseTieBreaks(TieBreaksText(all)), all);
  EXPECT_EQ(*ParseTieBreaks("wins, buchholz"),
            (std::vector<TieBreak>{TieBreak::kWins, TieBreak::kBuchholz}));
  EXPECT_EQ(*ParseTieBreaks("none"), std::vector<TieBreak>());
  EXPECT_EQ(TieBreaksText({}), "none");
  EXPECT_EQ(ParseTieBreaks("wins,luck").status().message(),
            "tie_breaks: 'luck' is not one of buchholz, buchholz-cut-1, direct-encounter, "
            "sonneborn-berger, wins, or none alone");
}

TEST(CompetitionSpec, CountsBlocksBeforeTheyArePlayed) {
  EXPECT_EQ(PlannedBlocks(SpecOf(Format::kRoundRobin, 9)), 36);
  EXPECT_EQ(PlannedBlocks(SpecOf(Format::kRoundRobin, 7, 3)), 7) << "three turns each";
  EXPECT_EQ(PlannedBlocks(SpecOf(Format::kGauntlet, 9)), 8);
  EXPECT_EQ(PlannedBlocks(SpecOf(Format::kGauntlet, 8, 3)), 7) << "two turns each of seven";
  EXPECT_EQ(PlannedBlocks(SpecOf(Format::kSwiss, 9)), 16);
  EXPECT_EQ(PlannedBlocks(SpecOf(Format::kKnockout, 9)), 8);
  EXPECT_EQ(PlannedBlocks(SpecOf(Format::kLadder, 9)), -1);
}

}  // namespace
}  // namespace referee::schedule
