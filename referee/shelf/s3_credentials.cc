#include "referee/shelf/s3_credentials.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "referee/base/text.h"
#include "referee/replay/files.h"
#include "referee/shelf/limits.h"

namespace referee::shelf {
namespace {

absl::Status NoCredentials(absl::string_view looked_at) {
  return absl::FailedPreconditionError(
      absl::StrCat("there are no credentials for the shelf: set AWS_ACCESS_KEY_ID and "
                   "AWS_SECRET_ACCESS_KEY, or write them into ",
                   looked_at));
}

absl::Status HalfCredentials(absl::string_view where, absl::string_view missing) {
  return absl::FailedPreconditionError(
      absl::StrCat("credentials of the shelf: ", where, ": ", missing, " is missing beside it"));
}

// Quotes no part of the credential, which is secret.
absl::Status BadCredential(absl::string_view where, absl::string_view name) {
  return absl::FailedPreconditionError(
      absl::StrCat("credentials of the shelf: ", where, ": ", name,
                   " has a character that none has; copy it anew"));
}

// Credentials are sent in HTTP headers.
bool IsWord(absl::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return absl::ascii_isgraph(static_cast<unsigned char>(c)); });
}

absl::StatusOr<S3Credentials> Checked(S3Credentials credentials, absl::string_view where) {
  if (credentials.key_id.empty()) return HalfCredentials(where, "the key id");
  if (credentials.secret.empty()) return HalfCredentials(where, "the secret access key");
  if (!IsWord(credentials.key_id)) return BadCredential(where, "the key id");
  if (!IsWord(credentials.secret)) return BadCredential(where, "the secret access key");
  if (!IsWord(credentials.session_token)) return BadCredential(where, "the session token");
  return credentials;
}

// Returns the member that a line of the file sets; null: ignored.
std::string* MemberOf(absl::string_view name, S3Credentials* credentials) {
  if (name == "aws_access_key_id") return &credentials->key_id;
  if (name == "aws_secret_access_key") return &credentials->secret;
  if (name == "aws_session_token") return &credentials->session_token;
  return nullptr;
}

absl::StatusOr<S3Credentials> ReadFile(const std::string& path, const std::string& profile) {
  const absl::StatusOr<std::string> text =
      replay::ReadWholeFile(path, limits::kMaxCredentialsFileBytes);
  const absl::string_view lines = text.ok() ? WithoutMark(*text) : "";
  const std::string section = absl::StrCat("[", profile, "]");
  if (absl::IsNotFound(text.status())) return NoCredentials(path);
  if (!text.ok()) return text.status();
  S3Credentials credentials;
  bool found = false;
  bool inside = false;
  size_t number = 0;
  for (absl::string_view line : absl::StrSplit(lines, '\n')) {
    ++number;
    line = absl::StripAsciiWhitespace(line);
    if (line.empty() || line[0] == '#' || line[0] == ';') continue;
    if (line[0] == '[') {
      inside = line == section;
      found = found || inside;
      continue;
    }
    if (!inside) continue;
    const size_t equals = line.find('=');
    if (equals == absl::string_view::npos) {
      return absl::FailedPreconditionError(
          absl::StrCat(path, ": line ", number, ": expected [profile], or name = value"));
    }
    const absl::string_view name = absl::StripAsciiWhitespace(line.substr(0, equals));
    const absl::string_view value = absl::StripAsciiWhitespace(line.substr(equals + 1));
    if (std::string* const member = MemberOf(name, &credentials)) *member = std::string(value);
  }
  if (!found) return NoCredentials(absl::StrCat(path, " below ", section));
  return Checked(std::move(credentials), path);
}

}  // namespace

absl::StatusOr<S3Credentials> ReadS3Credentials(const Environment& environment) {
  S3Credentials credentials;
  credentials.key_id = environment("AWS_ACCESS_KEY_ID").value_or("");
  credentials.secret = environment("AWS_SECRET_ACCESS_KEY").value_or("");
  if (!credentials.key_id.empty() || !credentials.secret.empty()) {
    credentials.session_token = environment("AWS_SESSION_TOKEN").value_or("");
    return Checked(std::move(credentials), "the environment");
  }
  const std::string profile = environment("AWS_PROFILE").value_or("default");
  if (const auto named = environment("AWS_SHARED_CREDENTIALS_FILE")) {
    return ReadFile(*named, profile);
  }
  const auto owner = environment("HOME");
  if (!owner) return NoCredentials("the file that AWS_SHARED_CREDENTIALS_FILE names");
  return ReadFile(*owner + "/.aws/credentials", profile);
}

}  // namespace referee::shelf
