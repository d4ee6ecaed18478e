// A client of the health service (grpc.health.v1).
#ifndef REFEREE_TESTS_SUPPORT_HEALTH_H_
#define REFEREE_TESTS_SUPPORT_HEALTH_H_

#include <string>

namespace referee::testing {

// The serialised response of a serving service.
inline constexpr char kServing[] = "\x08\x01";
inline constexpr char kNotServing[] = "\x08\x02";

// Checks a service without a token. Returns the bytes of the response, or the message of the error.
std::string HealthOf(const std::string& address, const std::string& service);

}  // namespace referee::testing

#endif  // REFEREE_TESTS_SUPPORT_HEALTH_H_
