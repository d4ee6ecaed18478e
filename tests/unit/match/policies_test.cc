#include "referee/match/policies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"

namespace referee::match {
namespace {

using ::testing::HasSubstr;

TEST(PoliciesNotation, ReadsWhatAFaultCosts) {
  EXPECT_EQ(ParseFaultPolicy("f", "forfeit").value().action, FaultPolicy::Action::kForfeit);
  const FaultPolicy random = ParseFaultPolicy("f", "substitute:random:5").value();
  EXPECT_EQ(random.action, FaultPolicy::Action::kSubstitute);
  EXPECT_EQ(random.substitute, FaultPolicy::Substitute::kRandom);
  EXPECT_EQ(random.max_strikes, 5);
  EXPECT_EQ(ParseFaultPolicy("f", "substitute:7").value().max_strikes, 7);
  EXPECT_EQ(ParseFaultPolicy("f", "substitute").value().max_strikes, 3);
  EXPECT_EQ(ParseFaultPolicy("f", "retry:2").value().max_tries, 2);
}

TEST(PoliciesNotation, RoundTrips) {
  for (const char* text : {"forfeit", "substitute", "substitute:random", "substitute:5",
                           "substitute:random:5", "retry", "retry:2"}) {
    EXPECT_EQ(FaultPolicyText(ParseFaultPolicy("f", text).value()), text);
  }
  for (const char* text : {"run", "grace:30s"}) {
    EXPECT_EQ(LinkPolicyText(ParseLinkPolicy("f", text).value()), text);
  }
  for (const char* text : {"none", "20ms", "20ms/1s"}) {
    EXPECT_EQ(LagCompensationText(ParseLagCompensation("f", text).value()), text);
  }
}

TEST(PoliciesNotation, LagOfAMatchIsAHundredMovesUnlessSaid) {
  EXPECT_EQ(ParseLagCompensation("f", "20ms").value().per_match, absl::Seconds(2));
}

TEST(PoliciesNotation, RefusesAndNamesTheField) {
  for (const char* text :
       {"", "forfeits", "forfeit:3", "substitute:last", "substitute:0", "substitute:first:x",
        "substitute:3:first", "retry:1", "retry:101", "retry:2:2", "substitute:99999999999"}) {
    const auto read = ParseFaultPolicy("--on-illegal", text);
    EXPECT_THAT(std::string(read.status().message()), HasSubstr("--on-illegal")) << text;
  }
  for (const char* text : {"", "grace", "grace:", "grace:0s", "grace:25h", "grace:-1s", "30s"}) {
    EXPECT_THAT(std::string(ParseLinkPolicy("--link", text).status().message()),
                HasSubstr("--link"))
        << text;
  }
  for (const char* text : {"", "0", "11s", "20ms/10ms", "20ms/25h", "-1ms", "20ms/1s/1s", "inf"}) {
    EXPECT_THAT(std::string(ParseLagCompensation("--lag", text).status().message()),
                HasSubstr("--lag"))
        << text;
  }
}

TEST(PoliciesNotation, OfTimeThatHasRunOutNamesNoRetry) {
  EXPECT_EQ(ParseTimeoutPolicy("--on-timeout", "substitute:2").value().max_strikes, 2);
  for (const char* text : {"never", "retry", "retry:2"}) {
    EXPECT_EQ(ParseTimeoutPolicy("--on-timeout", text).status().message(),
              absl::StrCat("--on-timeout: '", text,
                           "' is not forfeit or substitute[:first|:random][:STRIKES]: time that "
                           "has run out cannot be tried again"));
  }
}

TEST(Policies, TimeThatHasRunOutCannotBeTriedAgain) {
  Policies policies;
  policies.on_timeout.action = FaultPolicy::Action::kRetry;
  EXPECT_THAT(std::string(Validate(policies).message()), HasSubstr("on_timeout"));
}

TEST(Policies, AreComparedByWhatCounts) {
  FaultPolicy a, b;
  b.max_strikes = 9;
  EXPECT_EQ(a, b);
  a.action = b.action = FaultPolicy::Action::kSubstitute;
  EXPECT_FALSE(a == b);
}

}  // namespace
}  // namespace referee::match
