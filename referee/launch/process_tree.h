// Finds out whether one process descends from another, from /proc.
#ifndef REFEREE_LAUNCH_PROCESS_TREE_H_
#define REFEREE_LAUNCH_PROCESS_TREE_H_

#include <sys/types.h>

#include <string>

namespace referee::launch {

// Whether `process` is `ancestor` or a descendant. A process whose parent has ended belongs to its
// nearest ancestor that is a child subreaper (prctl(2)), else to init. REQUIRES: `ancestor` has not
// been reaped, so that no other process has its id.
bool DescendsFrom(pid_t process, pid_t ancestor);

// The name of a process for display, such as "python3"; "?" if it has ended.
std::string NameOfProcess(pid_t process);

}  // namespace referee::launch

#endif  // REFEREE_LAUNCH_PROCESS_TREE_H_
