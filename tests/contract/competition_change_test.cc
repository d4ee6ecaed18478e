// Claims about CompetitionService: what may be changed, renamed or removed, in which state and by
// whom.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/referee/v1/admin_service.grpc.pb.h"
#include "proto/referee/v1/competition_service.grpc.pb.h"
#include "tests/contract/competition_calls.h"
#include "tests/support/accounts.h"

namespace referee::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST_F(Competitions, AreChangedByOrganisersOnlyAndReadByEverybody) {
  Create(RoundRobin("spring"));
  v1::CreateCompetitionResponse created;
  v1::StartCompetitionResponse started;
  v1::FinishCompetitionResponse finished;
  for (const char* who : {"", "alice", "oscar"}) {
    EXPECT_FALSE(CallAs(who, &CompetitionStub::CreateCompetition, Ladder("autumn"), &created).ok())
        << who;
    EXPECT_FALSE(
        About<v1::StartCompetitionRequest>(who, &CompetitionStub::StartCompetition, &started).ok());
    EXPECT_FALSE(
        About<v1::FinishCompetitionRequest>(who, &CompetitionStub::FinishCompetition, &finished)
            .ok());
    EXPECT_EQ(Get().state(), v1::COMPETITION_STATE_NEW);
  }
}

TEST_F(Competitions, SayInWhichStateTheyAreWhenThatIsInTheWay) {
  Create(Ladder());
  v1::PauseCompetitionResponse paused;
  v1::ResumeCompetitionResponse resumed;
  v1::FinishCompetitionResponse finished;
  const auto pause = [&] {
    return About<v1::PauseCompetitionRequest>("olga", &CompetitionStub::PauseCompetition, &paused);
  };
  const auto resume = [&] {
    return About<v1::ResumeCompetitionRequest>("olga", &CompetitionStub::ResumeCompetition,
                                               &resumed);
  };
  EXPECT_EQ(pause().error_code(), grpc::FAILED_PRECONDITION);
  EXPECT_THAT(pause().error_message(), HasSubstr("NEW"));
  ASSERT_TRUE(Start().ok());
  EXPECT_EQ(Start().error_code(), grpc::FAILED_PRECONDITION);
  ASSERT_TRUE(pause().ok());
  EXPECT_EQ(paused.competition().state(), v1::COMPETITION_STATE_PAUSED);
  ASSERT_TRUE(resume().ok());
  EXPECT_EQ(resumed.competition().state(), v1::COMPETITION_STATE_RUNNING);
  Watcher watcher(stub_.get());
  EXPECT_TRUE(
      About<v1::FinishCompetitionRequest>("olga", &CompetitionStub::FinishCompetition, &finished)
          .ok());
  watcher.HearOf(v1::COMPETITION_STATE_FINISHED);
  EXPECT_THAT(
      About<v1::FinishCompetitionRequest>("olga", &CompetitionStub::FinishCompetition, &finished)
          .error_message(),
      HasSubstr("is FINISHED; it has ended already"));
  EXPECT_EQ(Join("olga", "alice").error_code(), grpc::FAILED_PRECONDITION);
}

TEST_F(Competitions, AreRenamedAndRemovedByOrganisersOnly) {
  Create(RoundRobin("spring"));
  v1::UpdateCompetitionRequest rename;
  rename.set_name("spring");
  rename.mutable_spec()->set_name("autumn");
  rename.mutable_update_mask()->add_paths("name");
  v1::UpdateCompetitionResponse renamed;
  v1::RemoveCompetitionRequest remove;
  remove.set_name("autumn");
  v1::RemoveCompetitionResponse removed;
  for (const char* who : {"", "alice", "oscar"}) {
    EXPECT_FALSE(CallAs(who, &CompetitionStub::UpdateCompetition, rename, &renamed).ok()) << who;
    EXPECT_FALSE(CallAs(who, &CompetitionStub::RemoveCompetition, remove, &removed).ok()) << who;
  }
  ASSERT_TRUE(CallAs("olga", &CompetitionStub::UpdateCompetition, rename, &renamed).ok());
  EXPECT_EQ(renamed.competition().spec().name(), "autumn");
  ASSERT_TRUE(CallAs("olga", &CompetitionStub::RemoveCompetition, remove, &removed).ok());
  EXPECT_EQ(CallAs("olga", &CompetitionStub::RemoveCompetition, remove, &removed).error_code(),
            grpc::NOT_FOUND);
}

TEST_F(Competitions, HaveBlocksThatOrganisersOnlyGiveUp) {
  Create(RoundRobin("spring"));
  v1::DropBlockRequest drop;
  drop.set_name("spring");
  drop.set_reason("stuck");
  v1::DropBlockResponse dropped;
  for (const char* who : {"", "alice", "oscar"}) {
    EXPECT_FALSE(CallAs(who, &CompetitionStub::DropBlock, drop, &dropped).ok()) << who;
  }
  const grpc::Status is_new = CallAs("olga", &CompetitionStub::DropBlock, drop, &dropped);
  EXPECT_EQ(is_new.error_code(), grpc::FAILED_PRECONDITION);
  EXPECT_THAT(is_new.error_message(), HasSubstr("is NEW"));
  ASSERT_TRUE(Start().ok());
  drop.set_number(std::numeric_limits<uint64_t>::max());
  const grpc::Status unknown = CallAs("olga", &CompetitionStub::DropBlock, drop, &dropped);
  EXPECT_EQ(unknown.error_code(), grpc::FAILED_PRECONDITION);
  EXPECT_THAT(unknown.error_message(), HasSubstr("is not open"));
}

TEST_F(Competitions, AreChangedByOrganisersInTheFieldsOfTheMask) {
  v1::CreateCompetitionRequest ladder = Ladder();
  ladder.mutable_spec()->mutable_watch_delay()->set_seconds(30);
  ladder.mutable_spec()->set_description("of the summer");
  Create(ladder);
  EXPECT_EQ(Get().spec().watch_delay().seconds(), 30);
  EXPECT_EQ(Get().spec().description(), "of the summer");
  EXPECT_EQ(Get().spec().homes(), 1u);
  EXPECT_EQ(Get().spec().pace(), 10);
  const v1::CompetitionSpec before = Get().spec();
  v1::UpdateCompetitionRequest request;
  request.set_name("spring");
  v1::CompetitionSpec& spec = *request.mutable_spec();
  spec.set_description("of the spring");
  spec.mutable_time_control()->mutable_bank()->set_seconds(60);
  spec.set_max_running(7);
  spec.set_provisional_width(200);
  spec.set_pace(2.5);
  spec.set_goal_width(40);
  spec.set_priority(-3);
  spec.set_homes(3);
  spec.set_keep_replays(true);
  spec.set_rounds(9);  // not in the mask
  for (const char* field :
       {"description", "time_control", "max_running", "provisional_width", "pace", "goal_width",
        "priority", "homes", "keep_replays", "watch_delay"}) {
    request.mutable_update_mask()->add_paths(field);
  }
  v1::UpdateCompetitionResponse changed;
  const auto call = &CompetitionStub::UpdateCompetition;
  for (const char* who : {"", "alice", "oscar"}) {
    EXPECT_FALSE(CallAs(who, call, request, &changed).ok()) << who;
  }
  EXPECT_EQ(Get().spec().SerializeAsString(), before.SerializeAsString());
  ASSERT_TRUE(CallAs("olga", call, request, &changed).ok());
  v1::CompetitionSpec expected = before;
  expected.MergeFrom(spec);
  expected.set_rounds(0);
  expected.clear_watch_delay();  // in the mask, and not set
  expected.mutable_time_control()->clear_per_move();
  expected.mutable_time_control()->mutable_increment();
  EXPECT_EQ(changed.competition().spec().ShortDebugString(), expected.ShortDebugString());
  EXPECT_EQ(Get().spec().ShortDebugString(), expected.ShortDebugString());
}

TEST_F(Competitions, AreLeftAsTheyAreByAChangeThatIsRefused) {
  Create(Ladder());
  const v1::CompetitionSpec before = Get().spec();
  const auto refused = [&](const char* field, auto set) {
    v1::UpdateCompetitionRequest request;
    request.set_name("spring");
    request.mutable_spec()->set_priority(1);
    request.mutable_update_mask()->add_paths("priority");
    set(request.mutable_spec());
    request.mutable_update_mask()->add_paths(field);
    v1::UpdateCompetitionResponse changed;
    const grpc::Status status =
        CallAs("olga", &CompetitionStub::UpdateCompetition, request, &changed);
    EXPECT_EQ(status.error_code(), grpc::INVALID_ARGUMENT) << field;
    return status.error_message();
  };
  using Spec = v1::CompetitionSpec;
  EXPECT_THAT(
      refused("watch_delay", [](Spec* spec) { spec->mutable_watch_delay()->set_seconds(86'401); }),
      HasSubstr("watch_delay: '24h1s'"));
  EXPECT_THAT(refused("homes", [](Spec* spec) { spec->set_homes(9); }), HasSubstr("homes: 9"));
  EXPECT_THAT(refused("priority", [](Spec* spec) { spec->set_priority(1001); }),
              HasSubstr("priority: 1001"));
  EXPECT_THAT(refused("name", [](Spec* spec) { spec->set_name("a\nb"); }), HasSubstr("name"));
  EXPECT_THAT(
      refused("description", [](Spec* spec) { spec->set_description(std::string(1001, 'a')); }),
      HasSubstr("at most 1000 bytes"));
  EXPECT_THAT(refused("rounds", [](Spec* spec) { spec->set_rounds(2); }),
              AllOf(HasSubstr("update_mask: 'rounds'"), HasSubstr("one of name, description")));
  EXPECT_THAT(refused("spec.pace", [](Spec*) {}), HasSubstr("update_mask: 'spec.pace'"));
  EXPECT_EQ(Get().spec().ShortDebugString(), before.ShortDebugString());
  v1::UpdateCompetitionRequest none;
  none.set_name("spring");
  v1::UpdateCompetitionResponse changed;
  EXPECT_EQ(CallAs("olga", &CompetitionStub::UpdateCompetition, none, &changed).error_code(),
            grpc::INVALID_ARGUMENT);
}

TEST_F(Competitions, AreInTheAuditLogWithWhoChangedThem) {
  Create(Ladder());
  ASSERT_TRUE(Start().ok());
  ASSERT_TRUE(Join("alice", "").ok());
  std::vector<std::string> entries;
  const absl::StatusOr<std::vector<store::AuditEntry>> log = referee_.store().ListAudit(0, 10);
  ASSERT_TRUE(log.ok()) << log.status();
  for (const store::AuditEntry& entry : *log) {
    if (entry.who == kAccountMaker) continue;
    EXPECT_EQ(entry.subject, "spring");
    entries.push_back(absl::StrCat(entry.who, " ", entry.action));
  }
  EXPECT_THAT(entries, ElementsAre("alice competition.join", "olga competition.start",
                                   "olga competition.create"));
}

}  // namespace
}  // namespace referee::testing
