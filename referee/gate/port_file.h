// The file to which a gate writes its port, for whoever starts it and waits.
#ifndef REFEREE_GATE_PORT_FILE_H_
#define REFEREE_GATE_PORT_FILE_H_

#include <string>

#include "absl/status/status.h"

namespace referee::gate {

// Checks that WritePortFile may write there: the file does not exist, is empty, or has what an
// earlier gate wrote. Returns AlreadyExists when it is another file, or the file system's error.
absl::Status CheckPortFile(const std::string& path);

// Writes the port of an address such as "127.0.0.1:7451", and the end of the line; whole or not at
// all, since readers take it as soon as it exists.
absl::Status WritePortFile(const std::string& path, const std::string& address);

}  // namespace referee::gate

#endif  // REFEREE_GATE_PORT_FILE_H_
