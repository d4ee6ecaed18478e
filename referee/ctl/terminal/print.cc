#include "referee/ctl/terminal/print.h"

#include <google/protobuf/util/json_util.h>

#include <cmath>
#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace referee::ctl {
namespace {

using Json = nlohmann::ordered_json;

// The shortest text that reads back as the same number.
std::string Number(double value) {
  for (const int digits : {6, 9, 15, 16}) {
    std::string text = absl::StrFormat("%.*g", digits, value);
    if (std::strtod(text.c_str(), nullptr) == value) return text;
  }
  return absl::StrFormat("%.17g", value);
}

std::string CsvValue(const Json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return CsvField(value.get_ref<const std::string&>());
  if (!value.is_number_float()) return value.dump();
  return std::isfinite(value.get<double>()) ? Number(value.get<double>()) : "";
}

}  // namespace

std::string JsonLine(const google::protobuf::Message& message) {
  google::protobuf::util::JsonPrintOptions options;
  options.always_print_primitive_fields = true;
  options.preserve_proto_field_names = true;
  std::string json;
  // Fails only for messages with fields of type Any, and there are none.
  (void)google::protobuf::util::MessageToJsonString(message, &json, options);
  return json + "\n";
}

std::string JsonLine(const Json& row) {
  return row.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string CsvHeader(const Json& row) {
  Json names = Json::array();
  for (const auto& column : row.items()) names.push_back(column.key());
  return CsvLine(names);
}

std::string CsvLine(const Json& row) {
  std::string line;
  const char* separator = "";
  for (const Json& value : row) {
    absl::StrAppend(&line, separator, CsvValue(value));
    separator = ",";
  }
  return line + "\r\n";
}

std::string CsvField(absl::string_view text) {
  const bool plain = text.find_first_of(",\"\r\n") == absl::string_view::npos;
  const bool bare =
      text.empty() ||
      (plain && absl::string_view("=+-@ ").find(text.front()) == absl::string_view::npos &&
       text.back() != ' ');
  if (bare) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted.push_back('"');
    quoted.push_back(c);
  }
  quoted.push_back('"');
  return quoted;
}

}  // namespace referee::ctl
