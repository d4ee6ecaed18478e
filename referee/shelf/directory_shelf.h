// A shelf in a directory that all daemons see, such as one of NFS: <directory>/YYYY/MM/DD/<id>.rpl.
//
// A file gets its name with link(2) when it is whole and on the disk, so that a name is given once,
// whoever else tries at the same time. How long calls wait is for the file system to say: a mount
// of NFS that is `hard` waits for its server for ever.
#ifndef REFEREE_SHELF_DIRECTORY_SHELF_H_
#define REFEREE_SHELF_DIRECTORY_SHELF_H_

#include <memory>
#include <string>

#include "referee/shelf/shared_shelf.h"

namespace referee::shelf {

class DirectoryShelf final : public SharedShelf {
 public:
  // Returns NotFound when there is no such directory: it is never made, since what is not mounted
  // looks just so.
  static absl::StatusOr<std::unique_ptr<DirectoryShelf>> Open(std::string directory);

  absl::Status Put(const MatchId& id, absl::string_view file) override;
  absl::StatusOr<std::string> Get(const MatchId& id) override;
  absl::StatusOr<ShelfPage> List(absl::string_view day, int page_size,
                                 absl::string_view page_token) override;
  const std::string& name() const override { return directory_; }

 private:
  explicit DirectoryShelf(std::string directory) : directory_(std::move(directory)) {}

  std::string PathOf(const MatchId& id) const;
  // Unavailable unless the directory is there.
  absl::Status CheckThere() const;
  // Whether the match's file is there, with these bytes, and on the disk. AlreadyExists: others.
  absl::StatusOr<bool> HasOnDisk(const MatchId& id, absl::string_view file) const;
  // Puts the names of the file and of all folders on the way to it on the disk.
  absl::Status SyncNames(const std::string& path) const;

  const std::string directory_;
};

}  // namespace referee::shelf

#endif  // REFEREE_SHELF_DIRECTORY_SHELF_H_
