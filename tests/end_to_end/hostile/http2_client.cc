#include "tests/end_to_end/hostile/http2_client.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"

namespace referee::end_to_end {
namespace {

// Of a message in gRPC: a flag, and the length in four bytes, the highest first.
constexpr size_t kPrefixBytes = 5;

std::string Framed(const std::string& message) {
  std::string framed(1, '\0');
  for (int shift = 24; shift >= 0; shift -= 8) {
    framed += static_cast<char>(message.size() >> shift & 0xff);
  }
  return framed + message;
}

size_t LengthIn(const std::string& framed) {
  size_t length = 0;
  for (size_t i = 1; i < kPrefixBytes; ++i) length = length << 8 | static_cast<uint8_t>(framed[i]);
  return length;
}

nghttp2_nv Field(const std::string& name, const std::string& value) {
  const auto bytes = [](const std::string& text) {
    return reinterpret_cast<uint8_t*>(const_cast<char*>(text.data()));
  };
  return {bytes(name), bytes(value), name.size(), value.size(), NGHTTP2_NV_FLAG_NONE};
}

}  // namespace

Http2Client::Http2Client(const std::string& address, const Http2Options& options)
    : authority_(address),
      socket_(address, options.from),
      open_(socket_.fd() >= 0),
      grants_(options.grants) {
  MakeSession(options);
  unsaid_ = options.first;
  Compose();
}

Http2Client::~Http2Client() = default;

void Http2Client::MakeSession(const Http2Options& options) {
  nghttp2_session_callbacks* callbacks = nullptr;
  nghttp2_session_callbacks_new(&callbacks);
  nghttp2_session_callbacks_set_on_header_callback(callbacks, OnHeader);
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, OnData);
  nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, OnClose);
  nghttp2_option* behaviour = nullptr;
  nghttp2_option_new(&behaviour);
  nghttp2_option_set_no_auto_window_update(behaviour, 1);
  nghttp2_session* session = nullptr;
  nghttp2_session_client_new2(&session, callbacks, this, behaviour);
  session_.reset(session);
  nghttp2_option_del(behaviour);
  nghttp2_session_callbacks_del(callbacks);
  std::vector<nghttp2_settings_entry> settings;
  if (options.window) settings.push_back({NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, *options.window});
  nghttp2_submit_settings(session, NGHTTP2_FLAG_NONE, settings.data(), settings.size());
}

int32_t Http2Client::Call(const std::string& path, const std::string& token,
                          const std::string& encoding) {
  // Named, as they are pointed at.
  std::vector<std::pair<std::string, std::string>> metadata = {
      {":method", "POST"},        {":scheme", "http"}, {":path", path},
      {":authority", authority_}, {"te", "trailers"},  {"content-type", "application/grpc"}};
  if (!token.empty()) metadata.emplace_back("authorization", absl::StrCat("Bearer ", token));
  if (!encoding.empty()) metadata.emplace_back("grpc-encoding", encoding);
  std::vector<nghttp2_nv> fields;
  for (const auto& [name, value] : metadata) fields.push_back(Field(name, value));
  nghttp2_data_provider data{};
  data.read_callback = OnWantData;
  const int32_t call =
      nghttp2_submit_request(session_.get(), nullptr, fields.data(), fields.size(), &data, nullptr);
  EXPECT_GT(call, 0) << nghttp2_strerror(call);
  calls_[call];
  return call;
}

void Http2Client::Send(int32_t call, const std::string& message) {
  SendOctets(call, Framed(message));
}

void Http2Client::SendOctets(int32_t call, const std::string& octets) {
  calls_.at(call).unsent += octets;
  nghttp2_session_resume_data(session_.get(), call);
}

void Http2Client::SayOctets(const std::string& octets) {
  Compose();
  unsaid_ += octets;
}

void Http2Client::SendLast(int32_t call) {
  calls_.at(call).last_sent = true;
  nghttp2_session_resume_data(session_.get(), call);
}

void Http2Client::Reset(int32_t call) {
  Compose();  // or a call that has not begun would never do so
  nghttp2_submit_rst_stream(session_.get(), NGHTTP2_FLAG_NONE, call, NGHTTP2_CANCEL);
  Compose();
}

int Http2Client::ResetAtOnce(const std::string& path, int count) {
  int i = 0;
  for (; i < count && open_; ++i) {
    const int32_t call = Call(path);
    Reset(call);
    calls_.erase(call);
    if (unsaid_.size() > size_t{64} << 10) Flush();
  }
  Flush();
  return i;
}

void Http2Client::Grant(uint32_t window) {
  grants_ = true;
  const nghttp2_settings_entry setting{NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, window};
  nghttp2_submit_settings(session_.get(), NGHTTP2_FLAG_NONE, &setting, 1);
  nghttp2_session_set_local_window_size(session_.get(), NGHTTP2_FLAG_NONE, 0,
                                        static_cast<int32_t>(window));
}

bool Http2Client::Flush(absl::Duration patience) {
  Compose();
  return Await([this] { return unsaid_.empty(); }, patience);
}

bool Http2Client::Await(const std::function<bool()>& done, absl::Duration patience) {
  const absl::Time until = absl::Now() + patience;
  for (;;) {
    Compose();
    if (done()) return true;
    const absl::Duration left = until - absl::Now();
    if (!open_ || left <= absl::ZeroDuration()) return false;
    Exchange(left);
  }
}

bool Http2Client::Read(int32_t call, std::string* message) {
  Answer& answer = calls_.at(call).answer;
  Await([&] { return !answer.messages.empty() || answer.ended; });
  if (answer.messages.empty()) return false;
  *message = std::move(answer.messages.front());
  answer.messages.pop_front();
  return true;
}

void Http2Client::Compose() {
  const uint8_t* bytes = nullptr;
  for (;;) {
    const ssize_t size = nghttp2_session_mem_send(session_.get(), &bytes);
    EXPECT_GE(size, 0) << nghttp2_strerror(static_cast<int>(size));
    if (size <= 0) return;
    unsaid_.append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(size));
  }
}

void Http2Client::Exchange(absl::Duration patience) {
  const short wanted = unsaid_.empty() ? POLLIN : POLLIN | POLLOUT;
  pollfd ready{socket_.fd(), wanted, 0};
  const int64_t timeout = absl::ToInt64Milliseconds(absl::Ceil(patience, absl::Milliseconds(1)));
  if (poll(&ready, 1, static_cast<int>(std::min<int64_t>(timeout, 60'000))) <= 0) return;
  if ((ready.revents & POLLOUT) != 0) {
    const ssize_t sent =
        send(socket_.fd(), unsaid_.data(), unsaid_.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) unsaid_.erase(0, static_cast<size_t>(sent));
    if (sent < 0 && errno != EAGAIN) open_ = false;
  }
  if ((ready.revents & ~POLLOUT) == 0) return;
  std::string heard;
  // What came before the end counts, too.
  open_ = socket_.Read(absl::ZeroDuration(), &heard) && open_;
  const ssize_t taken = nghttp2_session_mem_recv(
      session_.get(), reinterpret_cast<const uint8_t*>(heard.data()), heard.size());
  if (taken < 0) open_ = false;
}

Http2Client::Conversation* Http2Client::Find(int32_t call) {
  const auto found = calls_.find(call);
  return found == calls_.end() ? nullptr : &found->second;
}

void Http2Client::TakeMessages(Conversation* conversation) {
  std::string& unread = conversation->unread;
  while (unread.size() >= kPrefixBytes && unread.size() - kPrefixBytes >= LengthIn(unread)) {
    const size_t length = LengthIn(unread);
    conversation->answer.messages.push_back(unread.substr(kPrefixBytes, length));
    unread.erase(0, kPrefixBytes + length);
  }
}

ssize_t Http2Client::OnWantData(nghttp2_session*, int32_t call, uint8_t* buffer, size_t size,
                                uint32_t* flags, nghttp2_data_source*, void* self) {
  Conversation* const conversation = static_cast<Http2Client*>(self)->Find(call);
  if (conversation == nullptr) return NGHTTP2_ERR_DEFERRED;
  std::string& unsent = conversation->unsent;
  if (unsent.empty() && !conversation->last_sent) return NGHTTP2_ERR_DEFERRED;
  const size_t count = std::min(size, unsent.size());
  std::memcpy(buffer, unsent.data(), count);
  unsent.erase(0, count);
  if (unsent.empty() && conversation->last_sent) *flags |= NGHTTP2_DATA_FLAG_EOF;
  return static_cast<ssize_t>(count);
}

int Http2Client::OnHeader(nghttp2_session*, const nghttp2_frame* frame, const uint8_t* name,
                          size_t name_size, const uint8_t* value, size_t value_size, uint8_t,
                          void* self) {
  Conversation* const conversation = static_cast<Http2Client*>(self)->Find(frame->hd.stream_id);
  if (conversation == nullptr) return 0;
  const std::string field(reinterpret_cast<const char*>(name), name_size);
  const std::string text(reinterpret_cast<const char*>(value), value_size);
  int status = 0;
  if (field == "grpc-status" && absl::SimpleAtoi(text, &status)) {
    conversation->answer.status = status;
    conversation->answer.ended = true;
  } else if (field == "grpc-message") {
    conversation->answer.error = text;
  }
  return 0;
}

int Http2Client::OnData(nghttp2_session* session, uint8_t, int32_t call, const uint8_t* data,
                        size_t size, void* self) {
  auto& client = *static_cast<Http2Client*>(self);
  if (client.grants_) nghttp2_session_consume(session, call, size);
  Conversation* const conversation = client.Find(call);
  if (conversation == nullptr) return 0;
  conversation->unread.append(reinterpret_cast<const char*>(data), size);
  TakeMessages(conversation);
  return 0;
}

int Http2Client::OnClose(nghttp2_session*, int32_t call, uint32_t, void* self) {
  if (Conversation* const conversation = static_cast<Http2Client*>(self)->Find(call)) {
    conversation->answer.ended = true;
  }
  return 0;
}

}  // namespace referee::end_to_end
