// Helpers for tests of replay stores: stores, and matches to put into them.
#ifndef REFEREE_TESTS_UNIT_SHELF_HARNESS_H_
#define REFEREE_TESTS_UNIT_SHELF_HARNESS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/ids.h"
#include "referee/shelf/address.h"
#include "referee/shelf/s3_shelf.h"
#include "tests/support/fake_s3.h"
#include "tests/support/match_id.h"
#include "tests/support/simulated_time.h"

namespace referee::shelf {

inline Environment EnvironmentOf(std::map<std::string, std::string> variables) {
  return [variables = std::move(variables)](const char* name) -> absl::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end() || found->second.empty()) return absl::nullopt;
    return found->second;
  };
}

inline std::map<std::string, std::string> FakeCredentials() {
  return {{"AWS_ACCESS_KEY_ID", testing::FakeS3::kKeyId},
          {"AWS_SECRET_ACCESS_KEY", testing::FakeS3::kSecret}};
}

// Opens a store on the fake server. Its waits advance the clock.
inline std::unique_ptr<S3Shelf> ShelfOf(const testing::FakeS3& server,
                                        testing::SimulatedClock* clock,
                                        Environment environment = EnvironmentOf(FakeCredentials()),
                                        const std::string& prefix = "/spring",
                                        const std::string& parameters = "") {
  const std::string address = std::string("s3://") + testing::FakeS3::kBucket + prefix +
                              "?region=" + testing::FakeS3::kRegion +
                              "&endpoint=" + server.endpoint() + parameters;
  S3Shelf::Options options;
  options.address = absl::get<S3Address>(ParseShelfAddress(address, environment).value());
  options.environment = std::move(environment);
  options.clock = clock;
  options.sleep = [clock](absl::Duration pause) { clock->Advance(pause); };
  return S3Shelf::Open(std::move(options)).value();
}

}  // namespace referee::shelf

#endif  // REFEREE_TESTS_UNIT_SHELF_HARNESS_H_
