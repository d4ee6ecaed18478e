// The other referees of a fleet: which of them a bot trusts with its token, and which it dials
// next.
//
// Pure, except for the log. tests/golden/fleet.jsonl has examples, for all SDKs.
#ifndef REFEREE_SDK_SRC_FLEET_H_
#define REFEREE_SDK_SRC_FLEET_H_

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "google/protobuf/repeated_field.h"
#include "referee/sdk/log.h"
#include "sdk/cpp/src/options.h"

namespace referee::sdk {

// The maximum number of other referees that a bot remembers.
inline constexpr size_t kMaxOthers = 8;

// Returns an address in canonical form, for comparison. The options of a link hold addresses in
// this form. REQUIRES: ReadAddress accepts it.
std::string CanonicalAddress(absl::string_view address);

// Returns InvalidArgument unless `domain` is empty or a plausible domain.
absl::Status CheckFleetDomain(absl::string_view domain);

// Returns why a bot with these options does not send its token to `address`; empty if it does.
std::string WhyNotTrusted(absl::string_view address, const Options& options);

// Returns the options for the referee after `current` in a circle (Fleet::Circle). An address
// outside the circle counts as the first. Null if the circle has no other referee.
const SettledOptions* NextInCircle(const std::vector<SettledOptions>& circle,
                                   const std::string& current);

// Turns the addresses that a referee announces into the circle of referees that the bot dials.
// Thread-compatible.
class Fleet {
 public:
  // `options` are the bot's options, with its configured address. Both must outlive the fleet.
  Fleet(const SettledOptions* options, const Logger* log) : options_(*options), log_(*log) {}

  // Returns the options for each referee of the circle, without duplicates: `own`, the current
  // referee; the announced referees that the bot trusts; the configured address. Warns once about
  // each untrusted address. Logs the trusted addresses when they change.
  std::vector<SettledOptions> Circle(const google::protobuf::RepeatedPtrField<std::string>& named,
                                     const SettledOptions& own);

 private:
  // The options for `address`; nothing if the bot does not trust it.
  absl::optional<SettledOptions> OptionsFor(const std::string& address);

  const SettledOptions& options_;
  const Logger& log_;
  std::set<std::string> warned_;  // warnings logged so far
  std::set<std::string> others_;  // the trusted addresses of the last announcement
};

}  // namespace referee::sdk

#endif  // REFEREE_SDK_SRC_FLEET_H_
