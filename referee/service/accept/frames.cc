#include "referee/service/accept/frames.h"

#include <algorithm>

#include "referee/base/limits.h"

namespace referee::service {
namespace {

constexpr char kPreface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
constexpr uint8_t kHeaders = 1;
constexpr uint8_t kSettingsFrame = 4;
constexpr uint8_t kPingFrame = 6;
constexpr uint8_t kContinuation = 9;
constexpr uint8_t kAck = 1;
constexpr uint8_t kEndHeaders = 4;

}  // namespace

bool FrameScreen::Take(const uint8_t* bytes, size_t count) {
  const uint8_t* const end = bytes + count;
  for (; bytes < end && !passes_ && of_preface_ < kPrefaceBytes; ++bytes, ++of_preface_) {
    passes_ = *bytes != static_cast<uint8_t>(kPreface[of_preface_]);
  }
  while (bytes < end && !passes_) {
    if (left_ > 0) {
      const auto skipped =
          static_cast<uint32_t>(std::min<size_t>(left_, static_cast<size_t>(end - bytes)));
      left_ -= skipped;
      bytes += skipped;
      continue;
    }
    head_[of_head_++] = *bytes++;
    if (of_head_ == kHeadBytes && !Begin()) return false;
  }
  return true;
}

bool FrameScreen::Begin() {
  of_head_ = 0;
  left_ = uint32_t{head_[0]} << 16 | uint32_t{head_[1]} << 8 | head_[2];
  const uint8_t type = head_[3];
  if ((type == kPingFrame || type == kSettingsFrame) && (head_[4] & kAck) == 0) ++asks_;
  if (type != kHeaders && type != kContinuation) return true;
  if (type == kHeaders) {
    ++calls_;
    pieces_ = 0;
    header_bytes_ = 0;
  }
  ++pieces_;
  header_bytes_ += left_;
  const bool ends = (head_[4] & kEndHeaders) != 0;
  const bool in_pieces = pieces_ > 1 || !ends;
  if (pieces_ > limits::kMaxHeaderFrames) return false;
  if (in_pieces && header_bytes_ > limits::kMaxMetadataBytes) return false;
  if (ends) pieces_ = 0;
  return true;
}

}  // namespace referee::service
