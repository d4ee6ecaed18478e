// Distributes the referee's items to worker threads, by match.
//
// Items of one match are handled one at a time and in order, different matches in parallel.
// Independent of the transport. Thread-safe.
#ifndef REFEREE_SDK_SRC_DISPATCHER_H_
#define REFEREE_SDK_SRC_DISPATCHER_H_

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "referee/base/mutex.h"
#include "sdk/cpp/src/batch.h"
#include "sdk/cpp/src/player.h"

namespace referee::sdk {

class Dispatcher {
 public:
  // Receives the replies. Thread-safe.
  class ReplySink {
   public:
    virtual ~ReplySink() = default;
    // Queues an item for the stream with this number, if the stream is still open. The next write
    // sends it; Send or SendSoon starts a write. May move from the item.
    virtual void Say(uint64_t stream, v1::BotItem* item) = 0;
    // Starts to write the queued items of the stream.
    virtual void Send(uint64_t stream) = 0;
    // Makes another thread call Send within about a millisecond. Cheap for the caller.
    virtual void SendSoon(uint64_t stream) = 0;
  };
  using Now = std::function<std::chrono::steady_clock::time_point()>;

  // Which threads call the bot.
  enum class Players {
    kWorkers,  // all threads in Work, in parallel
    // The thread in Deliver, before Deliver returns, as long as the bot is quick. One thread in
    // Work handles the rest. Only one of the two calls the bot at a time.
    kDeliverer,
  };

  // `bot` and `mouth`, the receiver of the replies, must outlive the dispatcher.
  Dispatcher(Bot* bot, Logger log, ReplySink* mouth, Players players = Players::kWorkers,
             Now now = &std::chrono::steady_clock::now);

  // Ends the matches that were not announced on the stream with this number. They ended while the
  // connection was lost, so the referee does not announce them again.
  void ForgetAllBut(uint64_t stream);

  // Queues the items that concern a match. Drops items of unknown matches.
  void Deliver(const std::shared_ptr<const Batch>& batch);

  // Calls the bot on the calling thread, until Close.
  void Work();
  // The number of matches that ended with wrong dice.
  int dice_mismatches() const;
  // Makes Work return once every delivered item is handled. The bot is asked for no more moves.
  void Close();

 private:
  // A match and its unhandled items.
  struct Table {
    Table(const std::string& id, Bot* bot, const Logger& log, Nonces* nonces)
        : match_id(id), player(bot, log, nonces) {}
    const std::string match_id;
    Player player;               // used only by the thread that has taken the table
    std::deque<Delivery> inbox;  // guarded by mutex_, as are the next two
    uint64_t stream = 0;         // the stream that announced the match last
    bool scheduled = false;      // in ready_, or taken by a thread
  };

  // Handles one item. Returns whether it queued a reply.
  bool Play(Table* table, const Delivery& delivery, v1::BotItem* reply);
  // Handles the ready items on the calling thread, then releases the turn to call the bot.
  void PlayAtOnce();

  void Put(const std::string& match_id, Delivery delivery) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Waits for a ready table. Returns null after Close, once no table is ready. `again`: the caller
  // has just handled another table.
  std::shared_ptr<Table> NextTable(bool again, Delivery* delivery);
  // Returns a ready table. Returns null, and releases the turn to call the bot, if none is ready or
  // `leaves` is set.
  std::shared_ptr<Table> NextAtOnce(bool leaves, Delivery* delivery);
  std::shared_ptr<Table> TakeReady(Delivery* delivery) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Returns whether more tables are ready than workers are idle.
  bool PutBack(const std::shared_ptr<Table>& table);
  bool MayAsk(const Table& table, const Delivery& delivery);

  Bot* const bot_;
  const Logger log_;
  ReplySink* const mouth_;
  const Players players_;
  const Now now_;
  Nonces nonces_;

  mutable Mutex mutex_;
  CondVar work_;
  int dice_mismatches_ ABSL_GUARDED_BY(mutex_) = 0;
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  int idle_ ABSL_GUARDED_BY(mutex_) = 0;  // workers that wait
  bool taken_ ABSL_GUARDED_BY(mutex_) =
      false;  // with kDeliverer: a thread has the turn to call the bot
  absl::flat_hash_map<std::string, std::shared_ptr<Table>> tables_ ABSL_GUARDED_BY(mutex_);
  std::deque<std::shared_ptr<Table>> ready_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace referee::sdk

#endif  // REFEREE_SDK_SRC_DISPATCHER_H_
