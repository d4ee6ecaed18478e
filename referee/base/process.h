// Process-wide settings of a program: signals and limits; also writes to a descriptor.
#ifndef REFEREE_BASE_PROCESS_H_
#define REFEREE_BASE_PROCESS_H_

#include <signal.h>

#include <initializer_list>

#include "absl/strings/string_view.h"

namespace referee {

// Blocks these signals, for use with sigwait, and ignores SIGPIPE. Returns the set of the signals.
// Threads inherit the mask: call this on the main thread before starting others.
sigset_t BlockSignals(std::initializer_list<int> numbers);

// Raises the limit on file descriptors to the most that the process may have.
void RaiseDescriptorLimit();

// Writes all `bytes` to a descriptor. After an error, drops the rest.
void WriteOrDrop(int fd, absl::string_view bytes);

}  // namespace referee

#endif  // REFEREE_BASE_PROCESS_H_
