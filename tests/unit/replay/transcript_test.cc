#include "referee/replay/transcript.h"

#include <string>
#include <variant>
#include <vector>

#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/replay/json.h"
#include "tests/unit/replay/sample.h"

namespace referee::replay {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kPinnedSeven[] = R"(referee-transcript 1
game hypnosia
option board=spiral-36-24-12
option stack_bridges=true
option turn_limit=500
seats 2
bot a bot 0
bot b bot 1
commit 08fd623f8815a00ea8a2d6fe52fa70d48ea5078d8df2b0a34e56c0f2b4517206
pinned 7
seed a3be96074456fce9cb7427657bbb004a042bbb3a3748f9c2d554bdf2273206a1
key d88b94fe272864e957ebb1fb02f79ae5c6616d9b6416afbd4ed0ac30a3cab134
setup 0 a 33
setup 0 b 51
setup 1 a 13
setup 1 b 52
first b
1 b 11 1:L1>A18 1:A18>A19 ; legal 1 digest 3cdb328d8f04127f
2 a 15 1:L1>A0 5:A0>A5 ; legal 12 digest 6ade900c5b0d3473
3 b 36 3:L2>A19 6:L3>A21 ; legal 26 digest 411185d5fb1a8886
end CANCELLED
)";

SampleOptions PinnedSeven() {
  SampleOptions options;
  options.moves = {"1:L1>A18 1:A18>A19", "1:L1>A0 5:A0>A5", "3:L2>A19 6:L3>A21"};
  options.cancel_at = 4;
  return options;
}

TEST(Transcript, OfTheKnownExampleIsToTheLetter) {
  EXPECT_EQ(Transcript(PlaySample(PinnedSeven())), kPinnedSeven);
}

TEST(Transcript, EndsWithReasonScoresAndRanks) {
  const Replay replay = PlaySample({});
  const match::Ended& ended = *replay.ended();
  ASSERT_EQ(ended.ending, match::Ending::kFinished);
  EXPECT_THAT(Transcript(replay), ::testing::EndsWith("end " + ended.reason + "\nscores " +
                                                      std::to_string(ended.scores[0]) + " " +
                                                      std::to_string(ended.scores[1]) + "\nranks " +
                                                      std::to_string(ended.ranks[0]) + " " +
                                                      std::to_string(ended.ranks[1]) + "\n"));
}

TEST(Transcript, OfAMatchOfABlockHasItsRotationAndTheNoncesOfTheBlock) {
  SampleOptions options;
  options.committed = true;
  options.rotation = 1;
  const Replay replay = PlaySample(options);
  EXPECT_THAT(Transcript(replay), HasSubstr("\nrotation 1\nnonce a 6f6620726f746174696f6e2030\n"));
  EXPECT_THAT(ReplayJson(replay), HasSubstr("\"rotation\": 1"));
}

TEST(Transcript, OfACommittedMatchHasNoncesAndNoPin) {
  SampleOptions options;
  options.committed = true;
  Replay replay = PlaySample(options);
  std::get<match::Started>(replay.records.front()).nonces[1].clear();
  const std::string text = Transcript(replay);
  EXPECT_THAT(text, HasSubstr("nonce a 6e6f6e636530\nnonce b -\nkey "));
  EXPECT_THAT(text, Not(HasSubstr("pinned")));
}

TEST(Transcript, NamesForfeitsWithTheTurnThatWasDue) {
  SampleOptions options;
  options.seats = 3;
  options.time_out_at = 5;
  options.illegal_at = 9;
  const Replay replay = PlaySample(options);
  const std::string text = Transcript(replay);
  EXPECT_THAT(text, ::testing::ContainsRegex("\n4 . .. .*\nforfeit [abc] TIMEOUT 5 ; digest "));
  EXPECT_THAT(text, ::testing::ContainsRegex(
                        "\nforfeit [abc] ILLEGAL 9 ; digest [0-9a-f]+\nend LAST_SEAT\n"));
}

TEST(Transcript, MarksTurnsThatTheRefereePlayed) {
  SampleOptions options = EventfulSample();
  EXPECT_THAT(
      Transcript(PlaySample(options)),
      ::testing::ContainsRegex("\n5 . .. [^\n]* ; legal [0-9]+ digest [0-9a-f]+ !TIMEOUT\n6 "));
  options.policies.on_illegal = options.policies.on_timeout;
  EXPECT_THAT(Transcript(PlaySample(options)),
              ::testing::ContainsRegex("\n8 . .. [^\n]* digest [0-9a-f]+ !ILLEGAL\n9 "));
}

TEST(Transcript, OfAMatchThatDidNotStartHasNoKey) {
  Replay replay = PlaySample(PinnedSeven());
  const match::Record end = replay.records.back();
  replay.setup.dice_source = {};
  replay.records = {end};
  const std::string text = Transcript(replay);
  EXPECT_THAT(text, HasSubstr("\nseed a3be"));
  EXPECT_THAT(text, Not(HasSubstr("\nkey ")));
  EXPECT_THAT(text, Not(HasSubstr("\nfirst ")));
}

// Seat a began that position; seat b has the first turn of the match.
TEST(Transcript, SaysWhichSeatBeginsWhenAMatchStartsFromAPosition) {
  SampleOptions options;
  options.game = "isaac";
  options.options = {{"position", "a7h33 54320,54321 0,0 0,0 - P b a"}};
  options.cancel_at = 3;
  EXPECT_THAT(Transcript(PlaySample(options)), HasSubstr("\nfirst b\n1 b "));
}

TEST(Transcript, KeepsControlCharactersOffTheTerminal) {
  Replay replay = PlaySample(PinnedSeven());
  replay.setup.bots[0] = "evil\n\x1b[2J";
  EXPECT_THAT(Transcript(replay), HasSubstr("bot a evil\\x0a\\x1b[2J\n"));
}

TEST(ReplayJson, HasEveryRecordInOrder) {
  const std::string json = ReplayJson(PlaySample(PinnedSeven()));
  EXPECT_THAT(json, HasSubstr(R"("pinned": "7")"));
  EXPECT_THAT(json, HasSubstr(R"("move": "1:L1>A18 1:A18>A19")"));
  EXPECT_THAT(json, HasSubstr(R"("time_control": "500ms+)"));
  EXPECT_LT(json.find("\"setup_roll\""), json.find("\"turn\""));
  EXPECT_LT(json.find("\"turn\""), json.find("\"CANCELLED\""));
}

TEST(ReplayJson, SaysWhereTheTimeWentAndWhatFaultsCost) {
  const std::string json = ReplayJson(PlaySample(EventfulSample()));
  for (const char* const member :
       {R"("on_timeout": "substitute:random:2")", R"("on_illegal": "retry")",
        R"("on_lost_link": "grace:12ms")", R"("lag_compensation": "300us/1ms")",
        R"("substituted": "TIMEOUT")", R"("kind": "fault")", R"("kind": "resumed")",
        R"("started_ns": 0)", R"("written_ns": )", R"("paused_ns": 5000000)",
        R"("credit_ns": 250000)", R"("round_trip_ns": 250000)"}) {
    EXPECT_THAT(json, HasSubstr(member));
  }
  const std::string stalled = ReplayJson(PlaySample(StalledSample()));
  EXPECT_THAT(stalled, HasSubstr(R"("kind": "no_contest")"));
  EXPECT_THAT(stalled, HasSubstr(R"("stall_ns": 3000000)"));
}

// How often the text has the word.
size_t Count(absl::string_view text, absl::string_view word) {
  return std::vector<absl::string_view>(absl::StrSplit(text, word)).size() - 1;
}

TEST(Transcript, HasPositionsIfAskedAsFarAsItCanBePlayed) {
  Extras extras;
  extras.positions = true;
  Replay replay = PlaySample(PinnedSeven());
  EXPECT_EQ(Count(Transcript(replay), "\nposition "), 0u);
  EXPECT_EQ(Count(Transcript(replay, extras), "\nposition "), 4u);
  EXPECT_THAT(Transcript(replay, extras), HasSubstr("\nfirst b\nposition "));
  EXPECT_EQ(Count(ReplayJson(replay), "position\": "), 0u);
  EXPECT_EQ(Count(ReplayJson(replay, extras), "\"start_position\": "), 1u);
  EXPECT_EQ(Count(ReplayJson(replay, extras), "\"position\": "), 3u);
  for (match::Record& record : replay.records) {
    auto* turn = std::get_if<match::Played>(&record);
    if (turn != nullptr && turn->number == 2) turn->move = games::Move::Pass();
  }
  EXPECT_EQ(Count(Transcript(replay, extras), "\nposition "), 2u);
  EXPECT_EQ(Count(ReplayJson(replay, extras), "\"position\": "), 1u);
}

TEST(TurnLines, AppendNothingOfAMatchThatCannotBePlayed) {
  Replay replay = PlaySample(PinnedSeven());
  std::string lines = "before\n";
  ASSERT_TRUE(AppendTurnLines(replay, &lines).ok());
  EXPECT_EQ(Count(lines, "\n"), 4u);
  for (match::Record& record : replay.records) {
    auto* turn = std::get_if<match::Played>(&record);
    if (turn != nullptr && turn->number == 2) turn->move = games::Move::Pass();
  }
  lines = "before\n";
  EXPECT_EQ(AppendTurnLines(replay, &lines).message(), "turn 2: the move is illegal");
  EXPECT_EQ(lines, "before\n");
}

}  // namespace
}  // namespace referee::replay
