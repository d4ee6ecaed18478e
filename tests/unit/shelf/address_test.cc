#include "referee/shelf/address.h"

#include <map>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/shelf/shared_shelf.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/shelf/harness.h"

namespace referee::shelf {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

S3Address S3Of(const std::string& text, std::map<std::string, std::string> variables = {}) {
  const absl::StatusOr<ShelfAddress> address =
      ParseShelfAddress(text, EnvironmentOf(std::move(variables)));
  EXPECT_TRUE(address.ok()) << text << ": " << address.status();
  return address.ok() ? absl::get<S3Address>(*address) : S3Address();
}

std::string ErrorOf(const std::string& text) {
  const absl::StatusOr<ShelfAddress> address = ParseShelfAddress(text, EnvironmentOf({}));
  EXPECT_TRUE(absl::IsInvalidArgument(address.status())) << text << ": " << address.status();
  return std::string(address.status().message());
}

TEST(ShelfAddress, PathWithAndWithoutSchemeIsADirectory) {
  for (const char* const text : {"/srv/replays", "dir:/srv/replays", "/srv/replays//"}) {
    const auto address = ParseShelfAddress(text, EnvironmentOf({}));
    ASSERT_TRUE(address.ok()) << address.status();
    EXPECT_EQ(absl::get<DirectoryAddress>(*address).path, "/srv/replays");
  }
}

TEST(ShelfAddress, BucketOfAmazonIsAHostOfItsRegion) {
  const S3Address address = S3Of("s3://my-replays/cup/2026/?region=eu-west-1");
  EXPECT_EQ(address.prefix, "cup/2026");
  EXPECT_EQ(address.BucketUrl(), "https://my-replays.s3.eu-west-1.amazonaws.com");
  EXPECT_EQ(S3Of("s3://my.replays", {{"AWS_REGION", "eu-west-1"}}).BucketUrl(),
            "https://s3.eu-west-1.amazonaws.com/my.replays");
}

TEST(ShelfAddress, EndpointComesFromTheAddressElseFromTheEnvironment) {
  const std::map<std::string, std::string> variables = {{"AWS_ENDPOINT_URL", "https://second:9000"},
                                                        {"AWS_DEFAULT_REGION", "home-1"}};
  EXPECT_EQ(S3Of("s3://bucket", variables).BucketUrl(), "https://second:9000/bucket");
  EXPECT_EQ(S3Of("s3://bucket", variables).region, "home-1");
  EXPECT_EQ(S3Of("s3://bucket?endpoint=https://first/&style=virtual", variables).BucketUrl(),
            "https://bucket.first");
  EXPECT_EQ(S3Of("s3://bucket?endpoint=https://first").region, "us-east-1");
}

TEST(ShelfAddress, PlainHttpIsForThisMachineOnly) {
  for (const char* const host :
       {"localhost", "localhost:9000", "127.0.0.1:80", "[::1]:80", "[::1]", "s3.localhost"}) {
    EXPECT_TRUE(S3Of(std::string("s3://bucket?endpoint=http://") + host).loopback) << host;
  }
  for (const char* const host : {"10.0.0.1", "s3.example.org:9000", "127.0.0.1.example.org",
                                 "localhost.example.org", "[::2]", "127.evil.0.1"}) {
    EXPECT_THAT(ErrorOf(std::string("s3://bucket?endpoint=http://") + host), HasSubstr("use https"))
        << host;
  }
}

TEST(ShelfAddress, ErrorsSayWhichPartIsWrong) {
  EXPECT_THAT(ErrorOf(""), HasSubstr("names no directory"));
  EXPECT_THAT(ErrorOf("ftp://somewhere"), HasSubstr("s3://BUCKET/PREFIX"));
  EXPECT_THAT(ErrorOf("s3://"), HasSubstr("bucket ''"));
  EXPECT_THAT(ErrorOf("s3://Bucket?region=r"), HasSubstr("lower-case"));
  EXPECT_THAT(ErrorOf("s3://bucket/a/../b?region=r"), HasSubstr("prefix"));
  EXPECT_THAT(ErrorOf("s3://bucket/a//b?region=r"), HasSubstr("prefix"));
  EXPECT_THAT(ErrorOf("s3://bucket/a%20b?region=r"), HasSubstr("prefix"));
  EXPECT_THAT(ErrorOf("s3://bucket"), HasSubstr("AWS_REGION"));
  EXPECT_THAT(ErrorOf("s3://bucket?region=r:s"), HasSubstr("region"));
  EXPECT_THAT(ErrorOf("s3://bucket?region=r&region=s"), HasSubstr("twice"));
  EXPECT_THAT(ErrorOf("s3://bucket?region=r&style=new"), HasSubstr("style"));
  for (const char* const endpoint :
       {"host", "https://", "https://host/path", "https://host:0", "https://host:x", "https://a b",
        "https://user@host", "https://[::1", "https://[x]"}) {
    EXPECT_THAT(ErrorOf(std::string("s3://bucket?endpoint=") + endpoint), HasSubstr("endpoint"))
        << endpoint;
  }
  EXPECT_THAT(ErrorOf(std::string(2000, 'x')), HasSubstr("2000 bytes"));
}

TEST(ShelfAddress, CredentialsInItAreRefusedAndNotRepeated) {
  for (const char* const text :
       {"s3://KEYID:hunter2@bucket?region=r", "s3://bucket?secret=hunter2", "s3://bucket?hunter2",
        "s3://bucket?endpoint=https://u:hunter2@host"}) {
    EXPECT_THAT(ErrorOf(text), Not(HasSubstr("hunter2"))) << text;
  }
  EXPECT_THAT(ErrorOf("s3://KEYID:hunter2@bucket"), HasSubstr("AWS_SHARED_CREDENTIALS_FILE"));
}

TEST(OpenShelf, DirectoryIsOpenedByEitherAddress) {
  const testing::TempFolder folder;
  EXPECT_EQ(OpenShelf(folder.path()).value()->name(), folder.path());
  EXPECT_EQ(OpenShelf("dir:" + folder.path()).value()->name(), folder.path());
  EXPECT_TRUE(absl::IsNotFound(OpenShelf(folder.Path("none")).status()));
}

}  // namespace
}  // namespace referee::shelf
