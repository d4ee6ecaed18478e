// Has something done by an organiser's call: through the referee, or on its own machine straight in
// its store.
//
//   Ask<service::AccountAdmin>(flags.client, flags.data_dir, Use::kChange,
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

// What is asked for: to look only makes nothing.
enum class Use { kLook, kChange };

// Opens the store of a data directory. To change it, it is made if need be; returns an error for a
// directory of another user. To look, returns NotFound where there is none.
absl::StatusOr<std::unique_ptr<store::Store>> OpenLocalStore(const std::string& data_dir, Use use);

// Calls `act` with an Admin of the store in `data_dir`, or if that is empty with an AdminClient,
// and returns what it does: a StatusOr of a response.
template <typename Admin, typename Act>
auto Ask(const ClientFlags& flags, const std::string& data_dir, Use use, Act act)
    -> decltype(act(std::declval<const Admin&>())) {
  if (!data_dir.empty()) {
    const absl::StatusOr<std::unique_ptr<store::Store>> store = OpenLocalStore(data_dir, use);
    // The command line is at fault: it is no answer that there is no store.
    if (!store.ok()) return absl::InvalidArgumentError(store.status().message());
    const SystemClock clock;
    return act(Admin(store->get(), &clock, service::kLocalCaller));
  }
  absl::StatusOr<Connection> connection = Connect(flags);
  if (!connection.ok()) return connection.status();
  return act(AdminClient(*std::move(connection)));
}

}  // namespace referee::ctl

#endif  // REFEREE_CTL_ACCOUNT_ASK_H_
