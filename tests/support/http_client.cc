#include "tests/support/http_client.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"

namespace referee::testing {
namespace {

constexpr absl::Duration kLongest = absl::Seconds(60);

std::string Request(const std::string& method, const std::string& target,
                    const std::vector<std::string>& headers) {
  std::string text = absl::StrCat(method, " ", target, " HTTP/1.1\r\nHost: gate\r\n");
  for (const std::string& header : headers) absl::StrAppend(&text, header, "\r\n");
  return absl::StrCat(text, "\r\n");
}

}  // namespace

HttpAnswer ParseAnswer(const std::string& bytes) {
  HttpAnswer answer;
  const size_t end = bytes.find("\r\n\r\n");
  if (end == std::string::npos || !absl::StartsWith(bytes, "HTTP/1.1 ")) return answer;
  if (!absl::SimpleAtoi(bytes.substr(9, 3), &answer.code)) return answer;
  for (const absl::string_view line :
       absl::StrSplit(absl::string_view(bytes).substr(0, end), "\r\n")) {
    const std::pair<absl::string_view, absl::string_view> halves =
        absl::StrSplit(line, absl::MaxSplits(": ", 1));
    answer.headers[absl::AsciiStrToLower(halves.first)] = std::string(halves.second);
  }
  answer.body = bytes.substr(end + 4);
  return answer;
}

HttpAnswer Exchange(const std::string& address, const std::string& bytes) {
  end_to_end::Socket socket(address);
  socket.Send(bytes);
  std::string heard;
  const absl::Time until = absl::Now() + kLongest;
  while (absl::Now() < until && socket.Read(until - absl::Now(), &heard)) {
  }
  return ParseAnswer(heard);
}

HttpAnswer Get(const std::string& address, const std::string& target,
               const std::vector<std::string>& headers, const std::string& method) {
  std::vector<std::string> all = headers;
  all.push_back("Connection: close");
  return Exchange(address, Request(method, target, all));
}

EventStream::EventStream(const std::string& address, const std::string& target,
                         const std::string& last_event_id)
    : socket_(address) {
  std::vector<std::string> headers;
  if (!last_event_id.empty()) headers.push_back("Last-Event-ID: " + last_event_id);
  socket_.Send(Request("GET", target, headers));
  size_t end;
  while ((end = bytes_.find("\r\n\r\n")) == std::string::npos && ReadMore()) {
  }
  head_ = bytes_.substr(0, end);
  bytes_.erase(0, end == std::string::npos ? end : end + 4);
}

bool EventStream::ReadMore() {
  const size_t before = bytes_.size();
  if (!socket_.Read(kLongest, &bytes_)) ended_ = true;
  return bytes_.size() > before;
}

absl::optional<Event> EventStream::Hear() {
  for (;;) {
    const size_t end = bytes_.find("\n\n");
    if (end == std::string::npos) {
      if (ended_ || !ReadMore()) return absl::nullopt;
      continue;
    }
    Event event;
    for (absl::string_view line : absl::StrSplit(absl::string_view(bytes_).substr(0, end), '\n')) {
      if (absl::StartsWith(line, ":")) ++comments_;
      if (absl::ConsumePrefix(&line, "id: ")) event.id = std::string(line);
      if (absl::ConsumePrefix(&line, "event: ")) event.name = std::string(line);
      if (absl::ConsumePrefix(&line, "data: ")) event.data = std::string(line);
    }
    bytes_.erase(0, end + 2);
    if (!event.name.empty()) return event;
  }
}

}  // namespace referee::testing
