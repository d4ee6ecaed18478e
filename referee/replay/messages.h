// Checks of protobuf messages, and the log output of the protobuf library.
#ifndef REFEREE_REPLAY_MESSAGES_H_
#define REFEREE_REPLAY_MESSAGES_H_

#include "absl/status/status.h"

namespace google::protobuf {
class Message;
}  // namespace google::protobuf

namespace referee::replay {

// Returns InvalidArgument that names the field and the byte when a string in `message` is not
// UTF-8. Protobuf would send it, and the receiver would reject the whole message without an
// explanation.
absl::Status CheckText(const google::protobuf::Message& message);

// Stops the protobuf library from writing its own lines to stderr; readers of messages report
// errors themselves. Fatal errors are still written. Call it in main.
void SilenceProtobuf();

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_MESSAGES_H_
