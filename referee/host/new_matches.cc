#include "referee/host/new_matches.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/rotation.h"

namespace referee::host {

bool Same(const MatchRequest& a, const MatchRequest& b) {
  return a.game->name() == b.game->name() && a.game->source() == b.game->source() &&
         a.bots == b.bots && a.time_control == b.time_control && a.policies == b.policies &&
         a.dice_source.pinned_number == b.dice_source.pinned_number &&
         a.dice_source.pinned_seed == b.dice_source.pinned_seed;
}

absl::Status Check(const MatchRequest& request) {
  if (static_cast<int>(request.bots.size()) != request.game->seats()) {
    return absl::InvalidArgumentError(absl::StrCat("bots: ", request.bots.size(),
                                                   " given; the match has ", request.game->seats(),
                                                   " seats, one bot each"));
  }
  std::vector<std::string> names = request.bots;
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end()) {
    return absl::InvalidArgumentError(
        absl::StrCat("bots: ", Quoted(*twice),
                     " stands there twice; a bot has one seat in a match (give a second copy a "
                     "name and token of its own)"));
  }
  if (absl::Status s = match::Validate(request.time_control); !s.ok()) return s;
  return match::Validate(request.policies);
}

std::vector<replay::Unfinished> NewMatches::Make(MatchRequest request,
                                                 absl::string_view request_id) const {
  std::vector<replay::Unfinished> made(1);
  made[0].setup = SetupFor(std::move(request), request_id);
  made[0].secret = SeedFor(made[0].setup.dice_source);
  return made;
}

std::vector<replay::Unfinished> NewMatches::Make(BlockRequest request,
                                                 absl::string_view request_id) const {
  const int n = request.match.game->seats();
  if (request.id == BlockId()) request.id = NewId<BlockId>();
  const dice::Seed seed = SeedFor(request.match.dice_source);
  std::vector<replay::Unfinished> made(static_cast<size_t>(n));
  for (int rotation = 0; rotation < n; ++rotation) {
    replay::Unfinished& one = made[static_cast<size_t>(rotation)];
    MatchRequest rotated = request.match;
    for (int seat = 0; seat < n; ++seat) {
      rotated.bots[seat] = request.match.bots[PlaceOfSeat(seat, rotation, n)];
    }
    one.setup = SetupFor(std::move(rotated), request_id);
    one.setup.block = match::BlockPlace{request.id, rotation};
    one.secret = seed;
  }
  return made;
}

absl::Status NewMatches::Record(absl::Span<replay::Unfinished> made) const {
  absl::Status status;
  for (replay::Unfinished& one : made) {
    one.setup.commitment = dice::Commit(one.secret);
    auto recording = options_.recorder->Open(one.setup, one.secret);
    status = recording.status();
    if (!status.ok()) break;
    one.recording = *std::move(recording);
  }
  for (replay::Unfinished& one : made) {
    if (status.ok() || one.recording == nullptr) continue;
    // If that fails too, the next process ends the match.
    const auto ended =
        replay::EndAsVoid(&one, absl::StrCat("the block could not be recorded: ", status.message()),
                          options_.clock->WallNow());
    static_cast<void>(ended);
  }
  return status;
}

dice::Seed NewMatches::SeedFor(const match::DiceSource& source) const {
  if (source.pinned_number) return dice::PinnedSeed(*source.pinned_number);
  if (source.pinned_seed) return *source.pinned_seed;
  dice::Seed seed;
  options_.entropy(absl::MakeSpan(seed.bytes));
  return seed;
}

match::Setup NewMatches::SetupFor(MatchRequest request, absl::string_view request_id) const {
  match::Setup setup;
  setup.create_time = options_.clock->WallNow();
  setup.id = NewId<MatchId>();
  setup.game = std::move(request.game);
  setup.bots = std::move(request.bots);
  setup.time_control = request.time_control;
  setup.policies = request.policies;
  setup.dice_source = request.dice_source;
  setup.referee = options_.software;
  setup.request_id = std::string(request_id);
  return setup;
}

}  // namespace referee::host
