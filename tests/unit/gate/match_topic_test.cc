// Tests of the events of a match: when each is published, without repeats or gaps.
#include "referee/gate/match_topic.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/gate/bounds.h"

namespace referee::gate {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class Told : public ::testing::Test, public Watcher {
 protected:
  Told() { topic_.SetHead(R"({"matchId":"m"})"); }

  void OnNews() override { ++news_; }

  // Frames are numbers here.
  void Append(int count) {
    for (int i = 0; i < count; ++i) topic_.Append(absl::StrCat(made_++));
  }
  Instant Advance() { return topic_.Advance(now_); }
  // Advances as often as the topic wants, until there is nothing to wait for.
  void AdvanceToTheEnd() {
    for (Instant next = Advance(); next < Instant::InfiniteFuture(); next = Advance()) now_ = next;
  }
  std::string Next(Place* place) {
    const SharedMessage message = topic_.Next(place);
    return message == nullptr ? "" : message->Text();
  }

  MatchTopic topic_;
  Instant now_ = Instant::FromNanos(1);
  int made_ = 0;
  int news_ = 0;
};

TEST_F(Told, FirstIsTheWholeViewThenFrameByFrame) {
  Append(2);
  topic_.Open();
  Place place = topic_.PlaceOf("");
  EXPECT_EQ(Next(&place), "id: 2\nevent: view\ndata: {\"matchId\":\"m\",\"frames\":[0,1]}\n\n");
  EXPECT_EQ(Next(&place), "");
  Append(1);
  Advance();
  EXPECT_EQ(Next(&place), "id: 3\nevent: frame\ndata: [2]\n\n");
  EXPECT_EQ(Next(&place), "");
}

TEST_F(Told, LastIsTheVerdictWhichIsInTheViewThen) {
  Append(1);
  topic_.Open();
  Place place = topic_.PlaceOf("");
  Next(&place);
  topic_.End("{\"ending\":\"VOID\"}");
  EXPECT_FALSE(topic_.over());
  AdvanceToTheEnd();
  EXPECT_TRUE(topic_.over());
  EXPECT_EQ(Next(&place), "id: end\nevent: verdict\ndata: {\"ending\":\"VOID\"}\n\n");
  EXPECT_TRUE(place.ended);
  EXPECT_EQ(Next(&place), "");
  Place late = topic_.PlaceOf("");
  EXPECT_THAT(Next(&late), HasSubstr("\"frames\":[0],\"verdict\":{\"ending\":\"VOID\"}}"));
  EXPECT_THAT(Next(&late), StartsWith("id: end\n"));
}

TEST_F(Told, WhoComesBackGoesOnWhereItWas) {
  Append(5);
  topic_.Open();
  Place place = topic_.PlaceOf("3");
  EXPECT_EQ(Next(&place), "id: 5\nevent: frame\ndata: [3,4]\n\n");
  EXPECT_EQ(Next(&place), "");
}

TEST_F(Told, WhoComesBackToAnotherGateGoesOnThereToo) {
  Append(3);
  topic_.Open();
  MatchTopic other;
  other.SetHead("{\"matchId\":\"m\"}");
  for (const char* frame : {"0", "1", "2", "3"}) other.Append(frame);
  other.Open();
  Place place = other.PlaceOf("3");
  EXPECT_EQ(other.Next(&place)->Text(), "id: 4\nevent: frame\ndata: [3]\n\n");
}

TEST_F(Told, IsTheWholeViewForAnIdThatSaysNothing) {
  Append(5);
  topic_.Open();
  for (const char* id : {"6", "-1", "x", "99999999999999999999", "3 ; x"}) {
    Place place = topic_.PlaceOf(id);
    EXPECT_THAT(Next(&place), StartsWith("id: 5\nevent: view\n")) << id;
  }
}

TEST_F(Told, AfterTheEndIsNothing) {
  Append(1);
  topic_.End("{}");
  topic_.Open();
  Place place = topic_.PlaceOf("end");
  EXPECT_TRUE(place.ended);
  EXPECT_EQ(Next(&place), "");
}

TEST_F(Told, IsAtMostOneEventInAFifthOfASecond) {
  topic_.Open();
  topic_.Add(this);
  Append(1);
  const Instant next = Advance();
  EXPECT_EQ(next - now_, kEventInterval);
  EXPECT_EQ(news_, 1);
  Append(1);
  EXPECT_EQ(Advance(), next);
  EXPECT_EQ(news_, 1) << "too early";
  now_ = next;
  Advance();
  EXPECT_EQ(news_, 2);
  topic_.Remove(this);
  EXPECT_EQ(topic_.watchers(), 0u);
}

TEST_F(Told, CatchesUpWithAFastMatchAtAPaceThatCanBeWatched) {
  topic_.Open();
  Place place = topic_.PlaceOf("0");
  Append(200);
  const Instant begun = now_;
  Advance();
  EXPECT_EQ(topic_.told(), 20u) << "a tenth of what waits";
  AdvanceToTheEnd();
  EXPECT_EQ(topic_.told(), 200u);
  EXPECT_LT(now_ - begun, absl::Seconds(8));
}

TEST_F(Told, InOneEventIsBoundedAndWhoIsFurtherBehindGetsTheView) {
  topic_.Open();
  Place place = topic_.PlaceOf("0");
  Append(static_cast<int>(kMaxFramesPerEvent));
  AdvanceToTheEnd();
  Place slow = place;
  EXPECT_THAT(Next(&place), StartsWith("id: 64\nevent: frame\ndata: [0,1,"));
  Append(1);
  AdvanceToTheEnd();
  EXPECT_THAT(Next(&slow), StartsWith("id: 65\nevent: view\n"));
  EXPECT_EQ(Next(&slow), "");
}

TEST_F(Told, GoesOnWhereTheRefereeGoesOnWithWhatItToldBefore) {
  Append(2);
  topic_.Open();
  Place place = topic_.PlaceOf("");
  Next(&place);
  topic_.Replace({"0", "1", "2"});
  AdvanceToTheEnd();
  EXPECT_EQ(Next(&place), "id: 3\nevent: frame\ndata: [2]\n\n");
}

TEST_F(Told, BeginsAnewWhereTheRefereeHasLostTurns) {
  Append(3);
  topic_.Open();
  Place place = topic_.PlaceOf("");
  Next(&place);
  topic_.Replace({"0", "7", "8"});
  AdvanceToTheEnd();
  EXPECT_EQ(Next(&place), "id: 3\nevent: view\ndata: {\"matchId\":\"m\",\"frames\":[0,7,8]}\n\n");
}

TEST_F(Told, IsOneMessageForAllWhoWantTheSame) {
  Append(1);
  topic_.Open();
  Place a = topic_.PlaceOf("");
  Place b = topic_.PlaceOf("");
  EXPECT_EQ(topic_.Next(&a), topic_.Next(&b));
  Append(1);
  AdvanceToTheEnd();
  EXPECT_EQ(topic_.Next(&a), topic_.Next(&b));
}

}  // namespace
}  // namespace referee::gate
