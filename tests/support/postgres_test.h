// The precondition of tests that need PostgreSQL.
#ifndef REFEREE_TESTS_SUPPORT_POSTGRES_TEST_H_
#define REFEREE_TESTS_SUPPORT_POSTGRES_TEST_H_

#include "gtest/gtest.h"
#include "tests/support/postgres_cluster.h"

// Skips the test, with a message, if PostgreSQL is not installed. Any other error of the cluster
// fails the test.
#define REFEREE_NEED_POSTGRES()                                               \
  do {                                                                        \
    const auto cluster = ::referee::testing::PostgresCluster::Get();          \
    if (absl::IsNotFound(cluster.status())) GTEST_SKIP() << cluster.status(); \
    ASSERT_TRUE(cluster.ok()) << cluster.status();                            \
  } while (false)

#endif  // REFEREE_TESTS_SUPPORT_POSTGRES_TEST_H_
