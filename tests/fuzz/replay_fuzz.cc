// The replay reader and the verifier. A letter, three bytes that say which byte to change how in
// what verifies, and then:
//   r  a replay file
//   s  records, each after its length: signed here, so that a fuzzer gets past the signature
// Nothing that is read ends the program; what is printed of it is printed; what verifies is a match
// that can be played again, and does not verify with any byte changed, nor as another's.
#include <algorithm>
#include <array>
#include <string>
#include <variant>
#include <vector>

#include "google/protobuf/stubs/logging.h"
#include "referee/replay/cursor.h"
#include "referee/replay/json.h"
#include "referee/replay/replay.h"
#include "referee/replay/signer.h"
#include "referee/replay/transcript.h"
#include "referee/replay/verifier.h"
#include "tests/fuzz/claim.h"
#include "tests/fuzz/fuzzed_bytes.h"

namespace referee::fuzz {
namespace {

const replay::Signer& SignerOf(uint8_t number) {
  const auto make = [](uint8_t seed) {
    std::array<uint8_t, 32> bytes;
    bytes.fill(seed);
    return replay::Signer::FromSeed(bytes);
  };
  static const auto& ours = *new replay::Signer(make(1));
  static const auto& strange = *new replay::Signer(make(200));
  return number == 1 ? ours : strange;
}

// Plays a match that verified with nothing but the game and the dice, as a bot would.
void ClaimPlayed(const replay::Replay& replay) {
  if (replay.started() == nullptr) return;
  const auto key = replay::MatchKey(replay);
  Claim(key.has_value(), "a match that started has its key");
  const auto state = replay.setup.game->NewState();
  const auto draw = [&] {
    games::DrawChance(*key, state.get(), [](const games::Chance&, absl::Span<const int>) {});
  };
  draw();
  uint32_t turns = 0;
  std::vector<games::Move> legal;
  for (const match::Record& record : replay.records) {
    uint64_t digest = 0;
    if (const auto* played = std::get_if<match::Played>(&record)) {
      Claim(state->phase() == games::Phase::kTurn, "no turn is played after the end");
      Claim(played->number == ++turns, "turns are numbered one by one");
      Claim(played->seat == state->seat_to_move(), "the seat to move moves");
      state->LegalMoves(&legal);
      Claim(std::binary_search(legal.begin(), legal.end(), played->move), "moves are legal");
      state->Apply(played->move);
      digest = played->digest;
    } else if (const auto* forfeited = std::get_if<match::Forfeited>(&record)) {
      Claim(state->phase() == games::Phase::kTurn && !state->forfeited(forfeited->seat),
            "who forfeits was in the game");
      state->Forfeit(forfeited->seat);
      digest = forfeited->digest;
    } else {
      continue;
    }
    draw();
    Claim(dice::Digest(state->Position()) == digest, "digests are those of the positions");
  }
  const match::Ended& ended = *replay.ended();
  if (ended.ending != match::Ending::kFinished) return;
  Claim(state->phase() == games::Phase::kOver, "a match that finished is over");
  const games::Outcome outcome = state->outcome();
  Claim(outcome.scores == ended.scores && outcome.ranks == ended.ranks, "the result is the game's");
  Claim(outcome.reason == absl::string_view(ended.reason), "the reason is the game's");
}

void Show(const replay::Replay& replay) {
  Claim(!replay::Transcript(replay).empty(), "a match has a transcript");
  Claim(!replay::ReplayJson(replay).empty(), "a match has its JSON");
  absl::optional<replay::Cursor> cursor = replay::CursorOf(replay);
  if (!cursor.has_value()) return;
  for (const match::Record& record : replay.records) {
    if (!cursor->Take(record).ok()) return;
    Claim(!cursor->moved() || cursor->state().phase() != games::Phase::kChance,
          "a cursor stops at positions");
  }
}

void Check(std::string file, size_t where, uint8_t change) {
  const replay::Verification verification = replay::Verify(file);
  Claim(verification.ok == verification.problem.empty(), "what does not verify has a why");
  Claim(!replay::Verify(file, replay::KeyRing(SignerOf(200).public_key())).ok,
        "nothing verifies as signed by who did not sign it");
  const auto read = replay::Parse(file);
  if (!read.ok()) {
    Claim(!verification.ok, "what cannot be read does not verify");
    return;
  }
  Show(*read);
  const std::string encoded = replay::Encode(*read, SignerOf(1));
  const auto again = replay::Parse(encoded);
  Claim(again.ok() && replay::Encode(*again, SignerOf(1)) == encoded,
        "what is read is written in one way");
  Claim(replay::Verify(encoded).ok == replay::VerifyMatch(*read).ok,
        "a file that we sign is as true as its match");
  if (!verification.ok) return;
  Claim(replay::VerifyMatch(*read).ok, "a file is no truer than its match");
  ClaimPlayed(*read);
  file[where % file.size()] ^= static_cast<char>(change | 1);
  Claim(!replay::Verify(file).ok, "a file does not verify with a byte changed");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // Strings that are not UTF-8 are refused, and reported to stderr.
  const google::protobuf::LogSilencer silencer;
  FuzzedBytes bytes(data, size);
  const bool records = bytes.Byte() == 's';
  const size_t where = static_cast<size_t>(bytes.Byte()) * 256 + bytes.Byte();
  const uint8_t change = bytes.Byte();
  const absl::string_view rest = bytes.Rest();
  Check(records ? replay::EncodeRecords(rest, SignerOf(1)) : std::string(rest), where, change);
  return 0;
}

}  // namespace referee::fuzz
