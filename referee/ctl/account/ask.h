// Makes a call of AdminService: to the referee or, on the referee's machine, to its store alone.
// The same code answers either way: the class that serves the call.
//
//   Ask(flags, Use::kChange, &service::AccountAdmin::AddBot, &AdminStub::AddBot, request);
#ifndef REFEREE_CTL_ACCOUNT_ASK_H_
#define REFEREE_CTL_ACCOUNT_ASK_H_

#include <memory>
#include <string>

#include "CLI/App.hpp"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto/referee/v1/admin_service.grpc.pb.h"
#include "referee/base/clock.h"
#include "referee/ctl/client.h"
#include "referee/ctl/command.h"
#include "referee/service/access/access.h"
#include "referee/store/place.h"
#include "referee/store/store.h"

namespace referee::ctl {

// What is asked for: to look only makes nothing.
enum class Use { kLook, kChange };

// The flags that all of these commands have.
struct AdminFlags {
  ClientFlags client;
  store::Place store;

  // Whether a store is named, not a referee.
  bool of_store() const { return !store.data_dir.empty() || !store.url.empty(); }
};

// Adds those of a client, and --data-dir and --store, which say what is to be asked instead of a
// referee. `flags` must outlive the parsing of the command line.
void AddAdminFlags(CLI::App* command, AdminFlags* flags);

// Opens a store. To change it, one in a data directory is made if need be; returns an error for a
// directory of another user. To look, returns NotFound where there is none.
absl::StatusOr<std::unique_ptr<store::Store>> OpenLocalStore(const store::Place& place, Use use);

using AdminStub = v1::AdminService::Stub;

// Calls `answer` with the store if one is named, else `call` of the referee. Returns
// InvalidArgument for a store that cannot be opened; else what CallOnce or `answer` returns.
template <typename Admin, typename Request, typename Response>
absl::StatusOr<Response> Ask(const AdminFlags& flags, Use use,
                             absl::StatusOr<Response> (Admin::*answer)(const Request&) const,
                             grpc::Status (AdminStub::*call)(grpc::ClientContext*, const Request&,
                                                             Response*),
                             const Request& request) {
  if (!flags.of_store()) return CallOnce(flags.client, call, request);
  const absl::StatusOr<std::unique_ptr<store::Store>> store = OpenLocalStore(flags.store, use);
  // The command line is at fault: it is no answer that there is no store.
  if (!store.ok()) return absl::InvalidArgumentError(store.status().message());
  const SystemClock clock;
  return (Admin(store->get(), &clock, service::kLocalCaller).*answer)(request);
}

// The footer of the help of commands about accounts.
inline constexpr char kAccountFooter[] =
    "The referee is found at --address, else at REFEREE_ADDRESS, else at 127.0.0.1:7450, and "
    "takes\n"
    "the token of an organiser. With --data-dir, or --store, its store is used directly: beside a\n"
    "running referee, or before it runs first; so the first organiser is made.";

// Adds audit, and audit export.
void AddAuditCommands(CLI::App* group, Chosen* chosen);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_ACCOUNT_ASK_H_
