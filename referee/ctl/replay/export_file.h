// Where an export goes: to a stream, or into a file that others see whole or not at all.
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
  // Takes away what was not committed.
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
