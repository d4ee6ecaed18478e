#include "referee/daemon/identities.h"

#include <utility>

#include "absl/status/statusor.h"
#include "referee/base/errors.h"
#include "referee/replay/replay.h"
#include "referee/service/store_file.h"

namespace referee::daemon {

absl::Status Identities::ReadBotsFile(const std::string& path) {
  const absl::StatusOr<std::string> text = replay::ReadFile(path);
  if (!text.ok()) return text.status();
  absl::StatusOr<service::Credentials> file = service::Credentials::Parse(*text);
  if (!file.ok()) return At(path, file.status());
  bots_file_ = *std::move(file);
  return absl::OkStatus();
}

absl::Status Identities::OpenStore(const std::string& data_dir) {
  absl::StatusOr<std::unique_ptr<store::Store>> store = service::OpenStoreIn(data_dir);
  if (!store.ok()) return store.status();
  store_ = *std::move(store);
  accounts_.emplace(store_.get());
  if (!bots_file_) return absl::OkStatus();
  both_.emplace(&*bots_file_, &*accounts_);
  return service::CheckNoNameTwice(*bots_file_, store_.get());
}

void Identities::Fill(service::ServerOptions* options) const {
  options->store = store_.get();
  options->authenticator = &*accounts_;
  if (!both_) return;
  options->authenticator = &*both_;
  options->bots_file = &*bots_file_;
}

}  // namespace referee::daemon
