// Tests of the limits on bytes that have not led to any use.
#include "referee/service/accept/unused.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tests/support/simulated_time.h"

namespace referee::service {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr uint64_t kMiB = 1 << 20;
constexpr uint64_t kAllTogether = 64 * kMiB;
constexpr uint64_t kOfAccount = limits::kUnusedOfAccount.burst;

class UnusedBytesTest : public ::testing::Test {
 protected:
  // A connection of an account, or of the address if that is empty; returns its number.
  uint64_t Add(const std::string& account, const std::string& address = "192.0.2.1") {
    const IpAddress client = IpAddress::Parse(address).value();
    uses_[++last_] = std::make_shared<Use>();
    unused_.Add(last_, {client, static_cast<uint16_t>(last_)}, client, uses_[last_], clock_.Now());
    if (!account.empty()) unused_.Recognise(last_, account);
    return last_;
  }
  // So much more has come, in reads of 64 KiB; returns whether the connection goes on.
  bool Receive(uint64_t connection, uint64_t bytes) {
    for (const uint64_t until = received_[connection] + bytes; received_[connection] < until;) {
      received_[connection] += std::min<uint64_t>(64 * 1024, until - received_[connection]);
      if (!unused_.Receive(connection, {received_[connection], calls_[connection]}, 0))
        return false;
    }
    return true;
  }
  // So many calls are opened, in a read each; returns how many went through.
  uint64_t Open(uint64_t connection, uint64_t calls) {
    for (uint64_t i = 0; i < calls; ++i) {
      ++calls_[connection];
      if (!Receive(connection, 30)) return i;
    }
    return calls;
  }
  // All that has come so far has brought messages of that size together.
  void UseBytes(uint64_t connection, uint64_t bytes) { uses_[connection]->AddMessage(bytes); }
  std::vector<std::string> Cut() {
    std::vector<std::string> cut;
    for (const Offender& offender : unused_.TakeOffenders()) {
      cut.push_back(absl::StrCat(offender.connection, " ", offender.reason.message()));
    }
    return cut;
  }

  testing::SimulatedClock clock_;
  UnusedBytes unused_{kAllTogether};
  std::map<uint64_t, std::shared_ptr<Use>> uses_;
  std::map<uint64_t, uint64_t> received_;
  std::map<uint64_t, uint64_t> calls_;
  uint64_t last_ = 0;
};

TEST_F(UnusedBytesTest, OfAConnectionAreBounded) {
  const uint64_t endless = Add("alice");
  EXPECT_TRUE(Receive(endless, limits::kMaxUnusedOfConnection));
  EXPECT_FALSE(Receive(endless, 64 * 1024));
  EXPECT_FALSE(Receive(endless, 1));
  EXPECT_EQ(unused_.all(), 0u);
  EXPECT_THAT(Cut(), ElementsAre(AllOf(HasSubstr("account alice, from 192.0.2.1"),
                                       HasSubstr("more than 4 MiB"))));
}

TEST_F(UnusedBytesTest, AnswersThatAreNotReadCountAsWhatTheyCost) {
  const uint64_t deaf = Add("alice");
  const uint64_t most = limits::kMaxUnusedOfConnection / limits::kBytesOfOwedAnswer;
  const auto ask = [&](uint64_t asks) {
    return unused_.Receive(deaf, {17 * asks, 0, asks}, 0).has_value();
  };
  EXPECT_TRUE(ask(limits::kFreeOwedAnswers));
  EXPECT_EQ(unused_.all(), 0u);
  EXPECT_TRUE(ask(most / 2));
  EXPECT_FALSE(ask(most + limits::kFreeOwedAnswers));
  EXPECT_THAT(Cut(), ElementsAre(AllOf(HasSubstr("account alice"), HasSubstr("pings"))));
}

TEST_F(UnusedBytesTest, AnswersThatAreReadCostNothing) {
  const uint64_t reads = Add("alice");
  for (uint64_t asks = 0; asks < 100'000; asks += 50) {
    UseBytes(reads, 17 * 50);
    ASSERT_TRUE(
        unused_.Receive(reads, {17 * asks, 0, asks}, limits::kAcknowledgedPerAnswer * asks));
  }
  EXPECT_EQ(unused_.all(), 0u);
}

TEST_F(UnusedBytesTest, WhatWasAcknowledgedBeforePaysForNoLaterAnswers) {
  const uint64_t connection = Add("alice");
  const uint64_t much = 1'000 * kMiB;
  EXPECT_TRUE(unused_.Receive(connection, {100, 0, 0}, much));
  EXPECT_FALSE(unused_.Receive(connection, {17 * 100'000, 0, 100'000}, much));
}

TEST_F(UnusedBytesTest, OfAnAccountAreBoundedOnAllItsConnectionsTogether) {
  uint64_t sent = 0;
  for (bool open = true; open;) {
    const uint64_t half = Add("alice");
    for (int i = 0; open && i < 32; ++i) {
      open = Receive(half, 64 * 1024);
      sent += 64 * 1024;
    }
    ASSERT_LE(sent, 2 * kOfAccount);
  }
  EXPECT_NEAR(static_cast<double>(sent), static_cast<double>(kOfAccount), kMiB);
  EXPECT_TRUE(unused_.Distrusts("alice", clock_.Now()));
  EXPECT_FALSE(unused_.Distrusts("bob", clock_.Now()));
  EXPECT_TRUE(Receive(Add("bob"), kMiB));
}

TEST_F(UnusedBytesTest, OfAnAccountAreNotMoreForComingBack) {
  int comings = 0;
  for (; !unused_.Distrusts("alice", clock_.Now()) && comings < 100; ++comings) {
    const uint64_t endless = Add("alice");
    Receive(endless, 8 * kMiB);
    unused_.Remove(endless);
  }
  EXPECT_LE(comings, 5);
}

TEST_F(UnusedBytesTest, AreNotThoseOfMessagesThatAreFinished) {
  const uint64_t busy = Add("alice");
  for (int i = 0; i < 1'000; ++i) {
    ASSERT_TRUE(Receive(busy, 250'000)) << i;
    UseBytes(busy, 250'000);
  }
  EXPECT_THAT(Cut(), IsEmpty());
}

TEST_F(UnusedBytesTest, CannotBePaidInAdvanceByMessages) {
  const uint64_t sly = Add("alice");
  for (int i = 0; i < 100'000; ++i) {
    Receive(sly, 1);
    UseBytes(sly, 1);  // counts as more than it is, for what goes around it
  }
  Receive(sly, 4 * 1024);
  EXPECT_FALSE(Receive(sly, limits::kMaxUnusedOfConnection + 64 * 1024));
}

TEST_F(UnusedBytesTest, OfALongQuietConnectionAreForgotten) {
  const uint64_t quiet = Add("alice");
  for (int i = 0; i < 100'000; ++i) {
    clock_.Advance(absl::Seconds(1));
    unused_.SetTime(clock_.Now());
    ASSERT_TRUE(Receive(quiet, limits::kBytesOfSecond));
  }
  EXPECT_LT(unused_.all(), limits::kBytesOfSecond);
}

TEST_F(UnusedBytesTest, OfAllTogetherAreTakenFromWhoeverHasMost) {
  const uint64_t little = Add("bob");
  ASSERT_TRUE(Receive(little, 2 * kMiB));
  std::vector<uint64_t> much;
  for (int i = 0; i < 5; ++i) much.push_back(Add("alice"));
  for (const uint64_t one : much) ASSERT_TRUE(Receive(one, 3 * kMiB));
  // Others bring what is left, none of them as much as alice.
  for (int account = 0; unused_.all() + 2 * kMiB <= kAllTogether; ++account) {
    ASSERT_TRUE(Receive(Add(absl::StrCat("carol", account)), 2 * kMiB));
  }
  EXPECT_THAT(Cut(), IsEmpty());
  EXPECT_TRUE(Receive(little, 64 * 1024 + kAllTogether - unused_.all()));
  const std::vector<std::string> cut = Cut();
  ASSERT_THAT(cut, SizeIs(1));
  EXPECT_THAT(cut[0], HasSubstr("alice"));
  EXPECT_LE(unused_.all(), kAllTogether);
}

// What was measured in the middle of a message, and not since, is of nobody.
TEST_F(UnusedBytesTest, OfAllTogetherAreMeasuredBeforeAnybodyIsCutOff) {
  for (int i = 0; i < 1'000; ++i) {
    const uint64_t once = Add(absl::StrCat("bob", i));
    ASSERT_TRUE(Receive(once, 200'000));
    UseBytes(once, 200'000);
  }
  EXPECT_THAT(Cut(), IsEmpty());
}

TEST_F(UnusedBytesTest, AreThoseThatCallsTakeOfWhichNobodyHears) {
  for (int i = 0; i < 20; ++i) Open(Add("alice"), 256);
  EXPECT_LE(unused_.all(), kOfAccount + limits::kBytesOfUnheardCall);
  EXPECT_TRUE(unused_.Distrusts("alice", clock_.Now()));
}

TEST_F(UnusedBytesTest, OfStrangersAreHalfOfAllHoweverManyAddressesTheyComeFrom) {
  for (int i = 0; i < 1'000; ++i) {
    const std::string address = absl::StrCat("198.51.", i / 250, ".", i % 250 + 1);
    Open(Add("", address), 250);
    ASSERT_LE(unused_.all(), kAllTogether / 2) << i;
  }
  EXPECT_THAT(Cut(), Contains(AllOf(HasSubstr("address 198.51."), HasSubstr("32 MiB"))));
  // The other half is left for accounts.
  EXPECT_EQ(Open(Add("alice"), 256), 256u);
}

TEST_F(UnusedBytesTest, OfStrangersAreBoundedInTheReadThatBringsThem) {
  for (int i = 0; i < 40; ++i) Open(Add("", absl::StrCat("198.51.100.", i + 1)), 25);
  ASSERT_THAT(Cut(), IsEmpty());
  // It is not another that goes, which the transport may be long in ending.
  const uint64_t last = Add("", "198.51.100.99");
  EXPECT_LT(Open(last, 250), 250u);
  EXPECT_THAT(Cut(), ElementsAre(StartsWith(absl::StrCat(last, " "))));
}

TEST_F(UnusedBytesTest, OfStrangersLeaveRoomForABotThatComesBack) {
  for (int i = 0; i < 200; ++i) Open(Add("", absl::StrCat("198.51.100.", i + 1)), 25);
  for (int i = 0; i < 200; ++i) {
    const uint64_t bot = Add("", "192.0.2.7");
    ASSERT_EQ(Open(bot, limits::kFewUnheardCalls), static_cast<uint64_t>(limits::kFewUnheardCalls));
    uses_[bot]->AddCall();
    unused_.Recognise(bot, absl::StrCat("bot", i));
    unused_.Remove(bot);
  }
  EXPECT_FALSE(unused_.Refuses(IpAddress::Parse("192.0.2.7").value(), false, clock_.Now()));
}

// As after a restart of the referee: all their calls come before the first of them is heard.
TEST_F(UnusedBytesTest, AreNotThoseOfManyBotsThatComeBackAtOnce) {
  for (int i = 0; i < 10'000; ++i) ASSERT_EQ(Open(Add(""), 1), 1u) << i;
  EXPECT_TRUE(unused_.TakeOffenders().empty());
}

TEST_F(UnusedBytesTest, OfStrangersWhoHaveMostGetTheirAddressRefused) {
  const uint64_t resetting = Add("", "192.0.2.9");
  EXPECT_LT(Open(resetting, 10'000), 10'000u);
  EXPECT_TRUE(unused_.Refuses(IpAddress::Parse("192.0.2.9").value(), false, clock_.Now()));
}

TEST_F(UnusedBytesTest, AreNotThoseOfCallsThatAreHeardOrHaveEnded) {
  const uint64_t busy = Add("alice");
  for (int i = 0; i < 10'000; ++i) {
    ASSERT_EQ(Open(busy, 1), 1u);
    uses_[busy]->AddCall();
  }
  const uint64_t misled = Add("bob");  // calls what there is not
  for (int i = 0; i < 1'000; ++i) {
    ASSERT_EQ(Open(misled, 10), 10u);
    unused_.NoteOpenCalls(misled, 0);
  }
  EXPECT_TRUE(unused_.TakeOffenders().empty());
}

TEST_F(UnusedBytesTest, OfUnknownConnectionsAreThoseOfTheAddressAndGetItRefused) {
  const uint64_t stranger = Add("", "192.0.2.7");
  EXPECT_TRUE(Receive(stranger, limits::kWaste.burst));
  EXPECT_FALSE(Receive(Add("", "192.0.2.7"), 64 * 1024));
  EXPECT_TRUE(unused_.Refuses(IpAddress::Parse("192.0.2.7").value(), false, clock_.Now()));
  EXPECT_TRUE(Receive(Add("", "192.0.2.8"), 64 * 1024));
}

TEST_F(UnusedBytesTest, AreNoLongerThoseOfTheAddressOnceAnAccountIsKnown) {
  for (int i = 0; i < 20; ++i) {
    const uint64_t organiser = Add("");
    ASSERT_TRUE(Receive(organiser, limits::kMaxReceivedBytes)) << i;
    unused_.Recognise(organiser, "olga");
    unused_.Remove(organiser);
  }
}

}  // namespace
}  // namespace referee::service
