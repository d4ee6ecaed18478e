#include "referee/ctl/terminal/print.h"

#include <google/protobuf/util/json_util.h>

#include "nlohmann/json.hpp"

namespace referee::ctl {

std::string JsonLine(const google::protobuf::Message& message) {
  google::protobuf::util::JsonPrintOptions options;
  options.always_print_primitive_fields = true;
  options.preserve_proto_field_names = true;
  std::string json;
  // Fails only for messages with fields of type Any, and there are none.
  (void)google::protobuf::util::MessageToJsonString(message, &json, options);
  return json + "\n";
}

std::string JsonLine(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace referee::ctl
