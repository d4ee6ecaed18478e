// A referee with everything else taken away: the rules, the messages of the protocol and a lock for
// two bots are left. It keeps no log and writes no replay, wakes nobody when time is up, trusts its
// bots, and knows no other calls. What it takes more than the relay is what refereeing takes at the
// least; what the referee takes more than this is what its promises cost.

#include <google/protobuf/arena.h>
#include <grpcpp/server_builder.h>
#include <grpcpp/server_context.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/server_callback.h>
#include <grpcpp/support/slice.h>

#include <array>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "proto/referee/v1/bot_service.grpc.pb.h"
#include "referee/base/clock.h"
#include "referee/base/mutex.h"
#include "referee/dice/dice.h"
#include "referee/games/catalogue.h"
#include "referee/match/match.h"
#include "referee/service/convert/convert.h"
#include "tests/bench/bench_referee_games.h"
#include "tests/bench/bench_referee_server.h"

namespace referee::bench {
namespace {

using Reactor = grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>;
using grpc::ByteBuffer;
using match::Match;

class Pair;

// The stream of one of two bots. It reads while its bot owes an answer, as the referee does: see
// BotSession, "Parking".
class BotStream final : public Reactor, public std::enable_shared_from_this<BotStream> {
 public:
  // `find` returns the pair that a bot of this token is in.
  using Find = std::function<std::shared_ptr<Pair>(const std::string& token, int* place)>;
  // `own_times` gets the time from the reading of a reply to the writing of the request that it led
  // to.
  BotStream(const Find* find, const Clock* clock, Histogram* own_times)
      : find_(*find), clock_(*clock), own_times_(*own_times), request_(ArenaIn(&few_bytes_)) {}

  void Open() {
    self_ = shared_from_this();
    StartRead(&read_);
  }
  // Writes what Pair::TakeDue has put in hand.
  void Say();

  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override;
  void OnCancel() override { End(); }
  void OnDone() override;

 private:
  friend class Pair;

  static google::protobuf::ArenaOptions ArenaIn(std::array<char, 1024>* block) {
    google::protobuf::ArenaOptions options;
    options.initial_block = block->data();
    options.initial_block_size = block->size();
    return options;
  }
  void End();

  const Find& find_;
  const Clock& clock_;
  Histogram& own_times_;
  std::shared_ptr<BotStream> self_;  // until the call is done
  std::shared_ptr<Pair> pair_;       // once the bot has said Hello
  int place_ = 0;                    // in the pair
  ByteBuffer read_;
  ByteBuffer written_;
  std::vector<Instant> replied_;  // when the replies came that led to the requests in written_
  std::array<char, 1024> few_bytes_;
  google::protobuf::Arena request_;

  // Guarded by the pair's lock.
  v1::PlayResponse filling_;
  std::vector<Instant> filling_replied_;  // likewise, in filling_
  bool due_ = false;
  int owed_ = 0;  // answers
  bool writing_ = false;
  bool reading_ = true;

  Mutex mutex_;
  bool saying_ ABSL_GUARDED_BY(mutex_) = false;  // in Say
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
};

// Two bots and their matches.
class Pair {
 public:
  Pair(const Clock* clock, int matches) : clock_(*clock), count_(matches) {}

  // The bot has come. When both are there their matches begin.
  void Join(const std::shared_ptr<BotStream>& stream) {
    MutexLock lock(&mutex_);
    streams_[static_cast<size_t>(stream->place_)] = stream;
    if (streams_[0] == nullptr || streams_[1] == nullptr) return;
    for (int i = 0; i < count_; ++i) NewMatch();
  }
  void Part(int place) {
    MutexLock lock(&mutex_);
    streams_[static_cast<size_t>(place)] = nullptr;
  }
  // What a stream read at `now`. Returns whether it is to read on at once.
  bool Take(const v1::PlayRequest& request, Instant now, BotStream* from) {
    MutexLock lock(&mutex_);
    if (streams_[0] == nullptr || streams_[1] == nullptr) return false;
    for (const v1::BotItem& item : request.items()) {
      if (item.has_ready()) {
        Step(item.ready().match_id(), match::ReadyReceived{Seat(from->place_), {}}, now);
      } else if (item.has_move()) {
        TakeMove(item.move(), Seat(from->place_), now);
      } else {
        continue;
      }
      --from->owed_;
    }
    from->reading_ = from->owed_ > 0;
    return from->reading_;
  }
  // The streams that have something to write.
  std::vector<std::shared_ptr<BotStream>> TakeDue() {
    MutexLock lock(&mutex_);
    std::vector<std::shared_ptr<BotStream>> due;
    for (const std::shared_ptr<BotStream>& stream : streams_) {
      if (stream == nullptr || !stream->due_ || stream->writing_) continue;
      stream->writing_ = true;
      stream->due_ = false;
      grpc::Slice bytes(stream->filling_.ByteSizeLong());
      stream->filling_.SerializeWithCachedSizesToArray(const_cast<uint8_t*>(bytes.begin()));
      stream->written_ = ByteBuffer(&bytes, 1);
      stream->filling_.Clear();
      stream->replied_.swap(stream->filling_replied_);
      stream->filling_replied_.clear();
      due.push_back(stream);
    }
    return due;
  }
  void Written(BotStream* stream) {
    MutexLock lock(&mutex_);
    stream->writing_ = false;
  }
  // Whether a stream that did not read is to, now that it has written.
  bool ReadsNow(BotStream* stream) {
    MutexLock lock(&mutex_);
    return !std::exchange(stream->reading_, true);
  }

 private:
  void NewMatch() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    const dice::Seed seed = dice::PinnedSeed(made_ % kPreparedGames);
    match::Setup setup;
    uint8_t random[10] = {};
    ++made_;
    std::memcpy(random, &made_, sizeof(made_));
    setup.create_time = clock_.WallNow();
    setup.id = MatchId::Make(setup.create_time, random);
    setup.game = game_;
    setup.bots = {"a", "b"};
    setup.time_control.per_move = absl::Seconds(60);
    setup.dice_source.pinned_number = (made_ - 1) % kPreparedGames;
    setup.commitment = dice::Commit(seed);
    const std::string id = setup.id.text();
    matches_.emplace(id, std::make_unique<Match>(std::move(setup), seed));
    Step(id, match::Begin{}, clock_.Now());
  }
  void TakeMove(const v1::MoveReply& reply, Seat seat, Instant now)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    const absl::StatusOr<games::Move> move =
        games::WireOf(*game_).MoveFromWire(*game_, reply.move());
    if (!move.ok()) return;
    match::Replied replied;
    replied.seat = seat;
    replied.turn = reply.turn();
    replied.claimed = *move;
    replied.request = reply.request();
    Step(reply.match_id(), replied, now);
  }
  void Step(const std::string& id, const match::Event& event, Instant now)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    const auto found = matches_.find(id);
    if (found == matches_.end()) return;
    Match& match = *found->second;
    const match::Reading reading{now, clock_.WallNow(), {}};
    Seat asked;
    bool over = false;
    for (const match::Effect& effect : match.Step(event, now, reading)) {
      if (const auto* turn = std::get_if<match::AskTurn>(&effect)) {
        asked = turn->seat;
        Ask(match, asked, now);
      } else if (const auto* start = std::get_if<match::TellStart>(&effect)) {
        TellStart(match, start->seat);
      } else if (const auto* record = std::get_if<match::Record>(&effect)) {
        over = Tell(match, *record) || over;
      }
    }
    match.Handing(now);
    if (asked.valid()) {
      if (std::holds_alternative<match::Replied>(event)) {
        streams_[static_cast<size_t>(asked.index())]->filling_replied_.push_back(now);
      }
      match.Step(match::RequestSent{asked, match.turn(), absl::ZeroDuration(), match.request()},
                 now, reading);
    }
    if (!over) return;
    matches_.erase(found);
    NewMatch();
  }
  v1::RefereeItem* ItemFor(Seat seat) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return streams_[static_cast<size_t>(seat.index())]->filling_.add_items();
  }
  void Owes(Seat seat) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    BotStream& stream = *streams_[static_cast<size_t>(seat.index())];
    stream.due_ = true;
    ++stream.owed_;
  }
  void Ask(const Match& match, Seat seat, Instant now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    service::TurnRequestToWire(match, seat, now, service::MoveList::kNone,
                               ItemFor(seat)->mutable_turn_request());
    Owes(seat);
  }
  void TellStart(const Match& match, Seat seat) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    v1::MatchStart* const start = ItemFor(seat)->mutable_match_start();
    service::MatchToWire(match, start->mutable_match());
    start->set_seat(seat.index());
    Owes(seat);
  }
  // Returns whether the match is over. News waits for what goes out next.
  bool Tell(const Match& match, const match::Record& record) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    const auto* const played = std::get_if<match::Played>(&record);
    const bool over = std::holds_alternative<match::Ended>(record);
    for (const Seat seat : {Seat(0), Seat(1)}) {
      if (played != nullptr) service::ToWire(match, *played, ItemFor(seat)->mutable_turn_played());
      if (over) ItemFor(seat)->mutable_match_end()->set_match_id(match.setup().id.text());
    }
    return over;
  }

  const Clock& clock_;
  const int count_;
  const std::shared_ptr<const games::Game> game_ = TheGame();
  Mutex mutex_;
  std::array<std::shared_ptr<BotStream>, 2> streams_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<std::string, std::unique_ptr<Match>> matches_ ABSL_GUARDED_BY(mutex_);
  uint64_t made_ ABSL_GUARDED_BY(mutex_) = 0;
};

void SayAll(const std::vector<std::shared_ptr<BotStream>>& streams) {
  for (const std::shared_ptr<BotStream>& stream : streams) stream->Say();
}

void BotStream::Say() {
  {
    MutexLock lock(&mutex_);
    if (ended_) return;
    saying_ = true;
  }
  const Instant now = clock_.Now();
  for (const Instant replied : replied_) own_times_.Add(absl::ToInt64Nanoseconds(now - replied));
  StartWrite(&written_);
  // Not before: what a read grants the bot goes out with the write.
  if (pair_->ReadsNow(this)) StartRead(&read_);
  bool finish;
  {
    MutexLock lock(&mutex_);
    saying_ = false;
    finish = ended_;
  }
  if (finish) Finish(grpc::Status::OK);
}

void BotStream::OnReadDone(bool ok) {
  const Instant now = clock_.Now();
  grpc::Slice bytes;
  if (!ok || (!read_.TrySingleSlice(&bytes).ok() && !read_.DumpToSingleSlice(&bytes).ok())) {
    return End();
  }
  request_.Reset();
  auto& request = *google::protobuf::Arena::CreateMessage<v1::PlayRequest>(&request_);
  if (!request.ParseFromArray(bytes.begin(), static_cast<int>(bytes.size()))) return End();
  bool reads_on = false;
  if (pair_ == nullptr) {
    if (request.items_size() == 0) return End();
    pair_ = find_(request.items(0).hello().token(), &place_);
    if (pair_ == nullptr) return End();
    reading_ = false;
    pair_->Join(shared_from_this());
  } else {
    reads_on = pair_->Take(request, now, this);
  }
  const std::vector<std::shared_ptr<BotStream>> due = pair_->TakeDue();
  if (reads_on) StartRead(&read_);
  SayAll(due);
}

void BotStream::OnWriteDone(bool ok) {
  if (!ok) return End();
  pair_->Written(this);
  SayAll(pair_->TakeDue());
}

void BotStream::End() {
  {
    MutexLock lock(&mutex_);
    if (ended_) return;
    ended_ = true;
    if (saying_) return;
  }
  Finish(grpc::Status::OK);
}

void BotStream::OnDone() {
  if (pair_ != nullptr) pair_->Part(place_);
  self_ = nullptr;
}

class Bare final : public GrpcServer,
                   public v1::BotService::WithRawCallbackMethod_Play<v1::BotService::Service> {
 public:
  explicit Bare(const ServerSettings& settings) : GrpcServer(settings.listen) {
    const int matches_each = settings.two_bots ? settings.matches : 1;
    std::shared_ptr<Pair> pair;
    for (int i = 0; i < Players(settings.matches, settings.two_bots); ++i) {
      if (i % 2 == 0) pair = std::make_shared<Pair>(&clock_, matches_each);
      seats_.emplace(TokenOf(i), Place{pair, i % 2});
    }
  }
  ~Bare() override {
    Shutdown();
    Destroy();
  }
  absl::Status Start() override {
    grpc::ServerBuilder builder;
    return Listen(this, &builder);
  }

  Reactor* Play(grpc::CallbackServerContext*) override {
    const auto stream = std::make_shared<BotStream>(&find_, &clock_, &own_times_);
    stream->Open();
    return stream.get();
  }
  Histogram* own_times() override { return &own_times_; }

 private:
  struct Place {
    std::shared_ptr<Pair> pair;
    int place = 0;
  };

  const SystemClock clock_;
  Histogram own_times_;
  absl::flat_hash_map<std::string, Place> seats_;  // by token
  const BotStream::Find find_ = [this](const std::string& token,
                                       int* place) -> std::shared_ptr<Pair> {
    const auto found = seats_.find(token);
    if (found == seats_.end()) return nullptr;
    *place = found->second.place;
    return found->second.pair;
  };
};

}  // namespace

absl::StatusOr<std::unique_ptr<Server>> StartBare(const ServerSettings& settings) {
  auto server = std::make_unique<Bare>(settings);
  if (absl::Status started = server->Start(); !started.ok()) return started;
  return std::unique_ptr<Server>(std::move(server));
}

}  // namespace referee::bench
