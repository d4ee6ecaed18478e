// The replays in a referee's archive, as files: what `refctl archive get` writes.
#ifndef REFEREE_TESTS_END_TO_END_ARCHIVED_H_
#define REFEREE_TESTS_END_TO_END_ARCHIVED_H_

#include <filesystem>
#include <string>
#include <vector>

#include "tests/end_to_end/program.h"

namespace referee::end_to_end {

// The paths of all of them, sorted; `data` is the data directory, below the sandbox. None if there
// is no archive.
inline std::vector<std::string> ArchivedReplays(Sandbox* sandbox, const std::string& data) {
  const std::string to = "got-" + data;
  std::filesystem::remove_all(sandbox->path() + "/" + to);
  sandbox->Run({"refctl", "archive", "get", "--data-dir", sandbox->path() + "/" + data, "--all",
                sandbox->path() + "/" + to});
  return sandbox->Files(to, ".rpl");
}

}  // namespace referee::end_to_end

#endif  // REFEREE_TESTS_END_TO_END_ARCHIVED_H_
