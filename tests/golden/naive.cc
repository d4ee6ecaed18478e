#include "tests/golden/naive.h"

#include <sodium.h>

#include <cstdint>

#include "absl/strings/escaping.h"

namespace referee::golden::naive {
namespace {

const unsigned char* Bytes(const std::string& text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

std::string Letter(const Json& seat) {
  return std::string(1, static_cast<char>('a' + seat.get<int>()));
}

// Seats as letters, one after another; "-" for none.
std::string Letters(const Json& seats) {
  std::string text;
  for (const Json& seat : seats) text += Letter(seat);
  return text.empty() ? "-" : text;
}

std::string Numbers(const Json& numbers) {
  std::string text;
  for (const Json& number : numbers) {
    text += (text.empty() ? "" : ",") + std::to_string(number.get<int>());
  }
  return text;
}

std::string ToMove(const Json& vector) {
  return vector.at("to_move").is_null() ? "-" : Letter(vector.at("to_move"));
}

// Empty spaces as a number, a pawn as a letter, a stack as a capital.
std::string Ring(const Json& spaces) {
  std::string text;
  int empty = 0;
  for (const Json& space : spaces) {
    const int what = space;
    if (what == 0) {
      ++empty;
      continue;
    }
    if (empty > 0) text += std::to_string(empty);
    empty = 0;
    text += static_cast<char>((what % 2 == 1 ? 'a' : 'A') + (what - 1) / 2);
  }
  return empty > 0 ? text + std::to_string(empty) : text;
}

}  // namespace

std::string Sha256(const std::string& text) {
  std::string out(crypto_hash_sha256_BYTES, '\0');
  crypto_hash_sha256(reinterpret_cast<unsigned char*>(&out[0]), Bytes(text), text.size());
  return out;
}

std::string Hmac(const std::string& key, const std::string& text) {
  std::string out(crypto_auth_hmacsha256_BYTES, '\0');
  crypto_auth_hmacsha256(reinterpret_cast<unsigned char*>(&out[0]), Bytes(text), text.size(),
                         Bytes(key));
  return out;
}

std::string MatchKey(const std::string& seed, const std::vector<std::string>* nonces) {
  std::string text = "refdice-v1/key";
  if (nonces != nullptr) {
    for (const std::string& nonce : *nonces) text += static_cast<char>(nonce.size()) + nonce;
  }
  return Hmac(seed, text);
}

std::vector<int> Uniform(const std::string& key, const std::string& label, int n, size_t count) {
  const int width = n <= 256 ? 1 : 2;
  const int words = n <= 256 ? 256 : 65536;
  std::vector<int> values;
  for (int block = 0; values.size() < count; ++block) {
    const std::string bytes = Hmac(key, "refdice-v1/" + label + "/" + std::to_string(block));
    for (size_t at = 0; at < bytes.size() && values.size() < count; at += width) {
      int word = 0;
      for (int i = 0; i < width; ++i) word = 256 * word + static_cast<uint8_t>(bytes[at + i]);
      if (word < words - words % n) values.push_back(word % n);
    }
  }
  return values;
}

std::vector<int> Roll(const std::string& key, const std::string& label) {
  std::vector<int> dice = Uniform(key, label, 6, 2);
  for (int& die : dice) ++die;
  return dice;
}

std::string Digest(const std::string& position) {
  return absl::BytesToHexString(Sha256(position).substr(0, 8));
}

std::string HypnosiaText(const Json& vector) {
  const Json& value = vector.at("value");
  std::string rings, lanes, dice;
  for (const Json& ring : value.at("rings")) {
    rings += (rings.empty() ? "" : "/") + Ring(ring.at("spaces"));
  }
  for (const Json& lane : value.at("lanes")) {
    if (!lanes.empty()) lanes += ",";
    for (const Json& pawn : lane.at("pawns")) lanes += pawn.get<bool>() ? "1" : "0";
  }
  for (const Json& die : vector.at("roll")) dice += std::to_string(die.get<int>());
  return rings + " " + lanes + " " + Letters(value.at("centre")) + " " +
         Numbers(value.at("points")) + " " + Letters(value.at("forfeits")) + " " + ToMove(vector) +
         " " + (dice.empty() ? "-" : dice);
}

std::string IsaacText(const Json& vector) {
  const Json& value = vector.at("value");
  std::string pieces, unplayed;
  for (const Json& piece : value.at("pieces")) {
    const int cell = piece.at("cell");
    pieces += (pieces.empty() ? "" : ",") + Letter(piece.at("seat")) +
              std::to_string(piece.at("length").get<int>()) +
              (piece.at("direction") == "DIRECTION_HORIZONTAL" ? "h" : "v") +
              std::to_string(cell / 10) + std::to_string(cell % 10);
  }
  for (const Json& stock : value.at("unplayed")) {
    if (!unplayed.empty()) unplayed += ",";
    for (const Json& count : stock.at("counts")) unplayed += std::to_string(count.get<int>());
  }
  const std::string phase = value.at("phase");
  return (pieces.empty() ? "-" : pieces) + " " + unplayed + " " + Numbers(value.at("scores")) +
         " " + Numbers(value.at("floors")) + " " + Letters(value.at("out")) + " " +
         (phase == "PHASE_PLACEMENT" ? "P"
          : phase == "PHASE_SCORING" ? "S"
                                     : "-") +
         " " + ToMove(vector) + " " + Letter(value.at("first"));
}

}  // namespace referee::golden::naive
