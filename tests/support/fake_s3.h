// An in-process S3 server with one bucket in memory: GET, PUT with If-None-Match, ListObjectsV2.
//
// It checks the signature of each request (Signature Version 4) strictly, with independent code.
// Tests can inject faults. One thread; one request for each connection.
#ifndef REFEREE_TESTS_SUPPORT_FAKE_S3_H_
#define REFEREE_TESTS_SUPPORT_FAKE_S3_H_

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "referee/base/mutex.h"

namespace referee::testing {

// The signature (Signature Version 4) of a canonical request, in hexadecimal. From Amazon's
// reference, "Authenticating Requests: Using the Authorization Header". `time` is x-amz-date.
std::string SignatureV4(absl::string_view canonical_request, absl::string_view time,
                        absl::string_view region, absl::string_view secret);

class FakeS3 {
 public:
  static constexpr char kBucket[] = "replays";
  static constexpr char kRegion[] = "test-north-1";
  static constexpr char kKeyId[] = "FAKEKEYID";
  static constexpr char kSecret[] = "fake/secret+key";

  // A fault of one correctly signed request.
  struct Fault {
    int status = 0;     // not 0: answers with this status, and does nothing
    std::string code;   // the S3 error code of that answer
    bool lost = false;  // does what was asked, then hangs up without an answer
    bool torn = false;  // answers with a part of the body
  };
  enum class Conditions { kHonoured, kRefused };

  FakeS3();
  ~FakeS3();
  FakeS3(const FakeS3&) = delete;
  FakeS3& operator=(const FakeS3&) = delete;

  uint16_t port() const { return port_; }
  // "http://127.0.0.1:port"
  std::string endpoint() const;

  // The next requests have these faults, one each, in order.
  void Fail(std::vector<Fault> faults);
  // Whether the server honours If-None-Match or refuses it.
  void SetConditions(Conditions conditions);
  // The session token that requests must have; empty: none.
  void SetSessionToken(std::string token);
  // Simulates another client, which puts this object just before the next PUT is handled.
  void PutBefore(std::string key, std::string bytes);

  void Set(const std::string& key, std::string bytes);
  std::map<std::string, std::string> objects() const;
  // The requests so far, such as "PUT 2026/11/24/id.rpl", or "LIST".
  std::vector<std::string> requests() const;
  // Why the last badly signed request was refused; empty if none was.
  std::string complaint() const;

 private:
  struct Request;
  struct Answer;

  void Serve();
  void ServeOne(int connection);
  Answer Do(const Request& request) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  Answer Put(const Request& request) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  Answer List(const Request& request) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // What is wrong with the signature of the request; empty if nothing.
  std::string Check(const Request& request) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  int listening_ = -1;
  uint16_t port_ = 0;

  mutable Mutex mutex_;
  std::map<std::string, std::string> objects_ ABSL_GUARDED_BY(mutex_);
  std::deque<Fault> faults_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::string> requests_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, std::string> put_before_ ABSL_GUARDED_BY(mutex_);
  Conditions conditions_ ABSL_GUARDED_BY(mutex_) = Conditions::kHonoured;
  std::string session_token_ ABSL_GUARDED_BY(mutex_);
  std::string complaint_ ABSL_GUARDED_BY(mutex_);
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace referee::testing

#endif  // REFEREE_TESTS_SUPPORT_FAKE_S3_H_
