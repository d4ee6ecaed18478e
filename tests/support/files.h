// Reads and writes whole files, for tests.
#ifndef REFEREE_TESTS_SUPPORT_FILES_H_
#define REFEREE_TESTS_SUPPORT_FILES_H_

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace referee::testing {

// The bytes of a file; empty if it cannot be read.
inline std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// Writes a file, and makes its parent folders.
inline void WriteFile(const std::filesystem::path& path, const std::string& bytes) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

// Writes a file that its owner may execute, and makes its parent folders.
inline void WriteProgram(const std::filesystem::path& path, const std::string& bytes) {
  WriteFile(path, bytes);
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
}

}  // namespace referee::testing

#endif  // REFEREE_TESTS_SUPPORT_FILES_H_
