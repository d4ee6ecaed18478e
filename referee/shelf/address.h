// Addresses of replay stores. Pure: opens nothing, and takes the environment as an argument.
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

// Returns the value of an environment variable; none if it is not set, or empty.
using Environment = std::function<absl::optional<std::string>(const char* name)>;
// The environment of this process. Thread-safe as long as no thread changes it.
Environment ProcessEnvironment();

struct DirectoryAddress {
  std::string path;
};

struct S3Address {
  enum class Style { kPath, kVirtualHost };
  std::string bucket;
  std::string prefix;  // of all keys; empty, or without slashes at its ends
  bool tls = true;
  std::string host;  // of the endpoint, with its port if any
  bool loopback = false;
  std::string region;
  Style style = Style::kPath;

  // "https://host/bucket", "https://bucket.host"
  std::string BucketUrl() const;
};

using ShelfAddress = absl::variant<DirectoryAddress, S3Address>;

// Parses an address. Missing parts of an S3 address come from AWS_ENDPOINT_URL_S3,
// AWS_ENDPOINT_URL, AWS_REGION and AWS_DEFAULT_REGION; the default endpoint is Amazon's for the
// region. Returns InvalidArgument that says which part is wrong, and what would be right. Refuses
// an address with credentials, without repeating them.
absl::StatusOr<ShelfAddress> ParseShelfAddress(absl::string_view text,
                                               const Environment& environment);

}  // namespace referee::shelf

#endif  // REFEREE_SHELF_ADDRESS_H_
