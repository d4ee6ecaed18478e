// The text notation of a block's columns in the store, readable by people.
//
//   bots       12 57                        numbers of entrants, by seat in rotation 0
//   match_ids  01hf... 01hf...              by rotation
//   results    16,-1/1,2/1T;3,9/2,1/;//0R   by rotation: scores / ranks / forfeits, all by seat;
//                                           T timeout, I illegal, D disconnected, R resigned,
//                                           Ru before any seat was asked for a move;
//                                           without a result neither scores nor ranks
//   times      0:0:0,1500:2:1;;0:0:1,0:0:0 1
//                                           by rotation: of each seat the nanoseconds given back,
//                                           time losses, lost links; then the seat whose lateness
//                                           made it void. Empty for a match in which all are 0, and
//                                           as a whole if all of them are
#ifndef REFEREE_STORE_BLOCK_TEXT_H_
#define REFEREE_STORE_BLOCK_TEXT_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "referee/rating/block.h"
#include "referee/store/store.h"

namespace referee::store {

std::string PairingText(const rating::Pairing& pairing);
std::string MatchIdsText(const std::vector<BlockMatch>& matches);
std::string MatchIdsText(const std::vector<MatchId>& matches);
std::string ResultsText(const std::vector<BlockMatch>& matches);
std::string TimesText(const std::vector<BlockMatch>& matches);
// The text of Help::places.
std::string PlacesText(const std::vector<int>& places);

// Readers return false on a syntax error; their output is then undefined.
bool ReadPairing(absl::string_view text, rating::Pairing* pairing);
// These set only the fields that the text holds; `matches` grows to the number of matches in it.
bool ReadMatchIds(absl::string_view text, std::vector<BlockMatch>* matches);
bool ReadResults(absl::string_view text, std::vector<BlockMatch>* matches);
bool ReadTimes(absl::string_view text, std::vector<BlockMatch>* matches);
bool ReadPlaces(absl::string_view text, std::vector<int>* places);

}  // namespace referee::store

#endif  // REFEREE_STORE_BLOCK_TEXT_H_
