// Which of the addresses that a referee names a bot follows: its token goes there.
#ifndef REFEREE_SDK_SRC_REFER_H_
#define REFEREE_SDK_SRC_REFER_H_

#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "proto/referee/v1/bot_service.pb.h"
#include "referee/sdk/log.h"
#include "sdk/cpp/src/options.h"

namespace referee::sdk {

// As many homes are followed at most.
inline constexpr size_t kMaxHomes = 8;

// An address in the form by which two are compared: that of the options that links have. REQUIRES:
// ReadAddress takes it.
std::string CanonicalAddress(absl::string_view address);

// Returns InvalidArgument unless `domain` is empty or looks like one.
absl::Status CheckReferDomain(absl::string_view domain);

// Why a bot with these options does not follow to `address`; empty: it does.
std::string WhyNotFollowed(absl::string_view address, const Options& options);

// Where in a circle (Referral::Circle) a bot dials after `current`, which is its first place if it
// is not there: never at one of `homes`. Null if there is no other place.
const SettledOptions* NextInCircle(const std::vector<SettledOptions>& circle,
                                   const std::string& current, const std::set<std::string>& homes);

// What a bot follows. Thread-compatible.
class Referral {
 public:
  Referral(const SettledOptions* options, const Logger* log) : options_(*options), log_(*log) {}

  // The homes to go to, in their order: for each, options to reach it. No address is there twice.
  // `own`: the address of the referee that says so.
  std::vector<SettledOptions> Follow(const v1::Refer& refer, const std::string& own);
  // Where the first stream may be, in a circle, likewise: at `own`, at the others that the referee
  // names, and at the address that the bot was given.
  std::vector<SettledOptions> Circle(const v1::Refer& refer, const SettledOptions& own);

 private:
  // Options to reach `address`; nothing if the bot does not follow there.
  absl::optional<SettledOptions> OptionsFor(const std::string& address);
  void Warn(const std::string& what);

  const SettledOptions& options_;
  const Logger& log_;
  std::set<std::string> told_;   // what the log has said
  std::set<std::string> named_;  // the addresses followed last
};

}  // namespace referee::sdk

#endif  // REFEREE_SDK_SRC_REFER_H_
