// Messages of the protocol as ProtoJSON on one line, as GATE.md has it. Pure, thread-safe.
#ifndef REFEREE_GATE_JSON_H_
#define REFEREE_GATE_JSON_H_

#include <google/protobuf/message.h>
#include <google/protobuf/util/json_util.h>

#include <string>

namespace referee::gate {

inline std::string ToJson(const google::protobuf::Message& message) {
  std::string json;
  // Fails only for messages with fields of type Any, and for texts that are not UTF-8, which no
  // message holds that was parsed.
  (void)google::protobuf::util::MessageToJsonString(message, &json);
  return json;
}

}  // namespace referee::gate

#endif  // REFEREE_GATE_JSON_H_
