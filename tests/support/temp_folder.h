// A temporary folder for one test, named after it, and removed with all its content.
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

// kMemory: in the file system in memory, if the machine has one with room. For tests that sync
// files often: a disk takes most of their time.
enum class TempFolderOn { kDisk, kMemory };

// Aborts if it cannot be made.
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
  // The path of something in it.
  std::string Path(const std::string& name) const { return path_ + "/" + name; }

 private:
  // Short enough for the address of a socket in it.
  static constexpr size_t kMaxName = 40;

  static std::string Pattern(TempFolderOn on) {
    static constexpr char kMemory[] = "/dev/shm";
    // A container's has 64 MiB, which is too little for what runs at once.
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
