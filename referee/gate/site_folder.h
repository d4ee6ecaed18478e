// A folder of generated pages, which changes only files that it created.
//
// It writes only files that differ, removes only its own files, and never overwrites foreign ones.
// A manifest lists its own files:
//
//   site.manifest:   refgate-export 1\n
//                    maker HEX\n        identifies what the pages were made with
//                    PATH\n             one for each file
#ifndef REFEREE_GATE_SITE_FOLDER_H_
#define REFEREE_GATE_SITE_FOLDER_H_

#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "referee/replay/files.h"

namespace referee::gate {

// Only one process at a time writes to a folder. Thread-compatible.
class SiteFolder {
 public:
  // Checks that Open would accept the folder, without creating or writing anything. Returns the
  // errors of Open, except those for a damaged or used manifest.
  static absl::Status Check(const std::string& path);
  // Opens the folder, and creates it if necessary. `maker` differs if the same data makes other
  // pages. Returns FailedPrecondition while another process writes there, AlreadyExists if the
  // folder holds something else (OwnFolder), InvalidArgument if the manifest is damaged.
  static absl::StatusOr<SiteFolder> Open(const std::string& path, absl::string_view maker);

  // Ensures that the file has this content. `path` is as the functions of view/page.h return it.
  // Returns whether it was written, or AlreadyExists if the file is foreign.
  absl::StatusOr<bool> Put(const std::string& path, absl::string_view content);
  // Keeps a file whose content depends only on its name and the maker. Returns false if the file
  // must be put because it does not exist or another maker made it.
  bool Keep(const std::string& path);
  // Removes the files of earlier runs that this run has neither put nor kept. Returns their paths.
  absl::StatusOr<std::vector<std::string>> Finish();

  // The files put or kept by this run.
  const std::set<std::string>& current() const { return current_; }

 private:
  SiteFolder(std::string path, std::string maker, replay::File lock);

  std::string FullPath(absl::string_view path) const;
  absl::Status ReadManifest();
  absl::Status WriteManifest(absl::string_view maker, const std::set<std::string>& paths) const;
  absl::Status Note(const std::string& path);

  const std::string path_;
  const std::string maker_;
  replay::File lock_;
  bool same_maker_ = false;
  std::set<std::string> own_;      // from the manifest
  std::set<std::string> current_;  // of this run
};

}  // namespace referee::gate

#endif  // REFEREE_GATE_SITE_FOLDER_H_
