#include "referee/shelf/s3_shelf.h"

#include <fstream>
#include <memory>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/shelf/layout.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/shelf/harness.h"

namespace referee::shelf {
namespace {

using ::referee::testing::IdOfDay;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;
using ::testing::SizeIs;

// What the fake holds requests to is what Amazon's reference shows: its two examples without a
// body.
TEST(FakeS3, SignsAsAmazonsExamplesDo) {
  const std::string empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
  const std::string secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
  const std::string get =
      "GET\n/test.txt\n\nhost:examplebucket.s3.amazonaws.com\nrange:bytes=0-9\n"
      "x-amz-content-sha256:" +
      empty +
      "\nx-amz-date:20130524T000000Z\n\n"
      "host;range;x-amz-content-sha256;x-amz-date\n" +
      empty;
  EXPECT_EQ(testing::SignatureV4(get, "20130524T000000Z", "us-east-1", secret),
            "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
  const std::string list =
      "GET\n/\nmax-keys=2&prefix=J\nhost:examplebucket.s3.amazonaws.com\n"
      "x-amz-content-sha256:" +
      empty +
      "\nx-amz-date:20130524T000000Z\n\n"
      "host;x-amz-content-sha256;x-amz-date\n" +
      empty;
  EXPECT_EQ(testing::SignatureV4(list, "20130524T000000Z", "us-east-1", secret),
            "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
}

class S3ShelfTest : public ::testing::Test {
 protected:
  static std::string Key(const MatchId& id) { return "spring/" + KeyOf(id); }

  testing::FakeS3 server_;
  testing::SimulatedClock clock_;
  const Instant begin_ = clock_.Now();
  const std::unique_ptr<S3Shelf> shelf_ = ShelfOf(server_, &clock_);
};

TEST_F(S3ShelfTest, PutAsksWritesAndSignsBoth) {
  ASSERT_EQ(shelf_->Put(IdOfDay(0), "one"), absl::OkStatus()) << server_.complaint();
  const std::string key = Key(IdOfDay(0));
  EXPECT_THAT(server_.objects(), ElementsAre(Pair(key, "one")));
  EXPECT_THAT(server_.requests(), ElementsAre("GET " + key, "PUT " + key));
  EXPECT_THAT(server_.complaint(), IsEmpty());
}

TEST_F(S3ShelfTest, WholeBucketMayBeAShelf) {
  const auto shelf = ShelfOf(server_, &clock_, EnvironmentOf(FakeCredentials()), "");
  ASSERT_EQ(shelf->Put(IdOfDay(0), "one"), absl::OkStatus()) << server_.complaint();
  EXPECT_THAT(server_.objects(), ElementsAre(Pair(KeyOf(IdOfDay(0)), "one")));
  EXPECT_EQ(shelf->name(), "s3://replays");
  EXPECT_THAT(shelf->List("", 10, "").value().replays, SizeIs(1));
}

TEST_F(S3ShelfTest, TemporaryCredentialsSignTheirToken) {
  server_.SetSessionToken("a/token+of=one");
  EXPECT_TRUE(absl::IsPermissionDenied(shelf_->Put(IdOfDay(0), "one")));
  auto variables = FakeCredentials();
  variables["AWS_SESSION_TOKEN"] = "a/token+of=one";
  const auto shelf = ShelfOf(server_, &clock_, EnvironmentOf(variables));
  EXPECT_EQ(shelf->Put(IdOfDay(0), "one"), absl::OkStatus()) << server_.complaint();
}

TEST_F(S3ShelfTest, WrongSecretIsDeniedAtOnceAndNotRepeated) {
  auto variables = FakeCredentials();
  variables["AWS_SECRET_ACCESS_KEY"] = "not/the/secret";
  const auto shelf = ShelfOf(server_, &clock_, EnvironmentOf(variables));
  const absl::Status put = shelf->Put(IdOfDay(0), "one");
  EXPECT_TRUE(absl::IsPermissionDenied(put)) << put;
  EXPECT_THAT(std::string(put.message()), HasSubstr("check AWS_ACCESS_KEY_ID"));
  EXPECT_THAT(std::string(put.message()), Not(HasSubstr("not/the/secret")));
  EXPECT_EQ(clock_.Now(), begin_);
}

TEST_F(S3ShelfTest, RenewedFileOfCredentialsIsReadWithTheNextRequest) {
  const testing::TempFolder folder;
  const std::string path = folder.Path("credentials");
  const auto write = [&](const std::string& secret) {
    std::ofstream(path) << "[default]\naws_access_key_id = " << testing::FakeS3::kKeyId
                        << "\naws_secret_access_key = " << secret << "\n";
  };
  write("expired");
  const auto shelf =
      ShelfOf(server_, &clock_, EnvironmentOf({{"AWS_SHARED_CREDENTIALS_FILE", path}}));
  EXPECT_TRUE(absl::IsPermissionDenied(shelf->Put(IdOfDay(0), "one")));
  write(testing::FakeS3::kSecret);
  EXPECT_EQ(shelf->Put(IdOfDay(0), "one"), absl::OkStatus());
}

TEST_F(S3ShelfTest, WhoPutsTheSameBetweenTheQuestionAndTheWriteIsFound) {
  server_.PutBefore(Key(IdOfDay(0)), "one");
  EXPECT_EQ(shelf_->Put(IdOfDay(0), "one"), absl::OkStatus());
}

TEST_F(S3ShelfTest, WhoPutsAnotherBetweenTheQuestionAndTheWriteIsNotWrittenOver) {
  server_.PutBefore(Key(IdOfDay(0)), "another");
  EXPECT_TRUE(absl::IsAlreadyExists(shelf_->Put(IdOfDay(0), "one")));
  EXPECT_EQ(server_.objects().at(Key(IdOfDay(0))), "another");
}

TEST_F(S3ShelfTest, PassingFailuresAreTriedAgainAfterLongerAndLongerPauses) {
  server_.Fail({{503, "SlowDown"}, {500, "InternalError"}, {429, ""}, {409, "OperationAborted"}});
  EXPECT_EQ(shelf_->Put(IdOfDay(0), "one"), absl::OkStatus());
  EXPECT_EQ(clock_.Now() - begin_, 15 * limits::kFirstShelfRetry);
}

TEST_F(S3ShelfTest, WriteWhoseAnswerWasLostIsFoundAndOk) {
  server_.Fail({{}, {0, "", /*lost=*/true}});
  EXPECT_EQ(shelf_->Put(IdOfDay(0), "one"), absl::OkStatus());
  EXPECT_THAT(server_.requests(), SizeIs(3));  // asked, written, asked
}

TEST_F(S3ShelfTest, TornAnswerIsNoReplay) {
  server_.Set(Key(IdOfDay(0)), "a whole replay");
  server_.Fail({{0, "", false, /*torn=*/true}});
  EXPECT_EQ(shelf_->Get(IdOfDay(0)).value(), "a whole replay");
  EXPECT_THAT(server_.requests(), SizeIs(2));
}

TEST_F(S3ShelfTest, FailureThatLastsEndsTheCallInTime) {
  server_.Fail(std::vector<testing::FakeS3::Fault>(1000, {503, "SlowDown"}));
  const absl::Status put = shelf_->Put(IdOfDay(0), "one");
  EXPECT_TRUE(absl::IsUnavailable(put)) << put;
  EXPECT_THAT(std::string(put.message()), HasSubstr("503 'SlowDown'"));
  EXPECT_LE(clock_.Now() - begin_, limits::kShelfCallLimit);
  EXPECT_GE(clock_.Now() - begin_, limits::kShelfCallLimit - limits::kLastShelfRetry);
}

TEST_F(S3ShelfTest, ServerThatIsNotThereIsUnavailable) {
  auto server = std::make_unique<testing::FakeS3>();
  const auto shelf = ShelfOf(*server, &clock_);
  server = nullptr;
  EXPECT_TRUE(absl::IsUnavailable(shelf->Get(IdOfDay(0)).status()));
}

TEST_F(S3ShelfTest, MissingBucketIsNoMissingReplay) {
  server_.Fail({{404, "NoSuchBucket"}});
  const absl::Status got = shelf_->Get(IdOfDay(0)).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(got)) << got;
  EXPECT_THAT(std::string(got.message()), HasSubstr("make the bucket"));
}

TEST_F(S3ShelfTest, ListPassesOverWhatIsNoReplay) {
  server_.Set("spring/0 & <first>", "x");
  server_.Set(Key(IdOfDay(0)), "one");
  for (int i = 0; i < 25; ++i) server_.Set("spring/2023/11/15/x" + std::to_string(i), "x");
  server_.Set(Key(IdOfDay(2)), "three");
  server_.Set("springtime/" + KeyOf(IdOfDay(1)), "of another shelf");
  const absl::StatusOr<ShelfPage> first = shelf_->List("", 1, "");
  ASSERT_TRUE(first.ok()) << first.status();
  ASSERT_THAT(first->replays, SizeIs(1));
  EXPECT_EQ(first->replays[0].id, IdOfDay(0));
  const absl::StatusOr<ShelfPage> second = shelf_->List("", 1, first->next_page_token);
  ASSERT_TRUE(second.ok()) << second.status();
  ASSERT_THAT(second->replays, SizeIs(1));
  EXPECT_EQ(second->replays[0].id, IdOfDay(2));
  EXPECT_THAT(second->next_page_token, IsEmpty());
}

}  // namespace
}  // namespace referee::shelf
