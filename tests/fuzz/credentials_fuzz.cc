// Bots files. What is read knows who is in it and nobody else, and can be read again in any order.
#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "referee/service/access/credentials.h"
#include "tests/fuzz/claim.h"
#include "tests/fuzz/fuzzed_bytes.h"

namespace referee::fuzz {

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view text = FuzzedBytes(data, size).Rest();
  const auto credentials = service::Credentials::Parse(text);
  if (!credentials.ok()) {
    Claim(!credentials.status().message().empty(), "a refusal says why", text);
    return 0;
  }
  std::vector<absl::string_view> lines = absl::StrSplit(text, '\n');
  bool organiser = false;
  for (const absl::string_view line : lines) {
    const std::vector<absl::string_view> words =
        absl::StrSplit(absl::StripAsciiWhitespace(line), absl::ByAnyChar(" \t"), absl::SkipEmpty());
    if (words.empty() || absl::StartsWith(words[0], "#")) continue;
    organiser = organiser || (words.size() == 3 && words[2] == "organiser");
    Claim(credentials->KnowsBot(words[0]).value() == (words.size() == 2), "bots are known", line);
    Claim(!credentials->Find(service::HashToken(words[1])).ok(), "a hash is no token", line);
  }
  Claim(credentials->HasOrganiser().value() == organiser, "organisers are known", text);
  std::reverse(lines.begin(), lines.end());
  Claim(service::Credentials::Parse(absl::StrJoin(lines, "\n")).ok(), "lines stand by themselves",
        text);
  return 0;
}

}  // namespace referee::fuzz
