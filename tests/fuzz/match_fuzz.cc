// Any events in any order, at any times. A byte chooses the game: of the catalogue, as "h2"
// (fuzzed_game.h), or, with "#", the counting game by the bytes that follow; then the time control
// and the policies; then events until the input ends; the referee may die and go on between them. A
// match keeps its promises after each step, ticks alone end it, and what it recorded of a game of
// the catalogue verifies.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "referee/match/match.h"
#include "referee/replay/verifier.h"
#include "tests/fuzz/claim.h"
#include "tests/fuzz/fuzzed_bytes.h"
#include "tests/fuzz/fuzzed_game.h"
#include "tests/support/counting_game.h"

namespace referee::fuzz {
namespace {

using match::Match;

constexpr int kMaxEvents = 1000;
constexpr int kMaxStrikes = 4;
// That a silent seat is given up after: when its request is taken as offered, at the handover
// deadline, when the time is up, and when the referee's own stall is over, too.
constexpr int kTicksOfSilence = 4;
const absl::Time kCreated = absl::FromUnixSeconds(1'795'228'800);

std::shared_ptr<const games::Game> TakeCountingGame(FuzzedBytes* bytes) {
  testing::CountingRules rules;
  rules.seats = 2 + bytes->Below(5);
  rules.target = 1 + bytes->Below(40);
  rules.limits.clear();
  const int limits = 1 + bytes->Below(4);
  for (int i = 0; i < limits; ++i) rules.limits.push_back(bytes->Below(6));
  const uint8_t flags = bytes->Byte();
  rules.first_player = (flags & 1) != 0;
  rules.setup_rolls = (flags & 2) != 0;
  rules.dice = (flags & 4) != 0;
  return testing::NewCountingGame(rules);
}

match::TimeControl TakeTimeControl(FuzzedBytes* bytes) {
  match::TimeControl time_control;
  const uint8_t flags = bytes->Byte();
  if ((flags & 8) != 0) time_control.first_move = absl::Milliseconds(bytes->Below(2000));
  if ((flags & 16) != 0) time_control.match = absl::Milliseconds(1 + 20 * bytes->Byte());
  if ((flags & 32) != 0) {
    time_control.stall_per_move = absl::Milliseconds(bytes->Byte());
    time_control.stall_per_match = time_control.stall_per_move * (1 + bytes->Below(4));
  }
  if ((flags & 1) == 0) return time_control;
  time_control.bank = absl::Milliseconds(1 + 8 * bytes->Byte());
  if ((flags & 2) != 0) time_control.per_move = absl::InfiniteDuration();
  if ((flags & 4) != 0) time_control.increment = absl::Milliseconds(bytes->Below(50));
  return time_control;
}

match::FaultPolicy TakeFaultPolicy(FuzzedBytes* bytes, bool may_retry) {
  match::FaultPolicy policy;
  const int choice = bytes->Below(may_retry ? 8 : 6);
  if (choice < 2) return policy;
  policy.action = match::FaultPolicy::Action::kSubstitute;
  policy.max_strikes = 1 + bytes->Below(kMaxStrikes);
  if (choice > 3) policy.substitute = match::FaultPolicy::Substitute::kRandom;
  if (choice > 5) policy.action = match::FaultPolicy::Action::kRetry;
  policy.max_tries = 2 + bytes->Below(3);
  return policy;
}

match::Policies TakePolicies(FuzzedBytes* bytes) {
  match::Policies policies;
  policies.on_timeout = TakeFaultPolicy(bytes, /*may_retry=*/false);
  policies.on_illegal = TakeFaultPolicy(bytes, /*may_retry=*/true);
  const uint8_t flags = bytes->Byte();
  if ((flags & 1) != 0) policies.link_grace = absl::Milliseconds(8 * bytes->Byte());
  if ((flags & 2) == 0) return policies;
  policies.lag.per_move = absl::Milliseconds(1 + bytes->Below(40));
  policies.lag.per_match = policies.lag.per_move * (1 + bytes->Below(20));
  return policies;
}

// Runs one match and holds it to its promises.
class Referee {
 public:
  Referee(const match::Setup& setup, const dice::Seed& seed) : seed_(seed) {
    match_.emplace(setup, seed);
  }

  void Run(FuzzedBytes* bytes) {
    for (int i = 0; i < kMaxEvents && !bytes->empty(); ++i) {
      now_ = now_ + absl::Milliseconds(Delay(bytes->Byte()));
      const Instant happened = now_ + -absl::Milliseconds(bytes->Below(4) == 3 ? 40 : 0);
      const int chance = bytes->Below(256);
      stall_ = absl::Milliseconds(chance < 32 ? 30 * chance : 0);
      if (chance == 255) Restart();
      Step(TakeEvent(bytes), happened);
    }
    if (match_->stage() == Match::Stage::kNew) Step(match::Begin{}, now_);
    for (int ticks = 0; match_->stage() != Match::Stage::kOver; ++ticks) {
      Claim(ticks < kTicksOfSilence * match_->seats() * (1 + kMaxStrikes) + 4,
            "no tick at a deadline is in vain");
      now_ = std::max(now_, match_->next_deadline());
      Step(match::Tick{}, now_);
    }
  }

  const match::Setup& setup() const { return match_->setup(); }
  const std::vector<match::Record>& records() const { return records_; }

 private:
  // In milliseconds: mostly a few, at times more than a limit.
  static int Delay(uint8_t byte) { return byte < 240 ? byte / 8 : (byte - 239) * 800; }

  // Mostly the seat and turn that are due, so that matches get somewhere.
  Seat TakeSeat(FuzzedBytes* bytes) {
    const int choice = bytes->Below(32);
    return choice < 24 ? match_->seat_to_move() : Seat(choice - 24 - 1);
  }
  uint32_t TakeTurn(FuzzedBytes* bytes) {
    const uint8_t choice = bytes->Byte();
    return choice < 240 ? match_->turn() : match_->turn() + choice - 248;
  }

  // A move that is legal now, or of this game but of another time.
  games::Move TakeMove(FuzzedBytes* bytes) {
    const uint8_t choice = bytes->Byte();
    const auto legal = match_->legal_moves();
    if (choice == 255 || legal.empty()) return before_;
    if (choice == 254) return games::Move::Pass();
    return before_ = legal[choice % legal.size()];
  }

  match::Event TakeEvent(FuzzedBytes* bytes) {
    const int kind = bytes->Below(32);
    const Seat seat = TakeSeat(bytes);
    switch (kind) {
      case 0:
        return match::Begin{};
      case 1:
        return match::Resigned{seat};
      case 2:
        return match::RepliedUnreadably{seat, TakeTurn(bytes), absl::InvalidArgumentError("what?"),
                                        Instant::InfiniteFuture(), match_->request()};
      case 3:
        return match::Stopped{
            bytes->Below(2) == 0 ? match::Ending::kCancelled : match::Ending::kVoid, "stopped"};
      case 4:
        return match::LinkLost{seat};
      case 5:
        return match::LinkBack{seat};
      case 6:
        return match::Tick{};
      case 7:
        return match::Replied{seat, TakeTurn(bytes), TakeMove(bytes), Instant::InfiniteFuture(),
                              match_->request() + static_cast<uint32_t>(bytes->Below(3)) - 1};
      default:
        break;
    }
    if (match_->stage() != Match::Stage::kPlaying && kind < 24) {
      const Seat readier(bytes->Below(match_->seats()));
      // Two bytes make enough nonces, few enough that one is told and then revealed.
      const std::string nonce(bytes->Take(bytes->Below(2)));
      if (kind % 4 == 0) return match::NonceReceived{readier, nonce};
      if (kind == 9) return match::ReadyReceived{readier, {}};
      return match::ReadyReceived{readier, dice::HashNonce(nonce)};
    }
    if (kind < 14) {
      const uint32_t turn = TakeTurn(bytes);
      if (kind == 13) return match::RequestOffered{seat, turn, match_->request()};
      return match::RequestSent{seat, turn, absl::Milliseconds(bytes->Below(30)),
                                match_->request()};
    }
    return match::Replied{seat, TakeTurn(bytes), TakeMove(bytes), Instant::InfiniteFuture(),
                          match_->request()};
  }

  // The referee dies, having written all, and goes on from its records.
  void Restart() {
    const bool over = match_->stage() == Match::Stage::kOver;
    if (over || match_->stage() == Match::Stage::kNew) return;
    const match::Setup setup = match_->setup();
    match_.emplace(setup, seed_);
    const absl::Status rebuilt = match_->Rebuild(records_);
    Claim(rebuilt.ok(), "a match is rebuilt from its records", rebuilt.message());
    Step(match::Resume{absl::Milliseconds(500)}, now_);
  }

  void Step(const match::Event& event, Instant happened) {
    for (const match::Effect& effect :
         match_->Step(event, happened, {now_, kCreated + (now_ - Instant()), {stall_, stall_}})) {
      if (const auto* record = std::get_if<match::Record>(&effect)) Take(*record);
    }
    match_->Handing(now_);
    CheckMatch();
  }

  void Take(const match::Record& record) {
    Claim(!ended_, "nothing is recorded after the end");
    if (const auto* started = std::get_if<match::Started>(&record)) {
      Claim(!started_, "a start comes once");
      started_ = true;
      CheckNonces(*started);
    }
    if (const auto* played = std::get_if<match::Played>(&record)) {
      Claim(played->number == ++turns_, "turns are numbered one by one");
      Claim(played->used >= absl::ZeroDuration(), "no turn gives time back");
      if (played->timing) {
        Claim(played->timing->stalled <= setup().time_control.stall_per_move,
              "no more is given back than of a move");
      }
    }
    if (const auto* forfeited = std::get_if<match::Forfeited>(&record)) {
      Claim(forfeited->number == turns_ + 1, "a forfeit names the turn that is due");
      Claim(!forfeited->detail.empty(), "a forfeit says why");
    }
    if (const auto* no_contest = std::get_if<match::NoContest>(&record)) {
      Claim(no_contest->stall > setup().time_control.stall_per_move,
            "no contest comes of a stall that may be given back");
    }
    ended_ = std::holds_alternative<match::Ended>(record);
    records_.push_back(record);
  }

  void CheckNonces(const match::Started& started) {
    Claim(started.nonces.size() == started.nonce_hashes.size(), "each nonce has its hash");
    for (size_t seat = 0; seat < started.nonces.size(); ++seat) {
      const std::string& nonce = started.nonces[seat];
      const auto& hash = started.nonce_hashes[seat];
      Claim(nonce.empty() || hash == dice::HashNonce(nonce), "a nonce fits the hash that was told");
    }
  }

  void CheckMatch() {
    const bool playing = match_->stage() == Match::Stage::kPlaying;
    const bool waits = playing || match_->stage() == Match::Stage::kReadying ||
                       match_->stage() == Match::Stage::kRevealing;
    Claim(waits == (match_->next_deadline() < Instant::InfiniteFuture()),
          "a match that waits has a deadline");
    Claim(playing == match_->seat_to_move().valid(), "a match that is played has a seat");
    Claim(ended_ == (match_->stage() == Match::Stage::kOver), "the end is recorded");
    Claim(ended_ == match_->ended().has_value(), "the end is known");
    for (int seat = 0; seat < match_->seats(); ++seat) {
      Claim(match_->bank_left(Seat(seat)) >= absl::ZeroDuration(), "no bank is in debt");
    }
    if (!playing) return;
    Claim(match_->turn() == turns_ + 1, "the turn that is due follows the last");
    Claim(!match_->state().forfeited(match_->seat_to_move()), "who forfeited is not asked");
    match_->state().LegalMoves(&legal_);
    if (match_->legal_moves().empty()) return;  // nobody is asked until the bots are back
    Claim(match_->legal_moves() == absl::MakeConstSpan(legal_), "legal moves are up to date");
    Claim(!legal_[0].is_pass(), "who can only pass is not asked");
  }

  const dice::Seed seed_;
  absl::optional<Match> match_;
  absl::Duration stall_;
  Instant now_ = Instant::FromNanos(1'000'000'000);
  std::vector<match::Record> records_;
  std::vector<games::Move> legal_;
  games::Move before_;
  uint32_t turns_ = 0;
  bool started_ = false;
  bool ended_ = false;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  FuzzedBytes bytes(data, size);
  const bool counting = size > 0 && data[0] == '#';
  match::Setup setup;
  if (counting) {
    bytes.Byte();
    setup.game = TakeCountingGame(&bytes);
  } else {
    const games::Entry entry = TakeEntry(&bytes);
    setup.game = entry.type->Create(TakeSeats(entry, &bytes), {}).value();
  }
  setup.time_control = TakeTimeControl(&bytes);
  setup.policies = TakePolicies(&bytes);
  const uint8_t number = bytes.Byte();
  const dice::Seed seed = dice::PinnedSeed(number);
  if (number % 2 == 0) setup.dice_source.pinned_number = number;
  setup.create_time = kCreated;
  const uint8_t random[10] = {};
  setup.id = MatchId::Make(kCreated, random);
  for (int i = 0; i < setup.game->seats(); ++i) setup.bots.push_back("bot" + std::to_string(i));
  setup.commitment = dice::Commit(seed);
  setup.referee = "refereed fuzz";

  Referee referee(setup, seed);
  referee.Run(&bytes);
  if (counting) return 0;
  const auto verification = replay::VerifyMatch({referee.setup(), referee.records()});
  Claim(verification.ok, "what was recorded verifies", verification.problem);
  return 0;
}

}  // namespace referee::fuzz
