// Accounts with tokens that a test knows beforehand, made straight in the store of a data
// directory, as 'refctl bot add --data-dir' makes them: before a referee runs there, or beside it.
//
//   AddAccount(data_dir, "alice", "alice-token");
//   AddAccount(data_dir, "olga", "olga-token", store::Role::kOrganiser);
#ifndef REFEREE_TESTS_SUPPORT_ACCOUNTS_H_
#define REFEREE_TESTS_SUPPORT_ACCOUNTS_H_

#include <string>

#include "absl/strings/string_view.h"
#include "referee/store/store.h"

namespace referee::testing {

// The actor of AddAccount in the audit log.
inline constexpr char kAccountMaker[] = "the test";

// Fails the test when there is one of this name or token.
void AddAccount(store::Store* store, const std::string& name, absl::string_view token,
                store::Role role = store::Role::kBot);
// The same in the store of `data_dir`, both of which are made if need be.
void AddAccount(const std::string& data_dir, const std::string& name, absl::string_view token,
                store::Role role = store::Role::kBot);

}  // namespace referee::testing

#endif  // REFEREE_TESTS_SUPPORT_ACCOUNTS_H_
