// Counts the calls that a client of HTTP/2 opens (RFC 9113), and finds headers that come in too
// many pieces: HEADERS without END_HEADERS, and CONTINUATION frames after it. gRPC 1.51 bounds the
// headers of a frame, and not those of all frames together: it keeps what comes, some fifty times
// as much as is sent, and joins the pieces of a field anew for each (CVE-2023-33953). gRPC itself
// closes a connection whose pieces are large, and does not report it: the screen finds these first,
// by their bytes. It also counts the frames that ask for an answer: PING and SETTINGS. Pure.
#ifndef REFEREE_SERVICE_ACCEPT_FRAMES_H_
#define REFEREE_SERVICE_ACCEPT_FRAMES_H_

#include <cstddef>
#include <cstdint>

namespace referee::service {

// Thread-compatible.
class FrameScreen {
 public:
  // Takes the next bytes of a connection. Returns false once a header came in more pieces than
  // limits::kMaxHeaderFrames, or in pieces of more bytes than limits::kMaxMetadataBytes in all. A
  // header in one frame may be of any size: gRPC refuses its call, and keeps the connection. Bytes
  // that are not HTTP/2, such as those of TLS, pass.
  bool Take(const uint8_t* bytes, size_t count);
  // How many headers have begun so far: those of calls, and what clients of gRPC never send,
  // trailers.
  uint64_t calls() const { return calls_; }
  // How many frames so far ask for an answer of their own, which gRPC holds until it is sent.
  uint64_t asks() const { return asks_; }

 private:
  static constexpr size_t kPrefaceBytes = 24;
  static constexpr size_t kHeadBytes = 9;  // of a frame

  // A frame begins, whose head is head_. Returns false as Take does.
  bool Begin();

  bool passes_ = false;    // it is no HTTP/2
  size_t of_preface_ = 0;  // that came
  size_t of_head_ = 0;     // that came
  uint32_t left_ = 0;      // of the frame's payload
  uint64_t calls_ = 0;
  uint64_t asks_ = 0;
  int pieces_ = 0;                 // of a header that has not ended
  uint64_t header_bytes_ = 0;      // of these pieces
  uint8_t head_[kHeadBytes] = {};  // the first of_head_ bytes
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_ACCEPT_FRAMES_H_
