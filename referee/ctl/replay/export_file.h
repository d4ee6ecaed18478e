// The output of an export: a stream, or a file that is written atomically.
#ifndef REFEREE_CTL_REPLAY_EXPORT_FILE_H_
#define REFEREE_CTL_REPLAY_EXPORT_FILE_H_

#include <sys/types.h>

#include <ostream>
#include <string>

#include "CLI/App.hpp"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "referee/replay/files.h"

namespace referee::ctl {

struct OutputFlags {
  std::string file;    // empty: the standard output
  bool force = false;  // a file that is there is written over
};

// Adds --output and --force. `flags` must outlive the parsing of the command line.
void AddOutputFlags(CLI::App* command, OutputFlags* flags);

// Thread-compatible.
class ExportFile {
 public:
  // Writes to `out`, which must outlive this, if no file is named; else into a draft beside the
  // file that Commit puts in its place. A device or a pipe is written to as it is. Returns
  // AlreadyExists that names --force when there is such a file, and `force` is not set. `mode` is
  // that of a new file.
  static absl::StatusOr<ExportFile> Open(const OutputFlags& flags, std::ostream* out,
                                         mode_t mode = 0666);
  // Removes the draft if it was not committed.
  ~ExportFile();
  ExportFile(ExportFile&& other) noexcept;
  ExportFile& operator=(ExportFile&&) = delete;

  absl::Status Write(absl::string_view bytes);
  absl::Status Commit();

 private:
  ExportFile(std::string path, std::string draft, replay::File file, std::ostream* out);

  std::string path_;   // empty: a stream
  std::string draft_;  // empty: none, or committed
  replay::File file_;
  std::ostream* out_;
  bool force_ = false;
};

}  // namespace referee::ctl

#endif  // REFEREE_CTL_REPLAY_EXPORT_FILE_H_
