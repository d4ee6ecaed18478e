// The names that a daemon has had in the store: one at random for each time that it is started, so
// that no two daemons ever share one, whatever files they share. A daemon on a data directory has
// what the one before it on that directory left, and so takes over its blocks by its name. The file
// `instances` of the directory keeps the names, a line each, the latest first. Beside each name is
// the run: the boot id of the machine, and the identity of the lock file.
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

// Names this run of this machine's system: random at each boot. Empty if the system does not tell.
std::string BootId();

// Shows whether an earlier instance has ended: it has if it held the very lock file that this
// process holds now. An empty string is unknown, and equals no other.
struct Run {
  std::string boot;  // BootId
  std::string lock;  // replay::IdentityOf the lock; only valid during this boot
};

// Thread-compatible.
class Instances {
 public:
  // Names an instance, and has the name on the disk when this returns. Returns InvalidArgument for
  // a file that is none. REQUIRES: this process has the lock of the directory, and has marked its
  // log (replay/log_origin.h).
  static absl::StatusOr<Instances> Begin(const std::string& data_dir, absl::Time now, Run run);

  // The names that Begin would find, as former() has them, and changes nothing.
  static absl::StatusOr<std::vector<std::string>> Find(const std::string& data_dir);

  // Removes all names, those of a data directory that this one is a copy of: Begin finds no former
  // ones then.
  static absl::Status Disown(const std::string& data_dir);

  const std::string& name() const { return name_; }
  // The latest first; not name(). At most limits::kMaxFormerInstances.
  const std::vector<std::string>& former() const { return former_; }
  // Whether all of them held this instance's lock file during this boot, and so have ended. False
  // for a copy of the directory that has the inodes of the original, such as a snapshot.
  bool former_have_ended() const { return former_have_ended_; }
  // Nothing in the store is theirs any more.
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
  std::vector<Line> lines_;  // of the file, with the own one
};

// Waits for the end of the leases that a referee had before, where nothing else shows that it has
// ended: its machine was started anew, or its disk was mounted again, copied, or moved to another
// machine.
//
// Calls `wait`, which returns that much later, until none of these owners has a lease that lasts.
// Returns FailedPrecondition that names an owner when it renews its lease meanwhile: it still runs.
// Returns the store's error.
absl::Status AwaitLeaseEnd(store::Store* store, absl::Span<const std::string> owners,
                           const std::function<void(absl::Duration)>& wait);

}  // namespace referee::node

#endif  // REFEREE_NODE_INSTANCES_H_
