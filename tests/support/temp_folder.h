// A temporary folder for one test, named after it, and removed with all its content.
#ifndef REFEREE_TESTS_SUPPORT_TEMP_FOLDER_H_
#define REFEREE_TESTS_SUPPORT_TEMP_FOLDER_H_

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include "gtest/gtest.h"

namespace referee::testing {

// Aborts if it cannot be made.
class TempFolder {
 public:
  TempFolder() : path_(Pattern()) {
    if (mkdtemp(path_.data()) == nullptr) std::abort();
  }
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  const std::string& path() const { return path_; }
  // The path of something in it.
  std::string Path(const std::string& name) const { return path_ + "/" + name; }

 private:
  // Short enough for the address of a socket in it.
  static constexpr size_t kMaxName = 40;

  static std::string Pattern() {
    std::string name = "referee";
    if (const auto* test = ::testing::UnitTest::GetInstance()->current_test_info()) {
      name = test->test_suite_name() + std::string("-") + test->name();
    }
    for (char& c : name) {
      if (c == '/') c = '-';
    }
    return std::filesystem::temp_directory_path() / (name.substr(0, kMaxName) + ".XXXXXX");
  }

  std::string path_;
};

}  // namespace referee::testing

#endif  // REFEREE_TESTS_SUPPORT_TEMP_FOLDER_H_
