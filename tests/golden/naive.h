// What the vectors' reader computes for itself, with nothing of the referee: refdice-v1 and
// position digests from SHA-256 and HMAC alone, and position strings from positions as the wire has
// them. Pure functions.
#ifndef REFEREE_TESTS_GOLDEN_NAIVE_H_
#define REFEREE_TESTS_GOLDEN_NAIVE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "nlohmann/json.hpp"

namespace referee::golden::naive {

using Json = nlohmann::json;

// Of bytes, as bytes.
std::string Sha256(const std::string& text);
// REQUIRES: `key` has 32 bytes.
std::string Hmac(const std::string& key, const std::string& text);

// The match key, 32 bytes; `nonces` is null for a pinned match.
std::string MatchKey(const std::string& seed, const std::vector<std::string>* nonces);
std::vector<int> Uniform(const std::string& key, const std::string& label, int n, size_t count);
// Two dice, as rolled.
std::vector<int> Roll(const std::string& key, const std::string& label);
std::string Digest(const std::string& position);

// The position string of a vector of kind "position", from all its members but that one.
std::string HypnosiaText(const Json& vector);
std::string IsaacText(const Json& vector);

}  // namespace referee::golden::naive

#endif  // REFEREE_TESTS_GOLDEN_NAIVE_H_
