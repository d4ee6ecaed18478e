// Calls AdminService at a referee, or its implementation directly on a store.
//
// With a store, the class that serves the call runs in this process, so that answers are the same.
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

// kLook reads an existing store; kChange may also create one.
enum class Use { kLook, kChange };

// The flags of all commands about accounts.
struct AdminFlags {
  ClientFlags client;
  store::Place store;

  // Whether the flags name a store instead of a referee.
  bool of_store() const { return !store.data_dir.empty() || !store.url.empty(); }
};

// Adds the flags of a client, and --data-dir and --store, which name a store instead of a referee.
// `flags` must outlive the parsing.
void AddAdminFlags(CLI::App* command, AdminFlags* flags);

// Opens a store. For kChange, creates a store in a data directory if it is missing, and returns an
// error if the directory belongs to another user. For kLook, returns NotFound if it is missing.
absl::StatusOr<std::unique_ptr<store::Store>> OpenLocalStore(const store::Place& place, Use use);

using AdminStub = v1::AdminService::Stub;

// Calls `answer` on the store if one is named, otherwise `call` on the referee. Returns
// InvalidArgument if the store cannot be opened; otherwise the result of CallOnce or `answer`.
template <typename Admin, typename Request, typename Response>
absl::StatusOr<Response> Ask(const AdminFlags& flags, Use use,
                             absl::StatusOr<Response> (Admin::*answer)(const Request&) const,
                             grpc::Status (AdminStub::*call)(grpc::ClientContext*, const Request&,
                                                             Response*),
                             const Request& request) {
  if (!flags.of_store()) return CallOnce(flags.client, call, request);
  const absl::StatusOr<std::unique_ptr<store::Store>> store = OpenLocalStore(flags.store, use);
  // A store that cannot be opened is an error in the command line, not a negative answer.
  if (!store.ok()) return absl::InvalidArgumentError(store.status().message());
  const SystemClock clock;
  return (Admin(store->get(), &clock, service::kLocalCaller).*answer)(request);
}

// The help footer of commands about accounts.
inline constexpr char kAccountFooter[] =
    "The referee is found at --address, else at REFEREE_ADDRESS, else at 127.0.0.1:7450, and "
    "takes\n"
    "the token of an organiser. With --data-dir, or --store, its store is used directly: beside a\n"
    "running referee, or before it runs first; so the first organiser is made.";

// Adds the commands audit and audit export.
void AddAuditCommands(CLI::App* group, Chosen* chosen);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_ACCOUNT_ASK_H_
