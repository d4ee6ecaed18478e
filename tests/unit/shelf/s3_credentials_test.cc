#include "referee/shelf/s3_credentials.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/shelf/harness.h"

namespace referee::shelf {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class S3CredentialsTest : public ::testing::Test {
 protected:
  absl::StatusOr<S3Credentials> ReadFrom(const std::string& text,
                                         std::map<std::string, std::string> more = {}) {
    std::ofstream(folder_.Path("file")) << text;
    more["AWS_SHARED_CREDENTIALS_FILE"] = folder_.Path("file");
    return ReadS3Credentials(EnvironmentOf(std::move(more)));
  }
  std::string ErrorOf(const absl::StatusOr<S3Credentials>& read) {
    EXPECT_TRUE(absl::IsFailedPrecondition(read.status())) << read.status();
    return std::string(read.status().message());
  }

  const testing::TempFolder folder_;
};

TEST_F(S3CredentialsTest, VariablesComeBeforeTheFile) {
  const auto read = ReadFrom(
      "[default]\naws_access_key_id=f\naws_secret_access_key=g\n",
      {{"AWS_ACCESS_KEY_ID", "a"}, {"AWS_SECRET_ACCESS_KEY", "b"}, {"AWS_SESSION_TOKEN", "c"}});
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->key_id + read->secret + read->session_token, "abc");
}

TEST_F(S3CredentialsTest, FileHasProfiles) {
  const std::string text =
      "# mine\n[default]\naws_access_key_id = a\naws_secret_access_key= b\nregion = x\n"
      "[other]\r\naws_access_key_id=c\r\naws_secret_access_key=d=\r\naws_session_token=e\r\n";
  EXPECT_EQ(ReadFrom(text).value().secret, "b");
  EXPECT_EQ(ReadFrom(text).value().session_token, "");
  EXPECT_EQ(ReadFrom("\xef\xbb\xbf" + text.substr(text.find('['))).value().secret, "b");
  EXPECT_EQ(ReadFrom(text, {{"AWS_PROFILE", "other"}}).value().secret, "d=");
  EXPECT_THAT(ErrorOf(ReadFrom(text, {{"AWS_PROFILE", "third"}})), HasSubstr("below [third]"));
}

TEST_F(S3CredentialsTest, FileOfTheUserIsTheLastResort) {
  std::filesystem::create_directories(folder_.Path(".aws"));
  std::ofstream(folder_.Path(".aws/credentials"))
      << "[default]\naws_access_key_id=a\naws_secret_access_key=b\n";
  EXPECT_EQ(ReadS3Credentials(EnvironmentOf({{"HOME", folder_.path()}})).value().key_id, "a");
  EXPECT_THAT(ErrorOf(ReadS3Credentials(EnvironmentOf({}))), HasSubstr("set AWS_ACCESS_KEY_ID"));
  EXPECT_THAT(ErrorOf(ReadS3Credentials(EnvironmentOf({{"HOME", "/nowhere"}}))),
              HasSubstr("/nowhere/.aws/credentials"));
}

TEST_F(S3CredentialsTest, HalfOfThemIsAnErrorThatNamesTheOther) {
  EXPECT_THAT(ErrorOf(ReadS3Credentials(EnvironmentOf({{"AWS_ACCESS_KEY_ID", "a"}}))),
              HasSubstr("the environment: the secret access key is missing"));
  EXPECT_THAT(ErrorOf(ReadFrom("[default]\naws_secret_access_key=b\n")),
              HasSubstr("the key id is missing"));
}

TEST_F(S3CredentialsTest, NoErrorRepeatsWhatTheFileSays) {
  for (const char* const text : {"[default]\nhunter2\n",
                                 "[default]\naws_access_key_id=a\n"
                                 "aws_secret_access_key=hunter2 or so\n"}) {
    EXPECT_THAT(ErrorOf(ReadFrom(text)), Not(HasSubstr("hunter2")));
  }
  EXPECT_THAT(ErrorOf(ReadFrom("[default]\nhunter2\n")), HasSubstr("line 2"));
}

}  // namespace
}  // namespace referee::shelf
