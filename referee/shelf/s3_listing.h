// What a server of S3 says in XML: a page of ListObjectsV2, and errors. Reads just the elements
// that are asked for, and no other document. Pure.
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
  std::vector<Object> objects;  // in the order of their keys
  bool truncated = false;       // there are more
};

// Nothing if it is no such page: it has not its end, or an object without key or size.
absl::optional<S3Listing> ReadS3Listing(absl::string_view xml);

// What `<Code>` says in the answer to a request that went wrong; empty if it says nothing.
std::string S3ErrorCode(absl::string_view xml);

}  // namespace referee::shelf

#endif  // REFEREE_SHELF_S3_LISTING_H_
