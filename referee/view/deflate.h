// Deflate compression that every browser can decompress. Thread-safe.
#ifndef REFEREE_VIEW_DEFLATE_H_
#define REFEREE_VIEW_DEFLATE_H_

#include <string>

#include "absl/strings/string_view.h"

namespace referee::view {

enum class Deflated {
  kRaw,   // a bare deflate stream (RFC 1951)
  kGzip,  // with a header and a checksum (RFC 1952)
};

// Compresses `text`. `level` is zlib's, 1 to 9: level 6 takes about 20 ms a megabyte.
std::string Deflate(absl::string_view text, Deflated as, int level);

}  // namespace referee::view

#endif  // REFEREE_VIEW_DEFLATE_H_
