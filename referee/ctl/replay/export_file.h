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
  bool force = false;  // overwrite an existing file
};

// Adds --output and --force. `flags` must outlive the parsing.
void AddOutputFlags(CLI::App* command, OutputFlags* flags);

// Thread-compatible.
class ExportFile {
 public:
  // Opens the output. Without a file name, it is `out`, which must outlive this object. Otherwise
  // data goes to a draft beside the file, which Commit renames; devices and pipes are written
  // directly. Returns AlreadyExists that names --force if the file exists and `force` is not set.
  // `mode` is the mode of a new file.
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
  std::string draft_;  // empty: no draft, or committed
  replay::File file_;
  std::ostream* out_;
  bool force_ = false;
};

}  // namespace referee::ctl

#endif  // REFEREE_CTL_REPLAY_EXPORT_FILE_H_
