// What refereed --check says of a data directory, which it leaves as it is.
#include <fstream>
#include <map>
#include <string>
#include <tuple>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/end_to_end/competition_fixture.h"

namespace referee::end_to_end {
namespace {

namespace fs = std::filesystem;

using ::testing::HasSubstr;

// By path: whether it is a folder, its bytes, and when it was written last.
using Contents = std::map<std::string, std::tuple<bool, std::string, fs::file_time_type>>;

Contents ContentsOf(const std::string& folder) {
  Contents contents;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    contents[entry.path()] = {entry.is_directory(),
                              entry.is_directory() ? "" : testing::ReadFile(entry.path()),
                              entry.last_write_time()};
  }
  return contents;
}

class StartCheck : public CompetitionFixture {
 protected:
  // What is said of the data directory, which stays as it is.
  Ran Check() {
    const Contents before = ContentsOf(Path("data"));
    Ran ran = sandbox_.Run({"refereed", "--check", Path("data")});
    EXPECT_EQ(ContentsOf(Path("data")), before);
    return ran;
  }
};

TEST_F(StartCheck, BesideARunningRefereeSaysWhatTheNextStartWouldDo) {
  StartReferee();
  const Ran ran = sandbox_.Run({"refereed", "--check", Path("data")});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("in use     by a referee that runs now"));
  EXPECT_THAT(ran.out, HasSubstr("would start on this once that one has stopped"));
}

TEST_F(StartCheck, OfNoDirectoryMakesNone) {
  const Ran ran = sandbox_.Run({"refereed", "--check", Path("data")});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("directory  make"));
  EXPECT_FALSE(fs::exists(Path("data")));
}

TEST_F(StartCheck, NamesWhatIsRefusedAndTheRemedy) {
  StartReferee();
  StopReferee();
  fs::remove(Path("data/key"));
  const Ran ran = Check();
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.out, HasSubstr("the referee's secret key is missing"));
  EXPECT_THAT(ran.out, HasSubstr("would not start on this"));
}

TEST_F(StartCheck, StoreOfADatabaseIsRefusedWithoutItsUrl) {
  StartReferee();
  StopReferee();
  std::ofstream(Path("data/store.elsewhere")) << "database referee on db1:5432\n";
  const Ran ran = Check();
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.out, HasSubstr("give --store and its URL"));
}

TEST_F(StartCheck, JsonIsOfCheckOnly) {
  const Ran ran = sandbox_.Run({"refereed", "--data-dir", Path("data"), "--json"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("--check"));
}

}  // namespace
}  // namespace referee::end_to_end
