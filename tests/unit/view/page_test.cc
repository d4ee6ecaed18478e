#include "referee/view/page.h"

#include <sodium.h>

#include <set>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "referee/view/view.h"
#include "tests/support/inflate.h"
#include "tests/unit/replay/sample.h"

namespace referee::view {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

v1::MatchViews SampleViews(const std::string& bot) {
  replay::Replay match = replay::PlaySample({});
  match.setup.bots[0] = bot;
  v1::MatchViews views;
  *views.add_matches() = MakeView(match, "the file");
  return views;
}

// What lies between two texts, the first time they come.
std::string Between(const std::string& page, const std::string& from, const std::string& to) {
  const size_t begin = page.find(from) + from.size();
  return page.substr(begin, page.find(to, begin) - begin);
}

std::string DataOf(const std::string& page) {
  std::string bytes;
  EXPECT_TRUE(absl::Base64Unescape(Between(page, "id=\"views\">", "</script>"), &bytes));
  return testing::Inflate(bytes, -MAX_WBITS);
}

std::string HashOf(const std::string& content) {
  std::string digest(crypto_hash_sha256_BYTES, '\0');
  crypto_hash_sha256(reinterpret_cast<unsigned char*>(&digest[0]),
                     reinterpret_cast<const unsigned char*>(content.data()), content.size());
  return absl::Base64Escape(digest);
}

TEST(Page, HoldsTheViewsAsTheyAre) {
  const v1::MatchViews views = SampleViews("ann");
  EXPECT_EQ(DataOf(MakePage(views).value()), ViewsJson(views).value());
}

TEST(Page, ItsPolicyAllowsItsOwnScriptAndStyleAndNothingElse) {
  const std::string page = MakePage(SampleViews("ann")).value();
  EXPECT_EQ(Between(page, "Content-Security-Policy\" content=\"", "\""),
            absl::StrCat("default-src 'none'; script-src 'sha256-",
                         HashOf(Between(page, "<script>", "</script>")), "'; style-src 'sha256-",
                         HashOf(Between(page, "<style>", "</style>")),
                         "'; base-uri 'none'; form-action 'none'"));
}

// What comes from outside is in the page as base64 only.
TEST(Page, NothingOfAMatchIsMarkup) {
  const std::string hostile = "</script><script>alert(1)</script><img src=x onerror=alert(2)>";
  const std::string page = MakePage(SampleViews(hostile)).value();
  EXPECT_THAT(page, Not(HasSubstr("alert(")));
  EXPECT_THAT(page, Not(HasSubstr("onerror")));
  const auto json = nlohmann::json::parse(DataOf(page));
  EXPECT_EQ(json["matches"][0]["bots"][0], hostile);
  // Two pages differ in their data alone.
  const std::string other = MakePage(SampleViews("ann")).value();
  EXPECT_EQ(page.substr(0, page.find("id=\"views\">")),
            other.substr(0, other.find("id=\"views\">")));
}

TEST(Page, NamesNoOtherHost) {
  const std::string page = MakePage(SampleViews("ann")).value();
  EXPECT_THAT(page, Not(HasSubstr("https:")));
  EXPECT_THAT(page, Not(HasSubstr("url(")));
  // The name of a language is no address; the script needs it to make drawings.
  std::string rest = page;
  const std::string space = "http://www.w3.org/2000/svg";
  rest.erase(rest.find(space), space.size());
  EXPECT_THAT(rest, Not(HasSubstr("http:")));
}

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

TEST(SitePage, WithDataAllowsItsOwnScriptAndNoRequest) {
  const std::string page = MakeSitePage(SiteKind::kIndex, "{}");
  EXPECT_THAT(page, HasSubstr("script-src 'sha256-" +
                              HashOf(Between(page, "<script>", "</script>")) + "'"));
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
