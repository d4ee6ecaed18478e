// The credentials for a shelf in S3, from where Amazon's own tools take them. They are never
// logged, and no error repeats them.
#ifndef REFEREE_SHELF_S3_CREDENTIALS_H_
#define REFEREE_SHELF_S3_CREDENTIALS_H_

#include <string>

#include "absl/status/statusor.h"
#include "referee/shelf/address.h"

namespace referee::shelf {

struct S3Credentials {
  std::string key_id;
  std::string secret;
  std::string session_token;  // empty: they are no temporary ones
};

// AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN; if the first two are not set, the
// section AWS_PROFILE, else "default", of the file AWS_SHARED_CREDENTIALS_FILE, else
// ~/.aws/credentials. Reads the file each time, so that who renews them needs to tell nobody.
// Returns FailedPrecondition that says where they were looked for, and which line of the file is
// wrong, or the file's error.
absl::StatusOr<S3Credentials> ReadS3Credentials(const Environment& environment);

}  // namespace referee::shelf

#endif  // REFEREE_SHELF_S3_CREDENTIALS_H_
