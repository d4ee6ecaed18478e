// How people name a shelf. Pure: nothing is opened, and the environment is given.
//
//   dir:/srv/replays, or any path without a scheme        a directory
//   s3://bucket/prefix?endpoint=...&region=...&style=...  a bucket, or a part of one
#ifndef REFEREE_SHELF_ADDRESS_H_
#define REFEREE_SHELF_ADDRESS_H_

#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/variant.h"

namespace referee::shelf {

// The value of a variable of the environment; nothing if it is not set, or empty.
using Environment = std::function<absl::optional<std::string>(const char* name)>;
// That of this process. Thread-safe as long as nobody changes it.
Environment ProcessEnvironment();

struct DirectoryAddress {
  std::string path;
};

struct S3Address {
  enum class Style { kPath, kVirtualHost };
  std::string bucket;
  std::string prefix;  // of all keys; empty, or without a slash at its ends
  bool tls = true;
  std::string host;  // of the endpoint, with its port if it has one
  bool loopback = false;
  std::string region;
  Style style = Style::kPath;

  // "https://host/bucket", "https://bucket.host"
  std::string BucketUrl() const;
};

using ShelfAddress = absl::variant<DirectoryAddress, S3Address>;

// Reads an address. What one of S3 leaves out comes from AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL,
// AWS_REGION and AWS_DEFAULT_REGION; without an endpoint it is Amazon's of the region. Returns
// InvalidArgument that says which part is wrong, and what would be right. An address that has
// credentials in it is refused without repeating them.
absl::StatusOr<ShelfAddress> ParseShelfAddress(absl::string_view text,
                                               const Environment& environment);

}  // namespace referee::shelf

#endif  // REFEREE_SHELF_ADDRESS_H_
