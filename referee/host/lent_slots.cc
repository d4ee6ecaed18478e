#include "referee/host/lent_slots.h"

#include <algorithm>
#include <string>

#include "referee/base/limits.h"

namespace referee::host {
namespace {

// So often slots are kept in vain, for limits::kKeptSlots and twice as long each time: for 64 s in
// all. Then the owner has to ask again.
constexpr int kMostKeptInVain = 7;

}  // namespace

MatchId LentSlots::PlaceOf(const MatchId& oldest) {
  // The last five of the 16 random characters of the id count the places.
  static constexpr absl::string_view kDigits = "0123456789abcdefghjkmnpqrstvwxyz";
  std::string text = oldest.text();
  uint32_t count = places_++;
  for (size_t i = text.size(); i > text.size() - 5; count /= 32) text[--i] = kDigits[count % 32];
  return MatchId::Parse(text).value();
}

void LentSlots::Enqueue(const Key& key, const Waiting& waiting) {
  const int matches = static_cast<int>(waiting.wish.wanted.matches.size());
  by_id_.emplace(waiting.id, key);
  seating_.Wait({waiting.id, waiting.wish.wanted.game, {key.first}, matches, /*elsewhere=*/true},
                Instant::InfiniteFuture());
}

bool LentSlots::Reserve(Wish wish) {
  const Key key(wish.bot, wish.owner.get());
  int expired = 0;
  if (const auto before = waiting_.find(key); before != waiting_.end()) {
    expired = before->second.expired;
    Drop(before);
  }
  const std::shared_ptr<Bot> bot = bots_.Find(wish.bot);
  const std::shared_ptr<Link> link = bot == nullptr ? nullptr : bot->link();
  if (link == nullptr || link->relayed()) return false;
  const MatchId place = PlaceOf(wish.wanted.oldest);
  const auto waiting = waiting_.emplace(key, Waiting{place, std::move(wish)}).first;
  waiting->second.expired = expired;
  Enqueue(key, waiting->second);
  bool taken = false;
  seating_.SeatOne(place, [&](const Seating::Waiting&) { taken = true; });
  if (!taken) return false;
  for (const MatchId& match : waiting->second.wish.wanted.matches) {
    bot->AddSlot(match.text(), {nullptr, Seat::None(), waiting->second.wish.owner});
  }
  Drop(waiting);
  return true;
}

LentSlots::Call LentSlots::Keep(const Seating::Waiting& seated, Instant now) {
  const auto key = by_id_.find(seated.party.id);
  Waiting& waiting = waiting_.at(key->second);
  by_id_.erase(key);
  waiting.state = Waiting::State::kKept;
  waiting.kept_until = now + limits::kKeptSlots * (int64_t{1} << waiting.expired);
  const int slots = static_cast<int>(waiting.wish.wanted.matches.size());
  bots_.Find(waiting.wish.bot)->KeepSlots(slots);
  return [when_free = waiting.wish.when_free, slots] { when_free(slots); };
}

LentSlots::Queue::iterator LentSlots::Drop(Queue::iterator waiting) {
  const Waiting& dropped = waiting->second;
  if (dropped.state == Waiting::State::kKept) {
    bots_.Find(dropped.wish.bot)->KeepSlots(-static_cast<int>(dropped.wish.wanted.matches.size()));
  } else {
    seating_.Remove(dropped.id);
    by_id_.erase(dropped.id);
  }
  return waiting_.erase(waiting);
}

std::vector<std::string> LentSlots::GiveUpKept(Instant now) {
  std::vector<std::string> bots;
  for (auto it = waiting_.begin(); it != waiting_.end();) {
    Waiting& waiting = it->second;
    if (waiting.state != Waiting::State::kKept || waiting.kept_until > now) {
      ++it;
      continue;
    }
    bots.push_back(waiting.wish.bot);
    if (++waiting.expired > kMostKeptInVain) {
      it = Drop(it);
      continue;
    }
    bots_.Find(waiting.wish.bot)->KeepSlots(-static_cast<int>(waiting.wish.wanted.matches.size()));
    waiting.state = Waiting::State::kFreed;
    ++it;
  }
  return bots;
}

void LentSlots::QueueAgain() {
  for (auto& [key, waiting] : waiting_) {
    if (waiting.state != Waiting::State::kFreed) continue;
    waiting.state = Waiting::State::kQueued;
    Enqueue(key, waiting);
  }
}

Instant LentSlots::first_limit() const {
  Instant first = Instant::InfiniteFuture();
  for (const auto& [key, waiting] : waiting_) {
    if (waiting.state == Waiting::State::kKept) first = std::min(first, waiting.kept_until);
  }
  return first;
}

void LentSlots::ForgetMatch(absl::string_view bot, const Relay* owner, const MatchId& match) {
  const auto waiting = waiting_.find(Key(std::string(bot), owner));
  if (waiting == waiting_.end()) return;
  const std::vector<MatchId>& matches = waiting->second.wish.wanted.matches;
  if (std::find(matches.begin(), matches.end(), match) != matches.end()) Drop(waiting);
}

void LentSlots::Forget(absl::string_view bot) {
  auto it = waiting_.lower_bound(Key(std::string(bot), nullptr));
  while (it != waiting_.end() && it->first.first == bot) it = Drop(it);
}

std::vector<std::pair<std::string, std::string>> LentSlots::FreeAll(const Relay* owner) {
  for (auto it = waiting_.begin(); it != waiting_.end();) {
    it = it->first.second == owner ? Drop(it) : std::next(it);
  }
  std::vector<std::pair<std::string, std::string>> freed;
  for (const std::shared_ptr<Bot>& bot : bots_.All()) {
    for (std::string& match : bot->RemoveSlotsOf(owner)) {
      freed.emplace_back(bot->name(), std::move(match));
    }
  }
  return freed;
}

}  // namespace referee::host
