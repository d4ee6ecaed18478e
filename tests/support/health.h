// What the health service (grpc.health.v1) says, as any client asks it.
#ifndef REFEREE_TESTS_SUPPORT_HEALTH_H_
#define REFEREE_TESTS_SUPPORT_HEALTH_H_

#include <string>

namespace referee::testing {

// The bytes of an answer.
inline constexpr char kServing[] = "\x08\x01";
inline constexpr char kNotServing[] = "\x08\x02";

// What is said at this address of the service of this name, without a token: the bytes of the
// answer, or the message of the error.
std::string HealthOf(const std::string& address, const std::string& service);

}  // namespace referee::testing

#endif  // REFEREE_TESTS_SUPPORT_HEALTH_H_
