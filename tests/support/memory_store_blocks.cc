// Blocks and leases of MemoryStore.
#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/store/errors.h"
#include "tests/support/memory_store.h"

namespace referee::test {
namespace {

using store::Block;
using store::BlockState;
using store::Competition;
using store::CompetitionId;
using store::CompetitionState;
using store::Entrant;
using store::PairTotal;
using store::Presence;

bool SameMatches(const std::vector<store::BlockMatch>& a, const std::vector<store::BlockMatch>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const store::BlockMatch& x, const store::BlockMatch& y) {
                      return x.id == y.id && x.verdict.scores == y.verdict.scores &&
                             x.verdict.ranks == y.verdict.ranks &&
                             x.verdict.forfeits == y.verdict.forfeits;
                    });
}

// Records the current attempt of the block.
void PutOnRecord(const store::Attempt& attempt, Block* block) {
  block->attempts.push_back(attempt);
  block->attempts.back().number = block->attempt;
}

// The block of a change. It must be RUNNING, in the attempt of the change, and owned by `owner`.
template <typename BlockChange>
absl::StatusOr<Block*> FindOpen(std::map<int64_t, Block>* blocks, const std::string& owner,
                                const BlockChange& change) {
  const auto found = blocks->find(change.number);
  if (found == blocks->end()) return store::NoBlock(change.competition.text(), change.number);
  Block& block = found->second;
  if (block.state != BlockState::kRunning || block.attempt != change.attempt ||
      block.owner != owner) {
    return absl::AbortedError(change.competition.text());
  }
  return &block;
}

}  // namespace

absl::Status MemoryStore::Apply(const store::Lease& lease,
                                absl::Span<const store::Change> changes) {
  if (changes.empty()) return absl::OkStatus();
  MutexLock lock(&mutex_);
  if (absl::Status lasts = Check(world_, lease, clock_.WallNow()); !lasts.ok()) return lasts;
  World next = world_;
  for (size_t i = 0; i < changes.size(); ++i) {
    const absl::Status made =
        std::visit([&](const auto& change) { return Make(&next, lease, change); }, changes[i]);
    if (!made.ok()) return At(absl::StrCat("change ", i + 1, " of ", changes.size()), made);
  }
  world_ = std::move(next);
  return absl::OkStatus();
}

absl::Status MemoryStore::Make(World* world, const store::Lease& lease,
                               const store::BeginBlock& begin) {
  const absl::StatusOr<Event*> event = FindEvent(world, begin.competition);
  if (!event.ok()) return event.status();
  Competition& competition = (*event)->competition;
  if (absl::Status home = CheckHome(competition, lease); !home.ok()) return home;
  if (competition.state != CompetitionState::kRunning || competition.version != begin.version ||
      competition.next_block != begin.number) {
    return store::CompetitionMovedOn(competition.id.text(), "is not as it was");
  }
  Block& block = (*event)->blocks[begin.number];
  block.competition = begin.competition;
  block.number = begin.number;
  block.pairing = begin.pairing;
  block.owner = begin.to.empty() ? lease.owner : begin.to;
  block.begin_time = begin.time;
  for (const int bot : begin.pairing.bots) {
    ++(*event)->entrants[static_cast<size_t>(bot)].blocks_begun;
  }
  ++competition.next_block;
  return absl::OkStatus();
}

absl::Status MemoryStore::Make(World* world, const store::Lease& lease,
                               const store::NameMatches& name) {
  const absl::StatusOr<Event*> event = FindEvent(world, name.competition);
  if (!event.ok()) return event.status();
  const absl::StatusOr<Block*> block = FindOpen(&(*event)->blocks, lease.owner, name);
  if (!block.ok()) return block.status();
  (*block)->block_id = name.block_id;
  (*block)->matches.clear();
  for (const MatchId& id : name.matches) (*block)->matches.push_back({id, {}});
  return absl::OkStatus();
}

absl::Status MemoryStore::Make(World* world, const store::Lease& lease,
                               const store::RetryBlock& retry) {
  const absl::StatusOr<Event*> event = FindEvent(world, retry.competition);
  if (!event.ok()) return event.status();
  const absl::StatusOr<Block*> block = FindOpen(&(*event)->blocks, lease.owner, retry);
  if (!block.ok()) return block.status();
  PutOnRecord(retry.failed, *block);
  ++(*block)->attempt;
  if (!retry.to.empty()) (*block)->owner = retry.to;
  (*block)->block_id.clear();
  (*block)->matches.clear();
  ++(*event)->competition.replayed;
  return absl::OkStatus();
}

absl::Status MemoryStore::Make(World* world, const store::Lease& lease,
                               const store::FinishBlock& finish) {
  const absl::StatusOr<Event*> event = FindEvent(world, finish.competition);
  if (!event.ok()) return event.status();
  const auto played = (*event)->blocks.find(finish.number);
  if (played != (*event)->blocks.end() && played->second.state == BlockState::kPlayed) {
    const bool same = played->second.attempt == finish.attempt &&
                      played->second.block_id == finish.block_id &&
                      SameMatches(played->second.matches, finish.matches);
    return same ? absl::OkStatus() : absl::AlreadyExistsError(finish.competition.text());
  }
  const absl::StatusOr<Block*> block = FindOpen(&(*event)->blocks, lease.owner, finish);
  if (!block.ok()) return block.status();
  (*block)->state = BlockState::kPlayed;
  (*block)->block_id = finish.block_id;
  (*block)->matches = finish.matches;
  (*block)->forfeited_by = finish.forfeited_by;
  (*block)->reason = finish.reason;
  if (finish.failed) PutOnRecord(*finish.failed, *block);
  (*block)->owner.clear();
  (*block)->end_time = finish.time;
  return absl::OkStatus();
}

absl::Status MemoryStore::Make(World* world, const store::Lease& lease,
                               const store::DropBlock& drop) {
  const absl::StatusOr<Event*> event = FindEvent(world, drop.competition);
  if (!event.ok()) return event.status();
  const auto dropped = (*event)->blocks.find(drop.number);
  if (dropped != (*event)->blocks.end() && dropped->second.state == drop.state) {
    return absl::OkStatus();
  }
  const absl::StatusOr<Block*> block = FindOpen(&(*event)->blocks, lease.owner, drop);
  if (!block.ok()) return block.status();
  (*block)->state = drop.state;
  (*block)->reason = drop.reason;
  if (drop.failed) PutOnRecord(*drop.failed, *block);
  (*block)->owner.clear();
  (*block)->end_time = drop.time;
  return absl::OkStatus();
}

absl::Status MemoryStore::Make(World* world, const store::Lease& lease,
                               const store::CountBlocks& count) {
  const absl::StatusOr<Event*> event = FindEvent(world, count.competition);
  if (!event.ok()) return event.status();
  Competition& competition = (*event)->competition;
  if (absl::Status home = CheckHome(competition, lease); !home.ok()) return home;
  if (competition.version != count.version || competition.counted != count.from) {
    return store::CompetitionMovedOn(competition.id.text(), "is not as it was");
  }
  bool over = count.from <= count.to && count.to <= competition.next_block;
  for (const auto& [number, block] : (*event)->blocks) {
    over = over && (number >= count.to || block.state != BlockState::kRunning);
  }
  if (!over) return absl::FailedPreconditionError(competition.id.text());
  bool set_aside = false;
  for (const store::CountBlocks::Line& line : count.entrants) {
    if (line.entrant < 0 || line.entrant >= static_cast<int>((*event)->entrants.size())) {
      return store::NoEntrant(competition.id.text(), absl::StrCat("number ", line.entrant));
    }
    Entrant& entrant = (*event)->entrants[static_cast<size_t>(line.entrant)];
    entrant.tally = line.tally;
    if (line.set_aside.empty() || entrant.presence != Presence::kIn) continue;
    entrant.presence = Presence::kSetAside;
    entrant.out_from = competition.next_block;
    entrant.reason = line.set_aside;
    entrant.suspension = line.suspension;
    set_aside = true;
  }
  competition.counted = count.to;
  competition.version += set_aside || count.decides() ? 1 : 0;
  for (auto& [number, block] : (*event)->blocks) {
    const bool surplus = count.surplus && number >= count.surplus->from && number < count.to &&
                         block.state == BlockState::kPlayed;
    if (!surplus) continue;
    block.state = BlockState::kDropped;
    block.reason = count.surplus->reason;
    if (block.forfeited_by.empty()) continue;
    block.forfeited_by.clear();
    for (store::BlockMatch& match : block.matches) match.verdict = match::Verdict();
  }
  for (const PairTotal& pair : count.pairs) {
    PairTotal& total = (*event)->pairs[{pair.low, pair.high}];
    total.low = pair.low;
    total.high = pair.high;
    for (size_t i = 0; i < pair.blocks.size(); ++i) total.blocks[i] += pair.blocks[i];
    total.draws += pair.draws;
  }
  return absl::OkStatus();
}

absl::StatusOr<int64_t> MemoryStore::RenewLease(absl::string_view owner, absl::Duration ttl) {
  MutexLock lock(&mutex_);
  Term& term = world_.leases[std::string(owner)];
  if (term.number == 0) term.number = ++world_.last_term;
  term.until = clock_.WallNow() + ttl;
  return term.number;
}

absl::Status MemoryStore::Check(const World& world, const store::Lease& lease, absl::Time now) {
  const auto found = world.leases.find(lease.owner);
  if (found == world.leases.end() || found->second.number != lease.term) {
    return store::LeaseEnded(lease.owner);
  }
  return found->second.until > now ? absl::OkStatus() : store::LeaseLapsed(lease.owner);
}

absl::StatusOr<std::vector<Block>> MemoryStore::ClaimExpired(const store::Lease& lease) {
  MutexLock lock(&mutex_);
  const absl::Time now = clock_.WallNow();
  if (absl::Status lasts = Check(world_, lease, now); !lasts.ok()) return lasts;
  for (auto it = world_.leases.begin(); it != world_.leases.end();) {
    it = it->second.until > now ? std::next(it) : world_.leases.erase(it);
  }
  std::vector<Block> claimed;
  for (auto& [id, event] : world_.events) {
    if (event.competition.home_term != lease.term) continue;
    for (auto& [number, block] : event.blocks) {
      if (block.state != BlockState::kRunning || world_.leases.count(block.owner) > 0) continue;
      block.owner = lease.owner;
      if (block.matches.empty()) {
        PutOnRecord(store::LeftAttempt(block.attempt, now), &block);
        ++block.attempt;
        ++event.competition.replayed;
      }
      claimed.push_back(block);
      claimed.back().attempts.clear();
    }
  }
  return claimed;
}

absl::StatusOr<std::vector<Block>> MemoryStore::TakeOver(const store::Lease& lease,
                                                         absl::Span<const std::string> owners) {
  MutexLock lock(&mutex_);
  if (absl::Status lasts = Check(world_, lease, clock_.WallNow()); !lasts.ok()) return lasts;
  std::vector<Block> taken;
  for (const std::string& owner : owners) {
    const auto found = world_.leases.find(owner);
    if (found == world_.leases.end()) continue;
    for (auto& [id, event] : world_.events) {
      Competition& competition = event.competition;
      const bool moves = competition.state != CompetitionState::kFinished &&
                         competition.home_term == found->second.number;
      if (moves) competition.home_term = lease.term;
    }
    world_.leases.erase(found);
  }
  for (auto& [id, event] : world_.events) {
    for (auto& [number, block] : event.blocks) {
      if (std::find(owners.begin(), owners.end(), block.owner) == owners.end()) continue;
      block.owner = lease.owner;
      taken.push_back(block);
      taken.back().attempts.clear();
    }
  }
  return taken;
}

absl::Status MemoryStore::CheckHome(const Competition& competition, const store::Lease& lease) {
  return competition.home_term == lease.term
             ? absl::OkStatus()
             : store::HomeIsAnother(competition.id.text(), lease.owner);
}

absl::Status MemoryStore::Announce(const store::Lease& lease, absl::string_view address,
                                   bool draining) {
  MutexLock lock(&mutex_);
  if (absl::Status lasts = Check(world_, lease, clock_.WallNow()); !lasts.ok()) return lasts;
  Term& term = world_.leases.at(lease.owner);
  term.address = std::string(address);
  term.draining = term.draining || draining;
  return absl::OkStatus();
}

absl::Status MemoryStore::SetUnable(const store::Lease& lease, bool unable) {
  MutexLock lock(&mutex_);
  if (absl::Status lasts = Check(world_, lease, clock_.WallNow()); !lasts.ok()) return lasts;
  world_.leases.at(lease.owner).unable = unable;
  return absl::OkStatus();
}

absl::Status MemoryStore::AskToDrain(absl::string_view owner, const store::AuditEntry& audit) {
  MutexLock lock(&mutex_);
  const auto found = world_.leases.find(std::string(owner));
  if (found == world_.leases.end() || found->second.until <= clock_.WallNow()) {
    return absl::NotFoundError(owner);
  }
  found->second.draining = true;
  Log(&world_, audit);
  return absl::OkStatus();
}

absl::StatusOr<std::vector<store::Daemon>> MemoryStore::ListDaemons() {
  MutexLock lock(&mutex_);
  const absl::Time now = clock_.WallNow();
  std::vector<store::Daemon> daemons;
  for (const auto& [owner, term] : world_.leases) {
    if (term.until <= now) continue;
    daemons.push_back(
        {owner, term.number, term.until - now, term.address, term.draining, term.unable});
  }
  return daemons;
}

absl::Status MemoryStore::OfferHelp(const store::Lease& lease, const CompetitionId& id,
                                    const store::Help& help) {
  MutexLock lock(&mutex_);
  if (absl::Status lasts = Check(world_, lease, clock_.WallNow()); !lasts.ok()) return lasts;
  const absl::StatusOr<Event*> event = FindEvent(&world_, id);
  if (!event.ok()) return event.status();
  (*event)->help[lease.term] = help;
  (*event)->help[lease.term].owner = lease.owner;
  return absl::OkStatus();
}

absl::StatusOr<std::vector<store::Help>> MemoryStore::ListHelp(const CompetitionId& id) {
  MutexLock lock(&mutex_);
  const absl::StatusOr<Event*> event = FindEvent(&world_, id);
  if (!event.ok()) return event.status();
  const absl::Time now = clock_.WallNow();
  std::vector<store::Help> all;
  for (const auto& [owner, term] : world_.leases) {
    const auto offered = (*event)->help.find(term.number);
    const bool stays = term.until > now && !term.draining && !term.unable;
    if (stays && offered != (*event)->help.end()) all.push_back(offered->second);
  }
  return all;
}

absl::StatusOr<std::string> MemoryStore::FleetSecret(
    absl::FunctionRef<void(absl::Span<uint8_t>)> entropy) {
  MutexLock lock(&mutex_);
  if (world_.fleet_secret.empty()) {
    std::array<uint8_t, store::kFleetSecretBytes> drawn;
    entropy(absl::MakeSpan(drawn));
    world_.fleet_secret.assign(drawn.begin(), drawn.end());
  }
  return world_.fleet_secret;
}

absl::StatusOr<std::vector<CompetitionId>> MemoryStore::TakeHomes(
    const store::Lease& lease, absl::Span<const CompetitionId> ids) {
  MutexLock lock(&mutex_);
  const absl::Time now = clock_.WallNow();
  if (absl::Status lasts = Check(world_, lease, now); !lasts.ok()) return lasts;
  std::set<int64_t> stay;
  for (const auto& [owner, term] : world_.leases) {
    if (term.until > now && !term.draining && !term.unable) stay.insert(term.number);
  }
  std::vector<CompetitionId> taken;
  for (const CompetitionId& id : std::set<CompetitionId>(ids.begin(), ids.end())) {
    const auto event = world_.events.find(id);
    if (event == world_.events.end()) continue;
    int64_t& home = event->second.competition.home_term;
    if (home != lease.term && stay.count(home) > 0) continue;
    home = lease.term;
    taken.push_back(id);
  }
  return taken;
}

absl::StatusOr<std::vector<store::LeaseHolder>> MemoryStore::ListLeaseHolders() {
  MutexLock lock(&mutex_);
  const absl::Time now = clock_.WallNow();
  std::map<std::string, store::LeaseHolder> holders;
  for (const auto& [owner, term] : world_.leases) {
    store::LeaseHolder& holder = holders[owner];
    holder.owner = owner;
    holder.remaining = term.until - now;
    holder.term = term.number;
    holder.address = term.address;
    holder.draining = term.draining;
    holder.unable = term.unable;
    for (const auto& [id, event] : world_.events) {
      const Competition& competition = event.competition;
      if (competition.state == CompetitionState::kFinished) continue;
      if (competition.home_term == term.number) holder.homes.push_back(competition.spec.name);
      const auto help = event.help.find(term.number);
      if (help != event.help.end() && help->second.blocks > 0) {
        holder.helps.push_back(competition.spec.name);
      }
    }
    std::sort(holder.homes.begin(), holder.homes.end());
    std::sort(holder.helps.begin(), holder.helps.end());
  }
  for (const auto& [id, event] : world_.events) {
    std::set<std::string> here;
    for (const auto& [number, block] : event.blocks) {
      if (block.state != BlockState::kRunning) continue;
      store::LeaseHolder& holder = holders[block.owner];
      holder.owner = block.owner;
      ++holder.open_blocks;
      if (here.insert(block.owner).second) ++holder.competitions;
      holder.oldest_begin_time =
          std::min(holder.oldest_begin_time.value_or(block.begin_time), block.begin_time);
    }
  }
  std::vector<store::LeaseHolder> listed;
  for (auto& [owner, holder] : holders) listed.push_back(std::move(holder));
  return listed;
}

absl::StatusOr<std::vector<Block>> MemoryStore::ListOpenBlocks(const CompetitionId& id) {
  MutexLock lock(&mutex_);
  const absl::StatusOr<Event*> event = FindEvent(&world_, id);
  if (!event.ok()) return event.status();
  std::vector<Block> open;
  for (const auto& [number, block] : (*event)->blocks) {
    if (block.state == BlockState::kRunning) open.push_back(block);
  }
  return open;
}

absl::StatusOr<Block> MemoryStore::GetBlock(const CompetitionId& id, int64_t number) {
  MutexLock lock(&mutex_);
  const absl::StatusOr<Event*> event = FindEvent(&world_, id);
  if (!event.ok()) return event.status();
  const auto found = (*event)->blocks.find(number);
  if (found == (*event)->blocks.end()) return store::NoBlock(id.text(), number);
  return found->second;
}

absl::StatusOr<std::vector<Block>> MemoryStore::ListBlocks(const CompetitionId& id, int64_t from,
                                                           int limit, absl::optional<int> entrant) {
  MutexLock lock(&mutex_);
  const absl::StatusOr<Event*> event = FindEvent(&world_, id);
  if (!event.ok()) return event.status();
  std::vector<Block> blocks;
  for (auto at = (*event)->blocks.lower_bound(from); at != (*event)->blocks.end(); ++at) {
    const std::vector<int>& bots = at->second.pairing.bots;
    const bool plays =
        !entrant.has_value() || std::find(bots.begin(), bots.end(), *entrant) != bots.end();
    if (plays && static_cast<int>(blocks.size()) < limit) blocks.push_back(at->second);
  }
  return blocks;
}

absl::StatusOr<std::vector<Block>> MemoryStore::ListBlocksBelow(const CompetitionId& id,
                                                                int64_t below, int limit,
                                                                absl::optional<int> entrant) {
  absl::StatusOr<std::vector<Block>> blocks =
      ListBlocks(id, 0, std::numeric_limits<int>::max(), entrant);
  if (!blocks.ok()) return blocks;
  while (!blocks->empty() && blocks->back().number >= below) blocks->pop_back();
  std::reverse(blocks->begin(), blocks->end());
  if (blocks->size() > static_cast<size_t>(limit)) blocks->resize(static_cast<size_t>(limit));
  return blocks;
}

absl::StatusOr<std::vector<PairTotal>> MemoryStore::ReadPairTotals(const CompetitionId& id) {
  MutexLock lock(&mutex_);
  const absl::StatusOr<Event*> event = FindEvent(&world_, id);
  if (!event.ok()) return event.status();
  std::vector<PairTotal> pairs;
  for (const auto& [bots, pair] : (*event)->pairs) pairs.push_back(pair);
  return pairs;
}

absl::StatusOr<std::vector<PairTotal>> MemoryStore::ListPairTotals(const CompetitionId& id,
                                                                   std::pair<int, int> from,
                                                                   int limit,
                                                                   absl::optional<int> entrant) {
  MutexLock lock(&mutex_);
  const absl::StatusOr<Event*> event = FindEvent(&world_, id);
  if (!event.ok()) return event.status();
  std::vector<PairTotal> pairs;
  for (auto at = (*event)->pairs.lower_bound(from); at != (*event)->pairs.end(); ++at) {
    const PairTotal& pair = at->second;
    const bool meant = !entrant.has_value() || pair.low == *entrant || pair.high == *entrant;
    if (meant && static_cast<int>(pairs.size()) < limit) pairs.push_back(pair);
  }
  return pairs;
}

absl::Status MemoryStore::ReadOutcomes(
    const CompetitionId& id, int64_t from, int64_t to,
    absl::FunctionRef<bool(int64_t number, const rating::BlockOutcome& outcome)> take) {
  MutexLock lock(&mutex_);
  const absl::StatusOr<Event*> event = FindEvent(&world_, id);
  if (!event.ok()) return event.status();
  for (auto at = (*event)->blocks.lower_bound(from); at != (*event)->blocks.end() && at->first < to;
       ++at) {
    if (at->second.state != BlockState::kPlayed) continue;
    if (!take(at->first, OutcomeOf(at->second))) break;
  }
  return absl::OkStatus();
}

}  // namespace referee::test
