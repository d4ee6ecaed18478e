#include "referee/view/page.h"

#include <sodium.h>

#include <set>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace referee::view {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(SitePaths, AreOfSafeCharactersWhateverTheNameIs) {
  EXPECT_EQ(CompetitionPath("spring"), "competitions/spring.html");
  EXPECT_EQ(BotPath("Ann-2_x.1"), "bots/=41nn-2_x.1.html");
  EXPECT_EQ(FileNameOf("../../etc/passwd"), "=2e.=2f..=2fetc=2fpasswd");
  EXPECT_EQ(FileNameOf("a=b %<&\"'é"), "a=3db=20=25=3c=26=22=27=c3=a9");
  EXPECT_EQ(FileNameOf(".."), "=2e.");
  for (int i = 1; i < 256; ++i) {
    for (const char c : FileNameOf(std::string(3, static_cast<char>(i)))) {
      EXPECT_TRUE(absl::StrContains("abcdefghijklmnopqrstuvwxyz0123456789-_.=", std::string(1, c)));
    }
  }
  EXPECT_LT(FileNameOf(std::string(64, '/')).size() + 9, 255u) << "with .html.tmp";
}

TEST(SitePaths, DifferWhereNamesDoAlsoWithoutCapitals) {
  std::set<std::string> seen;
  for (const char* name :
       {"ann", "Ann", "ANN", "=41nn", "=41NN", "a.nn", "a/nn", ".ann", "=2eann"}) {
    EXPECT_TRUE(seen.insert(absl::AsciiStrToLower(FileNameOf(name))).second) << name;
  }
}

TEST(SitePage, HoldsNothingOfItsDataAsMarkup) {
  EXPECT_THAT(MakeSitePage(SiteKind::kIndex, R"({"title": "<script>alert(1)</script>"})"),
              Not(HasSubstr("alert(1)")));
}

TEST(SitePage, AllowsItsOwnScriptAndNoRequest) {
  const std::string page = MakeSitePage(SiteKind::kIndex, "{}");
  const size_t begin = page.rfind("<script>") + 8;
  const std::string script = page.substr(begin, page.rfind("</script>") - begin);
  unsigned char digest[crypto_hash_sha256_BYTES];
  crypto_hash_sha256(digest, reinterpret_cast<const unsigned char*>(script.data()), script.size());
  EXPECT_THAT(page, HasSubstr("script-src 'sha256-" +
                              absl::Base64Escape(absl::string_view(
                                  reinterpret_cast<const char*>(digest), sizeof(digest))) +
                              "'"));
  EXPECT_THAT(page, Not(HasSubstr("connect-src")));
}

TEST(SitePage, WithoutDataAsksTheServerItCameFromAndNoOther) {
  for (const SiteKind kind : {SiteKind::kIndex, SiteKind::kMatch, SiteKind::kCompetition,
                              SiteKind::kBot, SiteKind::kArchive}) {
    const std::string page = MakeSitePage(kind);
    EXPECT_THAT(page, HasSubstr("; connect-src 'self'; base-uri 'none'; form-action 'none'"));
    EXPECT_THAT(page, Not(HasSubstr("id=\"data\"")));
  }
  EXPECT_THAT(MakeSitePage(SiteKind::kMatch), HasSubstr("data-kind=\"match\" data-root=\"../\""));
  EXPECT_THAT(MakeSitePage(SiteKind::kIndex), HasSubstr("data-kind=\"index\" data-root=\"\""));
}

}  // namespace
}  // namespace referee::view
