#include "referee/shelf/s3_shelf.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/shelf/s3_credentials.h"

namespace referee::shelf {
namespace {

// Returns whether the same request may succeed a moment later.
bool IsPassing(long status, absl::string_view code) {
  if (status >= 500) return status != 501;
  return status == 408 || status == 409 || status == 429 || code == "RequestTimeout" ||
         code == "SlowDown";
}

absl::string_view RemedyFor(absl::string_view code) {
  if (code == "NoSuchBucket") return "; make the bucket, or correct the address";
  if (code == "RequestTimeTooSkewed") return "; set this machine's clock";
  if (code == "InvalidAccessKeyId" || code == "SignatureDoesNotMatch") {
    return "; check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the file of credentials";
  }
  if (code == "ExpiredToken") return "; renew the session token";
  if (code == "AccessDenied") {
    return "; allow these credentials s3:GetObject, s3:PutObject and s3:ListBucket there";
  }
  if (code == "AuthorizationHeaderMalformed" || code == "PermanentRedirect") {
    return "; check region= and endpoint= of the address";
  }
  return "; check the address and the credentials";
}

// Converts an error answer: `status` is the HTTP status, `code` S3's error code; may be empty.
absl::Status Answered(absl::string_view shelf, absl::string_view doing, long status,
                      absl::string_view code) {
  const std::string what = absl::StrCat(shelf, ": ", doing, ": the server answers ", status,
                                        code.empty() ? "" : absl::StrCat(" ", Quoted(code)));
  if (IsPassing(status, code)) return absl::UnavailableError(what);
  const std::string text = absl::StrCat(what, RemedyFor(code));
  if (status == 401 || status == 403) return absl::PermissionDeniedError(text);
  return absl::FailedPreconditionError(text);
}

absl::Status BadListing(absl::string_view shelf, absl::string_view problem) {
  return absl::FailedPreconditionError(
      absl::StrCat(shelf, ": the server's list ", problem, "; check what is at this address"));
}

constexpr long kOk = 200;
constexpr long kNotFound = 404;
constexpr long kConditionFailed = 412;
constexpr long kNotImplemented = 501;

std::string NameOf(const S3Address& address) {
  return absl::StrCat("s3://", address.bucket, address.prefix.empty() ? "" : "/", address.prefix);
}

// Escapes a key as a signed query parameter.
std::string Escaped(absl::string_view key) {
  std::string escaped;
  for (const char c : key) {
    const bool plain =
        absl::ascii_isalnum(static_cast<unsigned char>(c)) || absl::StrContains("-._~", {&c, 1});
    if (plain) {
      escaped += c;
    } else {
      absl::StrAppendFormat(&escaped, "%%%02X", static_cast<unsigned char>(c));
    }
  }
  return escaped;
}

bool IsMissingKey(const HttpAnswer& answer) {
  if (answer.status != kNotFound) return false;
  const std::string code = S3ErrorCode(answer.body);
  return code.empty() || code == "NoSuchKey";
}

}  // namespace

absl::StatusOr<std::unique_ptr<S3Shelf>> S3Shelf::Open(Options options) {
  const absl::StatusOr<S3Credentials> credentials = ReadS3Credentials(options.environment);
  if (!credentials.ok()) return credentials.status();
  return std::unique_ptr<S3Shelf>(new S3Shelf(std::move(options)));
}

S3Shelf::S3Shelf(Options options)
    : options_(std::move(options)),
      name_(NameOf(options_.address)),
      prefix_(options_.address.prefix.empty() ? "" : options_.address.prefix + "/"),
      clock_(options_.clock == nullptr ? system_clock_ : *options_.clock),
      http_({name_, options_.address.region, options_.environment("AWS_CA_BUNDLE").value_or(""),
             options_.address.loopback}) {}

absl::Status S3Shelf::Retry(absl::FunctionRef<absl::Status()> attempt) const {
  const Instant end = clock_.Now() + options_.call_limit;
  for (absl::Duration pause = limits::kFirstShelfRetry;;
       pause = std::min(2 * pause, limits::kLastShelfRetry)) {
    const absl::Status status = attempt();
    if (!absl::IsUnavailable(status) || clock_.Now() + pause >= end) return status;
    options_.sleep ? options_.sleep(pause) : absl::SleepFor(pause);
  }
}

absl::StatusOr<HttpAnswer> S3Shelf::Send(HttpRequest request) {
  const absl::StatusOr<S3Credentials> credentials = ReadS3Credentials(options_.environment);
  if (!credentials.ok()) return credentials.status();
  return http_.Send(request, *credentials);
}

std::string S3Shelf::UrlOf(const MatchId& id) const {
  return absl::StrCat(options_.address.BucketUrl(), "/", prefix_, KeyOf(id));
}

absl::Status S3Shelf::Put(const MatchId& id, absl::string_view file) {
  if (absl::Status s = CheckFile(id, file); !s.ok()) return s;
  return Retry([&] { return TryPut(id, file); });
}

absl::Status S3Shelf::TryPut(const MatchId& id, absl::string_view file) {
  const absl::StatusOr<std::string> there = TryGet(id);
  if (there.ok()) {
    return *there == file ? absl::OkStatus() : OtherReplayShelved(name_, id);
  }
  if (!absl::IsNotFound(there.status())) return there.status();
  HttpRequest request{
      "PUT", UrlOf(id), {"Content-Type: application/octet-stream"}, file, limits::kMaxListingBytes};
  const bool on_condition = knows_conditions_;
  if (on_condition) request.headers.push_back("If-None-Match: *");
  const absl::StatusOr<HttpAnswer> answer = Send(std::move(request));
  if (!answer.ok()) return answer.status();
  if (answer->status / 100 == 2) return absl::OkStatus();
  if (answer->status == kNotImplemented && on_condition) {
    knows_conditions_ = false;
    return TryPut(id, file);
  }
  // Another client has put it meanwhile.
  if (answer->status == kConditionFailed && on_condition) {
    const absl::StatusOr<std::string> others = TryGet(id);
    if (!others.ok()) return others.status();
    return *others == file ? absl::OkStatus() : OtherReplayShelved(name_, id);
  }
  return Answered(name_, "put", answer->status, S3ErrorCode(answer->body));
}

absl::StatusOr<std::string> S3Shelf::Get(const MatchId& id) {
  std::string file;
  const absl::Status got = Retry([&] {
    absl::StatusOr<std::string> bytes = TryGet(id);
    if (bytes.ok()) file = *std::move(bytes);
    return bytes.status();
  });
  if (!got.ok()) return got;
  return file;
}

absl::StatusOr<std::string> S3Shelf::TryGet(const MatchId& id) {
  absl::StatusOr<HttpAnswer> answer = Send({"GET", UrlOf(id), {}, "", limits::kMaxReplayBytes});
  if (!answer.ok()) return answer.status();
  if (answer->status == kOk) return std::move(answer->body);
  if (IsMissingKey(*answer)) return NotShelved(name_, id);
  return Answered(name_, "get", answer->status, S3ErrorCode(answer->body));
}

absl::StatusOr<ShelfPage> S3Shelf::List(absl::string_view day, int page_size,
                                        absl::string_view page_token) {
  const absl::StatusOr<Listing> listing = ReadListing(day, page_size, page_token);
  if (!listing.ok()) return listing.status();
  ShelfPage page;
  std::string after = listing->after;
  bool more = true;
  // Other objects are skipped, so a page may need several requests.
  const Instant end = clock_.Now() + std::max(options_.call_limit, limits::kShelfRequestLimit);
  const absl::Status listed = Retry([&] {
    while (more && page.replays.size() <= listing->count) {
      if (clock_.Now() >= end) {
        return absl::UnavailableError(absl::StrCat(name_,
                                                   ": the list takes too long; list a day of it, "
                                                   "or take away what is there beside replays"));
      }
      const absl::Status added = AddListed(*listing, &after, &page, &more);
      if (!added.ok()) return added;
    }
    return absl::OkStatus();
  });
  if (!listed.ok()) return listed;
  if (page.replays.size() > listing->count) {
    page.replays.resize(listing->count);
    page.next_page_token = page.replays.back().id.text();
  }
  return page;
}

absl::Status S3Shelf::AddListed(const Listing& listing, std::string* after, ShelfPage* page,
                                bool* more) {
  const std::string below = prefix_ + (listing.day.empty() ? "" : listing.day + "/");
  const absl::StatusOr<S3Listing> listed = TryList(below, listing.count + 1, *after);
  if (!listed.ok()) return listed.status();
  if (listed->truncated && listed->objects.empty()) {
    return BadListing(name_, "goes on, and has nothing");
  }
  for (const S3Listing::Object& object : listed->objects) {
    const absl::string_view key = absl::StripPrefix(object.key, prefix_);
    if (!absl::StartsWith(object.key, below) || key <= *after) {
      return BadListing(name_, "has keys that were not asked for");
    }
    *after = std::string(key);
    absl::optional<MatchId> id = IdOfKey(key);
    if (id) page->replays.push_back({*std::move(id), object.size});
  }
  *more = listed->truncated;
  return absl::OkStatus();
}

absl::StatusOr<S3Listing> S3Shelf::TryList(const std::string& below, size_t count,
                                           const std::string& after) {
  // One more than the page holds shows whether there is a next page; a server returns at most 1000.
  std::string url = absl::StrCat(options_.address.BucketUrl(), "/?list-type=2&max-keys=", count,
                                 "&prefix=", Escaped(below));
  if (!after.empty()) absl::StrAppend(&url, "&start-after=", Escaped(prefix_ + after));
  const absl::StatusOr<HttpAnswer> answer =
      Send({"GET", std::move(url), {}, "", limits::kMaxListingBytes});
  if (!answer.ok()) return answer.status();
  if (answer->status != kOk) {
    return Answered(name_, "list", answer->status, S3ErrorCode(answer->body));
  }
  absl::optional<S3Listing> read = ReadS3Listing(answer->body);
  if (!read) return BadListing(name_, "cannot be read");
  return *std::move(read);
}

}  // namespace referee::shelf
