// Messages in which every field is out of range, one after the other.
#ifndef REFEREE_TESTS_END_TO_END_HOSTILE_FIELD_EXTREMES_H_
#define REFEREE_TESTS_END_TO_END_HOSTILE_FIELD_EXTREMES_H_

#include <google/protobuf/message.h>

#include <functional>

namespace referee::end_to_end {

// Sets each field of `message`, at any depth, to each of its extreme values in turn, calls `look`
// with the whole of `root`, and puts back what was there. Members of a oneof are tried one by one.
// `message` is `root` or a part of it. Recursive types go `depth` deep.
void ForEachExtreme(const google::protobuf::Message& root, google::protobuf::Message* message,
                    int depth, const std::function<void(const google::protobuf::Message&)>& look);

}  // namespace referee::end_to_end

#endif  // REFEREE_TESTS_END_TO_END_HOSTILE_FIELD_EXTREMES_H_
