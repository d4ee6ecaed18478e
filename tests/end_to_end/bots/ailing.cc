// A bot that speaks the protocol by hand, as proto/PROTOCOL.md says, and plays its legal moves in
// turn; with one fault, if it is told one, for the doctor to find.
//
//   ailing [FAULT]
//
// The faults are the words in kFaults. An unknown one ends it with status 2.
#include <grpcpp/grpcpp.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>
#include <thread>

#include "proto/referee/v1/bot_service.grpc.pb.h"
#include "referee/dice/dice.h"
#include "tests/support/channel.h"

namespace {

namespace v1 = ::referee::v1;
namespace dice = ::referee::dice;

using Stream = grpc::ClientReaderWriter<v1::PlayRequest, v1::PlayResponse>;

constexpr const char* kFaults[] = {
    "none",
    "ready-before-hello",    // what it says first is no Hello
    "minds-the-unknown",     // hangs up when it hears of something that it does not know
    "no-hash",               // says Ready without the hash of a nonce
    "other-nonce",           // reveals another nonce than it told the hash of
    "ready-when-resumed",    // says Ready for a match under way
    "no-second-ready",       // does not say Ready again when a start is told again
    "passes",                // passes where it must move
    "pong-after-move",       // answers pings when it has moved
    "no-second-try",         // plays nothing after an illegal move
    "first-request",         // names request 0 in each of its moves
    "ignores-limit",         // takes half a second for each move, however little it has
    "plays-eight",           // promises 64 matches, and begins eight
    "rotation-zero",         // plays but the first match of a block
    "hammers",               // comes back at once each time
    "leaves-for-good",       // does not come back
    "hangs-up-on-draining",  // closes the stream when the referee drains
    "knows-no-end",          // comes back whatever the status
    "ignores-sigterm",       // goes on
    "notations",             // none: it wants the legal moves as text
};

class AilingBot {
 public:
  explicit AilingBot(std::string fault) : fault_(std::move(fault)) {}

  // Plays until there is nothing to come back for; returns the exit status.
  int Run() {
    int attempt = 0;
    while (true) {
      const auto channel = referee::testing::Dial(std::getenv("REFEREE_ADDRESS"));
      grpc::ClientContext context;
      const auto stub = v1::BotService::NewStub(channel);
      const auto stream = stub->Play(&context);
      welcomed_ = ended_ = false;
      if (!Play(stream.get())) context.TryCancel();
      const grpc::StatusCode code = stream->Finish().error_code();
      if (ended_ && code == grpc::OK && !Has("knows-no-end")) return 0;
      if (IsFinal(code) && !Has("knows-no-end")) return 2;
      if (Has("leaves-for-good")) return 0;
      if (Has("hammers")) continue;
      attempt = welcomed_ ? 0 : attempt + 1;
      std::uniform_int_distribution<int> wait(0, 20 << std::min(attempt, 9));
      std::this_thread::sleep_for(std::chrono::milliseconds(wait(random_)));
    }
  }

 private:
  bool Has(const char* fault) const { return fault_ == fault; }

  static bool IsFinal(grpc::StatusCode code) {
    switch (code) {
      case grpc::UNAUTHENTICATED:
      case grpc::PERMISSION_DENIED:
      case grpc::INVALID_ARGUMENT:
      case grpc::ABORTED:
      case grpc::ALREADY_EXISTS:
      case grpc::UNIMPLEMENTED:
        return true;
      default:
        return false;
    }
  }

  // Returns false if it is to hang up.
  bool Play(Stream* stream) {
    v1::PlayRequest first;
    if (Has("ready-before-hello")) first.add_items()->mutable_ready()->set_match_id("x");
    v1::Hello* const hello = first.add_items()->mutable_hello();
    hello->set_token(std::getenv("REFEREE_TOKEN"));
    hello->set_software("ailing");
    hello->set_max_matches(64);
    hello->set_wants_legal_moves(true);
    hello->set_wants_notations(Has("notations"));
    stream->Write(first);
    v1::PlayResponse said;
    while (stream->Read(&said)) {
      if (!Has("pong-after-move")) AnswerPings(said, stream);
      v1::PlayRequest answer;
      for (const v1::RefereeItem& item : said.items()) {
        if (Has("minds-the-unknown") && item.kind_case() == v1::RefereeItem::KIND_NOT_SET) {
          return false;
        }
        if (item.has_draining() && Has("hangs-up-on-draining")) return false;
        Answer(item, &answer);
      }
      if (answer.items_size() > 0) stream->Write(answer);
      if (Has("pong-after-move")) AnswerPings(said, stream);
    }
    return true;
  }

  static void AnswerPings(const v1::PlayResponse& said, Stream* stream) {
    v1::PlayRequest answer;
    for (const v1::RefereeItem& item : said.items()) {
      if (item.has_ping()) {
        answer.add_items()->mutable_pong()->set_number(item.ping().number());
      }
    }
    if (answer.items_size() > 0) stream->Write(answer);
  }

  void Answer(const v1::RefereeItem& item, v1::PlayRequest* answer) {
    if (item.has_welcome()) welcomed_ = true;
    if (item.has_draining()) ended_ = !item.draining().will_return();
    if (item.has_match_start()) BeReady(item.match_start(), answer);
    if (item.has_reveal_nonce()) {
      v1::Nonce* const nonce = answer->add_items()->mutable_nonce();
      nonce->set_match_id(item.reveal_nonce().match_id());
      nonce->set_nonce(NonceOf(item.reveal_nonce().match_id()) + (Has("other-nonce") ? "!" : ""));
    }
    if (item.has_match_end()) --open_;
    if (item.has_turn_request()) {
      last_ = item.turn_request();
      Move(answer);
    }
    const bool again = item.has_fault() && item.fault().kind() == v1::FAULT_KIND_ILLEGAL_MOVE;
    if (again && !Has("no-second-try")) Move(answer);
  }

  // 22 bytes that nobody else can guess.
  std::string NonceOf(const std::string& match_id) const {
    return secret_ + match_id.substr(std::min<size_t>(match_id.size(), 12));
  }

  void BeReady(const v1::MatchStart& start, v1::PlayRequest* answer) {
    const v1::Match& match = start.match();
    const bool anew = match.match_id() != last_start_;
    last_start_ = match.match_id();
    ++open_;
    const bool asked =
        start.has_ready_limit() || (start.has_resumed() && Has("ready-when-resumed"));
    const bool refuses = (Has("plays-eight") && open_ > 8) ||
                         (Has("rotation-zero") && match.block().rotation() > 0) ||
                         (Has("no-second-ready") && !anew);
    if (!asked || refuses) return;
    v1::Ready* const ready = answer->add_items()->mutable_ready();
    ready->set_match_id(match.match_id());
    if (!Has("no-hash")) {
      ready->set_nonce_hash(std::string(dice::Raw(dice::HashNonce(NonceOf(match.match_id())))));
    }
  }

  void Move(v1::PlayRequest* answer) const {
    if (Has("ignores-limit")) std::this_thread::sleep_for(std::chrono::milliseconds(500));
    v1::MoveReply* const reply = answer->add_items()->mutable_move();
    reply->set_match_id(last_.match_id());
    reply->set_turn(last_.turn());
    reply->set_request(Has("first-request") ? 0 : last_.request());
    if (Has("notations")) {
      const std::string& all = last_.legal_notations();
      reply->mutable_move()->set_notation(all.substr(0, all.find('\n')));
    } else if (Has("passes")) {
      reply->mutable_move()->set_notation("-");
    } else {
      *reply->mutable_move() =
          last_.legal_moves(static_cast<int>(last_.turn()) % last_.legal_moves_size());
    }
  }

  const std::string fault_;
  std::mt19937_64 random_{std::random_device()()};
  const std::string secret_ = std::to_string(random_()).substr(0, 8);
  bool welcomed_ = false;  // on this stream
  bool ended_ = false;     // the referee will not return
  int open_ = 0;           // matches
  std::string last_start_;
  v1::TurnRequest last_;
};

}  // namespace

int main(int argc, char** argv) {
  const std::string fault = argc > 1 ? argv[1] : "none";
  if (std::find(std::begin(kFaults), std::end(kFaults), fault) == std::end(kFaults)) {
    std::cerr << "ailing: " << fault << " is no fault that it knows" << std::endl;
    return 2;
  }
  if (std::getenv("REFEREE_ADDRESS") == nullptr || std::getenv("REFEREE_TOKEN") == nullptr) {
    std::cerr << "ailing: REFEREE_ADDRESS and REFEREE_TOKEN are not set" << std::endl;
    return 2;
  }
  if (fault == "ignores-sigterm") signal(SIGTERM, SIG_IGN);
  return AilingBot(fault).Run();
}
