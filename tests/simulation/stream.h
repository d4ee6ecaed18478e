// A simulated stream of a bot. It is the transport of a BotSession at the referee's end; the other
// end is a simulated bot's. The network between them delays messages, and can be cut, which each
// end learns of in its own time. As with gRPC, a write may be reported done at any time: before its
// call returns, or after the bot has answered.
#ifndef REFEREE_TESTS_SIMULATION_STREAM_H_
#define REFEREE_TESTS_SIMULATION_STREAM_H_

#include <deque>
#include <memory>
#include <vector>

#include "proto/referee/v1/bot_service.pb.h"
#include "tests/simulation/items.h"
#include "tests/simulation/random.h"
#include "tests/simulation/watched_session.h"

namespace referee::simulation {

class World;

// Thread-compatible.
class Stream final : public service::Transport, public std::enable_shared_from_this<Stream> {
 public:
  // The `number`-th stream of `bot`, not connected yet. `world` must outlive it.
  Stream(World* world, int bot, int number);

  // --- The bot's end ---

  // Connects, and sends Hello.
  void Open();
  // Sends one message. What is sent after the stream is lost is lost. REQUIRES: there are items.
  void Send(std::vector<BotItem> items);
  // The bot closes the stream properly.
  void HangUp();

  // --- The network ---

  void Cut(absl::Duration referee_after, absl::Duration bot_after);
  void BlockFor(absl::Duration duration);
  void SlowDownFor(absl::Duration duration);
  bool cut() const { return cut_; }

  // --- The referee's end ---

  // service::Transport.
  void Write(const v1::PlayResponse& message, absl::string_view rest) override;
  void Read() override;
  void Finish(const absl::Status& status) override;
  void Cancel() override;

  // The referee has died: nothing more comes from it.
  void RefereeDied();
  // Destroys what is left of the referee's end. REQUIRES: RefereeDied was called; the bot has no
  // link, and no places.
  void Bury();

 private:
  // Without items: the end of the bot's messages.
  struct Message {
    std::vector<BotItem> items;
    Instant arrived;
  };

  absl::Duration Delay();
  // The bot's end learns that the stream is lost.
  void TellBotLost(absl::Duration after);
  void OnTold(const std::vector<RefereeItem>& items);
  void SendToReferee(std::vector<BotItem> items);
  // `call` happens at `when`, or when the referee is awake; not after its death.
  template <typename Call>
  void AtReferee(Instant when, Call call);

  void Connect(Instant arrived);
  void Arrive(Message message);
  void Deliver();
  void TakeUp(const std::vector<BotItem>& items, Instant when);
  // The write that is under way ends later, if it ends; or now.
  void EndWriteAt(Instant leaves);
  void EndWrite(int write, bool ok);
  void FailRead();
  // The referee's end learns that the stream is lost.
  void Break();
  void EndIfDone();

  World* const world_;
  const int bot_;
  const int number_;
  Random random_;
  bool cut_ = false;
  Instant slow_until_;
  Instant writable_at_;

  // The bot's end.
  bool bot_end_open_ = true;
  Instant to_referee_;  // when the last message to the referee arrives
  Instant to_bot_;      // when the last message to the bot arrives

  // The referee's end.
  std::shared_ptr<WatchedSession> session_;  // from when it is connected until it is done
  bool dead_ = false;
  bool broken_ = false;    // it knows
  bool finished_ = false;  // by the session
  bool ending_ = false;    // OnDone is to come
  int writes_ = 0;
  bool writing_ = false;  // the last of them
  bool reading_ = false;
  Instant reading_since_;
  bool taking_up_ = false;  // what was read
  std::deque<Message> inbox_;
  v1::PlayRequest request_;  // being taken up
};

}  // namespace referee::simulation

#endif  // REFEREE_TESTS_SIMULATION_STREAM_H_
