#include "referee/replay/messages.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "proto/referee/v1/replay.pb.h"

namespace referee::replay {
namespace {

using ::testing::HasSubstr;

// A record whose opening names a game in Latin-1.
v1::Record RecordInLatin1() {
  v1::Record record;
  record.mutable_opening()->set_game("M\xfcller");
  return record;
}

TEST(CheckText, NamesTheFieldThatIsNotUtf8) {
  EXPECT_THAT(std::string(CheckText(RecordInLatin1()).message()),
              HasSubstr("opening: game: byte 2 is \\xfc"));
  v1::Record record;
  record.mutable_opening()->add_bots("M\xc3\xbcller");
  record.mutable_opening()->set_commitment("\xff");  // bytes, not text
  EXPECT_TRUE(CheckText(record).ok());
  record.mutable_opening()->add_bots("\xff");
  EXPECT_THAT(std::string(CheckText(record).message()), HasSubstr("opening: bots[1]: byte 1"));
}

TEST(SilenceProtobuf, KeepsItsLinesFromTheScreen) {
  SilenceProtobuf();
  ::testing::internal::CaptureStderr();
  const std::string bytes = RecordInLatin1().SerializeAsString();
  v1::Record read;
  EXPECT_FALSE(read.ParseFromString(bytes));
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace referee::replay
