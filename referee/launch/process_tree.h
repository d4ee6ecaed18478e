// Which processes a process has started, as the system knows it.
#ifndef REFEREE_LAUNCH_PROCESS_TREE_H_
#define REFEREE_LAUNCH_PROCESS_TREE_H_

#include <sys/types.h>

#include <string>

namespace referee::launch {

// Whether `process` is `ancestor`, or was started by it, directly or through others. A process
// whose parent has ended belongs to the nearest ancestor that is a child subreaper (prctl(2)), else
// to init. REQUIRES: `ancestor` has not been waited for, so that no other process has its number.
bool DescendsFrom(pid_t process, pid_t ancestor);

// The name of a process, for people: "python3"; "?" if it has ended.
std::string NameOfProcess(pid_t process);

}  // namespace referee::launch

#endif  // REFEREE_LAUNCH_PROCESS_TREE_H_
