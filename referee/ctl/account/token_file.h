// The file into which a new token goes, readable by its owner alone.
#ifndef REFEREE_CTL_ACCOUNT_TOKEN_FILE_H_
#define REFEREE_CTL_ACCOUNT_TOKEN_FILE_H_

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "referee/replay/files.h"

namespace referee::ctl {

// A token is told once: its file is opened before the token is made. Until Save there is only a
// draft, which goes with this. Thread-compatible.
class TokenFile {
 public:
  // Returns an error that names --save-token when the file cannot be made or, unless `replace`, is
  // there already.
  static absl::StatusOr<TokenFile> Open(const std::string& path, bool replace);
  TokenFile(TokenFile&& other) noexcept
      : path_(std::exchange(other.path_, "")), file_(std::move(other.file_)) {}
  ~TokenFile();

  // The token and a line break, in a file of mode 0600.
  absl::Status Save(absl::string_view token);

 private:
  TokenFile(std::string path, replay::File file) : path_(std::move(path)), file_(std::move(file)) {}

  std::string path_;  // empty: nothing is left to do
  replay::File file_;
};

}  // namespace referee::ctl

#endif  // REFEREE_CTL_ACCOUNT_TOKEN_FILE_H_
