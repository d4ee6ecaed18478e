// FakeReferee: BotService in this process, on a unix socket or a port of its own. It fakes by
// having no rules: it says what a test tells it to say, and hands over, item by item, what the bot
// says. Streams are served one at a time. Waits end with a deadline, so that a test fails rather
// than hangs.
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
  // On a port of 127.0.0.1 instead, with TLS.
  explicit FakeReferee(std::shared_ptr<grpc::ServerCredentials> tls);
  ~FakeReferee() override;

  const std::string& address() const { return address_; }

  // Says these items in one message, on the stream that is open or the next to be.
  void Say(const std::vector<v1::RefereeItem>& items);
  // Ends the stream that is open, or the next to be, with this status, after what was said before.
  void EndStream(const grpc::Status& status);
  // The next item that the bot has said; fails the test if none comes.
  v1::BotItem Hear();
  // Whether Hear would wait.
  bool hears_nothing() const;
  // Hears Hello and says Welcome.
  v1::Hello Greet();

  // Is not there any more, as a referee that was killed; and is there again, at the same address.
  void Stop();
  void StartAgain() { Listen(); }

  // While held, nothing more is read: the bot's messages stay with the transport.
  void HoldReading();
  void ResumeReading();

  // How many streams were opened, and how many items each message of the bot had.
  int streams() const;
  std::vector<int> batch_sizes() const;

  // v1::BotService::CallbackService.
  grpc::ServerBidiReactor<v1::PlayRequest, v1::PlayResponse>* Play(
      grpc::CallbackServerContext* context) override;

 private:
  class Reactor;
  // Something to be done on the stream: a message, or its end.
  struct Order {
    v1::PlayResponse message;
    bool end = false;
    grpc::Status status;
  };
  void Listen();
  void Give(Order order);
  void Obey() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const std::shared_ptr<grpc::ServerCredentials> credentials_;
  std::optional<testing::TempFolder> folder_;  // of the socket, if there is one
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

// An item in protobuf's text format.
v1::RefereeItem Item(const std::string& text);
v1::RefereeItem WelcomeItem(uint32_t max_matches = 64);
v1::RefereeItem StartItem(const std::string& match_id);
v1::RefereeItem ResumedItem(const std::string& match_id);
// With two legal moves: "1:L1>A18" and "2:L1>A19".
v1::RefereeItem TurnItem(const std::string& match_id, uint32_t turn,
                         const std::string& position = "P");
v1::RefereeItem PlayedItem(const std::string& match_id, uint32_t turn);
v1::RefereeItem ForfeitedItem(const std::string& match_id, uint32_t seat);
v1::RefereeItem EndItem(const std::string& match_id);
v1::RefereeItem DrainingItem();
v1::RefereeItem PingItem(uint64_t number);

}  // namespace referee::sdk

#endif  // REFEREE_TESTS_UNIT_SDK_FAKE_REFEREE_H_
