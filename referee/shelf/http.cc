#include "referee/shelf/http.h"

#include <curl/curl.h>
#include <sodium.h>

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "referee/shelf/limits.h"

namespace referee::shelf {
namespace {

absl::Status RequestFailed(absl::string_view shelf, absl::string_view why) {
  return absl::UnavailableError(absl::StrCat(shelf, ": ", why));
}

struct FreeList {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using HeaderList = std::unique_ptr<curl_slist, FreeList>;

void Append(HeaderList* list, const std::string& line) {
  curl_slist* const longer = curl_slist_append(list->get(), line.c_str());
  if (longer == nullptr) return;
  list->release();
  list->reset(longer);
}

std::string Sha256Hex(absl::string_view bytes) {
  unsigned char hash[crypto_hash_sha256_BYTES];
  crypto_hash_sha256(hash, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  return absl::BytesToHexString(
      absl::string_view(reinterpret_cast<const char*>(hash), sizeof(hash)));
}

struct Received {
  std::string body;
  size_t limit = 0;
  bool too_large = false;
};

size_t Receive(char* bytes, size_t one, size_t count, void* to) {
  auto* const received = static_cast<Received*>(to);
  received->too_large = received->body.size() + count > received->limit;
  if (received->too_large) return 0;
  received->body.append(bytes, count);
  return one * count;
}

HeaderList HeadersOf(const HttpRequest& request, const S3Credentials& credentials) {
  HeaderList list;
  for (const std::string& header : request.headers) Append(&list, header);
  // With the hash of the body, the server refuses a body that was changed on the way.
  Append(&list, "x-amz-content-sha256: " + Sha256Hex(request.body));
  if (!credentials.session_token.empty()) {
    Append(&list, "x-amz-security-token: " + credentials.session_token);
  }
  return list;
}

void SetBounds(CURL* curl) {
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_PATH_AS_IS, 1L);
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS,
                   static_cast<long>(absl::ToInt64Milliseconds(limits::kShelfConnectLimit)));
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS,
                   static_cast<long>(absl::ToInt64Milliseconds(limits::kShelfRequestLimit)));
}

void SetBody(CURL* curl, absl::string_view body) {
  if (body.empty()) return;
  curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
  curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body.data());
}

}  // namespace

struct SignedHttp::Handle {
  struct Cleanup {
    void operator()(CURL* curl) const { curl_easy_cleanup(curl); }
  };
  std::unique_ptr<CURL, Cleanup> curl{curl_easy_init()};
};

SignedHttp::SignedHttp(Options options) : options_(std::move(options)) {
  // Never undone, because other code in this process may use libcurl.
  static const CURLcode initialised = curl_global_init(CURL_GLOBAL_DEFAULT);
  static_cast<void>(initialised);
}

SignedHttp::~SignedHttp() = default;

std::unique_ptr<SignedHttp::Handle> SignedHttp::TakeHandle() {
  const MutexLock lock(&mutex_);
  if (idle_.empty()) return std::make_unique<Handle>();
  std::unique_ptr<Handle> handle = std::move(idle_.back());
  idle_.pop_back();
  return handle;
}

void SignedHttp::KeepHandle(std::unique_ptr<Handle> handle) {
  curl_easy_reset(handle->curl.get());
  const MutexLock lock(&mutex_);
  if (idle_.size() < limits::kIdleShelfConnections) idle_.push_back(std::move(handle));
}

absl::StatusOr<HttpAnswer> SignedHttp::Send(const HttpRequest& request,
                                            const S3Credentials& credentials) {
  std::unique_ptr<Handle> handle = TakeHandle();
  CURL* const curl = handle->curl.get();
  if (curl == nullptr) return RequestFailed(options_.name, "libcurl does not start");
  const HeaderList headers = HeadersOf(request, credentials);
  Received received;
  received.limit = request.max_answer;
  SetBounds(curl);
  SetBody(curl, request.body);
  curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, request.method.c_str());
  curl_easy_setopt(curl, CURLOPT_URL, request.url.c_str());
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers.get());
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, &Receive);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &received);
  curl_easy_setopt(curl, CURLOPT_USERNAME, credentials.key_id.c_str());
  curl_easy_setopt(curl, CURLOPT_PASSWORD, credentials.secret.c_str());
  curl_easy_setopt(curl, CURLOPT_AWS_SIGV4,
                   absl::StrCat("aws:amz:", options_.region, ":s3").c_str());
  if (!options_.ca_file.empty()) {
    curl_easy_setopt(curl, CURLOPT_CAINFO, options_.ca_file.c_str());
  }
  if (options_.loopback) curl_easy_setopt(curl, CURLOPT_PROXY, "");

  const CURLcode done = curl_easy_perform(curl);
  HttpAnswer answer;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &answer.status);
  KeepHandle(std::move(handle));
  if (received.too_large) {
    return absl::FailedPreconditionError(
        absl::StrCat(options_.name, ": the server's answer has more than the ", request.max_answer,
                     " bytes that are read; check what is at this address"));
  }
  if (done != CURLE_OK) return RequestFailed(options_.name, curl_easy_strerror(done));
  answer.body = std::move(received.body);
  return answer;
}

}  // namespace referee::shelf
