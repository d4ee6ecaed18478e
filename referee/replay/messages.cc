#include "referee/replay/messages.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>
#include <google/protobuf/stubs/logging.h>

#include <cstdio>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/text.h"

namespace referee::replay {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

// Checks the `index`-th value of a field; -1: of a field that is not repeated.
absl::Status CheckValue(const Message& message, const FieldDescriptor& field, int index) {
  const Reflection& values = *message.GetReflection();
  absl::Status status;
  if (field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
    status = CheckText(index < 0 ? values.GetMessage(message, &field)
                                 : values.GetRepeatedMessage(message, &field, index));
  } else if (field.type() == FieldDescriptor::TYPE_STRING) {
    std::string scratch;
    status =
        CheckUtf8(index < 0 ? values.GetStringReference(message, &field, &scratch)
                            : values.GetRepeatedStringReference(message, &field, index, &scratch));
  }
  if (status.ok()) return status;
  return At(absl::StrCat(field.name(), index < 0 ? "" : absl::StrCat("[", index, "]")), status);
}

void LogFatal(google::protobuf::LogLevel level, const char* file, int line,
              const std::string& message) {
  if (level != google::protobuf::LOGLEVEL_FATAL) return;
  std::fprintf(stderr, "protobuf: %s:%d: %s\n", file, line, message.c_str());
}

}  // namespace

absl::Status CheckText(const Message& message) {
  std::vector<const FieldDescriptor*> fields;
  const Reflection& values = *message.GetReflection();
  values.ListFields(message, &fields);
  for (const FieldDescriptor* const field : fields) {
    const int count = field->is_repeated() ? values.FieldSize(message, field) : 1;
    for (int i = 0; i < count; ++i) {
      absl::Status status = CheckValue(message, *field, field->is_repeated() ? i : -1);
      if (!status.ok()) return status;
    }
  }
  return absl::OkStatus();
}

void SilenceProtobuf() { google::protobuf::SetLogHandler(&LogFatal); }

}  // namespace referee::replay
