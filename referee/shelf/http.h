// HTTP requests signed for S3 (Signature Version 4), with libcurl.
//
// Connections are reused. Redirects are not followed, because a signature is for one server.
#ifndef REFEREE_SHELF_HTTP_H_
#define REFEREE_SHELF_HTTP_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "referee/base/mutex.h"
#include "referee/shelf/s3_credentials.h"

namespace referee::shelf {

struct HttpRequest {
  std::string method;
  // Path and query as they are signed: escaped, query parameters sorted.
  std::string url;
  std::vector<std::string> headers;  // "Name: value"
  absl::string_view body;
  size_t max_answer = 0;  // limit of the answer's body, in bytes
};

struct HttpAnswer {
  long status = 0;
  std::string body;
};

// Thread-safe.
class SignedHttp {
 public:
  struct Options {
    std::string name;  // of the resource, for messages
    std::string region;
    std::string ca_file;    // PEM; empty: the system's
    bool loopback = false;  // uses no proxy
  };

  explicit SignedHttp(Options options);
  ~SignedHttp();
  SignedHttp(const SignedHttp&) = delete;
  SignedHttp& operator=(const SignedHttp&) = delete;

  // Returns the server's answer of any status. Returns Unavailable without a complete answer within
  // limits::kShelfRequestLimit, FailedPrecondition when it is larger than max_answer.
  absl::StatusOr<HttpAnswer> Send(const HttpRequest& request, const S3Credentials& credentials);

 private:
  struct Handle;

  std::unique_ptr<Handle> TakeHandle();
  void KeepHandle(std::unique_ptr<Handle> handle);

  const Options options_;
  Mutex mutex_;
  std::vector<std::unique_ptr<Handle>> idle_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace referee::shelf

#endif  // REFEREE_SHELF_HTTP_H_
