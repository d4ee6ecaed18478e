#include "referee/host/grants.h"

#include <algorithm>
#include <string>

namespace referee::host {
namespace {

std::vector<MatchId> IdsOf(const Grants::Seated& seated) {
  std::vector<MatchId> ids;
  for (const auto& match : seated.matches) ids.push_back(match->id());
  return ids;
}

void ReleaseOn(Link* link, const std::vector<MatchId>& ids) {
  link->Release(ids);
  link->Flush();
}

}  // namespace

void Grants::Begin(Seated seated) {
  Pending pending;
  const auto& bots = seated.bots.front();  // all matches of a block have the same bots
  for (size_t i = 0; i < bots.size(); ++i) {
    std::shared_ptr<Link> link = bots[i]->link();
    if (link == nullptr || !link->relayed()) continue;
    pending.asked.push_back({bots[i], std::move(link), seated.oldest[i]});
  }
  pending.seated = std::move(seated);
  if (pending.asked.empty()) return Settle(std::move(pending));
  uint64_t number;
  {
    MutexLock lock(&mutex_);
    number = next_++;
    pending_.emplace(number, pending);
  }
  Ask(number, pending);
}

void Grants::Ask(uint64_t number, const Pending& pending) {
  const std::vector<MatchId> ids = IdsOf(pending.seated);
  for (size_t i = 0; i < pending.asked.size(); ++i) {
    Link& link = *pending.asked[i].link;
    link.Reserve({ids, pending.seated.waiting.party.game, pending.asked[i].oldest},
                 [weak = weak_from_this(), number, i](bool granted) {
                   if (const auto self = weak.lock()) self->TakeAnswer(number, i, granted);
                 });
    link.Flush();
  }
}

void Grants::TakeAnswer(uint64_t number, size_t i, bool granted) {
  Asked asked;
  {
    MutexLock lock(&mutex_);
    const auto found = pending_.find(number);
    if (found == pending_.end()) return;
    asked = found->second.asked[i];
  }
  if (!granted) calls_.refused(asked.bot, asked.link.get());
  Pending pending;
  {
    MutexLock lock(&mutex_);
    const auto found = pending_.find(number);
    if (found == pending_.end()) return;
    std::vector<Asked>& all = found->second.asked;
    if (all[i].answer != Asked::Answer::kNone) return;
    all[i].answer = granted ? Asked::Answer::kGranted : Asked::Answer::kRefused;
    const bool waits = std::any_of(all.begin(), all.end(), [](const Asked& one) {
      return one.answer == Asked::Answer::kNone;
    });
    if (waits) return;
    pending = std::move(found->second);
    pending_.erase(found);
  }
  Settle(std::move(pending));
}

void Grants::Settle(Pending pending) {
  Seated& seated = pending.seated;
  const bool granted =
      std::all_of(pending.asked.begin(), pending.asked.end(), [](const Asked& one) {
        return one.answer == Asked::Answer::kGranted && one.bot->link() == one.link;
      });
  const bool over =
      std::any_of(seated.matches.begin(), seated.matches.end(),
                  [](const std::shared_ptr<MatchRunner>& match) { return match->over(); });
  if (granted && !over && !pending.given_up) {
    for (size_t i = 0; i < seated.matches.size(); ++i) {
      seated.matches[i]->Start(std::move(seated.bots[i]));
    }
    return;
  }
  for (const Asked& one : pending.asked) {
    if (one.answer == Asked::Answer::kGranted) ReleaseOn(one.link.get(), IdsOf(seated));
  }
  if (!pending.given_up) calls_.wait_again(std::move(seated));
}

void Grants::LinkGone(const Link* link) {
  std::vector<std::pair<uint64_t, size_t>> lost;
  {
    MutexLock lock(&mutex_);
    for (const auto& [number, pending] : pending_) {
      for (size_t i = 0; i < pending.asked.size(); ++i) {
        if (pending.asked[i].link.get() == link) lost.emplace_back(number, i);
      }
    }
  }
  for (const auto& [number, i] : lost) TakeAnswer(number, i, false);
}

std::vector<std::shared_ptr<MatchRunner>> Grants::GiveUpAll() {
  std::vector<std::shared_ptr<MatchRunner>> matches;
  MutexLock lock(&mutex_);
  for (auto& [number, pending] : pending_) {
    if (std::exchange(pending.given_up, true)) continue;
    matches.insert(matches.end(), pending.seated.matches.begin(), pending.seated.matches.end());
  }
  return matches;
}

void Grants::Release(const MatchId& id, const std::vector<std::shared_ptr<Bot>>& bots) {
  for (const auto& bot : bots) {
    const std::shared_ptr<Link> link = bot->link();
    if (link != nullptr && link->relayed()) ReleaseOn(link.get(), {id});
  }
}

}  // namespace referee::host
