#include "referee/ctl/replay/export_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"

namespace referee::ctl {
namespace {

std::string Draft(const std::string& path) { return absl::StrCat(path, ".tmp"); }

}  // namespace

absl::StatusOr<ExportFile> ExportFile::Open(const std::string& path, std::ostream* out) {
  if (path.empty()) return ExportFile("", replay::File(), out);
  absl::StatusOr<replay::File> file =
      replay::OpenFile(Draft(path), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (!file.ok()) return file.status();
  return ExportFile(path, *std::move(file), nullptr);
}

ExportFile::ExportFile(std::string path, replay::File file, std::ostream* out)
    : path_(std::move(path)), file_(std::move(file)), out_(out) {}

ExportFile::ExportFile(ExportFile&& other) noexcept
    : path_(std::exchange(other.path_, "")), file_(std::move(other.file_)), out_(other.out_) {}

ExportFile::~ExportFile() {
  if (!path_.empty()) unlink(Draft(path_).c_str());
}

absl::Status ExportFile::Write(absl::string_view bytes) {
  if (out_ == nullptr) return replay::WriteAll(file_.fd(), bytes, Draft(path_));
  // Whether all of a stream was written is looked at when the program ends.
  *out_ << bytes;
  return absl::OkStatus();
}

absl::Status ExportFile::Commit() {
  if (out_ != nullptr) return absl::OkStatus();
  if (std::rename(Draft(path_).c_str(), path_.c_str()) != 0) {
    return FileError("cannot write", path_, errno);
  }
  path_.clear();
  return absl::OkStatus();
}

}  // namespace referee::ctl
