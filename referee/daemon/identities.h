// Who is known to the daemon: by the bots file, if there is one, and by the accounts in the store.
#ifndef REFEREE_DAEMON_IDENTITIES_H_
#define REFEREE_DAEMON_IDENTITIES_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/types/optional.h"
#include "referee/service/access/accounts.h"
#include "referee/service/access/credentials.h"
#include "referee/service/server.h"
#include "referee/store/store.h"

namespace referee::daemon {

// Thread-compatible until filled; what it hands out is thread-safe, and it must outlive that.
class Identities {
 public:
  // Reads a bots file. Returns an error that names the file and the line.
  absl::Status ReadBotsFile(const std::string& path);

  // Takes the store of a data directory, which must be there. Returns what opening it does, and
  // AlreadyExists when a name stands in the bots file and in the store.
  absl::Status OpenStore(const std::string& data_dir);

  // Tells a server of them. REQUIRES: OpenStore went well.
  void Fill(service::ServerOptions* options) const;

 private:
  absl::optional<service::Credentials> bots_file_;
  std::unique_ptr<store::Store> store_;
  absl::optional<service::Accounts> accounts_;
  absl::optional<service::BotsFileAndAccounts> both_;
};

}  // namespace referee::daemon

#endif  // REFEREE_DAEMON_IDENTITIES_H_
