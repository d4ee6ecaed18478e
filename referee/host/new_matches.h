// Creates the matches that a host is asked for.
//
// Checks the request, draws ids and secret seeds, and opens the recordings. Knows neither bots nor
// a queue.
#ifndef REFEREE_HOST_NEW_MATCHES_H_
#define REFEREE_HOST_NEW_MATCHES_H_

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "referee/base/clock.h"
#include "referee/host/match_runner.h"
#include "referee/replay/recorder.h"

namespace referee::host {

// Returns InvalidArgument that says what is wrong with the request.
absl::Status Check(const MatchRequest& request);
// Returns whether two requests are equal, so that the second may be a repeated call.
bool Same(const MatchRequest& a, const MatchRequest& b);

// Thread-safe.
class NewMatches {
 public:
  struct Options {
    // Both must outlive this.
    const Clock* clock;
    replay::Recorder* recorder;
    // As in HostOptions.
    std::function<void(absl::Span<uint8_t>)> entropy;
    std::string software;
  };
  explicit NewMatches(Options options) : options_(std::move(options)) {}

  // Make a match, or the matches of a block by rotation. They are not recorded yet.
  std::vector<replay::Unfinished> Make(MatchRequest request, absl::string_view request_id) const;
  std::vector<replay::Unfinished> Make(BlockRequest request, absl::string_view request_id) const;
  // Opens the recordings of all matches. On an error, ends those that were opened as void.
  absl::Status Record(absl::Span<replay::Unfinished> made) const;

 private:
  dice::Seed SeedFor(const match::DiceSource& source) const;
  template <typename Id>
  Id NewId() const {
    uint8_t random[10];
    options_.entropy(absl::MakeSpan(random));
    return Id::Make(options_.clock->WallNow(), random);
  }
  // Returns the setup of a match, without its commitment.
  match::Setup SetupFor(MatchRequest request, absl::string_view request_id) const;

  const Options options_;
};

}  // namespace referee::host

#endif  // REFEREE_HOST_NEW_MATCHES_H_
