#include "tests/simulation/relay_witness.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "referee/replay/verifier.h"

namespace referee::simulation {
namespace {

constexpr absl::Duration kTimerLate = absl::Milliseconds(1);

std::string ResultText(bool finished, const std::string& ranks) {
  return finished ? absl::StrCat("ranks ", ranks) : "no result";
}

absl::Duration Overlap(Instant a_from, Instant a_until, Instant b_from, Instant b_until) {
  const Instant from = std::max(a_from, b_from);
  const Instant until = std::min(a_until, b_until);
  return from < until ? until - from : absl::ZeroDuration();
}

}  // namespace

void RelayWitness::Fail(const Match& match, absl::string_view problem) {
  chronicle_.Fail(absl::StrCat("match ", match.match, " of node ", match.node, ": ", problem));
}

RelayWitness::Match* RelayWitness::Find(const std::string& id) {
  const auto found = matches_.find(id);
  return found == matches_.end() ? nullptr : found->second.get();
}

RelayWitness::Match* RelayWitness::FindOf(int bot, const std::string& id, SeatState** seat) {
  Match* const match = Find(id);
  if (match == nullptr) return nullptr;
  for (size_t i = 0; i < match->bots.size(); ++i) {
    if (match->bots[i] == bot) *seat = &match->seats[i];
  }
  return match;
}

template <typename Look>
void RelayWitness::ForEachSeatOf(int bot, Look look) {
  for (const auto& [id, match] : matches_) {
    if (match->ended || match->gone) continue;
    for (size_t i = 0; i < match->bots.size(); ++i) {
      if (match->bots[i] == bot) look(match.get(), &match->seats[i]);
    }
  }
}

// --- Matches ---

void RelayWitness::OnCreated(const MatchId& id, int match, int node, const std::vector<int>& bots) {
  std::unique_ptr<Match>& made = matches_[id.text()];
  if (made == nullptr) made = std::make_unique<Match>();
  made->match = match;
  made->node = node;
  made->bots = bots;
  made->created = made->due = queue_.Now();
  made->seats.resize(bots.size());
}

void RelayWitness::OnOpened(const match::Setup& setup) {
  Match* const match = Find(setup.id.text());
  chronicle_.Note("opened", {match->match});
  if (std::exchange(match->opened, true)) Fail(*match, "it was opened twice");
}

void RelayWitness::OnRecord(const match::Setup& setup, const match::Record& record) {
  Match* const match = Find(setup.id.text());
  if (match->ended) Fail(*match, "a record was written after the end");
  if (match->gone) Fail(*match, "a record was written after its owner was gone");
  ++match->records;
  std::visit([&](const auto& one) { On(match, setup, one); }, record);
}

void RelayWitness::OnRecovered(const MatchId& id, size_t records) {
  Match* const match = Find(id.text());
  chronicle_.Note("recovered", {match->match, static_cast<int64_t>(records)});
  if (records < match->records) Fail(*match, "records are lost that were written");
  DueAnew(match);
}

void RelayWitness::OnArchived(const replay::Replay& replay) {
  Match* const match = Find(replay.setup.id.text());
  chronicle_.Note("archived", {match->match});
  ++archived_;
  if (std::exchange(match->archived, true)) Fail(*match, "it was archived twice");
  if (!match->ended) Fail(*match, "it was archived before its end was written");
  const replay::Verification found = replay::VerifyMatch(replay);
  if (!found.ok) Fail(*match, absl::StrCat("its replay does not verify: ", found.problem));
}

void RelayWitness::OnKilled(int node, bool for_good, Instant noticed) {
  OnTrouble(true);
  if (!for_good) return;
  for (const auto& [id, match] : matches_) {
    if (match->node == node && !match->archived) match->gone = true;
  }
  for (size_t bot = 0; bot < bots_.size(); ++bot) {
    const BotState& state = bots_[bot];
    for (const auto& [id, match] : state.open) {
      if (!match->gone || state.node == node) continue;
      expected_.push_back({static_cast<int>(bot), state.stream, id,
                           noticed + (limits::kEntryPatience + kTimerLate)});
    }
  }
}

void RelayWitness::OnStalled(absl::Duration lasts) {
  for (VoidExpected& expected : expected_) expected.until = expected.until + lasts;
}

void RelayWitness::CheckVoids() {
  const Instant now = queue_.Now();
  const auto is_over = [&](const VoidExpected& expected) {
    const BotState& state = bots_[static_cast<size_t>(expected.bot)];
    const auto open = state.open.find(expected.id);
    if (state.stream != expected.stream || open == state.open.end()) return true;
    if (now <= expected.until) return false;
    Fail(*open->second, absl::StrCat("its owner is gone, and bot ", expected.bot,
                                     " was not told in time that it is void"));
    return true;
  };
  expected_.erase(std::remove_if(expected_.begin(), expected_.end(), is_over), expected_.end());
}

bool RelayWitness::IsOver(const MatchId& id) const {
  const auto found = matches_.find(id.text());
  return found != matches_.end() && (found->second->gone || found->second->archived);
}

// --- Records ---

void RelayWitness::DueAnew(Match* match) {
  match->due = queue_.Now();
  match->starting = false;
  for (SeatState& seat : match->seats) {
    seat.had.clear();
    seat.asked = 0;
    seat.away = absl::ZeroDuration();
    seat.was_away = false;
  }
}

void RelayWitness::On(Match* match, const match::Setup&, const match::Started&) {
  chronicle_.Note("started", {match->match});
  if (std::exchange(match->started, true)) Fail(*match, "it was started twice");
  match->starting = true;
}

void RelayWitness::On(Match* match, const match::Setup&, const match::Resumed&) {
  chronicle_.Note("resumed", {match->match});
  match->lengthened = false;
  DueAnew(match);
}

void RelayWitness::On(Match* match, const match::Setup& setup, const match::Played& played) {
  chronicle_.Note("played", {match->match, played.number, played.seat.index(),
                             absl::ToInt64Nanoseconds(played.used)});
  const auto index = static_cast<size_t>(played.seat.index());
  const SeatState& seat = match->seats[index];
  if (!match->started) Fail(*match, "a turn was written before the start");
  if (played.number != match->played + 1) Fail(*match, "turns are not in order");
  if (seat.out) Fail(*match, "a seat that was out played");
  if (played.timing && played.substituted) {
    CheckOut(*match, played.seat, LimitOf(*match, setup), "its turn was played for it");
  } else if (played.timing) {
    const int bot = match->bots[index];
    const absl::Duration had = HadBy(*match, seat, bot);
    if (played.used > had) {
      Fail(*match, absl::StrCat("turn ", played.number, " of bot ", bot, " was charged ",
                                absl::FormatDuration(played.used), ", and the bot had ",
                                absl::FormatDuration(had)));
    }
    const absl::Duration stalled = played.timing->stalled;
    if (IsPlain(*match, seat, bot) &&
        played.used != std::max(absl::ZeroDuration(), had - stalled)) {
      Fail(*match,
           absl::StrCat("turn ", played.number, " of bot ", bot, " was charged ",
                        absl::FormatDuration(played.used), ", and the bot had exactly ",
                        absl::FormatDuration(had), ", less ", absl::FormatDuration(stalled)));
    }
  }
  ++turns_;
  match->played = played.number;
  match->lengthened = false;
  DueAnew(match);
}

void RelayWitness::On(Match* match, const match::Setup& setup, const match::Forfeited& forfeited) {
  chronicle_.Note("forfeited",
                  {match->match, forfeited.seat.index(), static_cast<int>(forfeited.cause),
                   absl::ToInt64Nanoseconds(forfeited.used)});
  SeatState& seat = match->seats[static_cast<size_t>(forfeited.seat.index())];
  if (std::exchange(seat.out, true)) Fail(*match, "a seat forfeited twice");
  switch (forfeited.cause) {
    case match::Cause::kTimeout:
    case match::Cause::kDisconnected:
      CheckOut(*match, forfeited.seat,
               forfeited.timing ? LimitOf(*match, setup) : setup.time_control.ready,
               forfeited.detail);
      break;
    case match::Cause::kResigned:
      if (!seat.resigned) Fail(*match, "a seat resigned that did not say so");
      break;
    case match::Cause::kIllegal:
      Fail(*match, "a legal move was judged illegal");
      break;
  }
  if (forfeited.interrupts_turn) {
    match->lengthened = true;
  } else if (match->played > 0 || forfeited.timing) {
    DueAnew(match);
  }
}

absl::Duration RelayWitness::LimitOf(const Match& match, const match::Setup& setup) {
  return setup.time_control.per_move * (match.lengthened ? 2 : 1);
}

void RelayWitness::CheckOut(const Match& match, Seat of, absl::Duration limit,
                            absl::string_view why) {
  const auto index = static_cast<size_t>(of.index());
  const int bot = match.bots[index];
  const absl::Duration had = HadBy(match, match.seats[index], bot);
  if (had > limit) return;
  Fail(match,
       absl::StrCat("bot ", bot, " lost on time in turn ", match.played + 1, ", and had ",
                    absl::FormatDuration(had), " of ", absl::FormatDuration(limit), ": ", why));
}

void RelayWitness::On(Match* match, const match::Setup& setup, const match::NoContest& no_contest) {
  chronicle_.Note("no contest", {match->match, no_contest.seat.index()});
  if (no_contest.stall <= setup.time_control.stall_per_move) {
    Fail(*match, "it is void for a stall that may be given back");
  }
}

void RelayWitness::On(Match* match, const match::Setup&, const match::Ended& ended) {
  chronicle_.Note("ended", {match->match, static_cast<int>(ended.ending)});
  match->ended = ended;
  const bool finished = ended.ending == match::Ending::kFinished;
  if (finished && !match->started) Fail(*match, "it has a result and was never started");
  const bool excused = excuse_ >= match->created && queue_.Now() - excuse_ <= kExcusedFor;
  if (ended.ending == match::Ending::kVoid && !excused) {
    Fail(*match, absl::StrCat("it is void, and nothing has failed: ", ended.reason));
  }
  const std::string result = ResultText(finished, absl::StrJoin(ended.ranks, " "));
  for (const SeatState& seat : match->seats) {
    if (!seat.end || *seat.end == result) continue;
    Fail(*match, absl::StrCat("its end has ", result, ", and a bot was told ", *seat.end));
  }
}

// --- Time ---

absl::Duration RelayWitness::OutageBetween(int entry, Instant from, Instant until) const {
  absl::Duration total;
  for (const Stretch& outage : outages_[static_cast<size_t>(entry)])
    total += Overlap(from, until, outage.from, outage.until);
  return total;
}

absl::Duration RelayWitness::AwayBy(const Match& match, const SeatState& seat, int bot) const {
  const BotState& state = bots_[static_cast<size_t>(bot)];
  absl::Duration away = seat.away;
  if (state.own_loss) away += queue_.Now() - std::max(state.lost_at, match.due);
  return away;
}

absl::Duration RelayWitness::HadBy(const Match& match, const SeatState& seat, int bot) const {
  absl::Duration had = AwayBy(match, seat, bot);
  for (const Had& one : seat.had) {
    const Instant until = std::min(one.until, queue_.Now());
    had += until - one.from;
    if (one.node != match.node) had -= OutageBetween(one.node, one.from, until);
  }
  return had;
}

// Nothing has failed since the turn was due.
bool RelayWitness::IsPlain(const Match& match, const SeatState& seat, int bot) const {
  const BotState& state = bots_[static_cast<size_t>(bot)];
  if (seat.asked != 1 || seat.had.size() != 1 || seat.was_away || state.own_loss) return false;
  return state.node == match.node ||
         OutageBetween(state.node, match.due, queue_.Now()) == absl::ZeroDuration();
}

// --- Bots ---

void RelayWitness::OnAttached(int bot, int stream, int node) {
  chronicle_.Note("attached", {bot, stream, node});
  BotState& state = bots_[static_cast<size_t>(bot)];
  const Instant now = queue_.Now();
  if (std::exchange(state.own_loss, false)) {
    ForEachSeatOf(bot, [&](Match* match, SeatState* seat) {
      seat->away += now - std::max(state.lost_at, match->due);
      seat->was_away = true;
    });
  }
  // Its former stream may have been cut without the entry's knowledge.
  ForEachSeatOf(bot, [](Match*, SeatState* seat) { seat->was_away = true; });
  entries_[stream] = node;
  state.stream = stream;
  state.node = node;
  state.connected_at = now;
  state.open.clear();
}

void RelayWitness::OnLost(int bot, int stream, bool own) {
  BotState& state = bots_[static_cast<size_t>(bot)];
  if (state.stream != stream) return;
  chronicle_.Note("lost", {bot, stream, own ? 1 : 0});
  state.stream = 0;
  state.own_loss = own;
  state.lost_at = queue_.Now();
  state.open.clear();
  ForEachSeatOf(bot, [&](Match*, SeatState* seat) {
    seat->was_away = true;
    for (Had& one : seat->had) one.until = std::min(one.until, queue_.Now());
  });
}

void RelayWitness::OnWritten(int bot, int stream, const v1::RefereeItem& item) {
  switch (item.kind_case()) {
    case v1::RefereeItem::kMatchStart:
      return OnStart(bot, stream, item.match_start().match().match_id(),
                     item.match_start().has_ready_limit());
    case v1::RefereeItem::kMatchEnd:
      return OnEnd(bot, stream, item.match_end());
    case v1::RefereeItem::kRevealNonce: {
      SeatState* seat = nullptr;
      const Match* const match = FindOf(bot, item.reveal_nonce().match_id(), &seat);
      if (match == nullptr || match->started) return;
      seat->nonce = true;
      seat->had.clear();
      seat->request = 0;
      return HandOver(seat, stream);
    }
    case v1::RefereeItem::kTurnRequest: {
      const v1::TurnRequest& request = item.turn_request();
      SeatState* seat = nullptr;
      Match* const match = FindOf(bot, request.match_id(), &seat);
      if (match == nullptr || request.turn() != match->played + 1) return;
      chronicle_.Note("request", {match->match, bot, request.turn(), request.request()});
      if (match->starting) DueAnew(match);
      seat->request = request.request() + 1;
      return HandOver(seat, stream);
    }
    default:
      return;
  }
}

void RelayWitness::HandOver(SeatState* seat, int stream) {
  ++seat->asked;
  const Instant now = queue_.Now();
  const int node = entries_.at(stream);
  if (!seat->had.empty()) {
    Had& last = seat->had.back();
    if (last.until == Instant::InfiniteFuture() && last.node == node) return;
    last.until = std::min(last.until, now);
  }
  seat->had.push_back({now, Instant::InfiniteFuture(), node});
}

void RelayWitness::OnRead(int bot, int, const v1::BotItem& item) {
  SeatState* seat = nullptr;
  const auto answer = [&] {
    for (Had& one : seat->had) one.until = std::min(one.until, queue_.Now());
  };
  switch (item.kind_case()) {
    case v1::BotItem::kMove: {
      const Match* const match = FindOf(bot, item.move().match_id(), &seat);
      if (match == nullptr || item.move().turn() != match->played + 1) return;
      chronicle_.Note("reply", {match->match, bot, item.move().turn()});
      if (item.move().request() + 1 == seat->request) answer();
      return;
    }
    case v1::BotItem::kReady: {
      const Match* const match = FindOf(bot, item.ready().match_id(), &seat);
      if (match != nullptr && !match->started && !seat->nonce) answer();
      return;
    }
    case v1::BotItem::kNonce: {
      const Match* const match = FindOf(bot, item.nonce().match_id(), &seat);
      if (match != nullptr && !match->started) answer();
      return;
    }
    case v1::BotItem::kResign:
      if (FindOf(bot, item.resign().match_id(), &seat) != nullptr) seat->resigned = true;
      return;
    default:
      return;
  }
}

void RelayWitness::OnStart(int bot, int stream, const std::string& id, bool asks_ready) {
  SeatState* seat = nullptr;
  Match* const match = FindOf(bot, id, &seat);
  BotState& state = bots_[static_cast<size_t>(bot)];
  if (match == nullptr) return;
  // Its own entry may not know yet that the bot has come to the other node.
  if (asks_ready && !match->started) {
    seat->nonce = false;
    seat->request = 0;
    HandOver(seat, stream);
  }
  if (state.stream != stream) return;
  chronicle_.Note("told start", {match->match, bot, stream});
  if (!match->started) began_ = queue_.Now();
  state.open.emplace(id, match);
  const auto open = std::count_if(state.open.begin(), state.open.end(), [](const auto& entry) {
    return !entry.second->ended && !entry.second->gone;
  });
  const int most = most_[static_cast<size_t>(bot)];
  if (open <= most) return;
  Fail(*match, absl::StrCat("bot ", bot, " is in ", open, " matches at once, and takes ", most));
}

void RelayWitness::OnEnd(int bot, int stream, const v1::MatchEnd& end) {
  SeatState* seat = nullptr;
  Match* const match = FindOf(bot, end.match_id(), &seat);
  if (match == nullptr) return;
  BotState& state = bots_[static_cast<size_t>(bot)];
  chronicle_.Note("told end", {match->match, bot, stream, end.verdict().ranks_size()});
  if (state.stream == stream) state.open.erase(end.match_id());
  const std::string told =
      ResultText(end.verdict().ranks_size() > 0, absl::StrJoin(end.verdict().ranks(), " "));
  if (seat->end && seat->end_stream == stream) Fail(*match, "a bot was told its end twice");
  if (seat->end && *seat->end != told) {
    Fail(*match, absl::StrCat("a bot was told two ends: ", *seat->end, ", ", told));
  }
  seat->end = told;
  seat->end_stream = stream;
  if (!match->ended) {
    if (told != "no result") Fail(*match, "a bot was told a result that is not on record");
    return;
  }
  const bool finished = match->ended->ending == match::Ending::kFinished;
  const std::string result = ResultText(finished, absl::StrJoin(match->ended->ranks, " "));
  if (told != result && !match->gone) {
    Fail(*match, absl::StrCat("its end has ", result, ", and a bot was told ", told));
  }
}

// --- Failures ---

void RelayWitness::OnPeerStream(int entry, bool linked) {
  std::vector<Stretch>& outages = outages_[static_cast<size_t>(entry)];
  const bool was_linked = outages.empty() || outages.back().until < Instant::InfiniteFuture();
  if (linked == was_linked) return;
  chronicle_.Note("peer stream", {entry, linked ? 1 : 0});
  if (linked) {
    outages.back().until = queue_.Now();
  } else {
    outages.push_back({queue_.Now(), Instant::InfiniteFuture()});
  }
}

void RelayWitness::OnTrouble(bool excuses) {
  trouble_ = queue_.Now();
  if (excuses) excuse_ = queue_.Now();
}

// --- Progress ---

void RelayWitness::CheckProgress() {
  CheckVoids();
  const Instant now = queue_.Now();
  if (now - std::max(trouble_, began_) <= kBeginsWithin) return;
  for (const auto& [id, match] : matches_) {
    if (match->started || match->ended || match->gone) continue;
    if (now - match->created <= kBeginsWithin) continue;
    const bool able = std::all_of(match->bots.begin(), match->bots.end(), [&](int bot) {
      const BotState& state = bots_[static_cast<size_t>(bot)];
      return state.stream != 0 && now - state.connected_at > kBeginsWithin;
    });
    if (able) {
      Fail(*match, absl::StrCat("it waits for bots that are connected, and no match has begun for ",
                                absl::FormatDuration(now - std::max(trouble_, began_))));
    }
  }
}

void RelayWitness::CheckTheEnd() {
  for (const auto& [id, match] : matches_) {
    if (match->gone || match->archived) continue;
    Fail(*match, absl::StrCat("it is not over, having played ", match->played, " turns"));
  }
  for (size_t bot = 0; bot < bots_.size(); ++bot) {
    for (const auto& [id, match] : bots_[bot].open) {
      Fail(*match, absl::StrCat("bot ", bot, " was never told its end"));
    }
  }
}

}  // namespace referee::simulation
