// Fixture for the entry's side of a peer stream: a recording transport, and a host with bots.
//
// Tests compare the items for the owner as words.
#ifndef REFEREE_TESTS_UNIT_SERVICE_PEER_ENTRY_SESSION_FIXTURE_H_
#define REFEREE_TESTS_UNIT_SERVICE_PEER_ENTRY_SESSION_FIXTURE_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "referee/base/limits.h"
#include "referee/service/peer/entry_session.h"
#include "tests/support/fake_link.h"
#include "tests/support/match_id.h"
#include "tests/unit/service/bot_session_fixture.h"

namespace referee::service {

inline std::string CapacityWords(const peer::v1::BotCapacity& capacity) {
  return absl::StrCat(capacity.max_matches(), " less ", capacity.taken_elsewhere());
}

inline std::string Word(const peer::v1::EntryItem& item) {
  const std::string stream = absl::StrCat(item.stream(), " ");
  switch (item.kind_case()) {
    case peer::v1::EntryItem::kHello:
      return absl::StrCat("hello ", item.hello().owner(), " ", item.hello().secret());
    case peer::v1::EntryItem::kCame:
      return absl::StrCat(stream, "came ", item.came().bot(), " ",
                          CapacityWords(item.came().capacity()));
    case peer::v1::EntryItem::kWent:
      return stream + (item.went().asked_to_redial() ? "asked to redial" : "went");
    case peer::v1::EntryItem::kCapacity:
      return absl::StrCat(stream, "takes ", CapacityWords(item.capacity()));
    case peer::v1::EntryItem::kSaid:
      return stream + "said";
    case peer::v1::EntryItem::kReserved:
      return absl::StrCat(stream, item.reserved().granted() ? "granted " : "refused ",
                          item.reserved().number());
    case peer::v1::EntryItem::kSlotsFree:
      return absl::StrCat(stream, "free ", item.slots_free().slots());
    case peer::v1::EntryItem::kElapsed:
      return absl::StrCat(stream, "elapsed ", item.elapsed().elapsed() / 1'000'000);
    case peer::v1::EntryItem::kRefused:
      return stream + "did wrong";
    case peer::v1::EntryItem::kAnswered:
      return stream + "answered";
    case peer::v1::EntryItem::kAlive:
      return "beat";
    default:
      break;
  }
  return "other";
}

// Completes each write at once, and notes its items as words.
class RecordedPeer final : public PeerTransport<peer::v1::AttachRequest> {
 public:
  void Write(const peer::v1::AttachRequest& message) override {
    for (const peer::v1::EntryItem& item : message.items()) {
      words.push_back(Word(item));
      if (item.has_said()) said = item.said();
      if (item.has_came()) came = item.came();
    }
    if (session != nullptr) session->OnWriteDone(true);
  }
  void Finish(const absl::Status& status) override {
    EXPECT_EQ(finished, "") << "twice";
    finished = std::string(absl::StatusCodeToString(status.code()));
  }
  // The words written since the last call.
  std::vector<std::string> Words() { return std::exchange(words, {}); }

  EntrySession* session = nullptr;
  std::vector<std::string> words;
  peer::v1::BotSaid said;
  peer::v1::BotCame came;
  std::string finished;  // the code; empty: not finished
};

// A bot that is connected to another referee.
class ElsewhereLink final : public testing::FakeLink {
 public:
  bool relayed() const override { return true; }
};

class EntrySessionTest : public BotSessionTest {
 protected:
  struct Stream {
    std::unique_ptr<RecordedPeer> transport;
    std::shared_ptr<EntrySession> session;
    RecordedPeer* operator->() const { return transport.get(); }
  };

  EntrySessionTest() {
    environment_of_peers_ = {host_.get(), &clock_, &timers_, "entry-1", "secret"};
    on_connection_ = [this](absl::string_view bot) {
      for (const Stream* stream : {&first_, &second_}) {
        if (stream->session != nullptr) stream->session->BotChanged(bot);
      }
    };
    id_ = Id(1);
  }
  ~EntrySessionTest() override {
    on_connection_ = nullptr;
    for (const Stream* stream : {&first_, &second_}) {
      if (stream->session != nullptr) stream->session->OnDone();
    }
    timers_.Advance(limits::kEntryPatience * 2);
  }

  static std::string Id(uint64_t number) { return testing::NumberedId(number).text(); }

  // Opens a stream to an owner, whose hello has arrived.
  void Dial(Stream* stream) {
    stream->transport = std::make_unique<RecordedPeer>();
    stream->session =
        std::make_shared<EntrySession>(&environment_of_peers_, stream->transport.get());
    (*stream)->session = stream->session.get();
    stream->session->Begin();
    peer::v1::OwnerItem hello;
    hello.mutable_hello()->set_owner("owner-1");
    Hear(*stream, hello);
  }
  void Hear(const Stream& stream, const peer::v1::OwnerItem& item) {
    peer::v1::AttachResponse message;
    *message.add_items() = item;
    stream.session->OnRead(message, clock_.Now());
  }
  void Hear(const peer::v1::OwnerItem& item) { Hear(first_, item); }

  // Wraps an item of the owner about a match of a bot.
  peer::v1::OwnerItem Tell(uint64_t stream, const v1::RefereeItem& item) {
    v1::PlayResponse response;
    *response.add_items() = item;
    peer::v1::OwnerItem out;
    out.set_stream(stream);
    out.mutable_told()->set_match_id(id_);
    out.mutable_told()->set_response(response.SerializeAsString());
    return out;
  }
  peer::v1::OwnerItem Start(uint64_t stream) {
    v1::RefereeItem item;
    item.mutable_match_start()->mutable_match()->set_match_id(id_);
    peer::v1::OwnerItem out = Tell(stream, item);
    out.mutable_told()->set_starts(true);
    return out;
  }
  peer::v1::OwnerItem End(uint64_t stream) {
    v1::RefereeItem item;
    item.mutable_match_end()->set_match_id(id_);
    peer::v1::OwnerItem out = Tell(stream, item);
    out.mutable_told()->set_ends(true);
    return out;
  }
  peer::v1::OwnerItem Turn(uint64_t stream, uint32_t turn) {
    v1::RefereeItem item;
    item.mutable_turn_request()->set_match_id(id_);
    item.mutable_turn_request()->set_turn(turn);
    peer::v1::OwnerItem out = Tell(stream, item);
    out.mutable_told()->set_when(peer::v1::Told::WHEN_TOGETHER);
    out.mutable_told()->set_asks(peer::v1::Told::ASKS_MOVE);
    out.mutable_told()->set_turn(turn);
    return out;
  }
  peer::v1::OwnerItem Reserve(uint64_t stream, uint64_t number,
                              const std::vector<std::string>& ids) {
    peer::v1::OwnerItem out;
    out.set_stream(stream);
    out.mutable_reserve()->set_number(number);
    out.mutable_reserve()->set_game("hypnosia");
    for (const std::string& id : ids) out.mutable_reserve()->add_match_ids(id);
    out.mutable_reserve()->set_oldest_match_id(id_);
    return out;
  }
  peer::v1::OwnerItem AskElapsed(uint64_t stream) {
    peer::v1::OwnerItem out;
    out.set_stream(stream);
    out.mutable_ask_elapsed()->set_match_id(id_);
    return out;
  }
  bool HasSlot(const std::string& bot, const std::string& id) {
    return host_->FindBot(bot)->FindSlot(id).relay != nullptr;
  }

  PeerEnvironment environment_of_peers_;
  Stream first_;
  Stream second_;
};

}  // namespace referee::service

#endif  // REFEREE_TESTS_UNIT_SERVICE_PEER_ENTRY_SESSION_FIXTURE_H_
