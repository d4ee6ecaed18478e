// Checks the starts of matches: Ready and nonces, repeated starts, many at once, blocks.
#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "referee/conformance/check.h"
#include "referee/dice/dice.h"

namespace referee::conformance {
namespace {

constexpr char kReadyRight[] =
    "for each MatchStart with a ready_limit it says Ready once, with the SHA-256 of 32 random "
    "bytes";

// The first turn of a match of the bot's first game, with dice that depend on the bots' nonces.
AskedTurn FirstTurn(const Visit& visit) {
  AskedTurn turn = SampleTurn(*visit.games.front());
  turn.turn = 1;
  turn.pinned = false;
  return turn;
}

absl::optional<Heard> HearReady(BotStream* stream, const std::string& match_id,
                                absl::Duration limit) {
  return HearThe(stream, limit, [&match_id](const v1::BotItem& item) {
    return item.has_ready() && item.ready().match_id() == match_id;
  });
}

absl::optional<Heard> HearNonce(BotStream* stream, const std::string& match_id,
                                absl::Duration limit) {
  return HearThe(stream, limit, [&match_id](const v1::BotItem& item) {
    return item.has_nonce() && item.nonce().match_id() == match_id;
  });
}

// RevealNonce with the hashes of all seats: the bot's own as received, and generated ones for the
// others.
v1::RefereeItem RevealItem(const AskedTurn& turn, const std::string& own_hash) {
  v1::RefereeItem item;
  v1::RevealNonce* const reveal = item.mutable_reveal_nonce();
  reveal->set_match_id(turn.match_id);
  for (int seat = 0; seat < turn.game->seats(); ++seat) {
    const std::string other(dice::Raw(dice::HashNonce(absl::StrCat("doctor/", seat))));
    reveal->add_nonce_hashes(Seat(seat) == turn.seat() ? own_hash : other);
  }
  reveal->mutable_limit()->set_seconds(10);
  return item;
}

// Runs the start of the turn's match up to the bot's hash. The finding reports a problem, if any.
Finding GetReady(Visit& visit, const AskedTurn& turn, BotStream* stream, std::string* hash) {
  stream->Say({StartItem(turn, absl::Seconds(10))});
  const absl::optional<Heard> ready = HearReady(stream, turn.match_id, kAtOnce);
  if (!ready) return NotHeard(visit, *stream, "say Ready for the match", kReadyRight);
  *hash = ready->item.ready().nonce_hash();
  if (hash->size() == 32) return Pass("");
  return Fail(absl::StrCat("ready.nonce_hash has ", hash->size(), " bytes"), kReadyRight);
}

Finding Reveal(Visit& visit, const AskedTurn& turn, const std::string& hash, BotStream* stream,
               std::string* nonce) {
  constexpr char kRight[] =
      "at RevealNonce it says Nonce with the bytes whose SHA-256 it told in Ready";
  stream->Say({RevealItem(turn, hash)});
  const absl::optional<Heard> heard = HearNonce(stream, turn.match_id, kAtOnce);
  if (!heard) return NotHeard(visit, *stream, "reveal its nonce", kRight);
  *nonce = heard->item.nonce().nonce();
  if (dice::Raw(dice::HashNonce(*nonce)) == hash) return Pass("");
  return Fail(absl::StrCat("the SHA-256 of its nonce, ", nonce->size(),
                           " bytes, is not the hash that it told"),
              kRight);
}

Finding IsReady(Visit& visit, BotStream* stream) {
  const AskedTurn turn = FirstTurn(visit);
  std::string hash;
  Finding ready = GetReady(visit, turn, stream, &hash);
  if (ready.kind != Finding::Kind::kPass) return ready;
  const bool twice = HearReady(stream, turn.match_id, absl::Milliseconds(50)).has_value();
  stream->Say({CancelledItem(turn.match_id)});
  if (twice) return Fail("it said Ready twice for one MatchStart", kReadyRight);
  return Pass("with a hash");
}

Finding RevealsNonces(Visit& visit, BotStream* stream) {
  std::array<std::string, 2> nonces;
  for (std::string& nonce : nonces) {
    const AskedTurn turn = FirstTurn(visit);
    std::string hash;
    Finding ready = GetReady(visit, turn, stream, &hash);
    if (ready.kind != Finding::Kind::kPass) return ready;
    Finding revealed = Reveal(visit, turn, hash, stream, &nonce);
    if (revealed.kind != Finding::Kind::kPass) return revealed;
    AskTerms terms = TermsFor(visit);
    terms.tells_match = false;
    const TurnAnswer answer = AskTurns(absl::MakeConstSpan(&turn, 1), terms, stream).front();
    if (!answer.move.ok()) {
      return Fail(absl::StrCat("then, in turn 1: ", answer.move.status().message()),
                  "it answers the turns of a match for which it was ready");
    }
  }
  if (nonces[0].size() < 16) {
    return Note(absl::StrCat("a nonce of ", nonces[0].size(), " bytes"),
                "32 random bytes: a nonce that can be guessed guards no dice");
  }
  if (nonces[0] == nonces[1]) {
    return Note("two matches have the same nonce",
                "a nonce of its own, of 32 random bytes, for each match: one that is known guards "
                "no dice");
  }
  return Pass("of its own in each match");
}

Finding StartsAnew(Visit& visit, BotStream* stream) {
  const AskedTurn turn = FirstTurn(visit);
  std::string hash;
  Finding ready = GetReady(visit, turn, stream, &hash);
  if (ready.kind != Finding::Kind::kPass) return ready;

  auto next = visit.bot->Reconnect(absl::UnavailableError("refctl doctor: come back"));
  if (!next.ok()) return NoBot(next.status());
  stream = *next;
  ready = GetReady(visit, turn, stream, &hash);
  if (ready.kind != Finding::Kind::kPass) {
    ready.seen = absl::StrCat("of a match that was told again with a ready_limit: ", ready.seen);
    return ready;
  }

  next = visit.bot->Reconnect(absl::UnavailableError("refctl doctor: come back"));
  if (!next.ok()) return NoBot(next.status());
  stream = *next;
  v1::RefereeItem start = StartItem(turn, absl::Seconds(10));
  start.mutable_match_start()->clear_ready_limit();
  stream->Say({start});
  if (HearReady(stream, turn.match_id, absl::Milliseconds(50))) {
    return Fail("it said Ready for a MatchStart without a ready_limit",
                "such a match waits for nonces: RevealNonce follows");
  }
  std::string nonce;
  Finding revealed = Reveal(visit, turn, hash, stream, &nonce);
  stream->Say({CancelledItem(turn.match_id)});
  if (revealed.kind != Finding::Kind::kPass) return revealed;
  return Pass("Ready again, and the nonce of the last one");
}

Finding TakesAllAtOnce(Visit& visit, BotStream* stream) {
  constexpr int kMost = 64;
  const int count = std::min(visit.bot->max_matches(), kMost);
  std::vector<AskedTurn> turns = SampleTurns(*visit.games.front(), count);
  std::vector<v1::RefereeItem> starts;
  std::map<std::string, int> ready;
  for (const AskedTurn& turn : turns) {
    starts.push_back(StartItem(turn, absl::Seconds(10)));
    ready[turn.match_id] = 0;
  }
  stream->Say(starts);
  int missing = count;
  const auto all_ready = HearThe(stream, kAtOnce, [&](const v1::BotItem& item) {
    const auto found = item.has_ready() ? ready.find(item.ready().match_id()) : ready.end();
    if (found != ready.end() && found->second++ == 0) --missing;
    return missing == 0;
  });
  const std::string right = absl::StrCat(
      "it plays as many matches at once as hello.max_matches "
      "says, ",
      visit.bot->max_matches(), ", or says fewer");
  if (!all_ready) {
    for (const AskedTurn& turn : turns) stream->Say({CancelledItem(turn.match_id)});
    return NotHeard(visit, *stream,
                    absl::StrCat("say Ready for ", missing, " of ", count, " matches"), right);
  }
  const SystemClock clock;
  AskTerms terms = TermsFor(visit);
  terms.at_once = std::min(count, visit.bot->parallel_turns());
  terms.tells_match = false;
  terms.until = clock.Now() + absl::Seconds(2);
  const std::vector<TurnAnswer> answers = AskTurns(turns, terms, stream);
  for (size_t i = answers.size(); i < turns.size(); ++i) {
    stream->Say({CancelledItem(turns[i].match_id)});
  }
  for (const TurnAnswer& answer : answers) {
    if (!answer.move.ok()) return Fail(answer.move.status().message(), right);
  }
  return Pass(
      absl::StrCat(count, " ready, ", answers.size(), " asked, ", terms.at_once, " at a time"));
}

// The matches of a block of the bot's first game, by rotation: the bot has another seat in each.
std::vector<AskedTurn> Block(const Visit& visit) {
  std::vector<AskedTurn> block;
  const games::GameType& type = *visit.games.front();
  const BlockId id = BlockId::Parse(NewMatchId()).value();
  for (int rotation = 0; rotation < type.min_seats(); ++rotation) {
    AskedTurn turn = FirstTurn(visit);
    turn.block = match::BlockPlace{id, rotation};
    if (!block.empty()) turn.commitment = block.front().commitment;
    block.push_back(std::move(turn));
  }
  return block;
}

Finding TakesABlock(Visit& visit, BotStream* stream) {
  const int seats = visit.games.front()->min_seats();
  if (visit.bot->max_matches() < seats) {
    return Note(
        absl::StrCat("it plays ", visit.bot->max_matches(), " match at once"),
        absl::StrCat("to play in ladders and competitions of ", seats, " seats it takes a block, ",
                     seats, " matches side by side: hello.max_matches"));
  }
  constexpr char kRight[] =
      "of a block's matches only that of rotation 0 has a nonce; all are played side by side";
  const std::vector<AskedTurn> block = Block(visit);
  for (const AskedTurn& turn : block) {
    stream->Say({StartItem(turn, absl::Seconds(10))});
    const absl::optional<Heard> ready = HearReady(stream, turn.match_id, kAtOnce);
    if (!ready) {
      return NotHeard(visit, *stream, absl::StrCat("say Ready for rotation ", turn.block->rotation),
                      kRight);
    }
    if (turn.block->rotation > 0) continue;
    std::string nonce;
    Finding revealed = Reveal(visit, turn, ready->item.ready().nonce_hash(), stream, &nonce);
    if (revealed.kind != Finding::Kind::kPass) return revealed;
  }
  AskTerms terms = TermsFor(visit);
  terms.at_once = static_cast<int>(block.size());
  terms.tells_match = false;
  for (const TurnAnswer& answer : AskTurns(block, terms, stream)) {
    if (!answer.move.ok()) return Fail(answer.move.status().message(), kRight);
  }
  return Pass(absl::StrCat(seats, " matches side by side"));
}

Finding GuardsItsNonce(Visit& visit, BotStream* stream) {
  const AskedTurn turn = FirstTurn(visit);
  std::string hash;
  Finding ready = GetReady(visit, turn, stream, &hash);
  if (ready.kind != Finding::Kind::kPass) return ready;
  stream->Say({RevealItem(turn, std::string(dice::Raw(dice::HashNonce("another"))))});
  const bool revealed = HearNonce(stream, turn.match_id, absl::Milliseconds(200)).has_value();
  stream->Say({CancelledItem(turn.match_id)});
  if (!revealed) return Pass("it kept it when the hash in its seat was another");
  return Note("it reveals its nonce where the hash in its seat is not its own",
              "to see that nobody chose the dice, it compares the hash, and does not answer");
}

constexpr Check kStartChecks[] = {
    {"ready", "a MatchStart with a ready_limit is answered by Ready, with a hash", IsReady},
    {"nonces", "at RevealNonce a bot reveals the bytes whose hash it told", RevealsNonces},
    {"told again", "after a lost link, Ready again if a ready_limit is there, else the nonce",
     StartsAnew},
    {"own hash", "a bot may see that the hash in its seat is its own", GuardsItsNonce},
    {"at once", "a bot plays as many matches at once as it has said", TakesAllAtOnce},
    {"block", "matches of a block are played side by side", TakesABlock},
};

}  // namespace

absl::Span<const Check> StartChecks() { return kStartChecks; }

}  // namespace referee::conformance
