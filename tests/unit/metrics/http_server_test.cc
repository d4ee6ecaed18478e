#include "referee/metrics/http_server.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/http_client.h"

namespace referee::metrics {
namespace {

using ::referee::testing::Get;
using ::referee::testing::HttpAnswer;
using ::testing::HasSubstr;

class Http : public ::testing::Test {
 protected:
  void SetUp() override {
    absl::StatusOr<std::unique_ptr<HttpServer>> server = HttpServer::Start(Options("0"));
    ASSERT_TRUE(server.ok()) << server.status();
    server_ = *std::move(server);
  }
  HttpServer::Options Options(const std::string& address) {
    return {address, [] { return "a 1\n"; }, [this] { return why_not_; }};
  }
  const std::string& address() const { return server_->address(); }

  std::string why_not_;
  std::unique_ptr<HttpServer> server_;
};

TEST_F(Http, MetricsAreText) {
  const HttpAnswer answer = Get(address(), "/metrics");
  EXPECT_EQ(answer.code, 200);
  EXPECT_EQ(answer.body, "a 1\n");
  EXPECT_EQ(answer.headers.at("content-type"), "text/plain; version=0.0.4; charset=utf-8");
}

TEST_F(Http, ReadinessSaysWhyNot) {
  EXPECT_EQ(Get(address(), "/readyz").code, 200);
  why_not_ = "draining";
  const HttpAnswer answer = Get(address(), "/readyz");
  EXPECT_EQ(answer.code, 503);
  EXPECT_EQ(answer.body, "draining\n");
  EXPECT_EQ(Get(address(), "/livez").code, 200);
}

TEST_F(Http, NothingElseIsThereAndNothingCanBeWritten) {
  for (const char* path : {"/", "/metrics/", "/../etc/passwd", "/etc/passwd"}) {
    EXPECT_EQ(Get(address(), path).code, 404) << path;
  }
  for (const char* method : {"POST", "PUT", "DELETE", "PATCH", "OPTIONS"}) {
    EXPECT_EQ(Get(address(), "/metrics", {"Content-Length: 0"}, method).code, 405) << method;
  }
}

TEST_F(Http, HeadHasNoBody) {
  const HttpAnswer answer = Get(address(), "/metrics", {}, "HEAD");
  EXPECT_EQ(answer.code, 200);
  EXPECT_EQ(answer.headers.at("content-length"), "4");
  EXPECT_EQ(answer.body, "");
}

TEST_F(Http, TakenAddressIsSaid) {
  const absl::Status taken = HttpServer::Start(Options(address())).status();
  EXPECT_TRUE(absl::IsUnavailable(taken)) << taken;
  EXPECT_THAT(taken.message(), HasSubstr(address()));
}

TEST(HttpAddress, PortAloneIsOfLoopback) {
  EXPECT_EQ(*ListeningAddress("9464"), "127.0.0.1:9464");
  EXPECT_EQ(*ListeningAddress("10.1.2.3:80"), "10.1.2.3:80");
  EXPECT_EQ(*ListeningAddress("[::1]:80"), "[::1]:80");
}

TEST(HttpAddress, WhatIsNoneIsRefused) {
  for (const char* bad : {"", ":", "x", ":80", "80s", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536",
                          "::1:80x", "[::1:80", "host:80", "1.2.3.4:80,81", "80,81", "-1"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(ListeningAddress(bad).status())) << bad;
  }
}

}  // namespace
}  // namespace referee::metrics
