#include "tests/support/fake_s3.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sodium.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace referee::testing {
namespace {

constexpr size_t kMaxHead = 64 * 1024;
constexpr size_t kMostKeys = 1000;

std::string Sha256(absl::string_view bytes) {
  std::string hash(crypto_hash_sha256_BYTES, '\0');
  crypto_hash_sha256(reinterpret_cast<unsigned char*>(&hash[0]),
                     reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  return hash;
}

std::string Hmac(absl::string_view key, absl::string_view text) {
  std::string mac(crypto_auth_hmacsha256_BYTES, '\0');
  crypto_auth_hmacsha256_state state;
  crypto_auth_hmacsha256_init(&state, reinterpret_cast<const unsigned char*>(key.data()),
                              key.size());
  crypto_auth_hmacsha256_update(&state, reinterpret_cast<const unsigned char*>(text.data()),
                                text.size());
  crypto_auth_hmacsha256_final(&state, reinterpret_cast<unsigned char*>(&mac[0]));
  return mac;
}

std::string Unescaped(absl::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size()) {
      plain += absl::HexStringToBytes(text.substr(i + 1, 2));
      i += 2;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

bool SendAll(int connection, absl::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
  return true;
}

bool ReceiveMore(int connection, std::string* bytes) {
  char buffer[16 * 1024];
  const ssize_t got = recv(connection, buffer, sizeof(buffer), 0);
  if (got > 0) bytes->append(buffer, static_cast<size_t>(got));
  return got > 0;
}

std::string ErrorXml(absl::string_view code) {
  return absl::StrCat("<?xml version=\"1.0\"?>\n<Error><Code>", code,
                      "</Code><Message>of a fake</Message></Error>");
}

}  // namespace

std::string SignatureV4(absl::string_view canonical_request, absl::string_view time,
                        absl::string_view region, absl::string_view secret) {
  const absl::string_view day = time.substr(0, 8);
  const std::string to_sign =
      absl::StrCat("AWS4-HMAC-SHA256\n", time, "\n", day, "/", region, "/s3/aws4_request\n",
                   absl::BytesToHexString(Sha256(canonical_request)));
  const std::string of_region = Hmac(Hmac(absl::StrCat("AWS4", secret), day), region);
  const std::string key = Hmac(Hmac(of_region, "s3"), "aws4_request");
  return absl::BytesToHexString(Hmac(key, to_sign));
}

struct FakeS3::Request {
  std::string method;
  std::string path;                            // as received
  std::string query;                           // as received
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;

  std::string Header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? "" : found->second;
  }
  // The key of the object; empty for the bucket.
  std::string Key() const {
    absl::string_view rest = path;
    const bool of_path = absl::ConsumePrefix(&rest, absl::StrCat("/", kBucket));
    static_cast<void>(of_path);  // else the host name contains the bucket
    absl::ConsumePrefix(&rest, "/");
    return Unescaped(rest);
  }
  std::string Parameter(absl::string_view name) const {
    for (const absl::string_view part : absl::StrSplit(query, '&')) {
      const std::pair<absl::string_view, absl::string_view> pair =
          absl::StrSplit(part, absl::MaxSplits('=', 1));
      if (pair.first == name) return Unescaped(pair.second);
    }
    return "";
  }
};

struct FakeS3::Answer {
  int status = 200;
  std::string body;
};

FakeS3::FakeS3() {
  if (sodium_init() < 0) std::abort();
  listening_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  if (bind(listening_, any, size) != 0 || listen(listening_, 64) != 0 ||
      getsockname(listening_, any, &size) != 0) {
    std::abort();
  }
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { Serve(); });
}

FakeS3::~FakeS3() {
  {
    const MutexLock lock(&mutex_);
    stopping_ = true;
  }
  shutdown(listening_, SHUT_RDWR);
  thread_.join();
  close(listening_);
}

std::string FakeS3::endpoint() const { return absl::StrCat("http://127.0.0.1:", port_); }

void FakeS3::Fail(std::vector<Fault> faults) {
  const MutexLock lock(&mutex_);
  faults_.assign(faults.begin(), faults.end());
}

void FakeS3::SetConditions(Conditions conditions) {
  const MutexLock lock(&mutex_);
  conditions_ = conditions;
}

void FakeS3::SetSessionToken(std::string token) {
  const MutexLock lock(&mutex_);
  session_token_ = std::move(token);
}

void FakeS3::PutBefore(std::string key, std::string bytes) {
  const MutexLock lock(&mutex_);
  put_before_.emplace(std::move(key), std::move(bytes));
}

void FakeS3::Set(const std::string& key, std::string bytes) {
  const MutexLock lock(&mutex_);
  objects_[key] = std::move(bytes);
}

std::map<std::string, std::string> FakeS3::objects() const {
  const MutexLock lock(&mutex_);
  return objects_;
}

std::vector<std::string> FakeS3::requests() const {
  const MutexLock lock(&mutex_);
  return requests_;
}

std::string FakeS3::complaint() const {
  const MutexLock lock(&mutex_);
  return complaint_;
}

void FakeS3::Serve() {
  while (true) {
    const int connection = accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC);
    {
      const MutexLock lock(&mutex_);
      if (stopping_) {
        if (connection >= 0) close(connection);
        return;
      }
    }
    if (connection < 0) continue;
    const timeval patience = {10, 0};
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    ServeOne(connection);
    close(connection);
  }
}

void FakeS3::ServeOne(int connection) {
  std::string bytes;
  size_t head_end;
  while ((head_end = bytes.find("\r\n\r\n")) == std::string::npos) {
    if (bytes.size() > kMaxHead || !ReceiveMore(connection, &bytes)) return;
  }
  Request request;
  const std::vector<std::string> lines = absl::StrSplit(bytes.substr(0, head_end), "\r\n");
  const std::vector<std::string> first = absl::StrSplit(lines[0], ' ');
  if (first.size() != 3) return;
  request.method = first[0];
  const std::pair<std::string, std::string> target =
      absl::StrSplit(first[1], absl::MaxSplits('?', 1));
  request.path = target.first;
  request.query = target.second;
  for (size_t i = 1; i < lines.size(); ++i) {
    const std::pair<std::string, std::string> header =
        absl::StrSplit(lines[i], absl::MaxSplits(':', 1));
    request.headers[absl::AsciiStrToLower(header.first)] =
        std::string(absl::StripAsciiWhitespace(header.second));
  }
  size_t length = 0;
  static_cast<void>(absl::SimpleAtoi(request.Header("content-length"), &length));
  if (request.Header("expect") == "100-continue") {
    SendAll(connection, "HTTP/1.1 100 Continue\r\n\r\n");
  }
  request.body = bytes.substr(head_end + 4);
  while (request.body.size() < length) {
    if (!ReceiveMore(connection, &request.body)) return;
  }

  Answer answer;
  Fault fault;
  {
    const MutexLock lock(&mutex_);
    const std::string complaint = Check(request);
    if (!complaint.empty()) {
      complaint_ = complaint;
      answer = {403, ErrorXml("SignatureDoesNotMatch")};
    } else {
      if (!faults_.empty()) {
        fault = std::move(faults_.front());
        faults_.pop_front();
      }
      answer = fault.status != 0 ? Answer{fault.status, ErrorXml(fault.code)} : Do(request);
    }
  }
  if (fault.lost) return;
  const std::string head =
      absl::StrCat("HTTP/1.1 ", answer.status, " X\r\nContent-Length: ", answer.body.size(),
                   "\r\nConnection: close\r\n\r\n");
  if (fault.torn) answer.body.resize(answer.body.size() / 2);
  SendAll(connection, head + answer.body);
}

FakeS3::Answer FakeS3::Do(const Request& request) {
  const std::string key = request.Key();
  requests_.push_back(key.empty() ? "LIST" : absl::StrCat(request.method, " ", key));
  if (key.empty()) return List(request);
  if (request.method == "PUT") return Put(request);
  const auto found = objects_.find(key);
  if (found == objects_.end()) return {404, ErrorXml("NoSuchKey")};
  return {200, found->second};
}

FakeS3::Answer FakeS3::Put(const Request& request) {
  for (auto& [key, bytes] : std::exchange(put_before_, {})) objects_[key] = std::move(bytes);
  const std::string key = request.Key();
  if (request.headers.count("if-none-match") > 0) {
    if (conditions_ == Conditions::kRefused) return {501, ErrorXml("NotImplemented")};
    if (objects_.count(key) > 0) return {412, ErrorXml("PreconditionFailed")};
  }
  objects_[key] = request.body;
  return {200, ""};
}

FakeS3::Answer FakeS3::List(const Request& request) const {
  const std::string prefix = request.Parameter("prefix");
  size_t count = kMostKeys;
  static_cast<void>(absl::SimpleAtoi(request.Parameter("max-keys"), &count));
  count = std::min(count, kMostKeys);
  std::string contents;
  size_t listed = 0;
  bool truncated = false;
  for (auto at = objects_.upper_bound(request.Parameter("start-after")); at != objects_.end();
       ++at) {
    if (!absl::StartsWith(at->first, prefix)) continue;
    truncated = listed == count;
    if (truncated) break;
    ++listed;
    absl::StrAppend(&contents, "<Contents><Key>", at->first, "</Key><Size>", at->second.size(),
                    "</Size></Contents>");
  }
  return {200, absl::StrCat("<?xml version=\"1.0\"?>\n<ListBucketResult><IsTruncated>",
                            truncated ? "true" : "false", "</IsTruncated>", contents,
                            "</ListBucketResult>")};
}

std::string FakeS3::Check(const Request& request) const {
  const std::string given = request.Header("authorization");
  absl::string_view authorization = given;
  if (!absl::ConsumePrefix(&authorization, "AWS4-HMAC-SHA256 ")) return "it is not signed";
  std::map<std::string, std::string> parts;
  for (const absl::string_view part : absl::StrSplit(authorization, ',')) {
    parts.insert(absl::StrSplit(absl::StripAsciiWhitespace(part), absl::MaxSplits('=', 1)));
  }
  const std::string time = request.Header("x-amz-date");
  const std::string scope = absl::StrCat(time.substr(0, 8), "/", kRegion, "/s3/aws4_request");
  if (parts["Credential"] != absl::StrCat(kKeyId, "/", scope)) return "it has another scope";
  if (request.Header("x-amz-security-token") != session_token_) return "it has another token";

  const std::vector<std::string> names = absl::StrSplit(parts["SignedHeaders"], ';');
  if (!std::is_sorted(names.begin(), names.end())) return "its signed headers are not in order";
  std::string headers;
  for (const std::string& name : names) {
    if (request.headers.count(name) == 0) return "it has not the signed header " + name;
    absl::StrAppend(&headers, name, ":", request.Header(name), "\n");
  }
  for (const auto& [name, value] : request.headers) {
    const bool must = name == "host" || absl::StartsWith(name, "x-amz-");
    if (must && std::find(names.begin(), names.end(), name) == names.end()) {
      return "the header is not signed: " + name;
    }
  }
  std::vector<std::string> query;
  if (!request.query.empty()) query = absl::StrSplit(request.query, '&');
  std::sort(query.begin(), query.end());
  const std::string hash = absl::BytesToHexString(Sha256(request.body));
  if (request.Header("x-amz-content-sha256") != hash) return "its body has another hash";
  const std::string canonical =
      absl::StrCat(request.method, "\n", request.path, "\n", absl::StrJoin(query, "&"), "\n",
                   headers, "\n", parts["SignedHeaders"], "\n", hash);
  const bool good = parts["Signature"] == SignatureV4(canonical, time, kRegion, kSecret);
  return good ? "" : "its signature is wrong; expected one over\n" + canonical;
}

}  // namespace referee::testing
