// Runs the real programs: their output, their exit status, and whether they leave anything behind.
#ifndef REFEREE_TESTS_END_TO_END_PROGRAM_H_
#define REFEREE_TESTS_END_TO_END_PROGRAM_H_

#include <sys/types.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "tests/support/files.h"
#include "tests/support/temp_folder.h"

namespace referee::end_to_end {

struct Ran {
  int status = -1;  // exit status; 128 and the signal's number if one killed it
  std::string out;
  std::string err;
};

// The path of a program of this build, such as "refctl" or "bots/greedy"; of another its own, which
// begins with a slash.
std::string Program(const std::string& name);

// A directory of its own for one test, with all that the programs run in it leave behind.
// Everything that it starts has its TMPDIR, and a mark in its environment by which it is found
// again.
class Sandbox {
 public:
  Sandbox();
  ~Sandbox();  // kills what is left
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  using Environment = std::vector<std::pair<std::string, std::string>>;

  // Runs a program of this build to its end.
  Ran Run(const std::vector<std::string>& command, const Environment& environment = {});
  // Starts one; its output goes to files.
  pid_t Start(const std::vector<std::string>& command, const Environment& environment = {});
  // Programs that are started from now on may have so many descriptors; 0: as this process.
  void LimitDescriptors(int descriptors) { descriptors_ = descriptors; }
  // Waits until a program that was started here has ended.
  Ran Await(pid_t pid);
  // What a running program has written so far, to stdout and stderr.
  Ran Written(pid_t pid) const;

  const std::string& path() const { return folder_.path(); }
  // Where the programs put what they should take away again: is it empty?
  bool TempIsEmpty() const;
  // Takes away what a program that was killed has left there.
  void EmptyTemp();
  // The command lines of processes that were started from here, directly or not, and still run.
  std::vector<std::string> Running() const;
  // Files below path() + `below` whose names end in `suffix`, sorted.
  std::vector<std::string> Files(const std::string& below, const std::string& suffix) const;

 private:
  std::vector<pid_t> Pids() const;

  const testing::TempFolder folder_;
  std::string mark_;
  int descriptors_ = 0;
};

// Whether a child process has ended, and waits to be awaited.
bool HasEnded(pid_t pid);

// Waits until `condition` holds, for a minute at most, and checks it `every` so often, or more
// seldom if that takes long. Returns whether it holds.
bool Eventually(const std::function<bool()>& condition,
                absl::Duration every = absl::Milliseconds(5));

// A test with a sandbox.
class SandboxTest : public ::testing::Test {
 protected:
  std::string Path(const std::string& name) const {
    return absl::StrCat(sandbox_.path(), "/", name);
  }
  void WriteFile(const std::string& name, const std::string& text) const {
    testing::WriteFile(Path(name), text);
  }

  Sandbox sandbox_;
};

}  // namespace referee::end_to_end

#endif  // REFEREE_TESTS_END_TO_END_PROGRAM_H_
