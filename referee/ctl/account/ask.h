// Has something done by an organiser's call: through the referee, or on its own machine straight in
// its store.
//
//   Ask<service::AccountAdmin>(flags.client, flags.data_dir,
//                              [&](const auto& admin) { return admin.AddBot(request); });
#ifndef REFEREE_CTL_ACCOUNT_ASK_H_
#define REFEREE_CTL_ACCOUNT_ASK_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "referee/base/clock.h"
#include "referee/ctl/account/client.h"
#include "referee/ctl/client_flags.h"
#include "referee/service/access/access.h"
#include "referee/store/store.h"

namespace referee::ctl {

// Opens the store of a data directory, which is made if need be. Returns an error for a directory
// of another user.
absl::StatusOr<std::unique_ptr<store::Store>> OpenLocalStore(const std::string& data_dir);

// Calls `act` with an Admin of the store in `data_dir`, or if that is empty with an AdminClient,
// and returns what it does: a StatusOr of a response.
template <typename Admin, typename Act>
auto Ask(const ClientFlags& flags, const std::string& data_dir, Act act)
    -> decltype(act(std::declval<const Admin&>())) {
  if (!data_dir.empty()) {
    const absl::StatusOr<std::unique_ptr<store::Store>> store = OpenLocalStore(data_dir);
    if (!store.ok()) return store.status();
    const SystemClock clock;
    return act(Admin(store->get(), &clock, service::kLocalCaller));
  }
  absl::StatusOr<Connection> connection = Connect(flags);
  if (!connection.ok()) return connection.status();
  return act(AdminClient(*std::move(connection)));
}

}  // namespace referee::ctl

#endif  // REFEREE_CTL_ACCOUNT_ASK_H_
