#include "referee/ctl/account/ask.h"

#include "referee/ctl/data_dir.h"
#include "referee/replay/files.h"

namespace referee::ctl {
namespace {

// The directory must belong to the referee's user, because other files are made there.
absl::Status MakeReady(const std::string& data_dir) {
  if (absl::Status made = replay::MakeDirectories(data_dir, 0755); !made.ok()) return made;
  return CheckOwner(data_dir);
}

}  // namespace

void AddAdminFlags(CLI::App* command, AdminFlags* flags) {
  AddClientFlags(command, &flags->client);
  CLI::Option* const data_dir =
      AddOption(command, "--data-dir", "DIR", &flags->store.data_dir,
                "The referee's data directory, on its own machine, instead of a call")
          ->excludes("--address");
  AddStoreFlag(command, &flags->store.url,
               "The database that the referee's store is in (refereed --store), instead of a call")
      ->excludes("--address")
      ->excludes(data_dir);
}

absl::StatusOr<std::unique_ptr<store::Store>> OpenLocalStore(const store::Place& place, Use use) {
  absl::StatusOr<std::unique_ptr<store::Store>> store;
  if (use == Use::kLook) {
    store = store::OpenStoreToRead(place);
  } else {
    const absl::Status ready = place.url.empty() ? MakeReady(place.data_dir) : absl::OkStatus();
    if (!ready.ok()) return ready;
    store = store::OpenStore(place, {});
  }
  if (!store.ok() && !place.url.empty()) return AtStoreFlag(place, store.status());
  return store;
}

}  // namespace referee::ctl
