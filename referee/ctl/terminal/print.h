// Prints what commands answer, from one description of columns: a table for people, CSV for
// spreadsheets; and JSON for programs, an object a line. Pure.
#ifndef REFEREE_CTL_TERMINAL_PRINT_H_
#define REFEREE_CTL_TERMINAL_PRINT_H_

#include <string>

#include "google/protobuf/message.h"
#include "nlohmann/json_fwd.hpp"

namespace referee::ctl {

// The fields as the protocol names them; those that are not set have their defaults. Ends with a
// newline.
std::string JsonLine(const google::protobuf::Message& message);

// In place of bytes that are not UTF-8 stands U+FFFD. Ends with a newline.
std::string JsonLine(const nlohmann::ordered_json& json);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_TERMINAL_PRINT_H_
