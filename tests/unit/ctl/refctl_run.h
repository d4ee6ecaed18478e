// Runs refctl's commands in this process.
#ifndef REFEREE_TESTS_UNIT_CTL_REFCTL_RUN_H_
#define REFEREE_TESTS_UNIT_CTL_REFCTL_RUN_H_

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "referee/ctl/program.h"
#include "tests/support/temp_folder.h"

namespace referee::ctl {

struct RefctlRun {
  Exit exit;
  std::string out;
  std::string err;
};

inline RefctlRun RunRefctl(const std::vector<std::string>& arguments) {
  std::ostringstream out;
  std::ostringstream err;
  const Exit exit = RunProgram(arguments, Output(&out, &err, /*colour=*/false));
  return {exit, out.str(), err.str()};
}

// A test with a folder. Keeps the output of the last command.
class RefctlTest : public ::testing::Test {
 protected:
  std::string Path(const std::string& name) const { return folder_.Path(name); }
  Exit Refctl(const std::vector<std::string>& arguments) {
    const RefctlRun run = RunRefctl(arguments);
    out_ = run.out;
    err_ = run.err;
    return run.exit;
  }

  const testing::TempFolder folder_;
  std::string out_;
  std::string err_;
};

}  // namespace referee::ctl

#endif  // REFEREE_TESTS_UNIT_CTL_REFCTL_RUN_H_
