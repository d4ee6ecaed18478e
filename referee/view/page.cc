#include "referee/view/page.h"

#include <google/protobuf/util/json_util.h>
#include <sodium.h>
#include <zlib.h>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "referee/view/web_files.h"

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

// A raw deflate stream, which every browser can read.
std::string Deflate(absl::string_view text) {
  z_stream stream{};
  deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(&out[0]);
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

}  // namespace

absl::StatusOr<std::string> ViewsJson(const v1::MatchViews& views, JsonLayout layout) {
  google::protobuf::util::JsonPrintOptions options;
  options.add_whitespace = layout == JsonLayout::kPretty;
  std::string json;
  const auto written = google::protobuf::util::MessageToJsonString(views, &json, options);
  if (!written.ok()) return absl::InvalidArgumentError(std::string(written.message()));
  return json;
}

absl::StatusOr<std::string> MakePage(const v1::MatchViews& views) {
  const absl::StatusOr<std::string> json = ViewsJson(views);
  if (!json.ok()) return json.status();
  return absl::StrCat(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src ",
      PolicyHash(WebScript()), "; style-src ", PolicyHash(WebStyle()),
      "; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<title>Match</title>\n<style>",
      WebStyle(), "</style>\n</head>\n<body>\n",
      "<main id=\"page\"><noscript>This page shows a match with a script of its own: "
      "allow scripts, or use refctl replay show.</noscript></main>\n"
      "<script type=\"application/octet-stream\" id=\"views\">",
      absl::Base64Escape(Deflate(*json)), "</script>\n<script>", WebScript(),
      "</script>\n</body>\n</html>\n");
}

}  // namespace referee::view
