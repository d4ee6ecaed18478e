// Mounts that only a test and what it starts see, and that go with them.
#ifndef REFEREE_TESTS_END_TO_END_OWN_MOUNTS_H_
#define REFEREE_TESTS_END_TO_END_OWN_MOUNTS_H_

#include <sched.h>
#include <sys/mount.h>

namespace referee::end_to_end {

// From here on this process has mounts of its own. Returns false, with errno, when it may not: only
// root may.
inline bool HaveOwnMounts() {
  return unshare(CLONE_NEWNS) == 0 &&
         mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
}

}  // namespace referee::end_to_end

#endif  // REFEREE_TESTS_END_TO_END_OWN_MOUNTS_H_
