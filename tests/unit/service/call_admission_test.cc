// Tests of the limits that protect callers from each other, and the referee from callers.
#include "referee/service/access/call_admission.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "referee/service/errors.h"

namespace referee::service {
namespace {

using ::testing::HasSubstr;
using Class = CallAdmission::Class;
using Kind = CallAdmission::Kind;
using Ticket = std::shared_ptr<CallAdmission::Ticket>;

Instant After(absl::Duration time) { return Instant::FromNanos(1'000'000'000) + time; }

class Calling : public ::testing::Test {
 protected:
  static CallLimits Small() {
    CallLimits limits;
    limits.address = {{/*per_second=*/10, /*burst=*/20}, /*calls=*/3, /*watches=*/2};
    limits.account = {{100, 200}, 5, 4, /*changes=*/{2, 3}};
    limits.calls = 8;
    limits.watches = 8;
    limits.answer_bytes = 800;
    limits.callers = 20;
    return limits;
  }
  absl::StatusOr<Ticket> Enter(const std::string& address, int cost = 1, Kind kind = Kind::kCall,
                               absl::Duration when = absl::ZeroDuration()) {
    return admission_->Enter({Class::kAddress, address}, kind, cost, After(when));
  }
  // Opens as many as are let in.
  std::vector<Ticket> OpenAll(const std::string& name, Kind kind, Class payer = Class::kAddress) {
    std::vector<Ticket> open;
    for (;;) {
      absl::StatusOr<Ticket> ticket = admission_->Enter({payer, name}, kind, 0, After({}));
      if (!ticket.ok()) return open;
      open.push_back(*std::move(ticket));
    }
  }

  const std::shared_ptr<CallAdmission> admission_ = std::make_shared<CallAdmission>(Small());
};

TEST_F(Calling, CostsOfItsRateAndIsRefusedBeyond) {
  EXPECT_TRUE(Enter("a", 15).ok());
  const absl::Status refused = Enter("a", 10).status();
  EXPECT_EQ(refused.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(refused.message()), HasSubstr("call again in 500ms"));
  EXPECT_EQ(refused.GetPayload(kRetryAfter), absl::Cord("500"));
  EXPECT_TRUE(Enter("a", 10, Kind::kCall, absl::Milliseconds(501)).ok());
}

TEST_F(Calling, ChangesItsAccountOnlySoOftenAndReadsOn) {
  const auto change = [this](const char* name, Class payer, absl::Duration when) {
    return admission_
        ->Enter({payer, name}, Kind::kCall, 1, After(when), CallAdmission::Effect::kChange)
        .status();
  };
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(change("a", Class::kAccount, {}).ok());
  const absl::Status refused = change("a", Class::kAccount, {});
  EXPECT_EQ(refused.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(refused.message()), HasSubstr("call again in 500ms"));
  EXPECT_EQ(refused.GetPayload(kRetryAfter), absl::Cord("500"));
  EXPECT_TRUE(admission_->Enter({Class::kAccount, "a"}, Kind::kCall, 1, After({})).ok());
  EXPECT_TRUE(change("b", Class::kAccount, {}).ok());
  for (int i = 0; i < 99; ++i) EXPECT_TRUE(change("o", Class::kOrganiser, {}).ok());
  EXPECT_FALSE(change("a", Class::kAccount, absl::Milliseconds(499)).ok());
  EXPECT_TRUE(change("a", Class::kAccount, absl::Milliseconds(501)).ok());
  EXPECT_FALSE(change("a", Class::kAccount, absl::Milliseconds(501)).ok());
}

TEST(CallingByDefault, ChangesItsAccountSixteenTimesAtOnceAndThenOnceASecond) {
  const auto admission = std::make_shared<CallAdmission>(CallLimits());
  const auto change = [&](Class payer, absl::Duration when) {
    return admission
        ->Enter({payer, "a"}, Kind::kCall, 1, After(when), CallAdmission::Effect::kChange)
        .ok();
  };
  for (int i = 0; i < 16; ++i) EXPECT_TRUE(change(Class::kAccount, {})) << i;
  EXPECT_FALSE(change(Class::kAccount, absl::Milliseconds(999)));
  EXPECT_TRUE(change(Class::kAccount, absl::Milliseconds(1'001)));
  EXPECT_FALSE(change(Class::kAccount, absl::Milliseconds(1'001)));
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(change(Class::kOrganiser, {})) << i;
}

TEST_F(Calling, TooOftenIsNobodyElsesRefusal) {
  while (Enter("a").ok()) continue;
  EXPECT_TRUE(Enter("b").ok());
  EXPECT_TRUE(admission_->Enter({Class::kAccount, "a"}, Kind::kCall, 1, After({})).ok())
      << "an account that is called like an address";
}

TEST_F(Calling, OpensOnlyItsShareAtOnceAndMoreWhenSomeAreDone) {
  std::vector<Ticket> open = OpenAll("a", Kind::kCall);
  EXPECT_EQ(open.size(), 3u);
  EXPECT_TRUE(Enter("b").ok());
  open.pop_back();
  EXPECT_TRUE(Enter("a").ok());
}

TEST_F(Calling, OpensOnlySoManyFromAllTogether) {
  std::vector<std::vector<Ticket>> open;
  size_t all = 0;
  for (const char* name : {"a", "b", "c", "d"}) {
    open.push_back(OpenAll(name, Kind::kCall, Class::kAccount));
    all += open.back().size();
  }
  EXPECT_EQ(all, 8u);
}

TEST_F(Calling, FromHoweverManyAddressesLeavesHalfOfAllToThoseWithAToken) {
  for (const Kind kind : {Kind::kCall, Kind::kWatch}) {
    std::vector<std::vector<Ticket>> open;
    size_t all = 0;
    for (const char* address : {"a", "b", "c", "d"}) {
      open.push_back(OpenAll(address, kind));
      all += open.back().size();
    }
    EXPECT_EQ(all, 4u);
    EXPECT_EQ(OpenAll("alice", kind, Class::kAccount).size(), 4u);
    open.clear();
    EXPECT_EQ(OpenAll("e", kind).size(), kind == Kind::kCall ? 3u : 2u) << "when they are done";
  }
}

TEST_F(Calling, FromHoweverManyAddressesLeavesMemoryToThoseWithAToken) {
  CallLimits limits = Small();
  limits.calls = 100;
  const auto admission = std::make_shared<CallAdmission>(limits);
  const auto enter = [&](Class payer, const std::string& name) {
    return admission->Enter({payer, name}, Kind::kCall, 0, After({})).value();
  };
  std::vector<Ticket> open;
  for (int i = 0; i < 6; ++i) {
    open.push_back(enter(Class::kAddress, absl::StrCat(i)));
    EXPECT_EQ(open.back()->Keep(100).ok(), i < 4) << i;
  }
  const Ticket alice = enter(Class::kAccount, "alice");
  EXPECT_TRUE(alice->Keep(100).ok());
  open[0]->Release(50);
  EXPECT_TRUE(open[5]->Keep(50).ok());
  EXPECT_FALSE(open[5]->Keep(1).ok());
  open.clear();
  EXPECT_EQ(admission->kept_bytes(), 100u);
  EXPECT_TRUE(enter(Class::kAddress, "another")->Keep(100).ok());
}

TEST_F(Calling, WatchesOnlyItsShareAndLeavesCallsAlone) {
  const std::vector<Ticket> watches = OpenAll("a", Kind::kWatch);
  EXPECT_EQ(watches.size(), 2u);
  EXPECT_EQ(OpenAll("b", Kind::kWatch).size(), 2u);
  EXPECT_TRUE(Enter("a").ok());
}

TEST_F(Calling, KeepsOnlyItsShareOfMemory) {
  const Ticket a = *Enter("a");
  const Ticket more = *Enter("a");
  EXPECT_TRUE(a->Keep(60).ok());
  EXPECT_EQ(more->Keep(60).code(), absl::StatusCode::kResourceExhausted) << "an eighth of all";
  a->Release(60);
  EXPECT_TRUE(more->Keep(60).ok());
  EXPECT_EQ(admission_->kept_bytes(), 60u);
}

TEST_F(Calling, GivesBackWhatItKeptWhenItEnds) {
  {
    const Ticket a = *Enter("a");
    EXPECT_TRUE(a->Keep(100).ok());
    EXPECT_FALSE(a->Keep(1).ok());
  }
  EXPECT_EQ(admission_->kept_bytes(), 0u);
  EXPECT_TRUE((*Enter("a"))->Keep(100).ok());
}

TEST_F(Calling, FromManyAddressesDoesNotMakeItForgetWhoHasSomethingOpen) {
  const std::vector<Ticket> open = OpenAll("a", Kind::kCall);
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(Enter(absl::StrCat("x", i)).ok());
  EXPECT_FALSE(Enter("a").ok());
}

TEST_F(Calling, HasTheRateOfItsRoleAsSoonAsThatChanges) {
  const auto enter = [&](Class role, int cost) {
    return admission_->Enter({role, "olga"}, Kind::kCall, cost, After({}));
  };
  const absl::StatusOr<Ticket> before = enter(Class::kAccount, 200);
  EXPECT_TRUE(before.ok());
  EXPECT_FALSE(enter(Class::kAccount, 1).ok());
  EXPECT_TRUE(enter(Class::kOrganiser, 1'000).ok());
}

TEST_F(Calling, MayOutliveTheAdmission) {
  auto admission = std::make_shared<CallAdmission>(Small());
  const absl::StatusOr<Ticket> ticket =
      admission->Enter({Class::kAddress, "a"}, Kind::kCall, 1, After({}));
  admission = nullptr;
  EXPECT_TRUE((*ticket)->Keep(1).ok());
}

}  // namespace
}  // namespace referee::service
