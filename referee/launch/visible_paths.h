// Finds the files that an isolated bot needs, from its command line and environment.
#ifndef REFEREE_LAUNCH_VISIBLE_PATHS_H_
#define REFEREE_LAUNCH_VISIBLE_PATHS_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace referee::launch {

// The folder and environment that a bot is started in.
struct Surroundings {
  std::string folder;  // the working directory
  std::string home;    // of the user; empty: none
  std::vector<std::pair<std::string, std::string>> environment;

  static Surroundings OfThisProcess();
  // The value of a variable; empty if it is not set.
  std::string ValueOf(absl::string_view name) const;
};

// System folders, which every bot may read.
absl::Span<const absl::string_view> SystemFolders();

// Environment variables that contain lists of paths of programs and libraries.
absl::Span<const absl::string_view> PathVariables();

// Whether `path` is `folder` or below it. REQUIRES: both are absolute and normalised.
bool IsWithin(absl::string_view path, absl::string_view folder);

// The folders with a bot's own files. Each file that a word of the command names adds its folder
// and its Node packages. A program in a "bin" beside a "lib" adds the whole prefix. If the command
// names no file, the working directory is added. The home folder itself and its parents are never
// included. Paths are absolute, and listed both as named and without symbolic links.
std::vector<std::string> OwnPaths(absl::string_view command, const Surroundings& where);

// The folders of language runtimes and libraries outside of the system folders: those that
// variables name, and those of Python and pip in the home folder.
std::vector<std::string> RuntimePaths(const Surroundings& where);

}  // namespace referee::launch

#endif  // REFEREE_LAUNCH_VISIBLE_PATHS_H_
