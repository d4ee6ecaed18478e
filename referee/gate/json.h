// Converts messages of the protocol to ProtoJSON on one line, as GATE.md specifies. Pure,
// thread-safe.
#ifndef REFEREE_GATE_JSON_H_
#define REFEREE_GATE_JSON_H_

#include <google/protobuf/message.h>
#include <google/protobuf/util/json_util.h>

#include <string>

namespace referee::gate {

inline std::string ToJson(const google::protobuf::Message& message) {
  std::string json;
  // Fails only for fields of type Any and for text that is not UTF-8. Parsed messages have neither.
  (void)google::protobuf::util::MessageToJsonString(message, &json);
  return json;
}

}  // namespace referee::gate

#endif  // REFEREE_GATE_JSON_H_
