#include "referee/shelf/s3_listing.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

namespace referee::shelf {
namespace {

constexpr size_t kMaxCode = 64;

// Takes the next element of this name off `xml`, with everything before it, and returns its
// content. XML text has no '<', so no object key looks like an element.
absl::optional<absl::string_view> TakeElement(absl::string_view name, absl::string_view* xml) {
  const std::string opening = absl::StrCat("<", name, ">");
  const std::string closing = absl::StrCat("</", name, ">");
  const size_t begin = xml->find(opening);
  if (begin == absl::string_view::npos) return absl::nullopt;
  const size_t from = begin + opening.size();
  const size_t end = xml->find(closing, from);
  if (end == absl::string_view::npos) return absl::nullopt;
  const absl::string_view content = xml->substr(from, end - from);
  xml->remove_prefix(end + closing.size());
  return content;
}

absl::optional<absl::string_view> Element(absl::string_view name, absl::string_view xml) {
  return TakeElement(name, &xml);
}

// Unescapes text. Keys of replays need no other escapes; other keys are ignored.
std::string Text(absl::string_view escaped) {
  return absl::StrReplaceAll(
      escaped, {{"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&apos;", "'"}});
}

}  // namespace

absl::optional<S3Listing> ReadS3Listing(absl::string_view xml) {
  if (!absl::StrContains(xml, "</ListBucketResult>")) return absl::nullopt;
  S3Listing listing;
  const absl::optional<absl::string_view> truncated = Element("IsTruncated", xml);
  if (!truncated) return absl::nullopt;
  listing.truncated = *truncated == "true";
  while (const absl::optional<absl::string_view> object = TakeElement("Contents", &xml)) {
    const absl::optional<absl::string_view> key = Element("Key", *object);
    const absl::optional<absl::string_view> size = Element("Size", *object);
    uint64_t bytes;
    if (!key || !size || !absl::SimpleAtoi(*size, &bytes)) return absl::nullopt;
    listing.objects.push_back({Text(*key), bytes});
  }
  return listing;
}

std::string S3ErrorCode(absl::string_view xml) {
  const absl::optional<absl::string_view> code = Element("Code", xml);
  if (!code || code->size() > kMaxCode) return "";
  const auto is_letter = [](char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)); };
  return std::all_of(code->begin(), code->end(), is_letter) ? std::string(*code) : "";
}

}  // namespace referee::shelf
