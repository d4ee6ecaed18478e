// Claims about who is known by an account.
#include "referee/service/access/accounts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "referee/service/store_file.h"
#include "tests/support/temp_folder.h"

namespace referee::service {
namespace {

using ::testing::HasSubstr;

class AccountsTest : public ::testing::Test {
 protected:
  void Add(const std::string& name, absl::string_view token, store::Role role = store::Role::kBot) {
    store::Account account;
    account.name = name;
    account.role = role;
    account.token_hash = HashToken(token);
    EXPECT_TRUE(store_->AddAccount(account, {}).ok());
  }

  const testing::TempFolder folder_;
  const std::unique_ptr<store::Store> store_ = OpenStoreIn(folder_.path()).value();
};

TEST_F(AccountsTest, AreFoundByTheHashOfTheirToken) {
  Add("alice", "a");
  Add("olga", "o", store::Role::kOrganiser);
  Add("oscar", "v", store::Role::kObserver);
  const Accounts accounts(store_.get());
  EXPECT_EQ(accounts.Find(HashToken("a"))->name, "alice");
  EXPECT_EQ(accounts.Find(HashToken("o"))->role, Role::kOrganiser);
  EXPECT_EQ(accounts.Find(HashToken("v"))->role, Role::kObserver);
  EXPECT_TRUE(absl::IsUnauthenticated(accounts.Find(HashToken("x")).status()));
  EXPECT_TRUE(*accounts.KnowsBot("alice"));
  EXPECT_FALSE(*accounts.KnowsBot("olga"));
  EXPECT_FALSE(*accounts.KnowsBot("nobody"));
}

TEST_F(AccountsTest, SayWhatBecameOfAToken) {
  Add("alice", "a");
  const Accounts accounts(store_.get());
  const TokenHash token = HashToken("a");
  EXPECT_TRUE(accounts.Recheck("alice", token).ok());
  ASSERT_TRUE(store_->SetDisabled("alice", "rain", {}).ok());
  EXPECT_THAT(std::string(accounts.Recheck("alice", token).message()), HasSubstr("rain"));
  EXPECT_THAT(std::string(accounts.Find(token).status().message()), HasSubstr("rain"));
  ASSERT_TRUE(store_->SetDisabled("alice", "", {}).ok());
  EXPECT_TRUE(accounts.Recheck("alice", token).ok());
  ASSERT_TRUE(store_->SetToken("alice", HashToken("b"), absl::Now(), {}).ok());
  EXPECT_THAT(std::string(accounts.Recheck("alice", token).message()), HasSubstr("renewed"));
  ASSERT_TRUE(store_->RemoveAccount("alice", {}).ok());
  EXPECT_THAT(std::string(accounts.Recheck("alice", token).message()), HasSubstr("removed"));
}

TEST_F(AccountsTest, HaveAnOrganiserWhenOneIsThereDisabledOrNot) {
  const Accounts accounts(store_.get());
  Add("alice", "a");
  EXPECT_FALSE(*accounts.HasOrganiser());
  Add("olga", "o", store::Role::kOrganiser);
  EXPECT_TRUE(*accounts.HasOrganiser());
  ASSERT_TRUE(store_->SetDisabled("olga", "away", {}).ok());
  EXPECT_TRUE(*accounts.HasOrganiser()) << "else whoever is on this machine were one";
  Add("otto", "p", store::Role::kOrganiser);
  ASSERT_TRUE(store_->RemoveAccount("olga", {}).ok());
  EXPECT_TRUE(*accounts.HasOrganiser());
  ASSERT_TRUE(store_->RemoveAccount("otto", {}).ok());
  EXPECT_FALSE(*accounts.HasOrganiser());
}

}  // namespace
}  // namespace referee::service
