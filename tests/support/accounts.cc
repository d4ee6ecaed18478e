#include "tests/support/accounts.h"

#include <gtest/gtest.h>

#include "absl/time/clock.h"
#include "referee/replay/files.h"
#include "referee/service/access/authenticator.h"
#include "referee/store/place.h"

namespace referee::testing {

void AddAccount(store::Store* store, const std::string& name, absl::string_view token,
                store::Role role) {
  store::Account account;
  account.name = name;
  account.role = role;
  account.token_hash = service::HashToken(token);
  account.create_time = absl::Now();
  account.token_time = account.create_time;
  store::AuditEntry audit;
  audit.time = account.create_time;
  audit.who = kAccountMaker;
  audit.action = "bot.add";
  audit.subject = name;
  const absl::Status added = store->AddAccount(account, audit);
  EXPECT_TRUE(added.ok()) << added;
}

void AddAccount(const std::string& data_dir, const std::string& name, absl::string_view token,
                store::Role role) {
  const absl::Status made = replay::MakeDirectories(data_dir, 0755);
  ASSERT_TRUE(made.ok()) << made;
  const auto store = store::OpenStore({data_dir, ""}, {});
  ASSERT_TRUE(store.ok()) << store.status();
  AddAccount(store->get(), name, token, role);
}

}  // namespace referee::testing
