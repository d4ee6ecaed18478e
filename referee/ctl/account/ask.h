// Has something done by an organiser's call: through the referee, or on its own machine straight in
// its store.
//
//   Ask<service::AccountAdmin>(flags.client, flags.store, Use::kChange,
//                              [&](const auto& admin) { return admin.AddBot(request); });
#ifndef REFEREE_CTL_ACCOUNT_ASK_H_
#define REFEREE_CTL_ACCOUNT_ASK_H_

#include <memory>
#include <string>
#include <utility>

#include "CLI/App.hpp"
#include "absl/status/statusor.h"
#include "referee/base/clock.h"
#include "referee/ctl/account/client.h"
#include "referee/ctl/client_flags.h"
#include "referee/service/access/access.h"
#include "referee/store/place.h"
#include "referee/store/store.h"

namespace referee::ctl {

// What is asked for: to look only makes nothing.
enum class Use { kLook, kChange };

// Adds --data-dir and --store, which say what is to be asked instead of a referee. Both must
// outlive the parsing of the command line.
void AddLocalStoreFlags(CLI::App* command, store::Place* place);

// Whether a store is named, not a referee.
inline bool IsNamed(const store::Place& place) {
  return !place.data_dir.empty() || !place.url.empty();
}

// Opens a store. To change it, one in a data directory is made if need be; returns an error for a
// directory of another user. To look, returns NotFound where there is none.
absl::StatusOr<std::unique_ptr<store::Store>> OpenLocalStore(const store::Place& place, Use use);

// Calls `act` with an Admin of the store that is named, or if none is with an AdminClient, and
// returns what it does: a StatusOr of a response.
template <typename Admin, typename Act>
auto Ask(const ClientFlags& flags, const store::Place& place, Use use, Act act)
    -> decltype(act(std::declval<const Admin&>())) {
  if (IsNamed(place)) {
    const absl::StatusOr<std::unique_ptr<store::Store>> store = OpenLocalStore(place, use);
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
