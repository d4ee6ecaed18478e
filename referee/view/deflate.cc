#include "referee/view/deflate.h"

#include <zlib.h>

namespace referee::view {

std::string Deflate(absl::string_view text, Deflated as, int level) {
  // zlib selects the output format by the window size.
  const int window = as == Deflated::kRaw ? -MAX_WBITS : MAX_WBITS + 16;
  z_stream stream{};
  deflateInit2(&stream, level, Z_DEFLATED, window, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(&out[0]);
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  out.shrink_to_fit();
  return out;
}

}  // namespace referee::view
