// Claims about who is known by which token.
#include "referee/service/access/credentials.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace referee::service {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// SHA-256 of "secret-a" and of "secret-b", as sha256sum prints them.
constexpr char kHashA[] = "8766b9cb08e6040b704f1e3ee1e186efccf2635b1d2634d6525333007e6aeae1";
constexpr char kHashB[] = "ff492ef788c89b555e6f738b33d2422f57dbb6656af2402155672c5f123a90af";

std::string Refusal(absl::string_view text) {
  const absl::StatusOr<Credentials> credentials = Credentials::Parse(text);
  EXPECT_FALSE(credentials.ok()) << text;
  return std::string(credentials.status().message());
}

TEST(BotsFile, KnowsABotByTheHashOfItsToken) {
  const absl::StatusOr<Credentials> credentials =
      Credentials::Parse(absl::StrCat("alice ", kHashA, "\n"));
  ASSERT_TRUE(credentials.ok()) << credentials.status();
  const absl::StatusOr<Identity> alice = credentials->Find(HashToken("secret-a"));
  ASSERT_TRUE(alice.ok()) << alice.status();
  EXPECT_EQ(alice->name, "alice");
  EXPECT_EQ(alice->role, Role::kBot);
  for (const absl::string_view other : {"secret-b", kHashA, ""}) {
    const absl::Status found = credentials->Find(HashToken(other)).status();
    EXPECT_TRUE(absl::IsUnauthenticated(found)) << other << ": " << found;
  }
  EXPECT_TRUE(*credentials->KnowsBot("alice"));
  EXPECT_FALSE(*credentials->KnowsBot("bob"));
  EXPECT_FALSE(*credentials->HasOrganiser());
}

TEST(BotsFile, MayHaveCommentsEmptyLinesTabsAndCarriageReturns) {
  const absl::StatusOr<Credentials> credentials = Credentials::Parse(
      absl::StrCat("# bots\r\n\r\n  alice\t", kHashA, "  \r\n\n#bob\nbob  ", kHashB));
  ASSERT_TRUE(credentials.ok()) << credentials.status();
  EXPECT_TRUE(*credentials->KnowsBot("alice"));
  EXPECT_TRUE(*credentials->KnowsBot("bob"));
}

TEST(BotsFile, OfNobodyIsAFile) { EXPECT_TRUE(Credentials::Parse("").ok()); }

TEST(BotsFile, NamesOrganisersWhoAreNoBots) {
  const absl::StatusOr<Credentials> credentials =
      Credentials::Parse(absl::StrCat("olga ", kHashA, " organiser\nbob ", kHashB));
  ASSERT_TRUE(credentials.ok()) << credentials.status();
  EXPECT_TRUE(*credentials->HasOrganiser());
  EXPECT_EQ(credentials->Find(HashToken("secret-a"))->role, Role::kOrganiser);
  EXPECT_FALSE(*credentials->KnowsBot("olga"));
}

TEST(BotsFile, NamesObserversWhoAreNeitherBotsNorOrganisers) {
  const absl::StatusOr<Credentials> credentials =
      Credentials::Parse(absl::StrCat("oscar ", kHashA, " observer"));
  ASSERT_TRUE(credentials.ok()) << credentials.status();
  EXPECT_EQ(credentials->Find(HashToken("secret-a"))->role, Role::kObserver);
  EXPECT_FALSE(*credentials->KnowsBot("oscar"));
  EXPECT_FALSE(*credentials->HasOrganiser());
  EXPECT_TRUE(credentials->contains("oscar"));
}

TEST(BotsFile, RefusesMalformedLinesByNumber) {
  const std::string good = absl::StrCat("alice ", kHashA, "\n");
  for (const std::string& bad :
       {std::string("bob"), absl::StrCat("bob ", kHashB, " king"),
        absl::StrCat("bob ", kHashB, " organiser too"), std::string("bob abc"),
        absl::StrCat("bob ", kHashB, "0"), absl::StrCat("bob g", &kHashB[1])}) {
    const std::string refusal = Refusal(absl::StrCat("# first\n", good, bad, "\n"));
    EXPECT_THAT(refusal, StartsWith("line 3: '")) << bad;
    EXPECT_THAT(refusal, HasSubstr("sha256sum")) << bad;
  }
}

TEST(BotsFile, RefusesANameThatStandsThereTwice) {
  const std::string refusal = Refusal(absl::StrCat("alice ", kHashA, "\nalice ", kHashB));
  EXPECT_THAT(refusal, StartsWith("line 2: "));
  EXPECT_THAT(refusal, HasSubstr("'alice'"));
}

TEST(BotsFile, RefusesATokenThatStandsThereTwice) {
  const std::string refusal =
      Refusal(absl::StrCat("alice ", kHashA, "\n\nbob ", kHashA, " organiser"));
  EXPECT_THAT(refusal, StartsWith("line 3: "));
  EXPECT_THAT(refusal, HasSubstr("'bob'"));
}

TEST(BotsFile, RefusesNamesThatATerminalWouldObeyOrThatAreTooLong) {
  EXPECT_THAT(Refusal(absl::StrCat("al\x1b[31mice ", kHashA)), StartsWith("line 1: bot "));
  EXPECT_THAT(Refusal(absl::StrCat("al\x7fice ", kHashA)), StartsWith("line 1: bot "));
  EXPECT_THAT(Refusal(absl::StrCat(std::string(65, 'x'), " ", kHashA)), StartsWith("line 1: bot "));
  EXPECT_TRUE(Credentials::Parse(absl::StrCat(std::string(64, 'x'), " ", kHashA)).ok());
}

// A name goes into messages, which hold nothing else: a bot's that could not be sent would harm
// every match of that bot.
TEST(BotsFile, RefusesNamesThatAreNotUtf8) {
  EXPECT_THAT(Refusal(absl::StrCat("al\xff", "ice ", kHashA)), StartsWith("line 1: bot "));
  EXPECT_TRUE(Credentials::Parse(absl::StrCat("Zo\xc3\xab ", kHashA)).ok());
}

TEST(BotsFile, ShowsWhatIsWrongWithoutShowingControlCharacters) {
  const std::string refusal = Refusal("\x1b]0;gotcha\x07 bob\n");
  for (char c : refusal) EXPECT_GE(static_cast<unsigned char>(c), 0x20u) << refusal;
}

TEST(Credentials, AreAddedOneByOneToo) {
  Credentials credentials;
  ASSERT_TRUE(credentials.Add("t1", {"alice", Role::kBot}).ok());
  EXPECT_TRUE(absl::IsAlreadyExists(credentials.Add("t1", {"bob", Role::kBot})));
  EXPECT_TRUE(absl::IsAlreadyExists(credentials.Add("t2", {"alice", Role::kBot})));
  EXPECT_TRUE(absl::IsInvalidArgument(credentials.Add("t3", {"", Role::kBot})));
  EXPECT_EQ(credentials.Find(HashToken("t1"))->name, "alice");
}

}  // namespace
}  // namespace referee::service
