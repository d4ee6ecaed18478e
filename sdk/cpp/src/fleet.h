// The other referees of a fleet: which of them a bot trusts with its token, and which it dials
// next. Pure, but for the log. tests/golden/fleet.jsonl has examples, for all SDKs.
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

// A bot remembers at most this many other referees.
inline constexpr size_t kMaxOthers = 8;

// Returns an address in the form by which two are compared: that of the options that a link has.
// REQUIRES: ReadAddress takes it.
std::string CanonicalAddress(absl::string_view address);

// Returns InvalidArgument unless `domain` is empty or looks like one.
absl::Status CheckFleetDomain(absl::string_view domain);

// Returns why a bot with these options does not send its token to `address`; empty: it does.
std::string WhyNotTrusted(absl::string_view address, const Options& options);

// Returns how to reach the referee after `current` in a circle (Fleet::Circle). An address that is
// not in the circle counts as the first. Null if there is no other.
const SettledOptions* NextInCircle(const std::vector<SettledOptions>& circle,
                                   const std::string& current);

// Turns the addresses that a referee names into the circle of those that the bot dials.
// Thread-compatible.
class Fleet {
 public:
  // `options`: those of the bot, with the address that it was given. Both must outlive the fleet.
  Fleet(const SettledOptions* options, const Logger* log) : options_(*options), log_(*log) {}

  // Returns how to reach each referee of the circle: `own`, where the bot is connected, then the
  // named ones that it trusts, then the address that it was given. No address is there twice.
  // Warns of each untrusted address once, and logs the trusted ones when they change.
  std::vector<SettledOptions> Circle(const google::protobuf::RepeatedPtrField<std::string>& named,
                                     const SettledOptions& own);

 private:
  // Options to reach `address`; nothing if the bot does not trust it.
  absl::optional<SettledOptions> OptionsFor(const std::string& address);

  const SettledOptions& options_;
  const Logger& log_;
  std::set<std::string> warned_;  // what the log has said
  std::set<std::string> others_;  // the trusted addresses that were named last
};

}  // namespace referee::sdk

#endif  // REFEREE_SDK_SRC_FLEET_H_
