// Tests of refctl match watch against the test's own referee.
#include "referee/ctl/match/watch.h"

#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include <memory>
#include <sstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "proto/referee/v1/match_service.grpc.pb.h"

namespace referee::ctl {
namespace {

// Has one match, which has gone on for very long.
class LongMatch final : public v1::MatchService::Service {
 public:
  static constexpr size_t kDefaultLimit = 4 * 1024 * 1024;  // of gRPC's clients

  grpc::Status WatchMatch(grpc::ServerContext*, const v1::WatchMatchRequest*,
                          grpc::ServerWriter<v1::WatchMatchResponse>* writer) override {
    v1::WatchMatchResponse told;
    told.mutable_snapshot()->mutable_match()->set_match_id("01m84m5s074nreeynvx6pbv8hn");
    told.set_started(true);
    while (told.ByteSizeLong() <= kDefaultLimit) {
      for (int i = 0; i < 1000; ++i) {
        told.add_history()->mutable_turn_played()->set_notation(std::string(100, 'x'));
      }
    }
    writer->Write(told);
    told.Clear();
    told.mutable_verdict()->set_state(v1::MATCH_STATE_FINISHED);
    told.mutable_verdict()->set_reason("LAST_SEAT");
    writer->Write(told);
    return grpc::Status::OK;
  }
};

TEST(WatchMatchAsLines, TakesAMatchThatIsLongerThanGrpcTakesByItself) {
  LongMatch service;
  int port = 0;
  grpc::ServerBuilder builder;
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
  builder.RegisterService(&service);
  const std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  ClientFlags flags;
  flags.address = absl::StrCat("127.0.0.1:", port);
  std::ostringstream out;
  std::ostringstream err;
  const absl::StatusOr<Exit> exit = WatchMatchAsLines(
      flags, "01m84m5s074nreeynvx6pbv8hn", /*json=*/false, Output(&out, &err, /*colour=*/false));
  ASSERT_TRUE(exit.ok()) << exit.status();
  EXPECT_EQ(*exit, Exit::kOk) << err.str();
  EXPECT_THAT(out.str(), ::testing::HasSubstr("LAST_SEAT"));
}

}  // namespace
}  // namespace referee::ctl
