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

// What was given of the terms that may change later, too.
struct TermsFlags {
  v1::CompetitionSpec spec;           // with these fields
  google::protobuf::FieldMask given;  // which they are
};

// What was given.
struct CompetitionFlags {
  std::string name;
  std::string format;
  std::string game;
  std::vector<std::string> options;
  std::string positions;  // a file
  std::string bots;
  std::string bots_from;
  std::vector<std::string> entrants;  // instead of the bots
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

// Adds those that say more of a format: --rounds, --best-of, --extra-blocks and --tie-breaks.
void AddFormatFlags(CLI::App* command, CompetitionFlags* flags);

// Adds those of a competition of two bots that is a test, without its name and bots.
void AddTestFlags(CLI::App* command, CompetitionFlags* flags);

// The help of an --sprt: `text`, and below it the presets.
std::string SprtHelp(const std::string& text);

// Reads them, and judges them as the referee would. Returns InvalidArgument that names the flag and
// says what would be right, or what a file's reading says.
absl::StatusOr<v1::CompetitionSpec> ReadCompetition(const CompetitionFlags& flags);

// Splits a list of bots' names: at commas, or at the lines of a file, where empty lines are
// skipped. Removes spaces around names; commas in a file have no meaning. A name in double quotes
// is taken as it is, with "" for a quote in it.
std::vector<std::string> SplitNames(absl::string_view text, char separator);

// Adds the flags of the terms that every competition has, and those of ladders and others. Both
// throw what CLI11 prints when a value cannot be read. `flags` must outlive the parsing.
void AddRunTerms(CLI::App* command, TermsFlags* flags);
void AddRatingTerms(CLI::App* command, TermsFlags* flags);

// The same error in the words of the command line: fields of a spec that it begins with or points
// to become flags, "entrants[2]" the third name of --bots.
absl::Status InFlags(const absl::Status& status);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_COMPETITION_FLAGS_H_
