// A bot made of nothing but the stub: it says what a test wants it to say, right or wrong, and
// hears on a thread of its own, so that a test can wait for whichever of several bots hears first.
#ifndef REFEREE_TESTS_CONTRACT_RAW_BOT_H_
#define REFEREE_TESTS_CONTRACT_RAW_BOT_H_

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "proto/referee/v1/bot_service.grpc.pb.h"
#include "referee/base/mutex.h"
#include "tests/contract/referee_under_test.h"

namespace referee::testing {

// --- What bots say. ---

v1::BotItem HelloAs(absl::string_view name, int max_matches = 1);
// With the hash of the nonce; no hash without one.
inline constexpr absl::string_view kNonce = "nonce";
v1::BotItem ReadyFor(const std::string& match_id, absl::optional<absl::string_view> nonce = kNonce);
v1::BotItem NonceFor(const std::string& match_id, absl::string_view nonce = kNonce);
v1::BotItem MoveIn(const std::string& match_id, uint32_t turn, const v1::Move& move,
                   uint32_t request = 0);
v1::BotItem MoveIn(const std::string& match_id, uint32_t turn, const std::string& notation);
v1::BotItem ResignFrom(const std::string& match_id);
v1::BotItem PongTo(uint64_t number);

// A stream of BotService.Play. One thread may use it, beside its own. Every wait ends after
// kPatience, and then fails the test.
class RawBot {
 public:
  // Connects, and says nothing.
  explicit RawBot(std::shared_ptr<grpc::Channel> channel);
  // Connects, says Hello (with legal moves wanted) and hears Welcome.
  RawBot(RefereeUnderTest* referee, absl::string_view name, int max_matches = 1);
  // Ends the stream if it has not ended.
  ~RawBot();

  // Sends one message. Returns false if the stream has ended.
  bool Say(const v1::BotItem& item) { return Say(std::vector<v1::BotItem>{item}); }
  bool Say(const std::vector<v1::BotItem>& items);

  // From now on pings are heard, too; else they are dropped.
  void HearPings();
  // From now on the bot hears RevealNonce, and the test answers; else the bot reveals kNonce at
  // once, and the test hears nothing of that.
  void HearReveals();
  // The next item; fails the test, and returns none, if the stream ends instead.
  v1::RefereeItem Hear();
  // The next item of this kind; drops those before it.
  v1::RefereeItem Hear(v1::RefereeItem::KindCase kind);
  // The next message, whole. Not to be mixed with Hear within a message.
  v1::PlayResponse HearMessage();
  // Waits until one of the bots hears an item of this kind; drops what each has heard before its
  // first. Returns which.
  static size_t HearFirst(absl::Span<RawBot* const> bots, v1::RefereeItem::KindCase kind,
                          v1::RefereeItem* item);

  // Answers every match to its end, as `choose` says: the start with Ready, each turn with a move.
  // Returns the verdict of each match that ended. Returns after `matches` of them.
  using Choose = std::function<v1::Move(const v1::TurnRequest&)>;
  std::vector<v1::MatchEnd> Play(int matches, const Choose& choose);

  // Says that nothing more will be said, as a program does that ends in order.
  void SayLast();
  // Vanishes, as a program does that crashes.
  void Vanish();
  // Waits for the end of the stream. Drops what is heard before it.
  grpc::Status End();

 private:
  void Listen();
  // Takes out the items that are not to be heard, and answers them.
  void Answer(v1::PlayResponse* message);
  // Waits until something has been heard or the stream has ended; false in the latter case.
  bool WaitForMessage();
  static Mutex& mutex();
  static CondVar& changed();

  std::unique_ptr<v1::BotService::Stub> stub_;
  std::unique_ptr<grpc::ClientContext> context_ = NewContext();
  std::unique_ptr<grpc::ClientReaderWriter<v1::PlayRequest, v1::PlayResponse>> stream_;
  std::deque<v1::PlayResponse> heard_;  // guarded by mutex(), which all bots share
  int next_item_ = 0;                   // of the first message heard
  bool hears_pings_ = false;            // guarded by mutex()
  bool hears_reveals_ = false;          // guarded by mutex()
  Mutex writing_;                       // held while a message is written
  bool ended_ = false;                  // guarded by mutex()
  grpc::Status status_;                 // set before ended_ is
  std::thread listener_;
};

// Choices for Play.
v1::Move FirstLegalMove(const v1::TurnRequest& request);
// Plays the matches of `bots` to their ends, each on a thread of its own.
std::vector<std::vector<v1::MatchEnd>> PlayAll(absl::Span<RawBot* const> bots, int matches,
                                               const RawBot::Choose& choose = FirstLegalMove);

// Two bots at a match of Hypnosia that has begun: alice in seat 0, bob in seat 1.
struct Table {
  explicit Table(RefereeUnderTest* referee);
  Table(RefereeUnderTest* referee, const v1::CreateMatchRequest& request);

  // Waits until one of them is asked for a move, and makes it the mover.
  const v1::TurnRequest& WaitForTurn();
  void PlayTurn() { mover->Say(MoveIn(match_id, asked.turn(), asked.legal_moves(0))); }

  RawBot alice;
  RawBot bob;
  std::string match_id;
  v1::TurnRequest asked;
  RawBot* mover = nullptr;
  RawBot* other = nullptr;
};

}  // namespace referee::testing

#endif  // REFEREE_TESTS_CONTRACT_RAW_BOT_H_
