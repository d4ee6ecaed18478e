// Converts protobuf durations to Abseil's.
#ifndef REFEREE_SDK_SRC_DURATIONS_H_
#define REFEREE_SDK_SRC_DURATIONS_H_

#include "absl/time/time.h"
#include "google/protobuf/duration.pb.h"

namespace referee::sdk {

inline absl::Duration FromWire(const google::protobuf::Duration& duration) {
  return absl::Seconds(duration.seconds()) + absl::Nanoseconds(duration.nanos());
}

}  // namespace referee::sdk

#endif  // REFEREE_SDK_SRC_DURATIONS_H_
