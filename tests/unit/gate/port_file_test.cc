// Tests of which files a gate overwrites with its port.
#include "referee/gate/port_file.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/files.h"
#include "tests/support/temp_folder.h"

namespace referee::gate {
namespace {

TEST(PortFile, IsWrittenWhereThereIsNoneAndOverThatOfAnEarlierGate) {
  const testing::TempFolder folder;
  const std::string path = folder.Path("port");
  for (const char* port : {"7451", "80", "65535"}) {
    EXPECT_EQ(CheckPortFile(path), absl::OkStatus()) << port;
    EXPECT_EQ(WritePortFile(path, std::string("127.0.0.1:") + port), absl::OkStatus());
    EXPECT_EQ(testing::ReadFile(path), std::string(port) + "\n");
  }
  testing::WriteFile(path, "");
  EXPECT_EQ(CheckPortFile(path), absl::OkStatus()) << "there is nothing to lose";
}

TEST(PortFile, IsNotWrittenOverAnotherFile) {
  const testing::TempFolder folder;
  const std::string path = folder.Path("port");
  for (const char* bytes : {"notes", "7451", "\n", "7451\n\n", "7451 \n", "74510000\n", "a\n"}) {
    testing::WriteFile(path, bytes);
    const absl::Status status = CheckPortFile(path);
    EXPECT_TRUE(absl::IsAlreadyExists(status)) << bytes << ": " << status;
    EXPECT_THAT(std::string(status.message()),
                ::testing::HasSubstr("'" + path + "': another file is there"));
  }
}

}  // namespace
}  // namespace referee::gate
