#include <string>
#include <utility>
#include <vector>

#include "referee/base/limits.h"
#include "tests/unit/store/harness.h"

namespace referee::store {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Implementations, AreListedByTheirNames) {
  for (const Implementation& implementation : AllImplementations()) {
    EXPECT_EQ(::testing::PrintToString(implementation), implementation.name);
  }
}

TEST_P(StoreContract, AccountIsFoundByNameAndByToken) {
  Account organiser = AccountOf("olga", 7);
  organiser.role = Role::kOrganiser;
  ASSERT_TRUE(store_->AddAccount(organiser, AuditOf("bot.add", "olga")).ok());
  Reopen();
  const Account named = store_->GetAccount("olga").value();
  EXPECT_EQ(named.role, Role::kOrganiser);
  EXPECT_EQ(named.create_time, At(7));
  EXPECT_EQ(named.disabled, "");
  EXPECT_EQ(store_->FindToken(Hash(7)).value().name, "olga");
  EXPECT_TRUE(absl::IsNotFound(store_->GetAccount("alice").status()));
  EXPECT_TRUE(absl::IsNotFound(store_->FindToken(Hash(8)).status()));
}

TEST_P(StoreContract, NeitherNameNorTokenIsTakenTwiceAndRefusalsAreNotLogged) {
  ASSERT_TRUE(store_->AddAccount(AccountOf("alice", 1), AuditOf("bot.add", "alice")).ok());
  ASSERT_TRUE(store_->AddAccount(AccountOf("bob", 2), AuditOf("bot.add", "bob")).ok());
  const std::string before = Describe(store_.get());
  EXPECT_TRUE(absl::IsAlreadyExists(store_->AddAccount(AccountOf("alice", 3), {})));
  EXPECT_TRUE(absl::IsAlreadyExists(store_->AddAccount(AccountOf("carol", 1), {})));
  EXPECT_TRUE(absl::IsAlreadyExists(store_->SetToken("alice", Hash(2), At(9), absl::nullopt, {})));
  EXPECT_EQ(Describe(store_.get()), before);
}

TEST_P(StoreContract, NewTokenTakesThePlaceOfTheOld) {
  ASSERT_TRUE(store_->AddAccount(AccountOf("alice", 1), {}).ok());
  ASSERT_TRUE(
      store_->SetToken("alice", Hash(2), At(5), absl::nullopt, AuditOf("bot.rotate", "alice"))
          .ok());
  Reopen();
  EXPECT_TRUE(absl::IsNotFound(store_->FindToken(Hash(1)).status()));
  EXPECT_EQ(store_->FindToken(Hash(2)).value().token_time, At(5));
  EXPECT_TRUE(absl::IsNotFound(store_->SetToken("bob", Hash(3), At(5), absl::nullopt, {})));
}

TEST_P(StoreContract, TokenEndsAfterItsTimeAndSoDoThoseThatFollowIt) {
  Account alice = AccountOf("alice", 1);
  alice.token_time = At(1);
  alice.token_lifetime = absl::Hours(24);
  ASSERT_TRUE(store_->AddAccount(alice, {}).ok());
  Reopen();
  EXPECT_EQ(store_->GetAccount("alice")->token_expires(), At(1) + absl::Hours(24));
  ASSERT_TRUE(store_->SetToken("alice", Hash(2), At(5), absl::nullopt, {}).ok());
  EXPECT_EQ(store_->GetAccount("alice")->token_expires(), At(5) + absl::Hours(24));
  ASSERT_TRUE(store_->RenewToken("alice", Hash(2), Hash(3), At(6), At(7), {}).ok());
  EXPECT_EQ(store_->GetAccount("alice")->token_expires(), At(6) + absl::Hours(24));
  ASSERT_TRUE(store_->SetToken("alice", Hash(4), At(8), absl::Hours(1), {}).ok());
  EXPECT_EQ(store_->GetAccount("alice")->token_expires(), At(8) + absl::Hours(1));
  ASSERT_TRUE(store_->SetToken("alice", Hash(5), At(9), absl::ZeroDuration(), {}).ok());
  EXPECT_EQ(store_->GetAccount("alice")->token_expires(), absl::nullopt);
}

TEST_P(StoreContract, RenewedTokenIsKeptAsTheFormerOneUntilTheNextIsGiven) {
  ASSERT_TRUE(store_->AddAccount(AccountOf("alice", 1), {}).ok());
  ASSERT_TRUE(store_->AddAccount(AccountOf("bob", 9), {}).ok());
  const AuditEntry audit = AuditOf("bot.renew", "alice");
  ASSERT_TRUE(store_->RenewToken("alice", Hash(1), Hash(2), At(5), At(6), audit).ok());
  Reopen();
  Account alice = store_->GetAccount("alice").value();
  EXPECT_EQ(alice.token_hash, Hash(2));
  EXPECT_EQ(alice.token_time, At(5));
  EXPECT_EQ(alice.former_hash, Hash(1));
  EXPECT_EQ(alice.former_until, At(6));
  EXPECT_EQ(store_->ListAudit(0, 1)->front().action, "bot.renew");
  // Not while the former one is still taken.
  EXPECT_TRUE(absl::IsResourceExhausted(
      store_->RenewToken("alice", Hash(2), Hash(3), At(6) - absl::Seconds(1), At(8), audit)));
  const std::string before = Describe(store_.get());
  // Who has the former token only, be it stolen or not, gets no other by it.
  EXPECT_TRUE(absl::IsFailedPrecondition(
      store_->RenewToken("alice", Hash(1), Hash(3), At(7), At(8), audit)));
  EXPECT_TRUE(
      absl::IsAlreadyExists(store_->RenewToken("alice", Hash(2), Hash(9), At(7), At(8), audit)));
  EXPECT_TRUE(absl::IsAlreadyExists(store_->AddAccount(AccountOf("carol", 1), audit)));
  EXPECT_TRUE(absl::IsNotFound(store_->RenewToken("carol", Hash(2), Hash(3), At(7), At(8), audit)));
  EXPECT_EQ(Describe(store_.get()), before);
  ASSERT_TRUE(store_->SetToken("alice", Hash(4), At(9), absl::nullopt, {}).ok());
  alice = store_->GetAccount("alice").value();
  EXPECT_EQ(alice.former_hash, absl::nullopt);
  EXPECT_EQ(alice.former_until, absl::nullopt);
}

TEST_P(StoreContract, LastUseOfATokenOnlyRisesAndIsNoMatterForTheAuditLog) {
  ASSERT_TRUE(store_->AddAccount(AccountOf("alice", 1), {}).ok());
  ASSERT_TRUE(store_->AddAccount(AccountOf("bob", 2), {}).ok());
  const size_t entries = store_->ListAudit(0, 100)->size();
  ASSERT_TRUE(store_->NoteUses({{"alice", At(5)}, {"nobody", At(5)}}).ok());
  ASSERT_TRUE(store_->NoteUses({{"alice", At(4)}}).ok());
  Reopen();
  EXPECT_EQ(store_->GetAccount("alice")->last_used, At(5));
  EXPECT_EQ(store_->GetAccount("bob")->last_used, absl::nullopt);
  EXPECT_EQ(store_->ListAudit(0, 100)->size(), entries);
}

TEST_P(StoreContract, AccountIsDisabledWithAReasonAndEnabledWithout) {
  ASSERT_TRUE(store_->AddAccount(AccountOf("alice", 1), {}).ok());
  ASSERT_TRUE(store_->SetDisabled("alice", "floods", AuditOf("bot.disable", "alice")).ok());
  EXPECT_EQ(store_->FindToken(Hash(1)).value().disabled, "floods");
  ASSERT_TRUE(store_->SetDisabled("alice", "", AuditOf("bot.enable", "alice")).ok());
  EXPECT_EQ(store_->FindToken(Hash(1)).value().disabled, "");
  EXPECT_TRUE(absl::IsNotFound(store_->SetDisabled("bob", "", {})));
}

TEST_P(StoreContract, AccountsAreListedByNamePageByPage) {
  for (const char* name : {"b", "a", "\xc3\xa4", "B", "c"}) {
    const auto token = static_cast<uint8_t>(name[0]);
    ASSERT_TRUE(store_->AddAccount(AccountOf(name, token), {}).ok());
  }
  const auto name = [](const char* is) { return Field(&Account::name, is); };
  EXPECT_THAT(store_->ListAccounts("", 2).value(), ElementsAre(name("B"), name("a")));
  EXPECT_THAT(store_->ListAccounts("a", 9).value(),
              ElementsAre(name("b"), name("c"), name("\xc3\xa4")));
  EXPECT_THAT(store_->ListAccounts("\xc3\xa4", 9).value(), IsEmpty());
}

TEST_P(StoreContract, AccountThatPlaysIsNotRemoved) {
  ASSERT_TRUE(store_->AddAccount(AccountOf("alice", 1), {}).ok());
  const Competition ladder = StartLadder(store_.get(), 1, {"alice"});
  const std::string before = Describe(store_.get());
  const absl::Status refused = store_->RemoveAccount("alice", AuditOf("bot.remove", "alice"));
  EXPECT_TRUE(absl::IsFailedPrecondition(refused));
  EXPECT_THAT(std::string(refused.message()), ::testing::HasSubstr("ladder 1"));
  EXPECT_EQ(Describe(store_.get()), before);

  ASSERT_TRUE(
      store_->TakeOut(ladder.id, "alice", Presence::kWithdrawn, "had enough", absl::nullopt).ok());
  EXPECT_TRUE(store_->RemoveAccount("alice", AuditOf("bot.remove", "alice")).ok());
  EXPECT_TRUE(absl::IsNotFound(store_->RemoveAccount("alice", {})));
  EXPECT_EQ(store_->ListEntries("alice", 9).value().size(), 1);  // what it played stays
}

TEST_P(StoreContract, LastOrganiserIsNeitherDisabledNorRemoved) {
  Account olga = AccountOf("olga", 1), oscar = AccountOf("oscar", 2);
  olga.role = oscar.role = Role::kOrganiser;
  ASSERT_TRUE(store_->AddAccount(olga, {}).ok());
  ASSERT_TRUE(store_->AddAccount(AccountOf("bot", 3), {}).ok());
  for (const char* rest : {"none", "disabled"}) {
    const absl::Status disabled = store_->SetDisabled("olga", "rain", {});
    EXPECT_TRUE(absl::IsFailedPrecondition(disabled)) << rest;
    EXPECT_THAT(std::string(disabled.message()), HasSubstr("--role organiser"));
    EXPECT_TRUE(absl::IsFailedPrecondition(store_->RemoveAccount("olga", {})));
    EXPECT_EQ(store_->GetAccount("olga").value().disabled, "") << rest;
    if (store_->GetAccount("oscar").ok()) continue;
    oscar.disabled = "away";
    ASSERT_TRUE(store_->AddAccount(oscar, {}).ok());
  }
  ASSERT_TRUE(store_->SetDisabled("oscar", "", {}).ok());
  EXPECT_TRUE(store_->SetDisabled("olga", "rain", {}).ok());
  EXPECT_TRUE(store_->RemoveAccount("olga", {}).ok());
  EXPECT_TRUE(absl::IsFailedPrecondition(store_->RemoveAccount("oscar", {})));
  EXPECT_TRUE(store_->RemoveAccount("bot", {}).ok());
}

TEST_P(StoreContract, AuditLogIsReadOldestFirstFromAnyEntryOn) {
  EXPECT_THAT(store_->ListAuditAfter(0, 10).value(), IsEmpty());
  for (const char* match : {"m1", "m2", "m3"}) {
    ASSERT_TRUE(store_->AppendAudit(AuditOf("match.cancel", match)).ok());
  }
  const std::vector<AuditEntry> page = store_->ListAuditAfter(0, 2).value();
  EXPECT_THAT(page,
              ElementsAre(Field(&AuditEntry::subject, "m1"), Field(&AuditEntry::subject, "m2")));
  EXPECT_THAT(store_->ListAuditAfter(page.back().number, 2).value(),
              ElementsAre(Field(&AuditEntry::subject, "m3")));
}

TEST_P(StoreContract, AuditLogIsReadNewestFirstPageByPage) {
  ASSERT_TRUE(store_->AddAccount(AccountOf("alice", 1), AuditOf("bot.add", "alice")).ok());
  ASSERT_TRUE(store_->AppendAudit(AuditOf("match.cancel", "m1")).ok());
  Reopen();
  ASSERT_TRUE(store_->AppendAudit(AuditOf("match.cancel", "m2")).ok());
  const auto entry = [](const char* action, const char* subject) {
    return ::testing::AllOf(Field(&AuditEntry::action, action),
                            Field(&AuditEntry::subject, subject), Field(&AuditEntry::who, "local"),
                            Field(&AuditEntry::time, At(1)));
  };
  const std::vector<AuditEntry> page = store_->ListAudit(0, 2).value();
  ASSERT_THAT(page, ElementsAre(entry("match.cancel", "m2"), entry("match.cancel", "m1")));
  EXPECT_THAT(store_->ListAudit(page.back().number, 2).value(),
              ElementsAre(entry("bot.add", "alice")));
}

TEST_P(StoreContract, BansAreKeptOncePerSubjectAndRemoved) {
  Ban account{Ban::Kind::kAccount, "alice", "floods", At(1), At(9), "olga"};
  const Ban network{Ban::Kind::kAddress, "10.0.0.0/8", "", At(2), absl::nullopt};
  ASSERT_TRUE(store_->SetBan(network, AuditOf("ban.add", "10.0.0.0/8")).ok());
  ASSERT_TRUE(store_->SetBan(account, AuditOf("ban.add", "alice")).ok());
  account.reason = "floods again";
  ASSERT_TRUE(store_->SetBan(account, AuditOf("ban.add", "alice")).ok());
  Reopen();
  const std::vector<Ban> bans = store_->ListBans().value();
  ASSERT_EQ(bans.size(), 2u);
  EXPECT_EQ(bans[0].subject, "alice");
  EXPECT_EQ(bans[0].reason, "floods again");
  EXPECT_EQ(bans[0].until, At(9));
  EXPECT_EQ(bans[0].cancelled_by, "olga");
  EXPECT_EQ(bans[1].kind, Ban::Kind::kAddress);
  EXPECT_FALSE(bans[1].until.has_value());
  EXPECT_EQ(bans[1].cancelled_by, "");
  EXPECT_TRUE(absl::IsNotFound(store_->RemoveBan(Ban::Kind::kAddress, "alice", {})));
  EXPECT_TRUE(store_->RemoveBan(Ban::Kind::kAccount, "alice", AuditOf("ban.remove", "alice")).ok());
  EXPECT_EQ(store_->ListBans().value().size(), 1u);
}

TEST_P(StoreContract, AnOrganiserIsLeftThatIsNeitherBannedNorDisabled) {
  for (const auto& [name, token] : {std::pair("olga", 7), std::pair("otto", 8)}) {
    Account account = AccountOf(name, static_cast<uint8_t>(token));
    account.role = Role::kOrganiser;
    ASSERT_TRUE(store_->AddAccount(account, AuditOf("bot.add", name)).ok());
  }
  const Ban olga{Ban::Kind::kAccount, "olga", "", At(1), At(9)};
  ASSERT_TRUE(store_->SetBan(olga, AuditOf("ban.add", "olga")).ok());
  EXPECT_TRUE(absl::IsFailedPrecondition(
      store_->SetBan({Ban::Kind::kAccount, "otto", "", At(2), absl::nullopt}, {})));
  EXPECT_EQ(store_->ListBans().value().size(), 1u);
  EXPECT_TRUE(absl::IsFailedPrecondition(
      store_->SetDisabled("otto", "why", AuditOf("bot.disable", "otto"))));
  EXPECT_TRUE(
      absl::IsFailedPrecondition(store_->RemoveAccount("otto", AuditOf("bot.remove", "otto"))));
  // When olga's ban is over, it goes with the next one.
  EXPECT_TRUE(store_->SetBan({Ban::Kind::kAccount, "otto", "", At(9), absl::nullopt}, {}).ok());
  const std::vector<Ban> bans = store_->ListBans().value();
  ASSERT_EQ(bans.size(), 1u);
  EXPECT_EQ(bans[0].subject, "otto");
}

TEST_P(StoreContract, BansAreOnlySoMany) {
  for (int i = 0; i < limits::kMaxBans; ++i) {
    const Ban ban{Ban::Kind::kAccount, std::to_string(i), "", At(1), absl::nullopt};
    ASSERT_TRUE(store_->SetBan(ban, {}).ok());
  }
  const Ban beyond{Ban::Kind::kAccount, "beyond", "", At(1), absl::nullopt};
  EXPECT_TRUE(absl::IsResourceExhausted(store_->SetBan(beyond, {})));
  const Ban again{Ban::Kind::kAccount, "7", "again", At(1), absl::nullopt};
  EXPECT_TRUE(store_->SetBan(again, {}).ok());
}

}  // namespace
}  // namespace referee::store
