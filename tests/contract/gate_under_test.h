// Fixture for tests of a gate in front of a whole referee: both in this process, each on a socket
// of its own.
#ifndef REFEREE_TESTS_CONTRACT_GATE_UNDER_TEST_H_
#define REFEREE_TESTS_CONTRACT_GATE_UNDER_TEST_H_

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "nlohmann/json.hpp"
#include "referee/client/connection.h"
#include "referee/gate/running_gate.h"
#include "tests/contract/referee_under_test.h"
#include "tests/support/http_client.h"

namespace referee::testing {

inline std::unique_ptr<gate::RunningGate> NewGate(const RefereeUnderTest& referee,
                                                  gate::Gate::Options options = {},
                                                  const std::string& token = "") {
  client::ClientOptions client;
  client.address = referee.address();
  client.token = token;
  auto gate = gate::RunningGate::Start(
      std::move(options), client::Connection::Make(std::move(client)).value(), "127.0.0.1:0");
  EXPECT_TRUE(gate.ok()) << gate.status();
  return *std::move(gate);
}

// The path of the stream of a match's events.
inline std::string EventsOf(const std::string& match_id) {
  return absl::StrCat("/api/v1/matches/", match_id, "/events");
}

using Json = nlohmann::json;

class Gate : public ::testing::Test {
 protected:
  HttpAnswer Ask(const std::string& target, const std::vector<std::string>& headers = {}) {
    return Get(gate_->address(), target, headers);
  }
  // Hears until the end of the stream, and returns all frames.
  static Json HearToTheEnd(EventStream* stream, Json frames = Json::array()) {
    std::string last;
    while (const absl::optional<Event> event = stream->Hear()) {
      last = event->name;
      if (last == "view") frames = Json::parse(event->data).value("frames", Json::array());
      if (last == "frame") {
        for (const Json& frame : Json::parse(event->data)) frames.push_back(frame);
      }
    }
    EXPECT_EQ(last, "verdict");
    return frames;
  }
  // The frames of the replay; without the mark at the end, which a match only has when its game is
  // over.
  Json FramesOfReplay(const std::string& match_id) {
    const HttpAnswer answer = Ask(absl::StrCat("/api/v1/replays/", match_id, "/view"));
    EXPECT_EQ(answer.code, 200) << answer.body;
    return Json::parse(answer.body).at("frames");
  }

  RefereeUnderTest referee_;
  std::unique_ptr<gate::RunningGate> gate_ = NewGate(referee_);
};

}  // namespace referee::testing

#endif  // REFEREE_TESTS_CONTRACT_GATE_UNDER_TEST_H_
