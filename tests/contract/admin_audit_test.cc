// Claims about AdminService: what the audit log records, and how it is listed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "proto/referee/v1/admin_service.grpc.pb.h"
#include "tests/contract/admin_calls.h"
#include "tests/contract/referee_under_test.h"

namespace referee::testing {
namespace {

using ::testing::ElementsAre;

TEST_F(Admin, RemembersWhoDidWhatNewestFirstAndNoToken) {
  const std::string first = Add("zoe");
  const std::string second = Rotate("zoe");
  v1::DisableBotResponse disabled;
  ASSERT_TRUE(Named(&AdminStub::DisableBot, "zoe", &disabled).ok());
  v1::RemoveBotResponse removed;
  ASSERT_TRUE(Named(&AdminStub::RemoveBot, "zoe", &removed).ok());
  EXPECT_THAT(Audit(10), ElementsAre("olga bot.remove zoe: ", "olga bot.disable zoe: by olga",
                                     "olga bot.rotate zoe: ", "olga bot.add zoe: bot"));
  EXPECT_THAT(Audit(1), ElementsAre("olga bot.remove zoe: "));
}

TEST_F(Admin, RemembersNothingThatWasRefused) {
  AddStatus("alice");
  AddStatus("");
  v1::RemoveBotResponse removed;
  Named(&AdminStub::RemoveBot, "nobody", &removed);
  EXPECT_THAT(Audit(10), ElementsAre());
}

TEST_F(Admin, RemembersWhoMadeAndCancelledMatches) {
  const auto with_token = [] {
    auto context = NewContext();
    context->AddMetadata("authorization", "Bearer " + RefereeUnderTest::Token("olga"));
    return context;
  };
  v1::CreateMatchResponse created;
  ASSERT_TRUE(referee_.matches()
                  .CreateMatch(with_token().get(), referee_.Request({"alice", "bob"}), &created)
                  .ok());
  const std::string& id = created.match().match_id();
  v1::CancelMatchRequest cancel;
  cancel.set_match_id(id);
  cancel.set_reason("rain");
  v1::CancelMatchResponse cancelled;
  ASSERT_TRUE(referee_.matches().CancelMatch(with_token().get(), cancel, &cancelled).ok());
  EXPECT_THAT(Audit(10), ElementsAre("olga match.cancel " + id + ": rain",
                                     "olga match.create " + id + ": hypnosia: alice, bob"));
}

TEST_F(Admin, ListsTheAuditLogInPages) {
  for (const char* name : {"a", "b", "c"}) Add(name);
  v1::ListAuditRequest request;
  request.set_page_size(2);
  v1::ListAuditResponse first;
  ASSERT_TRUE(Call(&AdminStub::ListAudit, request, &first).ok());
  ASSERT_EQ(first.entries_size(), 2);
  EXPECT_EQ(first.entries(0).subject(), "c");
  request.set_page_token(first.next_page_token());
  request.set_page_size(100);
  v1::ListAuditResponse second;
  ASSERT_TRUE(Call(&AdminStub::ListAudit, request, &second).ok());
  ASSERT_GE(second.entries_size(), 1);
  EXPECT_EQ(second.entries(0).subject(), "a");
  EXPECT_EQ(second.next_page_token(), "");
  request.set_page_token("nonsense");
  EXPECT_EQ(Call(&AdminStub::ListAudit, request, &second).error_code(),
            grpc::StatusCode::INVALID_ARGUMENT);
}

TEST_F(Admin, ListsTheAuditLogFromItsOldestEntryOn) {
  for (const char* name : {"a", "b", "c"}) Add(name);
  v1::ListAuditRequest request;
  request.set_oldest_first(true);
  request.set_page_size(2);
  std::vector<std::string> added;
  uint64_t last = 0;
  do {
    v1::ListAuditResponse page;
    ASSERT_TRUE(Call(&AdminStub::ListAudit, request, &page).ok());
    for (const v1::AuditEntry& entry : page.entries()) {
      EXPECT_GT(entry.number(), last);
      last = entry.number();
      if (entry.who() == "olga") added.push_back(entry.subject());
    }
    request.set_page_token(page.next_page_token());
  } while (!request.page_token().empty());
  EXPECT_THAT(added, ElementsAre("a", "b", "c"));
}

}  // namespace
}  // namespace referee::testing
