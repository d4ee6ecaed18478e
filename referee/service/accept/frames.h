// Screens the HTTP/2 frames of a client (RFC 9113) for abuse that gRPC 1.51 does not bound.
//
// It counts opened calls, and finds headers in too many pieces: HEADERS without END_HEADERS and the
// CONTINUATION frames after it. gRPC bounds the headers of one frame, not of all pieces. It keeps
// them at some fifty times their size and joins the pieces of a field anew for each
// (CVE-2023-33953). gRPC itself closes a connection whose pieces are large, without a report; the
// screen detects these earlier by their bytes. It also counts frames that require an answer: PING
// and SETTINGS. Pure.
#ifndef REFEREE_SERVICE_ACCEPT_FRAMES_H_
#define REFEREE_SERVICE_ACCEPT_FRAMES_H_

#include <cstddef>
#include <cstdint>

namespace referee::service {

// Thread-compatible.
class FrameScreen {
 public:
  // Screens the next bytes of a connection. Returns false once a header has more pieces than
  // limits::kMaxHeaderFrames, or if its pieces exceed limits::kMaxMetadataBytes in all. A header in
  // a single frame may have any size: gRPC refuses its call and keeps the connection. Bytes that
  // are not HTTP/2, such as TLS, pass.
  bool Take(const uint8_t* bytes, size_t count);
  // The number of headers so far. Counts calls, and also trailers, which gRPC clients never send.
  uint64_t calls() const { return calls_; }
  // The number of frames so far that require an answer, which gRPC holds until it is sent.
  uint64_t asks() const { return asks_; }

 private:
  static constexpr size_t kPrefaceBytes = 24;
  static constexpr size_t kHeadBytes = 9;  // the size of a frame's header

  // Handles a frame header that is complete in head_. Returns false as Take does.
  bool Begin();

  bool passes_ = false;    // not HTTP/2: everything passes
  size_t of_preface_ = 0;  // bytes of the preface so far
  size_t of_head_ = 0;     // bytes of the frame header so far
  uint32_t left_ = 0;      // bytes left of the frame's payload
  uint64_t calls_ = 0;
  uint64_t asks_ = 0;
  int pieces_ = 0;                 // of an unfinished header
  uint64_t header_bytes_ = 0;      // of these pieces
  uint8_t head_[kHeadBytes] = {};  // the first of_head_ bytes are valid
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_ACCEPT_FRAMES_H_
