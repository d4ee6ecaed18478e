// Parses XML answers of an S3 server: a page of ListObjectsV2, and errors.
//
// Reads only the needed elements of these documents. Pure.
#ifndef REFEREE_SHELF_S3_LISTING_H_
#define REFEREE_SHELF_S3_LISTING_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"

namespace referee::shelf {

struct S3Listing {
  struct Object {
    std::string key;
    uint64_t size = 0;
  };
  std::vector<Object> objects;  // in key order
  bool truncated = false;       // more objects follow
};

// Returns none if it is not a complete page, or an object lacks its key or size.
absl::optional<S3Listing> ReadS3Listing(absl::string_view xml);

// Returns the `<Code>` of an error answer; empty: none.
std::string S3ErrorCode(absl::string_view xml);

}  // namespace referee::shelf

#endif  // REFEREE_SHELF_S3_LISTING_H_
