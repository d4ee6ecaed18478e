// Messages from the wire to values. A letter, then:
//   c  a CreateMatchRequest            m  "h2" and a byte (fuzzed_game.h), then a Move
//   o  "h2", then a GameOptions
// as protobuf text format, so that a corpus is legible; C, M and O are the same in bytes. What is
// converted is within its limits, and goes back to the wire as itself.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "google/protobuf/io/tokenizer.h"
#include "google/protobuf/stubs/logging.h"
#include "google/protobuf/text_format.h"
#include "referee/match/time_control.h"
#include "referee/service/convert/convert.h"
#include "tests/fuzz/claim.h"
#include "tests/fuzz/fuzzed_bytes.h"
#include "tests/fuzz/fuzzed_game.h"

namespace referee::fuzz {
namespace {

class Silence final : public google::protobuf::io::ErrorCollector {
 public:
  void AddError(int, google::protobuf::io::ColumnNumber, const std::string&) override {}
};

template <typename Message>
bool Read(bool text, absl::string_view bytes, Message* out) {
  if (!text) return out->ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
  Silence silence;
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&silence);
  return parser.ParseFromString(std::string(bytes), out);
}

// Claims that a game's options say on the wire what they said.
void ClaimOptions(const games::Entry& entry, const games::Game& game) {
  v1::GameOptions wire;
  entry.wire->OptionsToWire(game, &wire);
  const auto options = entry.wire->OptionsFromWire(wire);
  Claim(options.ok(), "options that were sent can be read", wire.ShortDebugString());
  const auto again = entry.type->Create(game.seats(), *options);
  Claim(again.ok() && (*again)->options() == game.options(),
        "options are the same after they were sent", wire.ShortDebugString());
}

void ConvertRequest(bool text, absl::string_view bytes) {
  v1::CreateMatchRequest message;
  if (!Read(text, bytes, &message)) return;
  const auto request = service::FromWire(message);
  const std::string shown = message.ShortDebugString();
  if (!request.ok()) {
    return Claim(!request.status().message().empty(), "a refusal says why", shown);
  }
  Claim(request->game != nullptr, "a request has a game", shown);
  Claim(static_cast<int>(request->bots.size()) == request->game->seats(),
        "a request has as many bots as seats", shown);
  Claim(match::Validate(request->time_control).ok(), "time controls are valid", shown);
  Claim(!request->dice_source.pinned_number || !request->dice_source.pinned_seed,
        "dice are pinned in one way", shown);
  ClaimOptions(games::Find(request->game->name()).value(), *request->game);
}

void ConvertOptions(bool text, FuzzedBytes* bytes) {
  const games::Entry entry = TakeEntry(bytes);
  const int seats = TakeSeats(entry, bytes);
  v1::GameOptions message;
  if (!Read(text, bytes->Rest(), &message)) return;
  const auto options = entry.wire->OptionsFromWire(message);
  if (!options.ok()) return;
  const auto game = entry.type->Create(seats, *options);
  if (game.ok()) ClaimOptions(entry, **game);
}

void ConvertMove(bool text, FuzzedBytes* bytes) {
  const FuzzedGame chosen = TakeGame(bytes);
  const games::Game& game = *chosen.game;
  const games::State& state = TakePosition(game, bytes);
  v1::Move message;
  if (!Read(text, bytes->Rest(), &message)) return;
  const auto move = chosen.entry.wire->MoveFromWire(game, message);
  const std::string shown = message.ShortDebugString();
  if (!move.ok()) {
    return Claim(!move.status().message().empty(), "a refusal says why", shown);
  }
  std::vector<games::Move> legal;
  state.LegalMoves(&legal);
  const auto resolved = state.Resolve(*move, legal);
  if (!resolved.ok()) {
    return Claim(!resolved.status().message().empty(), "a refusal says why", shown);
  }
  Claim(std::binary_search(legal.begin(), legal.end(), *resolved),
        "what a move is taken for is legal", shown);
  v1::Move sent;
  chosen.entry.wire->MoveToWire(game, *resolved, &sent);
  const auto received = chosen.entry.wire->MoveFromWire(game, sent);
  Claim(received.ok(), "a move that was sent can be read", shown);
  const auto meant = state.Resolve(*received, legal);
  Claim(meant.ok() && *meant == *resolved, "a move is the same after it was sent", shown);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // Strings that are not UTF-8 are refused, and reported to stderr.
  const google::protobuf::LogSilencer silencer;
  FuzzedBytes bytes(data, size);
  const char kind = static_cast<char>(bytes.Byte());
  const bool text = kind >= 'a';
  switch (kind) {
    case 'c':
    case 'C':
      ConvertRequest(text, bytes.Rest());
      break;
    case 'm':
    case 'M':
      ConvertMove(text, &bytes);
      break;
    case 'o':
    case 'O':
      ConvertOptions(text, &bytes);
      break;
    default:
      break;
  }
  return 0;
}

}  // namespace referee::fuzz
