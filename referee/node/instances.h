// Names a referee in the store: each start on a data directory is an instance with a random name.
//
// Random names are unique even if data directories are copied. A new instance inherits the data
// directory, and takes over the blocks of the earlier instances by their names. The file
// `instances` in the directory has a line for each name, the latest first. Each line also has the
// run: the boot id of the machine and the identity of the lock file.
//
//   absl::StatusOr<Instances> instances = Instances::Begin(data_dir, now, {BootId(), lock});
//   ... the blocks of instances->former() become those of instances->name() ...
//   instances->ForgetFormer();
#ifndef REFEREE_NODE_INSTANCES_H_
#define REFEREE_NODE_INSTANCES_H_

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "referee/store/store.h"

namespace referee::node {

// Random at each boot of this machine. Empty if the system does not provide it.
std::string BootId();

// Shows whether an earlier instance has ended: it has if it held the same lock file that this
// process holds now. An empty string means unknown, and equals no other.
struct Run {
  std::string boot;  // BootId
  std::string lock;  // replay::IdentityOf the lock; only valid during this boot
};

// Thread-compatible.
class Instances {
 public:
  // Names a new instance; the name is on disk when this returns. Returns InvalidArgument for a
  // malformed file. REQUIRES: this process holds the lock of the directory and has marked its log
  // (replay/log_origin.h).
  static absl::StatusOr<Instances> Begin(const std::string& data_dir, absl::Time now, Run run);

  // The names that Begin would return as former(). Changes nothing.
  static absl::StatusOr<std::vector<std::string>> Find(const std::string& data_dir);

  // Removes all names from a data directory that is a copy: they belong to the original. Begin then
  // finds no former instances.
  static absl::Status Disown(const std::string& data_dir);

  const std::string& name() const { return name_; }
  // Earlier instances, the latest first, without name(). At most limits::kMaxFormerInstances.
  const std::vector<std::string>& former() const { return former_; }
  // Whether all former instances held this lock file during this boot, and so have ended. False for
  // a copy of the directory that has the original's inode numbers, such as a snapshot.
  bool former_have_ended() const { return former_have_ended_; }
  // Forgets the former instances. Call this once they own nothing in the store.
  absl::Status ForgetFormer();

 private:
  // A line of the file.
  struct Line {
    std::string name;
    Run run;
  };

  Instances(std::string path, Line own, std::vector<Line> lines);
  static absl::StatusOr<std::vector<Line>> FindLines(const std::string& data_dir);
  absl::Status Write() const;

  std::string path_;
  std::string name_;
  std::vector<std::string> former_;
  bool former_have_ended_;
  std::vector<Line> lines_;  // including the line of this instance
};

// Waits until the leases of former instances have lapsed, where nothing else shows that they have
// ended. That is the case after a reboot, and when the disk was remounted, copied, or moved to
// another machine.
//
// Calls `wait`, which blocks for the given time, until no owner in `owners` has a lease. Returns
// FailedPrecondition that names an owner if it renews its lease meanwhile: it still runs. Returns
// the store's error.
absl::Status AwaitLeaseEnd(store::Store* store, absl::Span<const std::string> owners,
                           const std::function<void(absl::Duration)>& wait);

}  // namespace referee::node

#endif  // REFEREE_NODE_INSTANCES_H_
