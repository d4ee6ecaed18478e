// What programs ask of their process: its signals, its limits, and writes to a descriptor.
#ifndef REFEREE_BASE_PROCESS_H_
#define REFEREE_BASE_PROCESS_H_

#include <signal.h>

#include <initializer_list>

#include "absl/strings/string_view.h"

namespace referee {

// Blocks these signals, for sigwait, and ignores SIGPIPE. Threads inherit the mask: call it on the
// main thread, before others run. Returns the set of the signals.
sigset_t BlockSignals(std::initializer_list<int> numbers);

// Raises the limit on file descriptors as far as the process may.
void RaiseDescriptorLimit();

// Writes all of it to a descriptor; drops the rest after an error.
void WriteOrDrop(int fd, absl::string_view bytes);

}  // namespace referee

#endif  // REFEREE_BASE_PROCESS_H_
