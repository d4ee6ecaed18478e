#include "referee/ctl/competition/tables.h"
#include "referee/ctl/competition/text.h"

#include <limits>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace referee::ctl {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

v1::Competition Running() {
  v1::Competition competition;
  competition.mutable_spec()->set_name("spring");
  competition.mutable_spec()->set_format(v1::COMPETITION_FORMAT_ROUND_ROBIN);
  competition.mutable_spec()->set_seats(2);
  competition.mutable_spec()->mutable_options()->mutable_hypnosia();
  competition.set_state(v1::COMPETITION_STATE_RUNNING);
  competition.set_blocks_counted(12);
  competition.set_blocks_running(3);
  competition.set_blocks_left(25);
  competition.set_blocks_lately(20);
  competition.mutable_lately()->set_seconds(600);
  return competition;
}

TEST(CompetitionText, TellsHowFarItIsAndWhenItEnds) {
  EXPECT_EQ(ProgressText(Running()),
            "running, 12 blocks counted, 3 running, 25 to come, 2.0 a minute, about 14m left");
}

TEST(CompetitionText, GuessesNoEndOfWhatHasNone) {
  v1::Competition ladder = Running();
  ladder.clear_blocks_left();
  EXPECT_FALSE(TimeLeft(ladder).has_value());
  EXPECT_THAT(ProgressText(ladder), Not(HasSubstr("left")));
  v1::Competition slow = Running();
  slow.set_blocks_lately(0);
  EXPECT_FALSE(TimeLeft(slow).has_value()) << "nothing was played lately";
  v1::Competition paused = Running();
  paused.set_state(v1::COMPETITION_STATE_PAUSED);
  EXPECT_FALSE(TimeLeft(paused).has_value());
}

TEST(CompetitionText, SaysWhatItWaitsFor) {
  v1::Competition competition = Running();
  competition.set_waits_for("bots that are not connected: 'carol'");
  EXPECT_THAT(ProgressText(competition),
              HasSubstr("; waits: bots that are not connected: 'carol'"));
}

TEST(CompetitionText, TellsHowLevelTiesGoOnAndWhereLotsComeFrom) {
  v1::Competition competition = Running();
  competition.mutable_spec()->set_format(v1::COMPETITION_FORMAT_KNOCKOUT);
  competition.mutable_spec()->set_best_of(3);
  competition.mutable_spec()->set_extra_blocks(4);
  competition.set_lot_commitment(std::string(32, '\x0a'));
  EXPECT_THAT(CompetitionText(competition),
              HasSubstr("\nseats 2, best of 3, level ties go on for 4 blocks at most, dice "));
  std::string commitment = "lot commitment ";
  for (int i = 0; i < 32; ++i) commitment += "0a";
  EXPECT_THAT(CompetitionText(competition), HasSubstr(commitment + "\n"));
  EXPECT_THAT(CompetitionText(competition), Not(HasSubstr("lot seed")));
}

TEST(CompetitionText, SaysHowUnevenlyBotsMeetAndSitAndNothingWhenTheyDoNot) {
  v1::Competition competition = Running();
  competition.mutable_spec()->set_seats(3);
  v1::Evenness* even = competition.mutable_evenness();
  even->set_least_meetings(4);
  even->set_most_meetings(4);
  even->set_least_after(2);
  even->set_most_after(2);
  EXPECT_THAT(CompetitionText(competition), Not(HasSubstr("uneven")));
  EXPECT_THAT(StandingsText(competition, {}), Not(HasSubstr("uneven")));
  even->set_least_after(1);
  const char kPlanned[] =
      "\nuneven as planned: two bots meet 4 times, one sits right after the other 1 to 2 times\n";
  EXPECT_THAT(CompetitionText(competition), HasSubstr(kPlanned));
  EXPECT_THAT(StandingsText(competition, {}), HasSubstr(kPlanned));
  competition.set_state(v1::COMPETITION_STATE_FINISHED);
  even->set_least_meetings(0);
  even->set_most_meetings(1);
  even->set_most_after(1);
  EXPECT_THAT(
      CompetitionText(competition),
      HasSubstr("\nuneven: two bots met 0 to 1 times, one sat right after the other once\n"));
}

TEST(CompetitionText, OfTwoSeatsSaysNothingOfWhoSitsAfterWhomAndOfAGauntletWhomTheOthersMeet) {
  v1::Competition competition = Running();
  competition.mutable_spec()->set_format(v1::COMPETITION_FORMAT_GAUNTLET);
  competition.mutable_evenness()->set_least_meetings(3);
  competition.mutable_evenness()->set_most_meetings(4);
  EXPECT_THAT(CompetitionText(competition),
              HasSubstr("\nuneven as planned: the first entrant and another meet 3 to 4 times\n"));
}

TEST(CompetitionText, StandingsAreATable) {
  google::protobuf::RepeatedPtrField<v1::Standing> standings;
  v1::Standing* first = standings.Add();
  first->set_rank(1);
  first->set_bot("alice");
  first->set_blocks(6);
  first->set_wins(9);
  first->set_draws(1);
  first->set_losses(2);
  first->set_points(9.5);
  first->set_elo(123.4);
  first->set_elo_error(45.2);
  first->set_elo_at_least(78.2);
  first->set_elo_at_most(168.6);
  first->set_superiority(0.987);
  first->set_connected(true);
  v1::Standing* second = standings.Add();
  second->set_rank(2);
  second->set_bot("bob");
  second->set_elo_error(std::numeric_limits<double>::infinity());
  second->set_remark("withdrawn");
  EXPECT_EQ(StandingsText(Running(), standings),
            "spring: running, 12 blocks counted, 3 running, 25 to come, 2.0 a minute, about 14m "
            "left\n"
            "rank  bot    blocks  won-drawn-lost  points       elo  superiority  remark\n"
            "   1  alice       6           9-1-2     9.5  +123 ±45        98.7%\n"
            "   2  bob         0           0-0-0     0.0         -               withdrawn; "
            "offline\n");
}

TEST(CompetitionText, StandingsHaveAColumnForVersionsWhereABotHasOne) {
  v1::Competition ladder = Running();
  ladder.set_season(2);
  ladder.mutable_season_start_time()->set_seconds(60);
  ladder.mutable_spec()->clear_entrants();
  ladder.mutable_spec()->add_entrants("alice");
  ladder.mutable_spec()->add_entrants("bob");
  ladder.add_entrant_versions("1.2");
  ladder.add_entrant_versions("");
  google::protobuf::RepeatedPtrField<v1::Standing> standings;
  for (const char* bot : {"alice", "bob"}) {
    v1::Standing* line = standings.Add();
    line->set_bot(bot);
    line->set_season(1);
  }
  standings[0].set_version("1.2");
  const std::string text = StandingsText(ladder, standings);
  EXPECT_THAT(text, HasSubstr("spring, season 1 (over): running"));
  EXPECT_THAT(text, HasSubstr("rank  bot    version  blocks"));
  EXPECT_THAT(text, HasSubstr("   -  alice  1.2           0"));
  EXPECT_THAT(text, HasSubstr("   -  bob    -             0"));
  EXPECT_THAT(CompetitionText(ladder), HasSubstr("entrants 2: alice 1.2, bob\n"
                                                 "season 2, since 1970-01-01 00:01:00 UTC\n"));
}

TEST(CompetitionText, RatingsOfWideIntervalsAreABound) {
  v1::Standing line;
  line.set_elo(311);
  line.set_elo_error(2496);
  line.set_elo_at_least(-2185);
  EXPECT_EQ(EloText(line), "at least -2185");
  line.set_elo(-941);
  line.set_elo_error(372);
  line.clear_elo_at_least();
  line.set_elo_at_most(-569);
  EXPECT_EQ(EloText(line), "at most -569");
  EXPECT_EQ(EloText(line, /*anchored=*/true), "at most -569");
  line.set_elo_error(300);
  line.set_elo_at_least(-1241);
  line.set_elo_at_most(-641);
  EXPECT_EQ(EloText(line), "-941 ±300");

  google::protobuf::RepeatedPtrField<v1::Standing> standings;
  *standings.Add() = line;
  EXPECT_THAT(StandingsText(Running(), standings), Not(HasSubstr("one bound")));
  standings.Mutable(0)->clear_elo_at_least();
  EXPECT_THAT(StandingsText(Running(), standings),
              HasSubstr("one bound of a 95 % interval that is wider than 600"));
}

TEST(CompetitionText, RemarksThatDoNotFitAreWholeBelowTheTable) {
  google::protobuf::RepeatedPtrField<v1::Standing> standings;
  v1::Standing* line = standings.Add();
  line->set_rank(1);
  line->set_bot("alice");
  line->set_elo_error(std::numeric_limits<double>::infinity());
  line->set_connected(true);
  line->set_remark(
      "set aside: it did not answer in time in three matches in a row, the last was in block 7");
  line->set_forfeits(3);
  const std::string wide = StandingsText(Running(), standings);
  EXPECT_THAT(wide, HasSubstr("superiority  remark\n"));
  EXPECT_THAT(wide, HasSubstr("the last was in block 7; forfeited 3 matches\n"));
  StandingsStyle style;
  style.width = 80;
  const std::string narrow = StandingsText(Running(), standings, style);
  EXPECT_THAT(narrow, HasSubstr("elo  superiority\n"));
  EXPECT_THAT(narrow, HasSubstr("\nalice: set aside: it did not answer in time in three matches in "
                                "a row, the last\n    was in block 7; forfeited 3 matches\n"));
}

TEST(CompetitionText, TellsNoEndWhileABotIsWaitedForAndNoneOfATest) {
  v1::Competition waits = Running();
  waits.set_waits_for("bots that are not connected: 'carol'");
  EXPECT_THAT(ProgressText(waits), Not(HasSubstr("left")));
  EXPECT_THAT(ProgressText(waits), HasSubstr("; waits: bots that are not connected: 'carol'"));
  v1::Competition test = Running();
  test.mutable_test();
  EXPECT_THAT(ProgressText(test), HasSubstr(", at most 25 to come, 2.0 a minute"));
  EXPECT_THAT(ProgressText(test), Not(HasSubstr("left")));
}

TEST(CompetitionText, StandingsOfASwissSayThatTheirIntervalsAreTooNarrow) {
  google::protobuf::RepeatedPtrField<v1::Standing> standings;
  v1::Standing* line = standings.Add();
  line->set_bot("alice");
  line->set_elo_error(std::numeric_limits<double>::infinity());
  v1::Competition competition = Running();
  competition.mutable_spec()->set_format(v1::COMPETITION_FORMAT_SWISS);
  EXPECT_THAT(StandingsText(competition, standings), Not(HasSubstr("elo:")));
  line->set_elo_error(45.2);
  EXPECT_THAT(
      StandingsText(competition, standings),
      HasSubstr("\nelo: too far apart, with intervals that are too narrow, as results choose "
                "who meets whom in a Swiss\n(in simulations they held in 49 to 95 % of "
                "cases, not in 95 %); so does superiority claim too much\n"));
  EXPECT_THAT(StandingsText(Running(), standings), Not(HasSubstr("elo:")));
}

TEST(CompetitionText, StandingsMarkProvisionalBots) {
  v1::Competition ladder = Running();
  ladder.mutable_spec()->set_format(v1::COMPETITION_FORMAT_LADDER);
  ladder.mutable_spec()->set_provisional_width(150);
  google::protobuf::RepeatedPtrField<v1::Standing> standings;
  v1::Standing* line = standings.Add();
  line->set_bot("alice");
  line->set_elo_error(80);
  line->set_provisional(true);
  line->set_remark("takes 1 match at once");
  const std::string table = StandingsText(ladder, standings);
  EXPECT_THAT(table, HasSubstr("\n   -  alice "));
  EXPECT_THAT(table, HasSubstr("provisional; takes 1 match at once; offline\n"));
  EXPECT_THAT(CompetitionText(ladder),
              HasSubstr("bots are provisional until their intervals are narrower than 150 Elo"));
}

TEST(CompetitionText, SaysHowMuchLaterOnlookersAreTold) {
  v1::Competition competition;
  EXPECT_THAT(CompetitionText(competition), Not(HasSubstr("onlookers")));
  competition.mutable_spec()->mutable_watch_delay()->set_seconds(90);
  EXPECT_THAT(CompetitionText(competition), HasSubstr("onlookers are told 1m30s later"));
}

TEST(CompetitionText, SaysOnHowManyRefereesItIsPlayed) {
  v1::Competition competition;
  EXPECT_THAT(CompetitionText(competition), Not(HasSubstr("referees")));
  competition.mutable_spec()->set_homes(3);
  EXPECT_THAT(CompetitionText(competition),
              HasSubstr("played on up to 3 referees, or on all that share its store if they are "
                        "fewer"));
}

TEST(CompetitionText, SaysFromHowManyPositionsBlocksStart) {
  v1::Competition competition;
  EXPECT_EQ(CompetitionText(competition).find("blocks start from"), std::string::npos);
  competition.set_position_count(12);
  EXPECT_THAT(CompetitionText(competition),
              HasSubstr("\nblocks start from 12 positions, from each once before any comes "
                        "again\n"));
  competition.set_position_count(1);
  EXPECT_THAT(CompetitionText(competition), HasSubstr("\nblocks start from 1 position\n"));
}

TEST(CompetitionText, SaysHowFastALadderPlaysAndUntilWhen) {
  v1::Competition ladder = Running();
  ladder.mutable_spec()->set_format(v1::COMPETITION_FORMAT_LADDER);
  ladder.mutable_spec()->set_pace(0.5);
  ladder.mutable_spec()->set_goal_width(20);
  EXPECT_THAT(CompetitionText(ladder),
              HasSubstr("at most 0.5 blocks a minute of each bot, rests when all intervals are "
                        "narrower than 20 Elo"));
}

TEST(CompetitionText, StandingsShowSharesWherePointsDoNotSayWhoStandsWhere) {
  v1::Competition gauntlet = Running();
  google::protobuf::RepeatedPtrField<v1::Standing> standings;
  for (const char* name : {"alice", "bob", "solo"}) {
    v1::Standing* line = standings.Add();
    line->set_bot(name);
    line->set_rank(static_cast<uint32_t>(standings.size()));
    line->set_blocks(2);
    line->set_elo_error(std::numeric_limits<double>::infinity());
    line->set_connected(true);
    line->set_share(0.5);
  }
  standings.Mutable(2)->set_rank(0);
  standings.Mutable(2)->set_blocks(4);
  EXPECT_THAT(StandingsText(gauntlet, standings), Not(HasSubstr("share")));
  EXPECT_THAT(StandingsText(gauntlet, standings), HasSubstr("\n   -  solo "));
  standings.Mutable(1)->set_blocks(1);
  EXPECT_THAT(StandingsText(gauntlet, standings), HasSubstr("points  share  elo"));
  EXPECT_THAT(StandingsText(gauntlet, standings), HasSubstr("0.0  50.0%"));
}

TEST(CompetitionText, StandingsNameTieBreaksAfterPointsInTheirOrder) {
  v1::Competition swiss = Running();
  swiss.mutable_spec()->set_format(v1::COMPETITION_FORMAT_SWISS);
  google::protobuf::RepeatedPtrField<v1::Standing> standings;
  v1::Standing* line = standings.Add();
  line->set_rank(1);
  line->set_bot("alice");
  line->set_elo_error(std::numeric_limits<double>::infinity());
  line->set_connected(true);
  for (const auto tie_break :
       {v1::TIE_BREAK_BUCHHOLZ_CUT_1, v1::TIE_BREAK_DIRECT_ENCOUNTER, v1::TIE_BREAK_WINS}) {
    swiss.mutable_spec()->add_tie_breaks(tie_break);
    v1::TieBreakValue* value = line->add_tie_breaks();
    value->set_tie_break(tie_break);
    if (tie_break != v1::TIE_BREAK_DIRECT_ENCOUNTER) value->set_value(4);
  }
  const std::string table = StandingsText(swiss, standings, {/*wide=*/true});
  EXPECT_EQ(
      table.substr(table.find('\n') + 1),
      "rank  bot    blocks  won-drawn-lost  points  buchholz-cut-1  direct-encounter  wins  "
      "elo  superiority  void (late)  given back  time losses  lost links  remark\n"
      "   1  alice       0           0-0-0     0.0             4.0                 -     4    "
      "-                     0 (0)         0 s            0           0\n");
  EXPECT_THAT(CompetitionText(swiss),
              HasSubstr("\ntie-breaks buchholz-cut-1, direct-encounter, wins\n"));
}

v1::Block PlayedBlock() {
  v1::Block block;
  block.set_number(7);
  block.add_bots("alice");
  block.add_bots("bob");
  block.set_state(v1::BLOCK_STATE_PLAYED);
  for (const uint32_t rotation : {0, 1}) {
    v1::BlockMatch* match = block.add_matches();
    match->set_match_id(rotation == 0 ? "m0" : "m1");
    match->set_rotation(rotation);
    match->add_scores(12);
    match->add_scores(-3);
    match->add_ranks(1);
    match->add_ranks(2);
  }
  v1::SeatForfeit* forfeit = block.mutable_matches(1)->add_forfeits();
  forfeit->set_seat(1);
  forfeit->set_cause(v1::FORFEIT_CAUSE_TIMEOUT);
  return block;
}

TEST(CompetitionText, MatchesNameTheBotsBySeat) {
  google::protobuf::RepeatedPtrField<v1::Block> blocks;
  *blocks.Add() = PlayedBlock();
  EXPECT_EQ(Printed(MatchesTable(), MatchesOf(blocks), Form::kTable),
            "block  rotation  match  ranks  scores         bots by seat\n"
            "    7         0  m0     1 2    12 -3          alice, bob\n"
            "    7         1  m1     1 2    12 -3!TIMEOUT  bob, alice\n");
}

TEST(CompetitionText, BlocksAreALineEachWithResultsByBot) {
  google::protobuf::RepeatedPtrField<v1::Block> blocks;
  *blocks.Add() = PlayedBlock();
  blocks.Mutable(0)->set_replayed(1);
  EXPECT_THAT(Printed(BlocksTable(), blocks, Form::kTable, false),
              HasSubstr("7  played, attempt 2  1970-01-01 00:00:00 UTC  alice, bob  1.0 1.0  12 -3 "
                        "| -3!TIMEOUT 12\n"));
}

}  // namespace
}  // namespace referee::ctl
