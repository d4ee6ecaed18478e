// Prints answers for programs: JSON, an object a line, and CSV as in RFC 4180. Pure.
//
// A message prints as the protocol names its fields. An answer without a message is a row: an
// object of named values, in the order of its columns. A row prints as JSON and as CSV alike.
#ifndef REFEREE_CTL_TERMINAL_PRINT_H_
#define REFEREE_CTL_TERMINAL_PRINT_H_

#include <string>

#include "absl/strings/string_view.h"
#include "google/protobuf/message.h"
#include "nlohmann/json.hpp"

namespace referee::ctl {

// Fields that are not set have their defaults. Ends with a newline.
std::string JsonLine(const google::protobuf::Message& message);

// Replaces bytes that are not UTF-8 by U+FFFD. Numbers that are not finite are null. Ends with a
// newline.
std::string JsonLine(const nlohmann::ordered_json& row);

// A line for each message.
template <typename Messages>
std::string JsonLines(const Messages& messages) {
  std::string lines;
  for (const google::protobuf::Message& message : messages) lines += JsonLine(message);
  return lines;
}

// The names of the row's columns. Ends with \r\n, as CsvLine does.
std::string CsvHeader(const nlohmann::ordered_json& row);
// The values of a row or an array: texts as CsvField writes them, numbers in the shortest form that
// reads back as the same number. Null and numbers that are not finite are empty.
std::string CsvLine(const nlohmann::ordered_json& row);
// Puts a text in double quotes, with inner ones doubled, if it has a comma, a quote or a line end,
// begins or ends with a space, or begins as formulas of spreadsheets do: = + - @.
std::string CsvField(absl::string_view text);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_TERMINAL_PRINT_H_
