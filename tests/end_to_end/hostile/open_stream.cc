#include "tests/end_to_end/hostile/open_stream.h"

#include <utility>

#include "tests/contract/raw_bot.h"

namespace referee::end_to_end {

OpenStream::OpenStream(std::shared_ptr<grpc::Channel> channel)
    : stub_(v1::BotService::NewStub(std::move(channel))),
      context_(testing::NewContext()),
      stream_(stub_->Play(context_.get())) {}

OpenStream::OpenStream(std::shared_ptr<grpc::Channel> channel, const std::string& name,
                       int max_matches)
    : OpenStream(std::move(channel)) {
  Say({testing::HelloAs(name, max_matches)});
}

bool OpenStream::Say(const std::vector<v1::BotItem>& items) {
  v1::PlayRequest message;
  for (const v1::BotItem& item : items) *message.add_items() = item;
  return Say(message);
}

void OpenStream::Play(const std::function<bool()>& over, const More& more) {
  v1::PlayResponse heard;
  while (!over() && Hear(&heard)) {
    v1::PlayRequest answer;
    for (const v1::RefereeItem& item : heard.items()) {
      if (item.has_match_end()) return;
      if (item.has_match_start()) {
        *answer.add_items() = testing::ReadyFor(item.match_start().match().match_id());
      } else if (item.has_reveal_nonce()) {
        *answer.add_items() = testing::NonceFor(item.reveal_nonce().match_id());
      } else if (item.has_turn_request()) {
        const v1::TurnRequest& asked = item.turn_request();
        *answer.add_items() =
            testing::MoveIn(asked.match_id(), asked.turn(), asked.legal_moves(0), asked.request());
        more(asked, &answer);
      }
    }
    if (answer.items_size() > 0 && !Say(answer)) return;
  }
}

grpc::Status OpenStream::End() {
  v1::PlayResponse heard;
  while (Hear(&heard)) continue;
  return stream_->Finish();
}

}  // namespace referee::end_to_end
