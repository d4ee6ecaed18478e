// A shelf in a bucket of S3, Amazon's or another's that speaks the same:
// <prefix>/YYYY/MM/DD/<id>.rpl.
//
// Put asks first whether the object is there, and then writes it on the condition that it is not
// (If-None-Match: *). A server that does not know such conditions and says so is asked to write
// without: SHELF.md says what that leaves open.
#ifndef REFEREE_SHELF_S3_SHELF_H_
#define REFEREE_SHELF_S3_SHELF_H_

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/time/time.h"
#include "referee/base/clock.h"
#include "referee/shelf/address.h"
#include "referee/shelf/http.h"
#include "referee/shelf/layout.h"
#include "referee/shelf/limits.h"
#include "referee/shelf/s3_listing.h"
#include "referee/shelf/shared_shelf.h"

namespace referee::shelf {

class S3Shelf final : public SharedShelf {
 public:
  struct Options {
    S3Address address;
    // Where credentials come from (s3_credentials.h), and AWS_CA_BUNDLE, a file of authorities
    // whose certificates are taken in place of the system's.
    Environment environment;
    // No request of a call begins later than this after it; what fails before is tried again. Zero:
    // a call is tried once.
    absl::Duration call_limit = limits::kShelfCallLimit;
    // For tests: a clock, and what waits for it. Null: the machine's.
    const Clock* clock = nullptr;
    std::function<void(absl::Duration)> sleep = nullptr;
  };

  // Returns FailedPrecondition when there are no credentials. Asks nothing of the server.
  static absl::StatusOr<std::unique_ptr<S3Shelf>> Open(Options options);

  // A call waits for options.call_limit and limits::kShelfRequestLimit at most.
  absl::Status Put(const MatchId& id, absl::string_view file) override;
  absl::StatusOr<std::string> Get(const MatchId& id) override;
  absl::StatusOr<ShelfPage> List(absl::string_view day, int page_size,
                                 absl::string_view page_token) override;
  const std::string& name() const override { return name_; }

 private:
  explicit S3Shelf(Options options);

  // Calls `attempt` until it returns something other than Unavailable, or it is too late.
  absl::Status Retry(absl::FunctionRef<absl::Status()> attempt) const;
  absl::StatusOr<HttpAnswer> Send(HttpRequest request);
  std::string UrlOf(const MatchId& id) const;

  absl::Status TryPut(const MatchId& id, absl::string_view file);
  absl::StatusOr<std::string> TryGet(const MatchId& id);
  // Adds what one request gives to a page, and moves `after` to the last key that was seen. After
  // an error nothing has changed, or what it has seen is there.
  absl::Status AddListed(const Listing& listing, std::string* after, ShelfPage* page, bool* more);
  // Keys that begin with `below` and come after `after`, `count` at most.
  absl::StatusOr<S3Listing> TryList(const std::string& below, size_t count,
                                    const std::string& after);

  const Options options_;
  const std::string name_;
  const std::string prefix_;  // of all keys, with a slash at its end unless it is empty
  const SystemClock system_clock_;
  const Clock& clock_;
  SignedHttp http_;
  std::atomic<bool> knows_conditions_{true};  // the server has not said otherwise
};

}  // namespace referee::shelf

#endif  // REFEREE_SHELF_S3_SHELF_H_
