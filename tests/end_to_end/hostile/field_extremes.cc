#include "tests/end_to_end/hostile/field_extremes.h"

#include <google/protobuf/descriptor.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace referee::end_to_end {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;
using Look = std::function<void(const Message&)>;

// Sets or adds a value of the field.
#define REFEREE_PUT(Type, value)                                      \
  (field->is_repeated() ? reflection.Add##Type(message, field, value) \
                        : reflection.Set##Type(message, field, value))

// Puts the extreme value with this number into the field. Returns false if there are not so many.
bool PutExtreme(const FieldDescriptor* field, size_t number, Message* message) {
  const Reflection& reflection = *message->GetReflection();
  static const std::vector<std::string> kStrings = {
      "", std::string(1, '\0'), "\x1b[2J\n", std::string(257, 'x'), std::string(60'000, 'x')};
  if (number > 4) return false;
  const auto pick = [number](auto least, auto most) {
    const decltype(most) values[] = {least, most, 0, 1, static_cast<decltype(most)>(most / 2)};
    return values[number];
  };
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32:
      REFEREE_PUT(Int32, pick(INT32_MIN, INT32_MAX));
      return true;
    case FieldDescriptor::CPPTYPE_INT64:
      REFEREE_PUT(Int64, pick(INT64_MIN, INT64_MAX));
      return true;
    case FieldDescriptor::CPPTYPE_UINT32:
      REFEREE_PUT(UInt32, pick(uint32_t{0}, UINT32_MAX));
      return true;
    case FieldDescriptor::CPPTYPE_UINT64:
      REFEREE_PUT(UInt64, pick(uint64_t{0}, UINT64_MAX));
      return true;
    case FieldDescriptor::CPPTYPE_ENUM:
      REFEREE_PUT(EnumValue, pick(INT32_MIN, INT32_MAX));
      return true;
    case FieldDescriptor::CPPTYPE_BOOL:
      REFEREE_PUT(Bool, number % 2 == 1);
      return number < 2;
    case FieldDescriptor::CPPTYPE_STRING:
      REFEREE_PUT(String, kStrings[number]);
      return true;
    default:
      return false;
  }
}

#undef REFEREE_PUT

}  // namespace

void ForEachExtreme(const Message& root, Message* message, int depth, const Look& look) {
  const auto* descriptor = message->GetDescriptor();
  const Reflection& reflection = *message->GetReflection();
  const std::unique_ptr<Message> before(message->New());
  before->CopyFrom(*message);
  for (int i = 0; i < descriptor->field_count(); ++i) {
    const FieldDescriptor* field = descriptor->field(i);
    if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
      if (depth == 0) continue;
      Message* part = field->is_repeated() ? reflection.AddMessage(message, field)
                                           : reflection.MutableMessage(message, field);
      look(root);
      ForEachExtreme(root, part, depth - 1, look);
    } else {
      for (size_t number = 0; PutExtreme(field, number, message); ++number) look(root);
    }
    message->CopyFrom(*before);
  }
}

}  // namespace referee::end_to_end
