// A witness with one match of two bots, and the events that it sees.
#ifndef REFEREE_TESTS_SIMULATION_WITNESS_FIXTURE_H_
#define REFEREE_TESTS_SIMULATION_WITNESS_FIXTURE_H_

#include <array>
#include <cstdint>

#include "absl/time/time.h"
#include "referee/replay/signer.h"
#include "tests/simulation/chronicle.h"
#include "tests/simulation/event_queue.h"
#include "tests/simulation/signature_checker.h"
#include "tests/simulation/witness.h"

namespace referee::simulation {

inline std::array<uint8_t, 32> SeedOf(uint8_t secret) {
  std::array<uint8_t, 32> seed;
  seed.fill(secret);
  return seed;
}

inline replay::Signer SignerOf(uint8_t secret) { return replay::Signer::FromSeed(SeedOf(secret)); }

struct WitnessFixture {
  EventQueue queue;
  Chronicle chronicle{&queue, nullptr};
  Witness witness{&queue, &chronicle, /*bots=*/2, SignatureChecker(SeedOf(1))};
  match::Setup setup;
  Account* account;

  WitnessFixture() {
    const std::array<uint8_t, 10> random{};
    setup.id = MatchId::Make(queue.WallNow(), random.data());
    setup.time_control.per_move = absl::Milliseconds(100);
    setup.dice_source.pinned_number = 7;
    account = witness.OnCreated(setup.id, /*match=*/0, {0, 1});
    witness.OnLinked(0);
    witness.OnLinked(1);
    witness.OnOpened(setup);
    witness.OnFlushed(setup, match::Started());
  }

  void Pass(absl::Duration time) {
    queue.At(queue.Now() + time, [] {});
    queue.Step(Instant::InfiniteFuture());
  }
  // Seat a plays the turn, as replied now, charged `used` since the clock `started`; `stalled` is
  // given back.
  void Play(uint32_t number, absl::Duration started, absl::Duration used,
            absl::Duration stalled = absl::ZeroDuration()) {
    match::Played played;
    played.number = number;
    played.seat = Seat(0);
    played.move = games::Move(7);
    played.used = used;
    played.bank_left = absl::InfiniteDuration();
    played.timing.emplace();
    played.timing->started = started;
    played.timing->stalled = stalled;
    played.timing->read = played.timing->taken = queue.Now() - account->due_since;
    witness.OnFlushed(setup, played);
  }
  // Seat a plays turn 1, as read so long after it was due, of which `used` is charged.
  void PlayAsRead(absl::Duration read, absl::Duration used,
                  absl::Duration paused = absl::ZeroDuration()) {
    match::Played played;
    played.number = 1;
    played.seat = Seat(0);
    played.move = games::Move(7);
    played.used = used;
    played.bank_left = absl::InfiniteDuration();
    played.timing.emplace();
    played.timing->paused = paused;
    played.timing->read = played.timing->taken = read;
    witness.OnFlushed(setup, played);
  }
  void HandleReply(uint32_t turn, uint32_t request = 0, bool wild = false) {
    const ReplyRead reply{Seat(0), turn, games::Move(7), wild, queue.Now(), queue.Now(), request};
    witness.OnReplyRead(account, reply);
    witness.OnHandling(account, reply);
  }
  // Seat a, which has been asked for turn 1 by request 0, is asked anew: seat b has resigned.
  void ReplaceRequest() {
    witness.OnHandedOver(account, Seat(0), 1, 0, absl::ZeroDuration());
    account->seats[1].resigned = true;
    match::Forfeited forfeited;
    forfeited.seat = Seat(1);
    forfeited.cause = match::Cause::kResigned;
    forfeited.number = 1;
    forfeited.interrupts_turn = true;
    witness.OnFlushed(setup, forfeited);
    witness.OnHandedOver(account, Seat(0), 1, account->request, absl::ZeroDuration());
  }
};

}  // namespace referee::simulation

#endif  // REFEREE_TESTS_SIMULATION_WITNESS_FIXTURE_H_
