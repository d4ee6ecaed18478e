// Tests of the effects of refgate --export on a folder.
#include "referee/gate/site_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"

namespace referee::gate {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class SiteFolderTest : public ::testing::Test {
 protected:
  SiteFolder Open(const std::string& maker = "maker") {
    return SiteFolder::Open(folder_.path() + "/site", maker).value();
  }
  std::string PathOf(const std::string& name) const { return folder_.path() + "/site/" + name; }
  std::string Read(const std::string& name) const {
    std::stringstream text;
    text << std::ifstream(PathOf(name)).rdbuf();
    return text.str();
  }
  bool IsThere(const std::string& name) const {
    struct stat info;
    return stat(PathOf(name).c_str(), &info) == 0;
  }
  void Write(const std::string& name, const std::string& text) {
    std::ofstream(PathOf(name)) << text;
  }

  const testing::TempFolder folder_;
};

TEST_F(SiteFolderTest, WritesWhatDiffersAndNothingElse) {
  {
    SiteFolder site = Open();
    EXPECT_TRUE(site.Put("index.html", "one").value());
    EXPECT_TRUE(site.Put("bots/ann.html", "ann").value());
    EXPECT_THAT(site.Finish().value(), IsEmpty());
  }
  SiteFolder site = Open();
  EXPECT_TRUE(site.Put("index.html", "two").value());
  EXPECT_FALSE(site.Put("bots/ann.html", "ann").value());
  EXPECT_EQ(Read("index.html"), "two");
  EXPECT_EQ(Read("bots/ann.html"), "ann");
}

TEST_F(SiteFolderTest, RemovesWhatIsGoneIfItWroteIt) {
  {
    SiteFolder site = Open();
    for (const char* path : {"index.html", "bots/ann.html", "bots/bob.html"}) {
      ASSERT_TRUE(site.Put(path, path).ok());
    }
    ASSERT_TRUE(site.Finish().ok());
  }
  Write("bots/own.html", "somebody else's");
  SiteFolder site = Open();
  ASSERT_TRUE(site.Put("index.html", "index.html").ok());
  EXPECT_TRUE(site.Keep("bots/ann.html"));
  EXPECT_THAT(site.Finish().value(), ElementsAre("bots/bob.html"));
  EXPECT_FALSE(IsThere("bots/bob.html"));
  EXPECT_TRUE(IsThere("bots/ann.html"));
  EXPECT_EQ(Read("bots/own.html"), "somebody else's");
}

TEST_F(SiteFolderTest, TakesAFolderThatIsNewOrEmptyOrItsOwn) {
  ASSERT_EQ(mkdir(PathOf("").c_str(), 0755), 0);
  (void)Open();
  Write("passwd", "somebody else's");
  EXPECT_TRUE(SiteFolder::Open(PathOf(""), "maker").ok()) << "it has a manifest";
  ASSERT_EQ(unlink(PathOf("site.manifest").c_str()), 0);
  const absl::Status refused = SiteFolder::Open(PathOf(""), "maker").status();
  EXPECT_TRUE(absl::IsAlreadyExists(refused)) << refused;
  EXPECT_THAT(std::string(refused.message()),
              AllOf(HasSubstr(PathOf("")), HasSubstr("site.manifest"),
                    HasSubstr("name a new or empty folder")));
  EXPECT_FALSE(IsThere("site.manifest"));
}

TEST_F(SiteFolderTest, WritesOverNothingThatIsNotItsOwn) {
  (void)Open();
  Write("index.html", "somebody else's");
  SiteFolder site = Open();
  EXPECT_EQ(site.Put("index.html", "mine").status().code(), absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(Read("index.html"), "somebody else's");
}

TEST_F(SiteFolderTest, KnowsItsFilesAfterItWasCutOff) {
  {
    SiteFolder site = Open();
    ASSERT_TRUE(site.Put("index.html", "one").ok());  // no Finish
  }
  std::ofstream(PathOf("site.manifest"), std::ios::app) << "bots/an";  // no end of the line
  {
    SiteFolder site = Open();
    EXPECT_TRUE(site.Put("index.html", "two").value());
    EXPECT_TRUE(site.Put("archive.html", "all").value());
  }
  EXPECT_THAT(Open().Finish().value(), ElementsAre("archive.html", "index.html"));
}

TEST_F(SiteFolderTest, KeepsNothingThatAnotherMakerMade) {
  {
    SiteFolder site = Open("old");
    ASSERT_TRUE(site.Put("replays/a.html", "a").ok());
    ASSERT_TRUE(site.Finish().ok());
  }
  EXPECT_TRUE(Open("old").Keep("replays/a.html"));
  EXPECT_FALSE(Open("new").Keep("replays/a.html"));
  EXPECT_FALSE(Open("old").Keep("replays/b.html"));
}

TEST_F(SiteFolderTest, BelievesNoManifestThatLeadsElsewhere) {
  (void)Open();
  for (const char* path :
       {"../x.html", "a/../x.html", "/x.html", "a/b/c.html", "x.txt", ".x.html"}) {
    Write("site.manifest", std::string("refgate-export 1\nmaker m\n") + path + "\n");
    const auto site = SiteFolder::Open(PathOf(""), "m");
    EXPECT_EQ(site.status().code(), absl::StatusCode::kInvalidArgument) << path;
    EXPECT_THAT(std::string(site.status().message()), HasSubstr("line 3")) << path;
  }
  Write("site.manifest", "anything");
  EXPECT_FALSE(SiteFolder::Open(PathOf(""), "m").ok());
}

TEST_F(SiteFolderTest, TakesOneWriterAtATime) {
  const SiteFolder site = Open();
  EXPECT_EQ(SiteFolder::Open(PathOf(""), "maker").status().code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST_F(SiteFolderTest, IsNotMadeByAnEarlyCheck) {
  EXPECT_EQ(SiteFolder::Check(folder_.path() + "/site"), absl::OkStatus());
  EXPECT_FALSE(IsThere(""));
}

}  // namespace
}  // namespace referee::gate
