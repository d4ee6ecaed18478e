#include "referee/ctl/replay/export_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/ctl/command.h"

namespace referee::ctl {
namespace {

absl::Status OutputThere(const std::string& path) {
  return absl::AlreadyExistsError(
      absl::StrCat(path, ": there is such a file; name another, or add --force to write over it"));
}

}  // namespace

void AddOutputFlags(CLI::App* command, OutputFlags* flags) {
  CLI::Option* const output =
      AddOption(command, "--output", "FILE", &flags->file,
                "The file to write, whole or not at all (default: the standard output)");
  command->add_flag("--force", flags->force, "Writes over the file, if there is one")
      ->needs(output);
}

absl::StatusOr<ExportFile> ExportFile::Open(const OutputFlags& flags, std::ostream* out,
                                            mode_t mode) {
  const std::string& path = flags.file;
  if (path.empty()) return ExportFile("", "", replay::File(), out);
  struct stat info;
  const bool there = stat(path.c_str(), &info) == 0;
  if (there && !S_ISREG(info.st_mode)) {
    absl::StatusOr<replay::File> device = replay::OpenFile(path, O_WRONLY);
    if (!device.ok()) return device.status();
    return ExportFile(path, "", *std::move(device), nullptr);
  }
  if (there && !flags.force) return OutputThere(path);
  std::string draft = absl::StrCat(path, ".", getpid(), ".tmp");
  unlink(draft.c_str());  // left by a killed process with the same id
  absl::StatusOr<replay::File> file = replay::OpenFile(draft, O_WRONLY | O_CREAT | O_EXCL, mode);
  if (!file.ok()) return file.status();
  ExportFile made(path, std::move(draft), *std::move(file), nullptr);
  made.force_ = flags.force;
  return made;
}

ExportFile::ExportFile(std::string path, std::string draft, replay::File file, std::ostream* out)
    : path_(std::move(path)), draft_(std::move(draft)), file_(std::move(file)), out_(out) {}

ExportFile::ExportFile(ExportFile&& other) noexcept
    : path_(std::move(other.path_)),
      draft_(std::exchange(other.draft_, "")),
      file_(std::move(other.file_)),
      out_(other.out_),
      force_(other.force_) {}

ExportFile::~ExportFile() {
  if (!draft_.empty()) unlink(draft_.c_str());
}

absl::Status ExportFile::Write(absl::string_view bytes) {
  if (out_ == nullptr) return replay::WriteAll(file_.fd(), bytes, path_);
  // The program checks the stream for errors when it ends.
  *out_ << bytes;
  return absl::OkStatus();
}

absl::Status ExportFile::Commit() {
  if (draft_.empty()) return absl::OkStatus();
  int renamed =
      renameat2(AT_FDCWD, draft_.c_str(), AT_FDCWD, path_.c_str(), force_ ? 0 : RENAME_NOREPLACE);
  // Some file systems do not support RENAME_NOREPLACE.
  if (renamed != 0 && !force_ && errno == EINVAL && access(path_.c_str(), F_OK) != 0) {
    renamed = std::rename(draft_.c_str(), path_.c_str());
  }
  if (renamed != 0) {
    return errno == EEXIST ? OutputThere(path_) : FileError("cannot write", path_, errno);
  }
  draft_.clear();
  return absl::OkStatus();
}

}  // namespace referee::ctl
