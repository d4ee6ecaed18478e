// A replay store in a directory that all daemons share, for example over NFS.
//
// Files are <directory>/YYYY/MM/DD/<id>.rpl. A complete, synced file gets its name with link(2), so
// each name is given once, even under concurrent Puts. The file system determines how long calls
// wait: an NFS mount with `hard` waits for its server forever.
#ifndef REFEREE_SHELF_DIRECTORY_SHELF_H_
#define REFEREE_SHELF_DIRECTORY_SHELF_H_

#include <memory>
#include <string>

#include "referee/shelf/shared_shelf.h"

namespace referee::shelf {

class DirectoryShelf final : public SharedShelf {
 public:
  // Returns NotFound when the directory does not exist. Never makes it, because an unmounted
  // directory looks the same.
  static absl::StatusOr<std::unique_ptr<DirectoryShelf>> Open(std::string directory);

  absl::Status Put(const MatchId& id, absl::string_view file) override;
  absl::StatusOr<std::string> Get(const MatchId& id) override;
  absl::StatusOr<ShelfPage> List(absl::string_view day, int page_size,
                                 absl::string_view page_token) override;
  const std::string& name() const override { return directory_; }

 private:
  explicit DirectoryShelf(std::string directory) : directory_(std::move(directory)) {}

  std::string PathOf(const MatchId& id) const;
  // Returns Unavailable unless the directory exists.
  absl::Status CheckThere() const;
  // Returns whether the match's file exists, with these bytes, and is on the disk. Returns
  // AlreadyExists for other bytes.
  absl::StatusOr<bool> HasOnDisk(const MatchId& id, absl::string_view file) const;
  // Syncs the names of the file and of all folders on its path.
  absl::Status SyncNames(const std::string& path) const;

  const std::string directory_;
};

}  // namespace referee::shelf

#endif  // REFEREE_SHELF_DIRECTORY_SHELF_H_
