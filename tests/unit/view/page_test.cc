#include "referee/view/page.h"

#include <sodium.h>

#include <string>

#include "absl/strings/escaping.h"
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

TEST(Page, HoldsTheViewsAsTheyAre) {
  const v1::MatchViews views = SampleViews("ann");
  EXPECT_EQ(DataOf(MakePage(views).value()), ViewsJson(views).value());
}

TEST(Page, ItsPolicyAllowsItsOwnScriptAndStyleAndNothingElse) {
  const std::string page = MakePage(SampleViews("ann")).value();
  const auto hash = [](const std::string& content) {
    std::string digest(crypto_hash_sha256_BYTES, '\0');
    crypto_hash_sha256(reinterpret_cast<unsigned char*>(&digest[0]),
                       reinterpret_cast<const unsigned char*>(content.data()), content.size());
    return absl::Base64Escape(digest);
  };
  EXPECT_EQ(Between(page, "Content-Security-Policy\" content=\"", "\""),
            absl::StrCat("default-src 'none'; script-src 'sha256-",
                         hash(Between(page, "<script>", "</script>")), "'; style-src 'sha256-",
                         hash(Between(page, "<style>", "</style>")),
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

}  // namespace
}  // namespace referee::view
