// Adds accounts with known tokens to the store of a data directory, for tests.
//
// They are made as 'refctl bot add --data-dir' makes them, before or while a referee uses the
// directory.
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

// Adds an account. An existing name or token fails the test.
void AddAccount(store::Store* store, const std::string& name, absl::string_view token,
                store::Role role = store::Role::kBot);
// The same, in the store of `data_dir`. Makes the directory and the store if they do not exist.
void AddAccount(const std::string& data_dir, const std::string& name, absl::string_view token,
                store::Role role = store::Role::kBot);

}  // namespace referee::testing

#endif  // REFEREE_TESTS_SUPPORT_ACCOUNTS_H_
