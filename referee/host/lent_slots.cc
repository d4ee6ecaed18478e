#include "referee/host/lent_slots.h"

#include <algorithm>
#include <string>

namespace referee::host {

MatchId LentSlots::PlaceOf(const MatchId& oldest) {
  // The last five of the 16 random characters of the id count the places.
  static constexpr absl::string_view kDigits = "0123456789abcdefghjkmnpqrstvwxyz";
  std::string text = oldest.text();
  uint32_t count = places_++;
  for (size_t i = text.size(); i > text.size() - 5; count /= 32) text[--i] = kDigits[count % 32];
  return MatchId::Parse(text).value();
}

bool LentSlots::Reserve(Wish wish) {
  const Key key(wish.bot, wish.owner.get());
  if (const auto before = waiting_.find(key); before != waiting_.end()) Drop(before);
  const MatchId place = PlaceOf(wish.wanted.oldest);
  const std::shared_ptr<Bot> bot = bots_.Find(wish.bot);
  const std::shared_ptr<Link> link = bot == nullptr ? nullptr : bot->link();
  if (link == nullptr || link->relayed()) return false;
  const int matches = static_cast<int>(wish.wanted.matches.size());
  seating_.Wait({place, wish.wanted.game, {wish.bot}, matches, /*elsewhere=*/true},
                Instant::InfiniteFuture());
  bool taken = false;
  seating_.SeatOne(place, [&](const Seating::Waiting&) { taken = true; });
  if (taken) {
    for (const MatchId& match : wish.wanted.matches) {
      bot->AddSlot(match.text(), {nullptr, Seat::None(), wish.owner});
    }
    return true;
  }
  by_id_.emplace(place, key);
  waiting_.emplace(key, Waiting{place, std::move(wish), absl::nullopt});
  return false;
}

LentSlots::Call LentSlots::Keep(const Seating::Waiting& seated, Instant until) {
  const auto key = by_id_.find(seated.party.id);
  Waiting& waiting = waiting_.at(key->second);
  by_id_.erase(key);
  waiting.kept_until = until;
  const int slots = static_cast<int>(waiting.wish.wanted.matches.size());
  bots_.Find(waiting.wish.bot)->KeepSlots(slots);
  return [when_free = std::move(waiting.wish.when_free), slots] { when_free(slots); };
}

LentSlots::Queue::iterator LentSlots::Drop(Queue::iterator waiting) {
  const Waiting& dropped = waiting->second;
  if (dropped.kept_until) {
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
    const bool late = it->second.kept_until && *it->second.kept_until <= now;
    if (late) bots.push_back(it->second.wish.bot);
    it = late ? Drop(it) : std::next(it);
  }
  return bots;
}

Instant LentSlots::first_limit() const {
  Instant first = Instant::InfiniteFuture();
  for (const auto& [key, waiting] : waiting_) {
    if (waiting.kept_until) first = std::min(first, *waiting.kept_until);
  }
  return first;
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
