#include "referee/ctl/competition/tables.h"

#include <limits>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace referee::ctl {
namespace {

google::protobuf::RepeatedPtrField<v1::Standing> OneStanding() {
  google::protobuf::RepeatedPtrField<v1::Standing> standings;
  v1::Standing* line = standings.Add();
  line->set_rank(1);
  line->set_bot("=alice");
  line->set_blocks(3);
  line->set_wins(4);
  line->set_draws(1);
  line->set_losses(1);
  line->set_points(4.5);
  line->set_elo(-12.25);
  line->set_elo_error(std::numeric_limits<double>::infinity());
  line->set_version("-1,2");
  line->set_season(3);
  line->set_succeeded(true);
  return standings;
}

std::string Export(const google::protobuf::RepeatedPtrField<v1::Standing>& standings, Form form) {
  return Printed(StandingsExport(standings), standings, form);
}

TEST(Export, StandingsAsCsvHaveAHeaderAndALineABot) {
  EXPECT_EQ(
      Export(OneStanding(), Form::kCsv),
      "rank,bot,blocks,wins,draws,losses,forfeits,points,tie_break,elo,elo_error,"
      "superiority,connected,remark,share,annulled,forfeited_blocks,walkovers,provisional,version,"
      "season,succeeded,byes,elo_low,elo_high\r\n"
      "1,\"=alice\",3,4,1,1,0,4.5,0,-12.25,,,false,,,false,0,0,false,"
      "\"-1,2\",3,true,0,,\r\n");
}

TEST(Export, StandingsAsJsonHaveNullForWhatIsNotKnown) {
  const auto json = nlohmann::json::parse(Export(OneStanding(), Form::kJson));
  EXPECT_EQ(json["bot"], "=alice");
  EXPECT_EQ(json["elo"], -12.25);
  EXPECT_TRUE(json["elo_error"].is_null());
  EXPECT_TRUE(json["superiority"].is_null());
  EXPECT_EQ(json["version"], "-1,2");
  EXPECT_EQ(json["season"], 3);
  EXPECT_EQ(json["succeeded"], true);
}

TEST(Export, StandingsNameTheirTieBreaks) {
  google::protobuf::RepeatedPtrField<v1::Standing> standings = OneStanding();
  v1::TieBreakValue* value = standings.Mutable(0)->add_tie_breaks();
  value->set_tie_break(v1::TIE_BREAK_BUCHHOLZ_CUT_1);
  value->set_value(7.5);
  standings.Mutable(0)->add_tie_breaks()->set_tie_break(v1::TIE_BREAK_DIRECT_ENCOUNTER);
  EXPECT_EQ(Export(standings, Form::kCsv),
            "rank,bot,blocks,wins,draws,losses,forfeits,points,tie_break,elo,elo_error,"
            "superiority,connected,remark,tie_break_buchholz_cut_1,tie_break_direct_encounter,"
            "share,annulled,forfeited_blocks,walkovers,provisional,version,season,succeeded,byes,"
            "elo_low,elo_high\r\n"
            "1,\"=alice\",3,4,1,1,0,4.5,0,-12.25,,,false,,7.5,,,false,0,0,"
            "false,\"-1,2\",3,true,0,,\r\n");
  const auto json = nlohmann::json::parse(Export(standings, Form::kJson));
  EXPECT_EQ(json["tie_breaks"]["buchholz_cut_1"], 7.5);
  EXPECT_TRUE(json["tie_breaks"]["direct_encounter"].is_null());
}

v1::Block Played() {
  v1::Block block;
  block.set_number(7);
  block.add_bots("alice");
  block.add_bots("b,ob");
  block.add_bot_versions("1.0");
  block.add_bot_versions("");
  block.set_season(2);
  block.set_state(v1::BLOCK_STATE_PLAYED);
  block.set_replayed(2);
  block.mutable_begin_time()->set_seconds(1);
  block.mutable_end_time()->set_seconds(2);
  block.mutable_end_time()->set_nanos(500'000);
  v1::BlockMatch* match = block.add_matches();
  match->set_match_id("m1");
  match->set_rotation(1);
  for (const int score : {12, -3}) match->add_scores(score);
  for (const uint32_t rank : {1, 2}) match->add_ranks(rank);
  v1::SeatForfeit* forfeit = match->add_forfeits();
  forfeit->set_seat(1);
  forfeit->set_cause(v1::FORFEIT_CAUSE_RESIGNED);
  return block;
}

std::string Results(const v1::Block& block, Form form) {
  google::protobuf::RepeatedPtrField<v1::Block> blocks;
  *blocks.Add() = block;
  return Printed(ResultsExport(2), MatchesOf(blocks, /*only_played=*/true), form, false);
}

TEST(Export, ResultsAsCsvAreALineAMatch) {
  EXPECT_EQ(Printed(ResultsExport(2), std::vector<MatchOfBlock>(), Form::kCsv),
            "block,rotation,attempt,match_id,begin_time,end_time,bot_a,rank_a,score_a,forfeit_a,"
            "bot_b,rank_b,score_b,forfeit_b,season,version_a,version_b\r\n");
  EXPECT_EQ(Results(Played(), Form::kCsv),
            "7,1,3,m1,1970-01-01T00:00:01.000000Z,1970-01-01T00:00:02.000500Z,\"b,ob\",1,12,,"
            "alice,2,-3,RESIGNED,2,,1.0\r\n");
}

TEST(Export, ResultsAsJsonNameTheSeats) {
  EXPECT_EQ(Printed(ResultsExport(2), std::vector<MatchOfBlock>(), Form::kJson), "");
  const auto json = nlohmann::json::parse(Results(Played(), Form::kJson));
  EXPECT_EQ(json["attempt"], 3);
  EXPECT_EQ(json["seats"][0]["bot"], "b,ob");
  EXPECT_TRUE(json["seats"][0]["forfeit"].is_null());
  EXPECT_EQ(json["seats"][1]["score"], -3);
  EXPECT_EQ(json["seats"][1]["forfeit"], "RESIGNED");
}

TEST(Export, StandingsHaveBothBoundsOfARating) {
  auto standings = OneStanding();
  standings.Mutable(0)->set_elo_error(372);
  standings.Mutable(0)->set_byes(2);
  const auto json = nlohmann::json::parse(Export(standings, Form::kJson));
  EXPECT_EQ(json["elo_low"], -384.25);
  EXPECT_EQ(json["elo_high"], 359.75);
  EXPECT_EQ(json["byes"], 2);
}

TEST(Export, BlocksTellWhatEachBotMadeWhateverItsSeat) {
  v1::Block block = Played();
  EXPECT_EQ(
      Printed(BlocksExport(2), std::vector<v1::Block>(), Form::kCsv),
      "block,state,attempt,begin_time,end_time,bot_1,points_1,score_1,forfeits_1,bot_2,points_2,"
      "score_2,forfeits_2,reason\r\n");
  EXPECT_EQ(Printed(BlocksExport(2), std::vector<v1::Block>{block}, Form::kCsv, false),
            "7,played,3,1970-01-01T00:00:01.000000Z,1970-01-01T00:00:02.000500Z,alice,0,-3,1,"
            "\"b,ob\",1,12,0,\r\n");
  block.set_state(v1::BLOCK_STATE_DROPPED);
  block.set_reason("'alice' has left");
  const auto json = nlohmann::json::parse(
      Printed(BlocksExport(2), std::vector<v1::Block>{block}, Form::kJson, false));
  EXPECT_EQ(json["state"], "dropped");
  EXPECT_EQ(json["bots"][0]["bot"], "alice");
  EXPECT_TRUE(json["bots"][0]["points"].is_null());
  EXPECT_EQ(json["reason"], "'alice' has left");
}

TEST(Export, OnlyPlayedBlocksHaveResults) {
  v1::Block block = Played();
  block.set_state(v1::BLOCK_STATE_RUNNING);
  EXPECT_EQ(Results(block, Form::kCsv), "");
  block.set_state(v1::BLOCK_STATE_DROPPED);
  EXPECT_EQ(Results(block, Form::kJson), "");
}

}  // namespace
}  // namespace referee::ctl
