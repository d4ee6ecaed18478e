// A played match as the events that an observer receives from its start.
#ifndef REFEREE_TESTS_UNIT_VIEW_TOLD_MATCH_H_
#define REFEREE_TESTS_UNIT_VIEW_TOLD_MATCH_H_

#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "proto/referee/v1/match_service.pb.h"
#include "proto/referee/v1/view.pb.h"
#include "referee/match/match.h"
#include "referee/replay/replay.h"
#include "referee/service/convert/convert.h"
#include "referee/service/played_along.h"
#include "referee/view/view.h"
#include "tests/unit/replay/sample.h"

namespace referee::view {

struct ToldMatch {
  explicit ToldMatch(const replay::SampleOptions& options)
      : replay(replay::PlaySample(options)), match(replay.setup, replay::SampleSeed(options)) {
    records = replay.records;
    while (!records.empty() && std::holds_alternative<match::Ended>(records.back())) {
      records.pop_back();
    }
    const absl::Status rebuilt = match.Rebuild(records);
    EXPECT_TRUE(rebuilt.ok()) << rebuilt;
    service::MatchToWire(match, &description);
    service::PlayedAlong along(match, &snapshot);
    along.TakeAll(match, records, &snapshot);
    view = MakeView(replay, "");
  }

  replay::Replay replay;
  std::vector<match::Record> records;
  match::Match match;
  v1::Match description;
  v1::WatchMatchResponse snapshot;
  v1::MatchView view;
};

}  // namespace referee::view

#endif  // REFEREE_TESTS_UNIT_VIEW_TOLD_MATCH_H_
