#include "referee/store/store.h"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/base/rotation.h"
#include "referee/store/errors.h"
#include "referee/store/names.h"

namespace referee::store {

absl::Status ForEachCompetition(CompetitionReader* store,
                                absl::FunctionRef<absl::Status(const Competition&)> take) {
  CompetitionId before;
  while (true) {
    const absl::StatusOr<std::vector<Competition>> page =
        store->ListCompetitions(before, limits::kMaxPageSize);
    if (!page.ok()) return page.status();
    for (const Competition& competition : *page) {
      if (absl::Status taken = take(competition); !taken.ok()) return taken;
    }
    if (page->empty()) return absl::OkStatus();
    before = page->back().id;
  }
}

absl::Status ForEachBlock(CompetitionReader* store, const CompetitionId& id, int64_t from,
                          absl::FunctionRef<void(const Block&)> take) {
  while (true) {
    const absl::StatusOr<std::vector<Block>> page =
        store->ListBlocks(id, from, limits::kMaxPageSize, absl::nullopt);
    if (!page.ok()) return page.status();
    if (page->empty()) return absl::OkStatus();
    for (const Block& block : *page) take(block);
    from = page->back().number + 1;
  }
}

absl::Status CheckMayRenew(const Account& account, absl::Time time) {
  const bool taken = account.former_until && time < *account.former_until;
  return taken ? absl::ResourceExhaustedError(absl::StrCat(
                     "account ", Quoted(account.name),
                     ": its token was renewed just now; it can be again from ",
                     absl::FormatTime("%H:%M:%S UTC", *account.former_until, absl::UTCTimeZone()),
                     " on"))
               : absl::OkStatus();
}

absl::string_view StateName(CompetitionState state) { return NameOf(kStates, state); }

bool HasLost(const Attempt& attempt, int place) {
  const int seats = static_cast<int>(attempt.matches.size());
  for (int rotation = 0; rotation < seats; ++rotation) {
    const match::Verdict& verdict = attempt.matches[static_cast<size_t>(rotation)].verdict;
    const Seat seat(SeatOfPlace(place, rotation, seats));
    const auto is_out = [seat](const match::SeatForfeit& forfeit) { return forfeit.seat == seat; };
    const bool lost = verdict.ranks.empty()
                          ? std::any_of(verdict.forfeits.begin(), verdict.forfeits.end(), is_out)
                          : verdict.ranks[static_cast<size_t>(seat.index())] > 1;
    if (lost) return true;
  }
  return false;
}

namespace {

// Returns the verdict of a match without a result, after these seats have resigned.
match::Verdict Resigned(const match::Verdict& without, const std::vector<Seat>& resigned,
                        size_t seats) {
  match::Verdict verdict;
  verdict.times = without.times;
  verdict.forfeits = without.forfeits;
  verdict.scores.assign(seats, 0);
  std::vector<bool> out(seats, false);
  for (const match::SeatForfeit& forfeit : without.forfeits) {
    out[static_cast<size_t>(forfeit.seat.index())] = true;
  }
  std::vector<bool> resigns(seats, false);
  for (const Seat seat : resigned) {
    const auto at = static_cast<size_t>(seat.index());
    if (out[at]) continue;
    resigns[at] = true;
    verdict.forfeits.push_back({seat, match::Cause::kResigned});
  }
  const auto resigning = static_cast<int>(std::count(resigns.begin(), resigns.end(), true));
  const auto left =
      static_cast<int>(std::count(out.begin(), out.end(), false)) - resigning;  // still playing
  verdict.ranks.assign(seats, 1);
  for (size_t seat = 0; seat < seats; ++seat) {
    if (resigns[seat]) verdict.ranks[seat] = left + 1;
  }
  int rank = left + resigning;
  for (auto forfeit = without.forfeits.rbegin(); forfeit != without.forfeits.rend(); ++forfeit) {
    verdict.ranks[static_cast<size_t>(forfeit->seat.index())] = ++rank;
  }
  return verdict;
}

}  // namespace

std::vector<BlockMatch> Forfeited(const Attempt& attempt, absl::Span<const int> places) {
  std::vector<BlockMatch> matches = attempt.matches;
  const size_t seats = matches.size();
  for (size_t rotation = 0; rotation < seats; ++rotation) {
    match::Verdict& verdict = matches[rotation].verdict;
    if (!verdict.ranks.empty()) continue;
    std::vector<Seat> resigned;
    for (const int place : places) {
      resigned.push_back(
          Seat(SeatOfPlace(place, static_cast<int>(rotation), static_cast<int>(seats))));
    }
    verdict = Resigned(verdict, resigned, seats);
  }
  return matches;
}

Conduct& Conduct::operator+=(const Conduct& more) {
  voids += more.voids;
  late_voids += more.late_voids;
  given_back += more.given_back;
  time_losses += more.time_losses;
  lost_links += more.lost_links;
  return *this;
}

int CountedAttempt(const Block& block) {
  for (const Attempt& attempt : block.attempts) {
    if (attempt.matches.empty() || block.matches.empty()) continue;
    if (attempt.matches.front().id == block.matches.front().id) return attempt.number;
  }
  return block.attempt;
}

absl::Time BeginOfCounted(const Block& block) {
  const int counted = CountedAttempt(block);
  absl::Time begin = block.begin_time;
  for (const Attempt& attempt : block.attempts) {
    if (attempt.number < counted) begin = std::max(begin, attempt.end_time);
  }
  return begin;
}

Attempt LeftAttempt(int number, absl::Time claim_time) {
  Attempt attempt;
  attempt.number = number;
  attempt.reason = "its referee was gone before it had named the matches";
  attempt.end_time = claim_time;
  return attempt;
}

Conduct ConductIn(const Block& block, int place) {
  const int seats = static_cast<int>(block.pairing.bots.size());
  Conduct conduct;
  const auto add = [&](const std::vector<BlockMatch>& matches) {
    for (size_t rotation = 0; rotation < matches.size(); ++rotation) {
      const match::Verdict& verdict = matches[rotation].verdict;
      const Seat seat(SeatOfPlace(place, static_cast<int>(rotation), seats));
      if (verdict.ranks.empty()) {
        ++conduct.voids;
        if (verdict.times.late == seat) ++conduct.late_voids;
      }
      if (static_cast<size_t>(seat.index()) >= verdict.times.seats.size()) continue;
      const match::SeatTime& times = verdict.times.seats[static_cast<size_t>(seat.index())];
      conduct.given_back += times.given_back;
      conduct.time_losses += times.time_losses;
      conduct.lost_links += times.lost_links;
    }
  };
  for (const Attempt& attempt : block.attempts) add(attempt.matches);
  // A forfeited block has the matches of one of its attempts, which were added.
  if (block.state == BlockState::kPlayed && block.forfeited_by.empty()) add(block.matches);
  return conduct;
}

rating::Sprt SprtOf(const schedule::Spec& spec, absl::Span<const PairTotal> pairs) {
  rating::BlockCounts counts;
  for (const PairTotal& pair : pairs) {
    for (size_t i = 0; i < pair.blocks.size(); ++i) {
      counts.AddBlocks(static_cast<int>(i), pair.blocks[i]);
    }
  }
  return rating::Sprt(*spec.sprt, std::move(counts));
}

namespace {

// `life`: empty for the first.
absl::optional<dice::Seed> PinnedSeedIn(absl::string_view life, const Competition& competition,
                                        int64_t block, int attempt) {
  if (!competition.dice_seed) return absl::nullopt;
  std::string name = absl::StrCat("competition/", block, "/", attempt);
  if (!life.empty()) absl::StrAppend(&name, "/", life);
  return dice::DerivedSeed(*competition.dice_seed, name);
}

}  // namespace

absl::optional<dice::Seed> PinnedSeedOf(const Competition& competition, int64_t block,
                                        int attempt) {
  const std::vector<std::string>& lives = competition.dice_lives;
  return PinnedSeedIn(lives.empty() ? "" : lives.back(), competition, block, attempt);
}

std::string RandomLife() {
  std::array<char, 16> bytes;
  randombytes_buf(bytes.data(), bytes.size());
  return absl::BytesToHexString(absl::string_view(bytes.data(), bytes.size()));
}

bool IsPinnedSeedOf(const Competition& competition, int64_t block, int attempt,
                    const dice::Seed& seed) {
  const auto is_of = [&](absl::string_view life) {
    return PinnedSeedIn(life, competition, block, attempt) == seed;
  };
  return is_of("") ||
         std::any_of(competition.dice_lives.begin(), competition.dice_lives.end(), is_of);
}

int LotOf(const Competition& competition, int round, int tie, int64_t last_block) {
  // Use the life of the block, not the latest one: the result of a coin flip must not change later.
  const std::vector<int64_t>& from = competition.life_blocks;
  const auto lives = std::upper_bound(from.begin(), from.end(), last_block) - from.begin();
  std::string name = absl::StrCat("lot/", round, "/", tie);
  if (lives > 0) {
    absl::StrAppend(&name, "/", competition.dice_lives[static_cast<size_t>(lives) - 1]);
  }
  return dice::DerivedSeed(*competition.lot_seed, name).bytes[0] & 1;
}

bool HasAllResults(const Block& block) {
  if (block.state == BlockState::kPlayed) return true;
  return block.state == BlockState::kDropped && !block.matches.empty() &&
         std::all_of(block.matches.begin(), block.matches.end(),
                     [](const BlockMatch& match) { return !match.verdict.ranks.empty(); });
}

rating::BlockOutcome OutcomeOf(const Block& block) {
  const int seats = static_cast<int>(block.pairing.bots.size());
  rating::BlockOutcome outcome;
  outcome.pairing = block.pairing;
  outcome.scores.assign(block.pairing.bots.size(), 0);
  for (size_t rotation = 0; rotation < block.matches.size(); ++rotation) {
    std::vector<int>& by_place = outcome.ranks.emplace_back(block.pairing.bots.size());
    const match::Verdict& verdict = block.matches[rotation].verdict;
    for (int seat = 0; seat < seats; ++seat) {
      const int place = PlaceOfSeat(seat, static_cast<int>(rotation), seats);
      by_place[place] = verdict.ranks[seat];
      if (!verdict.scores.empty()) outcome.scores[place] += verdict.scores[seat];
    }
  }
  return outcome;
}

}  // namespace referee::store
