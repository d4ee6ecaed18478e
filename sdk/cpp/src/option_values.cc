#include "referee/sdk/option_values.h"

#include <google/protobuf/text_format.h>

#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace referee::sdk {
namespace {

namespace pb = google::protobuf;

// The name of an enumerator without the name of its type: COUNTER_ADVANCE_UP_TO is UP_TO.
std::string EnumText(const pb::EnumDescriptor& type, absl::string_view name) {
  const absl::string_view prefix = absl::StripSuffix(type.value(0)->name(), "UNSPECIFIED");
  return std::string(absl::StripPrefix(name, prefix));
}

std::string TextOf(const pb::Message& message, const pb::FieldDescriptor& field) {
  const pb::Reflection& reflection = *message.GetReflection();
  if (field.cpp_type() == pb::FieldDescriptor::CPPTYPE_STRING) {
    return reflection.GetString(message, &field);
  }
  std::string text;
  pb::TextFormat::PrintFieldValueToString(message, &field, -1, &text);
  if (field.cpp_type() != pb::FieldDescriptor::CPPTYPE_ENUM) return text;
  return EnumText(*field.enum_type(), text);
}

}  // namespace

std::vector<OptionValue> OptionValues(const GameOptions& options) {
  std::vector<OptionValue> values;
  for (const ::referee::v1::GeneralOption& option : options.general().options()) {
    values.push_back({option.name(), option.value()});
  }
  if (options.has_general()) return values;
  // The only member that is set is the game's own message.
  std::vector<const pb::FieldDescriptor*> games;
  options.GetReflection()->ListFields(options, &games);
  for (const pb::FieldDescriptor* game : games) {
    const pb::Message& message = options.GetReflection()->GetMessage(options, game);
    std::vector<const pb::FieldDescriptor*> fields;
    message.GetReflection()->ListFields(message, &fields);
    for (const pb::FieldDescriptor* field : fields) {
      values.push_back({field->name(), TextOf(message, *field)});
    }
  }
  return values;
}

}  // namespace referee::sdk
