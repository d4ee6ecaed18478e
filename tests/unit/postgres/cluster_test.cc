#include "tests/support/postgres_cluster.h"

#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <filesystem>

#include "gtest/gtest.h"
#include "tests/support/postgres_test.h"

namespace referee::testing {
namespace {

TEST(PostgresClusterOfAProgram, IsGoneWhenTheProgramIsKilled) {
  REFEREE_NEED_POSTGRES();
  int told[2];
  ASSERT_EQ(pipe(told), 0);
  const pid_t child = fork();
  if (child == 0) {
    const auto cluster = PostgresCluster::Start();
    const std::string folder = cluster.ok() ? (*cluster)->folder() : "";
    const ssize_t said = write(told[1], folder.data(), folder.size());
    raise(said > 0 ? SIGKILL : SIGABRT);
  }
  close(told[1]);
  char folder[200] = {};
  ASSERT_GT(read(told[0], folder, sizeof(folder) - 1), 0);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(WTERMSIG(status), SIGKILL);
  // The cluster's keeper has inherited the pipe, which ends with it.
  char more = 0;
  EXPECT_EQ(read(told[0], &more, 1), 0);
  close(told[0]);
  EXPECT_FALSE(std::filesystem::exists(folder));
}

}  // namespace
}  // namespace referee::testing
