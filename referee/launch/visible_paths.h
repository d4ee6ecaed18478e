// The files of this machine that a bot needs, as far as its command and the environment name them:
// what an isolated bot may read beside the system.
#ifndef REFEREE_LAUNCH_VISIBLE_PATHS_H_
#define REFEREE_LAUNCH_VISIBLE_PATHS_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace referee::launch {

// Where a bot is started.
struct Surroundings {
  std::string folder;  // that it is started in
  std::string home;    // of its user; empty: none
  std::vector<std::pair<std::string, std::string>> environment;

  static Surroundings OfThisProcess();
  // The value of a variable; empty if it is not set.
  std::string ValueOf(absl::string_view name) const;
};

// Folders of the system, which every bot sees.
absl::Span<const absl::string_view> SystemFolders();

// Variables that say where programs and libraries are: lists of paths.
absl::Span<const absl::string_view> PathVariables();

// Whether `path` is `folder`, or below it. Both are absolute and normal.
bool IsWithin(absl::string_view path, absl::string_view folder);

// Where a bot's own files are: of each file that a word of its command names, the folder, or the
// whole prefix for a program in a "bin" beside a "lib"; and the packages for Node that belong to
// it. Without any the folder that the bot is started in. The home folder as a whole, and what it is
// in, are never among them. Absolute paths, each also without symbolic links.
std::vector<std::string> OwnPaths(absl::string_view command, const Surroundings& where);

// Where languages and libraries are that are not part of the system: what the variables name, and
// what Python and pip put into the home folder.
std::vector<std::string> RuntimePaths(const Surroundings& where);

}  // namespace referee::launch

#endif  // REFEREE_LAUNCH_VISIBLE_PATHS_H_
