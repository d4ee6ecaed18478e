#include "tests/bench/bench_referee_flood.h"

#include <grpcpp/client_context.h>
#include <grpcpp/create_channel.h>

#include <utility>

#include "proto/referee/v1/bot_service.grpc.pb.h"
#include "referee/dice/dice.h"
#include "tests/support/channel.h"

namespace referee::bench {
namespace {

using Stream = grpc::ClientReaderWriter<v1::PlayRequest, v1::PlayResponse>;

// Is ready for each match of a message, with an empty nonce. Returns whether a move is asked for.
bool Answer(const v1::PlayResponse& heard, Stream* stream) {
  bool asked = false;
  v1::PlayRequest said;
  for (const v1::RefereeItem& item : heard.items()) {
    asked |= item.has_turn_request();
    if (item.has_match_start()) {
      v1::Ready* ready = said.add_items()->mutable_ready();
      ready->set_match_id(item.match_start().match().match_id());
      ready->set_nonce_hash(std::string(dice::Raw(dice::HashNonce(""))));
    }
    if (item.has_reveal_nonce()) {
      said.add_items()->mutable_nonce()->set_match_id(item.reveal_nonce().match_id());
    }
  }
  if (said.items_size() > 0) stream->Write(said);
  return asked;
}

}  // namespace

Flood::Flood(std::string address, std::string token)
    : address_(std::move(address)), token_(std::move(token)), thread_([this] { Run(); }) {}

Flood::~Flood() {
  over_ = true;
  thread_.join();
}

void Flood::Run() {
  while (!over_) Pour();
}

void Flood::Pour() {
  const auto stub = v1::BotService::NewStub(testing::Dial(address_));
  grpc::ClientContext context;
  const auto stream = stub->Play(&context);
  v1::PlayRequest hello;
  hello.add_items()->mutable_hello()->set_token(token_);
  stream->Write(hello);
  v1::PlayResponse heard;
  bool asked = false;
  while (!asked && !over_ && stream->Read(&heard)) asked = Answer(heard, stream.get());
  std::thread reads([&] {
    v1::PlayResponse ignored;
    while (stream->Read(&ignored)) continue;
  });
  const v1::PlayRequest nothing;
  while (asked && !over_ && stream->Write(nothing)) continue;
  context.TryCancel();
  reads.join();
}

}  // namespace referee::bench
