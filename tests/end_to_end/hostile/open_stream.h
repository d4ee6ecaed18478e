// A stream of BotService.Play that sends any bytes a test likes.
//
// It may end at any time. Two threads may use it: one sends, one receives.
#ifndef REFEREE_TESTS_END_TO_END_HOSTILE_OPEN_STREAM_H_
#define REFEREE_TESTS_END_TO_END_HOSTILE_OPEN_STREAM_H_

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "proto/referee/v1/bot_service.grpc.pb.h"

namespace referee::end_to_end {

class OpenStream {
 public:
  explicit OpenStream(std::shared_ptr<grpc::Channel> channel);
  // The same, and says Hello as `name`.
  OpenStream(std::shared_ptr<grpc::Channel> channel, const std::string& name, int max_matches = 16);
  ~OpenStream() { context_->TryCancel(); }
  OpenStream(const OpenStream&) = delete;
  OpenStream& operator=(const OpenStream&) = delete;

  // Each returns false when the stream has ended.
  bool Say(const v1::PlayRequest& message) { return stream_->Write(message); }
  bool Say(const std::vector<v1::BotItem>& items);
  bool Hear(v1::PlayResponse* message) { return stream_->Read(message); }

  // Answers what it hears as a bot does, with what `more` adds to the answer to a turn, until a
  // match is over, the stream ends, or `over()`, which is asked once a message.
  using More = std::function<void(const v1::TurnRequest&, v1::PlayRequest*)>;
  void Play(const std::function<bool()>& over, const More& more);

  void SayLast() { stream_->WritesDone(); }
  // Hears all to the end, and how it ended.
  grpc::Status End();

 private:
  std::unique_ptr<v1::BotService::Stub> stub_;
  std::unique_ptr<grpc::ClientContext> context_;
  std::unique_ptr<grpc::ClientReaderWriter<v1::PlayRequest, v1::PlayResponse>> stream_;
};

}  // namespace referee::end_to_end

#endif  // REFEREE_TESTS_END_TO_END_HOSTILE_OPEN_STREAM_H_
