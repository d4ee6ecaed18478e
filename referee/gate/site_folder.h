// A folder of pages. It writes only the files that differ, removes only its own files, and never
// overwrites a file that somebody else put there. A manifest lists its own files.
//
//   site.manifest:   refgate-export 1\n
//                    maker HEX\n        what pages were made with
//                    PATH\n             one a file
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

// One at a time writes into a folder. Thread-compatible.
class SiteFolder {
 public:
  // Checks that Open would take the folder, without making or writing anything. Returns the errors
  // of Open, but for those of a manifest that is damaged or in use.
  static absl::Status Check(const std::string& path);
  // Makes the folder if there is none. `maker` differs when the same data makes other pages.
  // Returns FailedPrecondition while another process writes there, AlreadyExists if the folder
  // holds something else (OwnFolder), InvalidArgument if the manifest is damaged.
  static absl::StatusOr<SiteFolder> Open(const std::string& path, absl::string_view maker);

  // Sees to it that the file has this content. `path` is as the functions of view/page.h give
  // it. Returns whether it was written; AlreadyExists if it is somebody else's.
  absl::StatusOr<bool> Put(const std::string& path, absl::string_view content);
  // Keeps a file whose content depends on nothing but its name and the maker. Returns false if it
  // is not there, and is to be put.
  bool Keep(const std::string& path);
  // Removes what was put by former runs, and neither put nor kept by this one. Returns the paths.
  absl::StatusOr<std::vector<std::string>> Finish();

  // What was put or kept.
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
  std::set<std::string> own_;      // those of the manifest
  std::set<std::string> current_;  // of this run
};

}  // namespace referee::gate

#endif  // REFEREE_GATE_SITE_FOLDER_H_
