// A temporary folder for one test, named after the test, and removed with its content.
#ifndef REFEREE_TESTS_SUPPORT_TEMP_FOLDER_H_
#define REFEREE_TESTS_SUPPORT_TEMP_FOLDER_H_

#include <sys/statvfs.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include "gtest/gtest.h"

namespace referee::testing {

// kMemory: in a memory file system, if the machine has one with enough room. For tests that often
// sync files, which is slow on a disk.
enum class TempFolderOn { kDisk, kMemory };

// Makes the folder; aborts if it cannot.
class TempFolder {
 public:
  TempFolder() : TempFolder(TempFolderOn::kDisk) {}
  explicit TempFolder(TempFolderOn on) : path_(Pattern(on)) {
    if (mkdtemp(path_.data()) == nullptr) std::abort();
  }
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  const std::string& path() const { return path_; }
  // The path of `name` in the folder.
  std::string Path(const std::string& name) const { return path_ + "/" + name; }

 private:
  // Short enough for the address of a Unix socket in the folder.
  static constexpr size_t kMaxName = 40;

  static std::string Pattern(TempFolderOn on) {
    static constexpr char kMemory[] = "/dev/shm";
    // A container has 64 MiB by default: too little for tests that run in parallel.
    constexpr uint64_t kEnough = uint64_t{2} << 30;
    struct statvfs room {};
    const bool in_memory = on == TempFolderOn::kMemory && access(kMemory, W_OK | X_OK) == 0 &&
                           statvfs(kMemory, &room) == 0 &&
                           uint64_t{room.f_bavail} * room.f_frsize >= kEnough;
    const std::filesystem::path parent =
        in_memory ? kMemory : std::filesystem::temp_directory_path();
    std::string name = "referee";
    if (const auto* test = ::testing::UnitTest::GetInstance()->current_test_info()) {
      name = test->test_suite_name() + std::string("-") + test->name();
    }
    for (char& c : name) {
      if (c == '/') c = '-';
    }
    return parent / (name.substr(0, kMaxName) + ".XXXXXX");
  }

  std::string path_;
};

}  // namespace referee::testing

#endif  // REFEREE_TESTS_SUPPORT_TEMP_FOLDER_H_
