// A flood of calls without a token.
#ifndef REFEREE_TESTS_END_TO_END_HOSTILE_FLOOD_H_
#define REFEREE_TESTS_END_TO_END_HOSTILE_FLOOD_H_

#include <cstdint>
#include <functional>
#include <string>

#include "tests/end_to_end/hostile/http2_client.h"

namespace referee::end_to_end {

inline constexpr char kListMatches[] = "/referee.v1.MatchService/ListMatches";

// A request for the largest page of a list.
std::string LargestPage();

// Makes a unary call.
int32_t Call(Http2Client* client, const std::string& path, const std::string& request);

// Lists matches as often as the answers come, on so many connections, until `over()`, which is
// asked on threads of its own. `address`: as of Http2Client.
void Flood(const std::string& address, int connections, const std::function<bool()>& over);

}  // namespace referee::end_to_end

#endif  // REFEREE_TESTS_END_TO_END_HOSTILE_FLOOD_H_
