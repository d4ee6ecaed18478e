// What goes into protobuf messages, and what the protobuf library says of them.
#ifndef REFEREE_REPLAY_MESSAGES_H_
#define REFEREE_REPLAY_MESSAGES_H_

#include "absl/status/status.h"

namespace google::protobuf {
class Message;
}  // namespace google::protobuf

namespace referee::replay {

// Returns InvalidArgument that names the field and the byte when a text in `message` is not UTF-8.
// Protobuf would send it, and the receiver refuse the whole message without a word of why.
absl::Status CheckText(const google::protobuf::Message& message);

// Keeps the protobuf library from writing its own lines to stderr. What it has to say of bytes from
// outside, the reader of these bytes says. For the main function of a program; what ends the
// process is still written.
void SilenceProtobuf();

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_MESSAGES_H_
