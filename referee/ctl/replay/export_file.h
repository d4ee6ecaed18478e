// The output of an export: a stream, or a file that is written atomically.
#ifndef REFEREE_CTL_REPLAY_EXPORT_FILE_H_
#define REFEREE_CTL_REPLAY_EXPORT_FILE_H_

#include <ostream>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "referee/replay/files.h"

namespace referee::ctl {

// Thread-compatible.
class ExportFile {
 public:
  // Writes to `out`, which must outlive this, if `path` is empty; else into a file beside `path`
  // that Commit puts in its place.
  static absl::StatusOr<ExportFile> Open(const std::string& path, std::ostream* out);
  // Removes the file if it was not committed.
  ~ExportFile();
  ExportFile(ExportFile&& other) noexcept;
  ExportFile& operator=(ExportFile&&) = delete;

  absl::Status Write(absl::string_view bytes);
  absl::Status Commit();

 private:
  ExportFile(std::string path, replay::File file, std::ostream* out);

  std::string path_;  // empty: a stream, or committed
  replay::File file_;
  std::ostream* out_;
};

}  // namespace referee::ctl

#endif  // REFEREE_CTL_REPLAY_EXPORT_FILE_H_
