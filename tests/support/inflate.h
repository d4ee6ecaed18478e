// Decompresses the output of zlib.
#ifndef REFEREE_TESTS_SUPPORT_INFLATE_H_
#define REFEREE_TESTS_SUPPORT_INFLATE_H_

#include <gtest/gtest.h>
#include <zlib.h>

#include <string>

namespace referee::testing {

// Returns at most 8 MiB. `window_bits` is as for inflateInit2: -MAX_WBITS without a header,
// MAX_WBITS + 16 for gzip.
inline std::string Inflate(const std::string& bytes, int window_bits) {
  std::string out(8 << 20, '\0');
  z_stream stream{};
  inflateInit2(&stream, window_bits);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(&out[0]);
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return out;
}

}  // namespace referee::testing

#endif  // REFEREE_TESTS_SUPPORT_INFLATE_H_
