// The games that an organiser has paused on this referee: no match of them begins.
//
// A file keeps them over restarts, one line for each game with its reason: "isaac a rule is wrong".
#ifndef REFEREE_HOST_PAUSED_GAMES_H_
#define REFEREE_HOST_PAUSED_GAMES_H_

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "referee/base/mutex.h"
#include "referee/host/host.h"

namespace referee::host {

// Thread-safe.
class PausedGames {
 public:
  using Reasons = std::map<std::string, std::string>;  // by game

  // Returns <data_dir>/paused.
  static std::string PathIn(const std::string& data_dir) { return data_dir + "/paused"; }

  // Returns the paused games in the file at `path`; none if it does not exist. Returns
  // InvalidArgument if the file has another format.
  static absl::StatusOr<Reasons> Read(const std::string& path);

  // Reads the file, and makes `host` hold back its games. With an empty path nothing is stored.
  // `host` must outlive this.
  static absl::StatusOr<std::unique_ptr<PausedGames>> Open(std::string path, Host* host);

  // Pauses a game, with a reason that replaces an earlier one. Returns the error of the disk; then
  // nothing has changed. REQUIRES: both are plain texts that are not empty, and the game has no
  // space.
  absl::Status Pause(const std::string& game, const std::string& reason);
  // Ends the pause. Returns NotFound if the game is not paused, or the error of the disk.
  absl::Status Resume(const std::string& game);
  Reasons List() const;

 private:
  PausedGames(std::string path, Host* host, Reasons reasons)
      : path_(std::move(path)), host_(*host), reasons_(std::move(reasons)) {}
  absl::Status Write(const Reasons& reasons) const;

  const std::string path_;
  Host& host_;
  mutable Mutex mutex_;
  Reasons reasons_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace referee::host

#endif  // REFEREE_HOST_PAUSED_GAMES_H_
