// A bot that misbehaves on request, and plays its legal moves in turn otherwise. It speaks the
// protocol by hand: a library would not let it do wrong.
//
//   faulty [--hang-at=N] [--crash-at=N] [--illegal-at=N] [--garbled-at=N] [--resign-at=N]
//          [--leave-at=N] [--late-ms=MS] [--resign-one] [--resign-first] [--never-ready]
//          [--no-hello] [--isaac-only] [--parallel-turns=1]
//          [--exit=STATUS]
//
// N is the number of the turn, in any match, at which it does so: never answers again, aborts,
// plays a move that is not legal, one that cannot be read, gives up, or hangs up and never comes
// back. --late-ms takes so long for each answer, --resign-one gives up the first match of each
// block at once, --resign-first every match instead of being ready. --exit ends it at once. It says
// on stderr what it is about to do.
#include <grpcpp/grpcpp.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <thread>

#include "proto/referee/v1/bot_service.grpc.pb.h"
#include "referee/dice/dice.h"

namespace {

namespace v1 = ::referee::v1;
namespace dice = ::referee::dice;

constexpr char kNonce[] = "faulty";

using Stream = grpc::ClientReaderWriter<v1::PlayRequest, v1::PlayResponse>;

// Flags by name, without dashes; "1" for those without a value.
using Flags = std::map<std::string, std::string>;

Flags ReadFlags(int argc, char** argv) {
  Flags flags;
  for (int i = 1; i < argc; ++i) {
    const std::string text = argv[i];
    const size_t equals = text.find('=');
    const std::string value = equals == std::string::npos ? "1" : text.substr(equals + 1);
    flags[text.substr(2, equals == std::string::npos ? equals : equals - 2)] = value;
  }
  return flags;
}

[[noreturn]] void Hang() {
  for (;;) pause();
}

class FaultyBot {
 public:
  FaultyBot(Flags flags, Stream* stream) : flags_(std::move(flags)), stream_(*stream) {}

  void Play() {
    SayHello();
    v1::PlayResponse said;
    while (stream_.Read(&said)) {
      v1::PlayRequest answer;
      for (const v1::RefereeItem& item : said.items()) Answer(item, &answer);
      if (answer.items_size() > 0) stream_.Write(answer);
    }
  }

 private:
  bool Has(const std::string& flag) const { return flags_.count(flag) > 0; }

  // Whether it is time for a fault, which is announced then.
  bool IsTimeFor(const std::string& fault, uint32_t turn) const {
    const auto flag = flags_.find(fault);
    if (flag == flags_.end() || turn < std::stoul(flag->second)) return false;
    std::cerr << fault << " turn " << turn << std::endl;
    return true;
  }

  void SayHello() {
    if (Has("no-hello")) return;
    v1::PlayRequest request;
    v1::Hello* const hello = request.add_items()->mutable_hello();
    hello->set_token(std::getenv("REFEREE_TOKEN"));
    hello->set_software("faulty");
    hello->set_max_matches(16);
    if (Has("parallel-turns")) hello->set_parallel_turns(1);
    hello->set_wants_legal_moves(true);
    if (Has("isaac-only")) hello->add_games("isaac");
    stream_.Write(request);
  }

  void Answer(const v1::RefereeItem& item, v1::PlayRequest* answer) {
    if (item.has_match_start() && Has("resign-first")) {
      answer->add_items()->mutable_resign()->set_match_id(item.match_start().match().match_id());
    } else if (item.has_match_start() && !Has("never-ready")) {
      v1::Ready* const ready = answer->add_items()->mutable_ready();
      ready->set_match_id(item.match_start().match().match_id());
      ready->set_nonce_hash(std::string(dice::Raw(dice::HashNonce(kNonce))));
      const v1::Match& match = item.match_start().match();
      if (Has("resign-one") && match.has_block() && match.block().rotation() == 0) {
        answer->add_items()->mutable_resign()->set_match_id(match.match_id());
      }
    } else if (item.has_reveal_nonce()) {
      v1::Nonce* const nonce = answer->add_items()->mutable_nonce();
      nonce->set_match_id(item.reveal_nonce().match_id());
      nonce->set_nonce(kNonce);
    } else if (item.has_turn_request()) {
      AnswerTurn(item.turn_request(), answer);
    }
  }

  void AnswerTurn(const v1::TurnRequest& request, v1::PlayRequest* answer) {
    const uint32_t turn = request.turn();
    if (IsTimeFor("hang-at", turn)) Hang();
    if (IsTimeFor("crash-at", turn)) std::abort();
    if (IsTimeFor("leave-at", turn)) {
      stream_.WritesDone();
      stream_.Finish();
      Hang();
    }
    if (IsTimeFor("resign-at", turn)) {
      v1::Resign* const resign = answer->add_items()->mutable_resign();
      resign->set_match_id(request.match_id());
      resign->set_reason("no idea");
      return;
    }
    if (Has("late-ms")) {
      std::cerr << "late" << std::endl;
      std::this_thread::sleep_for(std::chrono::milliseconds(std::stoi(flags_.at("late-ms"))));
    }
    v1::MoveReply* const reply = answer->add_items()->mutable_move();
    reply->set_match_id(request.match_id());
    reply->set_turn(turn);
    reply->set_request(request.request());
    if (IsTimeFor("illegal-at", turn)) {
      // A pass, where there are moves.
      reply->mutable_move()->set_notation("-");
    } else if (IsTimeFor("garbled-at", turn)) {
      reply->mutable_move()->set_notation("\x1b[2J!");
    } else {
      *reply->mutable_move() =
          request.legal_moves(static_cast<int>(turn) % request.legal_moves_size());
    }
  }

  const Flags flags_;
  Stream& stream_;
};

}  // namespace

int main(int argc, char** argv) {
  const Flags flags = ReadFlags(argc, argv);
  if (flags.count("exit") > 0) {
    std::cerr << "faulty: I was told to leave" << std::endl;
    return std::stoi(flags.at("exit"));
  }
  const char* address = std::getenv("REFEREE_ADDRESS");
  if (address == nullptr || std::getenv("REFEREE_TOKEN") == nullptr) {
    std::cerr << "faulty: REFEREE_ADDRESS and REFEREE_TOKEN are not set" << std::endl;
    return 2;
  }
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  const auto channel =
      grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments);
  const auto stub = v1::BotService::NewStub(channel);
  grpc::ClientContext context;
  const auto stream = stub->Play(&context);
  FaultyBot(flags, stream.get()).Play();
  return 0;
}
