// An in-process BotService without rules, on a Unix socket or a port.
//
// It sends the items that a test gives it, and returns the bot's items one by one. It serves one
// stream at a time. Waits have a deadline, so that a test fails instead of hanging.
#ifndef REFEREE_TESTS_UNIT_SDK_FAKE_REFEREE_H_
#define REFEREE_TESTS_UNIT_SDK_FAKE_REFEREE_H_

#include <grpcpp/grpcpp.h>

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "proto/referee/v1/bot_service.grpc.pb.h"
#include "proto/referee/v1/bot_service.pb.h"
#include "referee/base/mutex.h"
#include "tests/support/temp_folder.h"

namespace referee::sdk {

class FakeReferee : public v1::BotService::CallbackService {
 public:
  FakeReferee();
  // Listens on a port of 127.0.0.1 with TLS instead.
  explicit FakeReferee(std::shared_ptr<grpc::ServerCredentials> tls);
  ~FakeReferee() override;

  const std::string& address() const { return address_; }

  // Sends these items in one message, on the open stream or the next one.
  void Say(const std::vector<v1::RefereeItem>& items);
  // Ends the open stream, or the next one, with this status, after all earlier items.
  void EndStream(const grpc::Status& status);
  // Returns the next item of the bot; fails the test if none comes.
  v1::BotItem Hear();
  // Whether Hear would have to wait.
  bool hears_nothing() const;
  // Receives Hello and sends Welcome.
  v1::Hello Greet();

  // Stops as a killed referee does; StartAgain starts it at the same address.
  void Stop();
  void StartAgain() { Listen(); }

  // While held, it reads nothing more: the bot's messages stay in the transport.
  void HoldReading();
  void ResumeReading();

  // The number of opened streams, and the number of items in each message of the bot.
  int streams() const;
  std::vector<int> batch_sizes() const;

  // v1::BotService::CallbackService.
  grpc::ServerBidiReactor<v1::PlayRequest, v1::PlayResponse>* Play(
      grpc::CallbackServerContext* context) override;

 private:
  class Reactor;
  // An action on the stream: a message, or its end.
  struct Order {
    v1::PlayResponse message;
    bool end = false;
    grpc::Status status;
  };
  void Listen();
  void Give(Order order);
  void Obey() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const std::shared_ptr<grpc::ServerCredentials> credentials_;
  std::optional<testing::TempFolder> folder_;  // of the socket, if it uses one
  std::string address_;
  std::unique_ptr<grpc::Server> server_;

  mutable Mutex mutex_;
  CondVar changed_;
  Reactor* reactor_ ABSL_GUARDED_BY(mutex_) = nullptr;  // of the open stream
  std::deque<Order> orders_ ABSL_GUARDED_BY(mutex_);
  std::deque<v1::BotItem> heard_ ABSL_GUARDED_BY(mutex_);
  std::vector<int> batch_sizes_ ABSL_GUARDED_BY(mutex_);
  int streams_ ABSL_GUARDED_BY(mutex_) = 0;
  bool writing_ ABSL_GUARDED_BY(mutex_) = false;
  bool held_ ABSL_GUARDED_BY(mutex_) = false;
  bool read_due_ ABSL_GUARDED_BY(mutex_) = false;  // a read waits for ResumeReading
};

// Parses an item in protobuf's text format.
v1::RefereeItem Item(const std::string& text);
v1::RefereeItem WelcomeItem(uint32_t max_matches = 64);
v1::RefereeItem StartItem(const std::string& match_id);
v1::RefereeItem ResumedItem(const std::string& match_id);
// A turn request with two legal moves: "1:L1>A18" and "2:L1>A19".
v1::RefereeItem TurnItem(const std::string& match_id, uint32_t turn,
                         const std::string& position = "P");
v1::RefereeItem PlayedItem(const std::string& match_id, uint32_t turn);
v1::RefereeItem ForfeitedItem(const std::string& match_id, uint32_t seat);
v1::RefereeItem EndItem(const std::string& match_id);
v1::RefereeItem DrainingItem();
v1::RefereeItem PingItem(uint64_t number);

}  // namespace referee::sdk

#endif  // REFEREE_TESTS_UNIT_SDK_FAKE_REFEREE_H_
