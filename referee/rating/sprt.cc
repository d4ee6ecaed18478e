#include "referee/rating/sprt.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "referee/base/errors.h"
#include "referee/rating/elo.h"

namespace referee::rating {
namespace {

absl::Status BadSprt(absl::string_view text, absl::string_view why) {
  return absl::InvalidArgumentError(
      absl::StrCat(Quoted(text), ": ", why,
                   "; expected terms such as elo0=0,elo1=10,alpha=0.05,beta=0.05, or "
                   "nelo0=0,nelo1=10, or the name of a preset, such as stc"));
}

constexpr double kUnseen = 1e-3;  // blocks counted for a value that no block gave
// Beyond these strengths the expected score is so near 0 or 1 that no number of matches can tell.
constexpr double kMaxElo = 1000;
constexpr double kMaxNormalizedElo = 200;
constexpr double kMaxErrorRate = 0.5;
constexpr int kMostRefinements = 200;

// The blocks with one number of half points.
struct Atom {
  double score;         // per match, from 0 to 1
  double blocks;        // above 0
  double distance = 0;  // the quantity whose mean is constrained to 0
};

std::vector<Atom> Atoms(const BlockCounts& counts) {
  std::vector<Atom> atoms;
  const auto full = static_cast<double>(counts.counts().size() - 1);
  for (const int64_t blocks : counts.counts()) {
    atoms.push_back({static_cast<double>(atoms.size()) / full,
                     blocks == 0 ? kUnseen : static_cast<double>(blocks)});
  }
  return atoms;
}

// Returns the x for which the likeliest distribution with mean distance 0 gives each atom its
// observed probability divided by 1 + x * distance. As a function of x that mean falls from
// infinity to minus infinity between the poles. Its root is found by Newton's method, kept between
// bounds. REQUIRES: distances on both sides of 0.
double Tilt(const std::vector<Atom>& atoms) {
  double least = 0;
  double most = 0;
  for (const Atom& atom : atoms) {
    least = std::min(least, atom.distance);
    most = std::max(most, atom.distance);
  }
  double low = -1.0 / most;
  double high = -1.0 / least;
  double x = 0;
  for (int i = 0; i < 200; ++i) {
    double value = 0;
    double slope = 0;
    for (const Atom& atom : atoms) {
      const double ratio = atom.distance / (1.0 + x * atom.distance);
      value += atom.blocks * ratio;
      slope -= atom.blocks * ratio * ratio;
    }
    (value > 0 ? low : high) = x;
    double next = x - value / slope;
    if (!(next > low && next < high)) next = (low + high) / 2;
    const bool done = std::abs(next - x) <= 1e-13 * (1.0 + std::abs(x));
    x = next;
    if (done) break;
  }
  return x;
}

// Returns minus the log-likelihood of the observed counts under the likeliest distribution with the
// mean `mean`, relative to the observed distribution.
double LossWithMean(std::vector<Atom> atoms, double mean) {
  for (Atom& atom : atoms) atom.distance = atom.score - mean;
  const double tilt = Tilt(atoms);
  double loss = 0;
  for (const Atom& atom : atoms) loss += atom.blocks * std::log1p(tilt * atom.distance);
  return loss;
}

// The same for the likeliest distribution whose mean is `deviations` of its own standard deviations
// above 1/2. This constraint is not linear in the probabilities, so it is linearised at the
// previous distribution until that converges.
double LossWithDeviations(std::vector<Atom> atoms, double deviations) {
  double blocks = 0;
  for (const Atom& atom : atoms) blocks += atom.blocks;
  std::vector<double> probabilities(atoms.size(), 1.0 / static_cast<double>(atoms.size()));
  double tilt = 0;
  for (int i = 0; i < kMostRefinements; ++i) {
    double mean = 0;
    double variance = 0;
    for (size_t j = 0; j < atoms.size(); ++j) mean += probabilities[j] * atoms[j].score;
    for (size_t j = 0; j < atoms.size(); ++j) {
      variance += probabilities[j] * (atoms[j].score - mean) * (atoms[j].score - mean);
    }
    for (Atom& atom : atoms) {
      const double off = atom.score - mean;
      atom.distance = atom.score - 0.5 -
                      deviations / 2 * (std::sqrt(variance) + off * off / std::sqrt(variance));
    }
    tilt = Tilt(atoms);
    double change = 0;
    for (size_t j = 0; j < atoms.size(); ++j) {
      const double next = atoms[j].blocks / blocks / (1 + tilt * atoms[j].distance);
      change = std::max(change, std::abs(next - probabilities[j]));
      probabilities[j] = next;
    }
    if (change < 1e-12) break;
  }
  double loss = 0;
  for (const Atom& atom : atoms) loss += atom.blocks * std::log1p(tilt * atom.distance);
  return loss;
}

// A named term of a test; strengths have a scale.
struct KnownTerm {
  absl::string_view name;
  double* value;
  absl::optional<EloScale> scale;
};

// `text` is the text of the terms, for errors.
absl::Status Check(const SprtTerms& terms, absl::string_view text) {
  const bool normalized = terms.scale == EloScale::kNormalized;
  const absl::string_view prefix = normalized ? "n" : "";
  const double most = normalized ? kMaxNormalizedElo : kMaxElo;
  for (const double elo : {terms.elo0, terms.elo1}) {
    if (!(std::abs(elo) <= most)) {
      return BadSprt(
          text, absl::StrCat(prefix, "elo0 and ", prefix, "elo1 are from -", most, " to ", most));
    }
  }
  if (!(terms.elo0 < terms.elo1)) {
    return BadSprt(text, absl::StrCat(prefix, "elo0 must be less than ", prefix, "elo1"));
  }
  for (const double rate : {terms.alpha, terms.beta}) {
    if (!(rate > 0 && rate < kMaxErrorRate)) {
      return BadSprt(text, absl::StrCat("alpha and beta are probabilities between 0 and ",
                                        kMaxErrorRate, ", such as 0.05"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

double SprtTerms::lower_bound() const { return std::log(beta / (1 - alpha)); }
double SprtTerms::upper_bound() const { return std::log((1 - beta) / alpha); }

double SprtTerms::ScoreOf(double elo, double deviation_of_match) const {
  if (scale == EloScale::kLogistic) return ScoreOfElo(elo);
  return 0.5 + elo / kNormalizedEloPerDeviation * deviation_of_match;
}

absl::Span<const SprtPreset> SprtPresets() {
  // The first three presets are those of fishtest.
  static constexpr SprtPreset kPresets[] = {
      {"stc",
       {0, 2, 0.05, 0.05, EloScale::kNormalized},
       "a small gain, told in some 100,000 quick matches"},
      {"ltc", {0.5, 2.5, 0.05, 0.05, EloScale::kNormalized}, "the same in slow matches"},
      {"nonregression",
       {-1.75, 0.25, 0.05, 0.05, EloScale::kNormalized},
       "no loss, as of code that was made simpler"},
      {"gain",
       {0, 20, 0.05, 0.05, EloScale::kNormalized},
       "a clear gain, told in one or two thousand matches"},
  };
  return kPresets;
}

absl::StatusOr<SprtTerms> ParseSprtTerms(absl::string_view text) {
  SprtTerms terms;
  const std::vector<KnownTerm> known = {
      {"elo0", &terms.elo0, EloScale::kLogistic},    {"elo1", &terms.elo1, EloScale::kLogistic},
      {"nelo0", &terms.elo0, EloScale::kNormalized}, {"nelo1", &terms.elo1, EloScale::kNormalized},
      {"alpha", &terms.alpha, absl::nullopt},        {"beta", &terms.beta, absl::nullopt}};
  std::vector<absl::string_view> parts = absl::StrSplit(text, ',');
  const auto presets = SprtPresets();
  const auto preset = std::find_if(presets.begin(), presets.end(),
                                   [&](const SprtPreset& one) { return one.name == parts[0]; });
  absl::optional<EloScale> scale;
  if (preset != presets.end()) {
    terms = preset->terms;
    scale = terms.scale;
    parts.erase(parts.begin());
  }
  std::set<absl::string_view> given;
  for (const absl::string_view part : parts) {
    const std::pair<absl::string_view, absl::string_view> pair =
        absl::StrSplit(part, absl::MaxSplits('=', 1));
    const auto term = std::find_if(known.begin(), known.end(),
                                   [&](const KnownTerm& one) { return one.name == pair.first; });
    if (term == known.end()) {
      return BadSprt(text, absl::StrCat(pair.first == text ? "it" : Quoted(pair.first),
                                        " is no term of a test"));
    }
    if (!given.insert(pair.first).second) {
      return BadSprt(text, absl::StrCat(pair.first, " is given twice"));
    }
    if (!absl::SimpleAtod(pair.second, term->value) || !std::isfinite(*term->value)) {
      return BadSprt(text, absl::StrCat(pair.first, " is a number, not ", Quoted(pair.second)));
    }
    if (!term->scale) continue;
    if (scale && *scale != *term->scale) {
      return BadSprt(text, "elo and nelo are two scales, and do not go together");
    }
    scale = term->scale;
  }
  terms.scale = scale.value_or(EloScale::kLogistic);
  const std::string prefix = terms.scale == EloScale::kNormalized ? "nelo" : "elo";
  for (const absl::string_view end : {"0", "1"}) {
    const std::string needed = absl::StrCat(prefix, end);
    if (preset == presets.end() && given.count(needed) == 0) {
      return BadSprt(text, absl::StrCat(needed, " is missing"));
    }
  }
  if (absl::Status problem = Check(terms, text); !problem.ok()) return problem;
  return terms;
}

absl::Status Validate(const SprtTerms& terms) { return Check(terms, SprtTermsText(terms)); }

std::string SprtTermsText(const SprtTerms& terms) {
  const absl::string_view prefix = terms.scale == EloScale::kNormalized ? "n" : "";
  return absl::StrCat(prefix, "elo0=", terms.elo0, ",", prefix, "elo1=", terms.elo1,
                      ",alpha=", terms.alpha, ",beta=", terms.beta);
}

double LogLikelihoodRatio(const BlockCounts& counts, double elo0, double elo1, EloScale scale) {
  if (counts.blocks() == 0) return 0;
  const std::vector<Atom> atoms = Atoms(counts);
  if (scale == EloScale::kLogistic) {
    return LossWithMean(atoms, ScoreOfElo(elo0)) - LossWithMean(atoms, ScoreOfElo(elo1));
  }
  const double deviations_of_block =
      std::sqrt(static_cast<double>(counts.matches_per_block())) / kNormalizedEloPerDeviation;
  return LossWithDeviations(atoms, elo0 * deviations_of_block) -
         LossWithDeviations(atoms, elo1 * deviations_of_block);
}

Sprt::Sprt(const SprtTerms& terms, BlockCounts counts) : terms_(terms), counts_(std::move(counts)) {
  Reckon();
}

void Sprt::Add(int half_points) {
  if (accepted_ != Hypothesis::kNone) return;
  counts_.Add(half_points);
  Reckon();
}

void Sprt::Reckon() {
  ratio_ = LogLikelihoodRatio(counts_, terms_.elo0, terms_.elo1, terms_.scale);
  if (ratio_ >= terms_.upper_bound()) accepted_ = Hypothesis::kH1;
  if (ratio_ <= terms_.lower_bound()) accepted_ = Hypothesis::kH0;
}

}  // namespace referee::rating
