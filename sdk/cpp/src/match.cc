#include "referee/sdk/match.h"

#include <algorithm>
#include <utility>

#include "referee/base/text.h"
#include "referee/sdk/hypnosia.h"
#include "referee/sdk/isaac.h"
#include "sdk/cpp/src/durations.h"

namespace referee::sdk {
namespace {

// The finalizer of SplitMix64: each bit of the result depends on each bit of `x`.
uint64_t Mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// The move with this notation, in the type of the position's game.
Move ReadMove(const Position& position, absl::string_view notation) {
  Move move;
  if (position.has_hypnosia() && hypnosia::ParseMove(notation, move.mutable_hypnosia()))
    return move;
  if (position.has_isaac() && isaac::ParseMove(notation, move.mutable_isaac())) return move;
  return MoveFromNotation(notation);
}

}  // namespace

Move MoveFromNotation(absl::string_view notation) {
  Move move;
  // Protobuf sends only UTF-8, and no game has other notation.
  if (CheckUtf8(notation).ok()) {
    move.set_notation(notation.data(), notation.size());
  } else {
    move.set_notation(EscapedBytes(notation));
  }
  return move;
}

std::string Notation(const Move& move) {
  switch (move.game_case()) {
    case Move::kHypnosia:
      return hypnosia::Notation(move.hypnosia());
    case Move::kIsaac:
      return isaac::Notation(move.isaac());
    case Move::kNotation:
      return move.notation();
    default:
      return "?";
  }
}

Match::Match(::referee::v1::MatchStart start, Logger log)
    : start_(std::move(start)),
      log_(log.WithPrefix(absl::StrCat("match ", id(), ": "))),
      chance_(Mix(start_.seat())) {
  for (const char byte : commitment()) chance_ = Mix(chance_ ^ static_cast<uint8_t>(byte));
  // The matches of a block have the same commitment, but another bot in this seat.
  if (seat() >= seats()) return;
  for (const char byte : bot(seat())) chance_ = Mix(chance_ ^ static_cast<uint8_t>(byte));
}

std::vector<std::string> Match::opponents() const {
  std::vector<std::string> names;
  for (int i = 1; i < seats(); ++i) names.push_back(bot((seat() + i) % seats()));
  return names;
}

uint64_t Match::Chance(uint32_t turn) const { return Mix(chance_ ^ turn); }

Turn::Turn(const Match& match, const ::referee::v1::TurnRequest& request,
           std::chrono::steady_clock::time_point received)
    : match_(match), request_(request), received_(received), limit_(FromWire(request.limit())) {
  absl::string_view rest = request.legal_notations();
  while (!rest.empty()) {
    notations_.push_back(rest.substr(0, rest.find('\n')));
    rest.remove_prefix(std::min(rest.size(), notations_.back().size() + 1));
  }
  legal_count_ =
      notations_.empty() ? request.legal_moves_size() : static_cast<int>(notations_.size());
}

const google::protobuf::RepeatedPtrField<Move>& Turn::legal_moves() const {
  if (notations_.empty()) return request_.legal_moves();
  std::call_once(legal_moves_made_, [this] {
    for (const absl::string_view notation : notations_) {
      *legal_moves_.Add() = ReadMove(position(), notation);
    }
  });
  return legal_moves_;
}

Move Turn::legal_move(int index) const {
  if (notations_.empty()) return request_.legal_moves(index);
  return ReadMove(position(), notations_[static_cast<size_t>(index)]);
}

absl::Duration Turn::time_left() const {
  const absl::Duration used = absl::FromChrono(std::chrono::steady_clock::now() - received_);
  return std::max(limit_ - used, absl::ZeroDuration());
}

absl::optional<absl::Duration> Turn::bank_left() const {
  if (!request_.has_bank_left()) return absl::nullopt;
  return FromWire(request_.bank_left());
}

}  // namespace referee::sdk
