// A replay store in an S3 bucket, of Amazon or a compatible server.
//
// Keys are <prefix>/YYYY/MM/DD/<id>.rpl. Put looks for the object first, and then writes it on the
// condition that it does not exist (If-None-Match: *). If the server reports that it does not
// support conditions, Put writes without; SHELF.md says what that leaves open.
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
    // The source of credentials (s3_credentials.h), and of AWS_CA_BUNDLE, a file of certificate
    // authorities that replaces the system's.
    Environment environment;
    // No request begins later than this after its call; failed ones are repeated until then. Zero:
    // a call is tried once.
    absl::Duration call_limit = limits::kShelfCallLimit;
    // For tests: the clock, and a function that waits. Null: the machine's.
    const Clock* clock = nullptr;
    std::function<void(absl::Duration)> sleep = nullptr;
  };

  // Returns FailedPrecondition when there are no credentials. Does not contact the server.
  static absl::StatusOr<std::unique_ptr<S3Shelf>> Open(Options options);

  // Calls wait for at most options.call_limit plus limits::kShelfRequestLimit.
  absl::Status Put(const MatchId& id, absl::string_view file) override;
  absl::StatusOr<std::string> Get(const MatchId& id) override;
  absl::StatusOr<ShelfPage> List(absl::string_view day, int page_size,
                                 absl::string_view page_token) override;
  const std::string& name() const override { return name_; }

 private:
  explicit S3Shelf(Options options);

  // Calls `attempt` until it returns something other than Unavailable, or time is up.
  absl::Status Retry(absl::FunctionRef<absl::Status()> attempt) const;
  absl::StatusOr<HttpAnswer> Send(HttpRequest request);
  std::string UrlOf(const MatchId& id) const;

  absl::Status TryPut(const MatchId& id, absl::string_view file);
  absl::StatusOr<std::string> TryGet(const MatchId& id);
  // Adds the result of one request to a page, and moves `after` to the last key seen. After an
  // error the page has all that was seen, or nothing has changed.
  absl::Status AddListed(const Listing& listing, std::string* after, ShelfPage* page, bool* more);
  // Lists at most `count` keys that begin with `below` and come after `after`.
  absl::StatusOr<S3Listing> TryList(const std::string& below, size_t count,
                                    const std::string& after);

  const Options options_;
  const std::string name_;
  const std::string prefix_;  // of all keys; ends with a slash unless it is empty
  const SystemClock system_clock_;
  const Clock& clock_;
  SignedHttp http_;
  std::atomic<bool> knows_conditions_{true};  // false once the server has refused conditions
};

}  // namespace referee::shelf

#endif  // REFEREE_SHELF_S3_SHELF_H_
