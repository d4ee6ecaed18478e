// What clients say. The bot reads of a message only what it needs, field by field, and copies its
// answer from what was prepared: what a bot costs is not to be measured.

#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/wire_format_lite.h"
#include "proto/referee/v1/bot_service.pb.h"
#include "tests/bench/bench_referee_client.h"
#include "tests/bench/echo.pb.h"

namespace referee::bench {
namespace {

using google::protobuf::internal::WireFormatLite;

// Takes a varint off the front of `*bytes`; 0 if there is none.
uint64_t TakeVarint(absl::string_view* bytes) {
  uint64_t value = 0;
  for (int shift = 0; shift < 64 && !bytes->empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes->front());
    bytes->remove_prefix(1);
    value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  return value;
}

// Calls `look(number, varint, bytes)` for each field of a serialised message; `bytes` is the
// content of a string or message, else empty.
template <typename Look>
void ForEachField(absl::string_view message, Look look) {
  while (!message.empty()) {
    const auto tag = static_cast<uint32_t>(TakeVarint(&message));
    uint64_t value = 0;
    uint64_t size = 0;
    absl::string_view content;
    switch (WireFormatLite::GetTagWireType(tag)) {
      case WireFormatLite::WIRETYPE_VARINT:
        value = TakeVarint(&message);
        break;
      case WireFormatLite::WIRETYPE_LENGTH_DELIMITED:
        size = TakeVarint(&message);
        content = message.substr(0, size);
        message.remove_prefix(content.size());
        break;
      case WireFormatLite::WIRETYPE_FIXED64:
        message = message.substr(8);
        break;
      default:
        return;
    }
    look(WireFormatLite::GetTagFieldNumber(tag), value, content);
  }
}

void AppendVarint(uint64_t value, std::string* out) {
  for (; value >= 0x80; value >>= 7) out->push_back(static_cast<char>(value | 0x80));
  out->push_back(static_cast<char>(value));
}

// Appends the beginning of a field that is a string or message of `size` bytes.
void AppendHeader(int field, size_t size, std::string* out) {
  AppendVarint(WireFormatLite::MakeTag(field, WireFormatLite::WIRETYPE_LENGTH_DELIMITED), out);
  AppendVarint(size, out);
}

class EchoScript final : public Script {
 public:
  explicit EchoScript(size_t bytes) {
    EchoRequest request;
    // The field's tag and length come on top.
    request.set_payload(std::string(bytes < 130 ? bytes - 2 : bytes - 3, 'x'));
    message_ = request.SerializeAsString();
  }

  std::string Opening() override { return message_; }
  absl::StatusOr<int> Answer(absl::string_view, std::string* answer) override {
    answer->append(message_);
    return 1;
  }

 private:
  std::string message_;
};

class BotScript final : public Script {
 public:
  BotScript(std::string token, int max_matches, const PreparedGames* games)
      : token_(std::move(token)), max_matches_(max_matches), games_(*games) {}

  std::string Opening() override {
    v1::PlayRequest request;
    v1::Hello* hello = request.add_items()->mutable_hello();
    hello->set_token(token_);
    hello->set_news_may_wait(true);
    hello->set_max_matches(static_cast<uint32_t>(max_matches_));
    return request.SerializeAsString();
  }

  absl::StatusOr<int> Answer(absl::string_view message, std::string* answer) override {
    int turns = 0;
    absl::Status problem;
    ForEachField(message, [&](int, uint64_t, absl::string_view item) {
      ForEachField(item, [&](int kind, uint64_t, absl::string_view content) {
        switch (kind) {
          case v1::RefereeItem::kMatchStart:
            problem.Update(Begin(content, answer));
            break;
          case v1::RefereeItem::kTurnRequest:
            problem.Update(Play(content, answer));
            ++turns;
            break;
          case v1::RefereeItem::kMatchEnd:
            End(content);
            break;
          case v1::RefereeItem::kPing:
            Pong(content, answer);
            break;
          case v1::RefereeItem::kSeatForfeited:
          case v1::RefereeItem::kFault:
            problem.Update(absl::InternalError(absl::StrCat("the referee says: ", content)));
            break;
          default:
            break;
        }
      });
    });
    if (!problem.ok()) return problem;
    return turns;
  }

 private:
  absl::Status Begin(absl::string_view start, std::string* answer) {
    absl::string_view id;
    absl::string_view commitment;
    ForEachField(start, [&](int field, uint64_t, absl::string_view match) {
      if (field != v1::MatchStart::kMatchFieldNumber) return;
      ForEachField(match, [&](int of_match, uint64_t, absl::string_view content) {
        if (of_match == v1::Match::kMatchIdFieldNumber) id = content;
        if (of_match == v1::Match::kCommitmentFieldNumber) commitment = content;
      });
    });
    const PreparedReplies* const game = games_.Find(commitment);
    if (game == nullptr) return absl::InternalError("a match with unknown dice");
    matches_[id] = game;
    v1::PlayRequest ready;
    ready.add_items()->mutable_ready()->set_match_id(std::string(id));
    answer->append(ready.SerializeAsString());
    return absl::OkStatus();
  }

  // A serialised message goes on where the last one ended: its items add up.
  absl::Status Play(absl::string_view request, std::string* answer) {
    absl::string_view id;
    uint64_t turn = 0;
    ForEachField(request, [&](int field, uint64_t value, absl::string_view content) {
      if (field == v1::TurnRequest::kMatchIdFieldNumber) id = content;
      if (field == v1::TurnRequest::kTurnFieldNumber) turn = value;
    });
    const auto match = matches_.find(id);
    if (match == matches_.end() || turn >= match->second->size()) {
      return absl::InternalError(absl::StrCat("turn ", turn, " of match '", id, "'"));
    }
    const std::string& prepared = (*match->second)[turn];
    AppendReply(id, prepared, answer);
    return absl::OkStatus();
  }

  static void AppendReply(absl::string_view id, absl::string_view prepared, std::string* out) {
    const auto header = [](size_t size) -> size_t { return size < 0x80 ? 2 : 3; };
    const size_t reply = header(id.size()) + id.size() + prepared.size();
    AppendHeader(v1::PlayRequest::kItemsFieldNumber, header(reply) + reply, out);
    AppendHeader(v1::BotItem::kMove, reply, out);
    AppendHeader(v1::MoveReply::kMatchIdFieldNumber, id.size(), out);
    out->append(id.data(), id.size());
    out->append(prepared.data(), prepared.size());
  }

  static void Pong(absl::string_view ping, std::string* answer) {
    ForEachField(ping, [&](int, uint64_t number, absl::string_view) {
      v1::PlayRequest pong;
      pong.add_items()->mutable_pong()->set_number(number);
      answer->append(pong.SerializeAsString());
    });
  }

  void End(absl::string_view end) {
    ForEachField(end, [&](int field, uint64_t, absl::string_view content) {
      if (field == v1::MatchEnd::kMatchIdFieldNumber) matches_.erase(content);
    });
  }

  const std::string token_;
  const int max_matches_;
  const PreparedGames& games_;
  absl::flat_hash_map<std::string, const PreparedReplies*> matches_;
};

}  // namespace

std::unique_ptr<Script> MakeEchoScript(size_t bytes) { return std::make_unique<EchoScript>(bytes); }

std::unique_ptr<Script> MakeBotScript(std::string token, int max_matches,
                                      const PreparedGames* games) {
  return std::make_unique<BotScript>(std::move(token), max_matches, games);
}

}  // namespace referee::bench
