// The file to which a gate writes its port, for the program that starts it.
#ifndef REFEREE_GATE_PORT_FILE_H_
#define REFEREE_GATE_PORT_FILE_H_

#include <string>

#include "absl/status/status.h"

namespace referee::gate {

// Checks that WritePortFile may write to `path`: the file does not exist, is empty, or holds the
// port of an earlier gate. Returns AlreadyExists for any other file, or the file system's error.
absl::Status CheckPortFile(const std::string& path);

// Writes the port of an address such as "127.0.0.1:7451", and a line end. Writes atomically, as
// readers read the file as soon as it exists.
absl::Status WritePortFile(const std::string& path, const std::string& address);

}  // namespace referee::gate

#endif  // REFEREE_GATE_PORT_FILE_H_
