// The flags that specify a new competition.
#ifndef REFEREE_CTL_COMPETITION_FLAGS_H_
#define REFEREE_CTL_COMPETITION_FLAGS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "google/protobuf/field_mask.pb.h"
#include "proto/referee/v1/competition.pb.h"
#include "referee/ctl/command.h"
#include "referee/ctl/match/flags.h"

namespace referee::ctl {

// The given terms that may also change later.
struct TermsFlags {
  v1::CompetitionSpec spec;           // only the given fields are set
  google::protobuf::FieldMask given;  // names of the given fields
};

// The values of all flags.
struct CompetitionFlags {
  std::string name;
  std::string format;
  std::string game;
  std::vector<std::string> options;
  std::string positions;  // the path of a file
  std::string bots;
  std::string bots_from;
  std::vector<std::string> entrants;  // used instead of `bots`
  uint32_t seats = 2;
  uint32_t rounds = 0;
  uint32_t best_of = 0;
  absl::optional<uint32_t> extra_blocks;
  std::string tie_breaks;
  bool pinned = false;
  std::string sprt;
  TermsFlags terms;
  JudgingFlags judging;
};

// Adds the name and all flags. `flags` must outlive the parsing.
void AddCompetitionFlags(CLI::App* command, CompetitionFlags* flags);

// Adds the flags of formats: --rounds, --best-of, --extra-blocks and --tie-breaks.
void AddFormatFlags(CLI::App* command, CompetitionFlags* flags);

// Adds the flags of a test between two bots, without its name and bots.
void AddTestFlags(CLI::App* command, CompetitionFlags* flags);

// Help for an --sprt flag: `text`, followed by the presets.
std::string SprtHelp(const std::string& text);

// Parses the flags, and checks them as the referee would. Returns InvalidArgument that names the
// flag and what would be right, or the error of reading a file.
absl::StatusOr<v1::CompetitionSpec> ReadCompetition(const CompetitionFlags& flags);

// Splits a list of bots' names at commas, or a file at line ends, without empty lines. Removes
// spaces around names. Commas in a file are part of the name. A name in double quotes is taken
// literally, with "" for a quote.
std::vector<std::string> SplitNames(absl::string_view text, char separator);

// Add the flags of terms: those of every competition, and those that tests lack. Both throw CLI11's
// errors for malformed values. `flags` must outlive the parsing.
void AddRunTerms(CLI::App* command, TermsFlags* flags);
void AddRatingTerms(CLI::App* command, TermsFlags* flags);

// Rewords an error for the command line. Names of spec fields at its beginning become flags, and
// "entrants[2]" becomes the third name of --bots.
absl::Status InFlags(const absl::Status& status);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_COMPETITION_FLAGS_H_
