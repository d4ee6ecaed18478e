#include "tests/unit/replay/sample.h"

#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "referee/games/catalogue.h"

namespace referee::replay {
namespace {

using match::Match;

const absl::Time kCreated = absl::FromUnixMillis(1'795'228'800'123);  // 2026-11-21 in UTC

// Plays both the bots and their environment.
class World {
 public:
  explicit World(const SampleOptions& options) : options_(options), random_(options.seed) {
    match_.emplace(SampleSetup(options), SampleSeed(options));
  }

  std::vector<match::Record> Play() {
    Step(match::Begin{});
    for (const int seat : options_.resign_before) Step(match::Resigned{Seat(seat)});
    for (int i = 0; i < match_->seats(); ++i) {
      if (Resigns(i)) continue;
      Step(match::ReadyReceived{Seat(i), dice::HashNonce(absl::StrCat(options_.nonce, i))});
    }
    for (int i = 0; match_->AsksNonces() && i < match_->seats(); ++i) {
      Step(match::NonceReceived{Seat(i), absl::StrCat(options_.nonce, i)});
    }
    while (match_->stage() == Match::Stage::kPlaying) PlayTurn();
    return std::move(records_);
  }

 private:
  bool Resigns(int seat) const {
    const std::vector<int>& all = options_.resign_before;
    return std::find(all.begin(), all.end(), seat) != all.end();
  }

  void PlayTurn() {
    const uint32_t turn = match_->turn();
    const Seat seat = match_->seat_to_move();
    if (Happens("restart", turn, 0, options_.restarts)) Restart();
    Step(match::RequestSent{seat, turn, options_.round_trip, match_->request()});
    if (Happens("link", turn, 0, options_.link_losses)) {
      now_ = now_ + absl::Milliseconds(1);
      Step(match::LinkLost{seat});
      now_ = now_ + absl::Milliseconds(5);
      Step(match::LinkBack{seat});
    }
    now_ = now_ + absl::Nanoseconds(1'000'003 + Random(2'000'000));
    if (turn == options_.cancel_at) {
      return Step(match::Stopped{match::Ending::kCancelled, "enough"});
    }
    if (Happens("resign", turn, options_.resign_at, {})) {
      return Step(match::Resigned{Seat((seat.index() + 1) % match_->seats())});
    }
    if (Happens("time out", turn, options_.time_out_at, options_.time_outs)) {
      now_ = now_ + match_->move_limit();
      return Step(match::Tick{});
    }
    if (Happens("illegal", turn, options_.illegal_at, options_.illegals, options_.illegal_times)) {
      return Reply({seat, turn, games::Move::Pass()});
    }
    if (turn == options_.stall_at) {
      now_ = match_->time_out() + absl::Milliseconds(1);
      stall_ = absl::Milliseconds(3);
    }
    Reply({seat, turn, Choose(turn)});
  }

  // Whether this fault happens in this turn, once more.
  bool Happens(const std::string& what, uint32_t turn, uint32_t at,
               const std::vector<uint32_t>& also, int times = 1) {
    if (turn != at && std::find(also.begin(), also.end(), turn) == also.end()) return false;
    return ++happened_[{what, turn}] <= times;
  }

  void Restart() {
    match_.emplace(SampleSetup(options_), SampleSeed(options_));
    const absl::Status rebuilt = match_->Rebuild(records_);
    EXPECT_TRUE(rebuilt.ok()) << rebuilt;
    now_ = now_ + absl::Seconds(1);
    Step(match::Resume{absl::Seconds(60)});
    for (int i = 0; i < match_->seats(); ++i) Step(match::LinkBack{Seat(i)});
  }

  // The reply is read now, and handled a little later.
  void Reply(match::Replied reply) {
    reply.written = now_ + -absl::Microseconds(500);
    reply.request = match_->request();
    Step(reply, absl::Microseconds(5));
  }

  games::Move Choose(uint32_t turn) {
    if (turn <= options_.moves.size()) {
      return match_->setup().game->ParseMove(options_.moves[turn - 1]).value();
    }
    return match_->legal_moves()[Random(match_->legal_moves().size())];
  }

  void Step(const match::Event& event, absl::Duration delay = {}) {
    absl::optional<match::Event> next;  // the answer of the block
    for (const match::Effect& effect : match_->Step(
             event, now_, {now_ + delay, kCreated + (now_ - Instant()), {stall_, stall_}})) {
      if (const auto* record = std::get_if<match::Record>(&effect)) {
        records_.push_back(*record);
      } else if (const auto* roll = std::get_if<match::AwaitRoll>(&effect)) {
        next = AnswerRoll(roll->index);
      } else if (std::holds_alternative<match::AwaitNonces>(effect)) {
        const auto n = static_cast<size_t>(match_->seats());
        next = match::NoncesSettled{std::vector<std::string>(n, "of rotation 0"),
                                    {n, dice::HashNonce("of rotation 0")}};
      } else if (std::holds_alternative<match::AwaitBlock>(effect)) {
        next = match::BlockOver();
      }
    }
    if (next) Step(*next);
  }

  // Answers when the block lets the roll happen, or ends.
  match::Event AnswerRoll(int64_t index) {
    const uint32_t turn = match_->turn();
    if (options_.void_at != 0 && turn == options_.void_at) {
      return match::Stopped{options_.block_ending, "another match of its block is void"};
    }
    if (options_.resign_unasked_after != 0 && turn == options_.resign_unasked_after) {
      const int place = static_cast<int>(index) + match_->state().first_seat().index();
      Step(match::Resigned{Seat(place % match_->seats())});
    }
    return match::RollReleased{index};
  }

  uint64_t Random(uint64_t below) {
    random_ = random_ * 6364136223846793005u + 1442695040888963407u;
    return (random_ >> 33) % below;
  }

  const SampleOptions options_;
  absl::optional<Match> match_;
  uint64_t random_;
  Instant now_;
  absl::Duration stall_;
  std::map<std::pair<std::string, uint32_t>, int> happened_;
  std::vector<match::Record> records_;
};

}  // namespace

SampleOptions EventfulSample() {
  SampleOptions options;
  options.seed = 11;
  options.time_control = match::TimeControl();
  options.time_control.first_move = absl::Seconds(2);
  match::Policies& policies = options.policies;
  policies.on_timeout.action = match::FaultPolicy::Action::kSubstitute;
  policies.on_timeout.substitute = match::FaultPolicy::Substitute::kRandom;
  policies.on_timeout.max_strikes = 2;
  policies.on_illegal.action = match::FaultPolicy::Action::kRetry;
  policies.link_grace = absl::Milliseconds(12);
  policies.lag = {absl::Microseconds(300), absl::Microseconds(1000)};
  options.round_trip = absl::Microseconds(250);
  options.time_outs = {5, 7};
  options.illegals = {8, 10};
  options.illegal_times = 2;
  options.link_losses = {6, 11, 12};
  options.restarts = {9};
  return options;
}

SampleOptions TimedOutSample() {
  SampleOptions options;
  options.seats = 3;
  options.time_control = match::TimeControl();
  options.time_control.match = absl::Milliseconds(40);
  return options;
}

SampleOptions StalledSample() {
  SampleOptions options;
  options.stall_at = 6;
  options.time_control.stall_per_move = absl::Microseconds(500);
  options.time_control.stall_per_match = absl::Milliseconds(2);
  return options;
}

dice::Seed SampleSeed(const SampleOptions& options) { return dice::PinnedSeed(options.seed); }

match::Setup SampleSetup(const SampleOptions& options) {
  match::Setup setup;
  uint8_t random[10] = {};
  for (size_t i = 0; i < 8; ++i) random[i] = static_cast<uint8_t>(options.seed >> (8 * i));
  setup.id = MatchId::Make(kCreated, random);
  setup.create_time = kCreated;
  setup.game =
      games::Find(options.game).value().type->Create(options.seats, options.options).value();
  for (int i = 0; i < options.seats; ++i) setup.bots.push_back(absl::StrCat("bot ", i));
  setup.time_control = options.time_control;
  setup.policies = options.policies;
  if (!options.committed) setup.dice_source.pinned_number = options.seed;
  setup.commitment = dice::Commit(SampleSeed(options));
  setup.referee = "refereed test";
  if (options.rotation >= 0) {
    setup.block = match::BlockPlace{BlockId::Make(kCreated, random), options.rotation};
  }
  return setup;
}

Replay PlaySample(const SampleOptions& options) {
  Replay replay;
  replay.setup = SampleSetup(options);
  replay.records = World(options).Play();
  return replay;
}

Replay SampleAs(const MatchId& id) {
  static const auto* const sample = new Replay(PlaySample({}));
  Replay replay = *sample;
  replay.setup.id = id;
  return replay;
}

Signer SampleSigner(uint8_t number) {
  std::array<uint8_t, 32> seed;
  seed.fill(number);
  return Signer::FromSeed(seed);
}

FullDisk::FullDisk(uint64_t bytes) {
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit;
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0) std::abort();
  before_ = limit.rlim_cur;
  limit.rlim_cur = bytes;
  if (setrlimit(RLIMIT_FSIZE, &limit) != 0) std::abort();
}

FullDisk::~FullDisk() {
  rlimit limit;
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0) std::abort();
  limit.rlim_cur = before_;
  if (setrlimit(RLIMIT_FSIZE, &limit) != 0) std::abort();
}

}  // namespace referee::replay
