// Which of the addresses that a referee names a bot follows: its token goes there.
#ifndef REFEREE_SDK_SRC_REFER_H_
#define REFEREE_SDK_SRC_REFER_H_

#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "proto/referee/v1/bot_service.pb.h"
#include "referee/sdk/log.h"
#include "sdk/cpp/src/options.h"

namespace referee::sdk {

// As many homes are followed at most.
inline constexpr size_t kMaxHomes = 8;

// Returns InvalidArgument unless `domain` is empty or looks like one.
absl::Status CheckReferDomain(absl::string_view domain);

// Why a bot with these options does not follow to `address`; empty: it does.
std::string WhyNotFollowed(absl::string_view address, const Options& options);

// What a bot follows. Thread-compatible.
class Referral {
 public:
  Referral(const SettledOptions* options, const Logger* log) : options_(*options), log_(*log) {}

  // The homes to go to, in their order: for each, options to reach it. No address is there twice.
  std::vector<SettledOptions> Follow(const v1::Refer& refer);

 private:
  void Warn(const std::string& what);

  const SettledOptions& options_;
  const Logger& log_;
  std::set<std::string> told_;   // what the log has said
  std::set<std::string> named_;  // the addresses followed last
};

}  // namespace referee::sdk

#endif  // REFEREE_SDK_SRC_REFER_H_
