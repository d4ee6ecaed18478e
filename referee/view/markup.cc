#include "referee/view/markup.h"

#include <sodium.h>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "referee/view/deflate.h"

namespace referee::view {
namespace {

// How a content security policy names the only script or style that it allows.
std::string PolicyHash(absl::string_view content) {
  unsigned char digest[crypto_hash_sha256_BYTES];
  crypto_hash_sha256(digest, reinterpret_cast<const unsigned char*>(content.data()),
                     content.size());
  const absl::string_view bytes(reinterpret_cast<const char*>(digest), sizeof(digest));
  return absl::StrCat("'sha256-", absl::Base64Escape(bytes), "'");
}

std::string PagePolicy(const PageParts& parts) {
  return absl::StrCat("default-src 'none'; script-src ", PolicyHash(parts.script), "; style-src ",
                      PolicyHash(parts.style), parts.asks ? "; connect-src 'self'" : "",
                      "; base-uri 'none'; form-action 'none'");
}

}  // namespace

std::string MakeHtml(const PageParts& parts) {
  return absl::StrCat(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"",
      PagePolicy(parts),
      "\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<title>",
      parts.title, "</title>\n<style>", parts.style, "</style>\n</head>\n<body>\n", parts.body,
      "<script>", parts.script, "</script>\n</body>\n</html>\n");
}

std::string DataMarkup(absl::string_view id, absl::string_view json) {
  return absl::StrCat("<script type=\"application/octet-stream\" id=\"", id, "\">",
                      absl::Base64Escape(Deflate(json, Deflated::kRaw, /*level=*/9)),
                      "</script>\n");
}

}  // namespace referee::view
