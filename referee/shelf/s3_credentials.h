// The credentials for a replay store in S3, from the sources of Amazon's own tools.
//
// They are never logged, and no error repeats them.
#ifndef REFEREE_SHELF_S3_CREDENTIALS_H_
#define REFEREE_SHELF_S3_CREDENTIALS_H_

#include <string>

#include "absl/status/statusor.h"
#include "referee/shelf/address.h"

namespace referee::shelf {

struct S3Credentials {
  std::string key_id;
  std::string secret;
  std::string session_token;  // empty: the credentials are not temporary
};

// Returns AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN. If the first two are not
// set, reads section AWS_PROFILE ("default") of the file AWS_SHARED_CREDENTIALS_FILE
// (~/.aws/credentials). Reads the file at each call, so that renewed credentials take effect.
// Returns FailedPrecondition that says where it looked, and which line of the file is wrong, or the
// file's error.
absl::StatusOr<S3Credentials> ReadS3Credentials(const Environment& environment);

}  // namespace referee::shelf

#endif  // REFEREE_SHELF_S3_CREDENTIALS_H_
