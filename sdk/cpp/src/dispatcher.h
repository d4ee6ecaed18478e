// Distributes the referee's items to worker threads by match: items of one match one at a time and
// in order, different matches in parallel. Knows no transport. Thread-safe.
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
  // Where the replies go. Thread-safe.
  class ReplySink {
   public:
    virtual ~ReplySink() = default;
    // Queues an item for the stream with that number, if it is still open; it goes out with the
    // next write, which Send or SendSoon starts. May move from the item.
    virtual void Say(uint64_t stream, v1::BotItem* item) = 0;
    // Starts to write what was said on that stream.
    virtual void Send(uint64_t stream) = 0;
    // Has another thread do so within a millisecond or so; costs the caller little.
    virtual void SendSoon(uint64_t stream) = 0;
  };
  using Now = std::function<std::chrono::steady_clock::time_point()>;

  // Who plays what is delivered.
  enum class Players {
    kWorkers,  // all threads that Work, beside each other
    // Whoever delivers, before Deliver returns, as long as the bot is quick; one thread that Works
    // plays the rest. One of them at a time.
    kDeliverer,
  };

  // `bot` and `mouth`, which takes the replies, must outlive the dispatcher.
  Dispatcher(Bot* bot, Logger log, ReplySink* mouth, Players players = Players::kWorkers,
             Now now = &std::chrono::steady_clock::now);

  // Ends the matches that were not told on the stream with that number: they ended while the link
  // was lost, and so are not told of again.
  void ForgetAllBut(uint64_t stream);

  // Takes the items that are about a match; those of unknown matches are dropped.
  void Deliver(const std::shared_ptr<const Batch>& batch);

  // Plays until Close, on the calling thread.
  void Work();
  // How many matches ended with dice that did not fit what was told of them.
  int dice_mismatches() const;
  // Makes Work return once every delivered item was handled; the bot is asked for no more moves.
  void Close();

 private:
  // A match, with its items that were not handled yet.
  struct Table {
    Table(const std::string& id, Bot* bot, const Logger& log, Nonces* nonces)
        : match_id(id), player(bot, log, nonces) {}
    const std::string match_id;
    Player player;               // belongs to the worker that has the table
    std::deque<Delivery> inbox;  // guarded by mutex_, as are the others
    uint64_t stream = 0;         // on which it was told last
    bool scheduled = false;      // in ready_, or with a worker
  };

  // Returns whether something was said.
  bool Play(Table* table, const Delivery& delivery, v1::BotItem* reply);
  // Plays what there is, and gives the floor back.
  void PlayAtOnce();

  void Put(const std::string& match_id, Delivery delivery) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Returns null when there is nothing left to do, ever. `again`: the caller has played another.
  std::shared_ptr<Table> NextTable(bool again, Delivery* delivery);
  // Returns null, and gives the floor back, when there is nothing, or it is to be left to others.
  std::shared_ptr<Table> NextAtOnce(bool leaves, Delivery* delivery);
  std::shared_ptr<Table> TakeReady(Delivery* delivery) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Returns whether more tables wait than there are workers free to take them.
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
  int idle_ ABSL_GUARDED_BY(mutex_) = 0;        // workers that wait
  bool taken_ ABSL_GUARDED_BY(mutex_) = false;  // the floor, with kDeliverer
  absl::flat_hash_map<std::string, std::shared_ptr<Table>> tables_ ABSL_GUARDED_BY(mutex_);
  std::deque<std::shared_ptr<Table>> ready_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace referee::sdk

#endif  // REFEREE_SDK_SRC_DISPATCHER_H_
