#include "referee/rating/sprt.h"

#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "referee/base/errors.h"
#include "referee/rating/elo.h"
#include "referee/rating/errors.h"

namespace referee::rating {
namespace {

constexpr double kUnseen = 1e-3;  // blocks
// Beyond this an expected score is so near to 0 or 1 that no number of matches tells it.
constexpr double kMaxElo = 1000;
constexpr double kMaxErrorRate = 0.5;

struct Atom {
  double score;   // a match, from 0 to 1
  double blocks;  // above 0
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

// The likeliest distribution with the mean `mean` gives each atom its observed probability divided
// by 1 + x (score - mean). Returns x: the root of the mean's distance from `mean`, which falls from
// infinity to minus infinity between the poles, by Newton's method kept between bounds.
double Tilt(const std::vector<Atom>& atoms, double mean) {
  double low = -1.0 / (1.0 - mean);
  double high = 1.0 / mean;
  double x = 0;
  for (int i = 0; i < 200; ++i) {
    double value = 0;
    double slope = 0;
    for (const Atom& atom : atoms) {
      const double distance = atom.score - mean;
      const double ratio = distance / (1.0 + x * distance);
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

absl::Status Check(const SprtTerms& terms, absl::string_view text) {
  for (const double elo : {terms.elo0, terms.elo1}) {
    if (!(std::abs(elo) <= kMaxElo)) {
      return BadSprt(text, absl::StrCat("elo0 and elo1 are from -", kMaxElo, " to ", kMaxElo));
    }
  }
  if (!(terms.elo0 < terms.elo1)) return BadSprt(text, "elo0 must be less than elo1");
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

absl::StatusOr<SprtTerms> ParseSprtTerms(absl::string_view text) {
  SprtTerms terms;
  const std::vector<std::pair<absl::string_view, double*>> known = {
      {"elo0", &terms.elo0}, {"elo1", &terms.elo1}, {"alpha", &terms.alpha}, {"beta", &terms.beta}};
  std::set<absl::string_view> given;
  for (const absl::string_view term : absl::StrSplit(text, ',')) {
    const std::pair<absl::string_view, absl::string_view> parts =
        absl::StrSplit(term, absl::MaxSplits('=', 1));
    double* value = nullptr;
    for (const auto& [name, place] : known) {
      if (parts.first == name) value = place;
    }
    if (value == nullptr) {
      return BadSprt(text, absl::StrCat(Quoted(parts.first), " is none of its terms"));
    }
    if (!given.insert(parts.first).second) {
      return BadSprt(text, absl::StrCat(parts.first, " is given twice"));
    }
    if (!absl::SimpleAtod(parts.second, value) || !std::isfinite(*value)) {
      return BadSprt(text, absl::StrCat(parts.first, " is a number, not ", Quoted(parts.second)));
    }
  }
  for (const absl::string_view needed : {"elo0", "elo1"}) {
    if (given.count(needed) == 0) return BadSprt(text, absl::StrCat(needed, " is missing"));
  }
  if (absl::Status problem = Check(terms, text); !problem.ok()) return problem;
  return terms;
}

std::string SprtTermsText(const SprtTerms& terms) {
  return absl::StrCat("elo0=", terms.elo0, ",elo1=", terms.elo1, ",alpha=", terms.alpha,
                      ",beta=", terms.beta);
}

double LogLikelihoodRatio(const BlockCounts& counts, double elo0, double elo1) {
  if (counts.blocks() == 0) return 0;
  const std::vector<Atom> atoms = Atoms(counts);
  const double mean0 = ScoreOfElo(elo0);
  const double mean1 = ScoreOfElo(elo1);
  const double tilt0 = Tilt(atoms, mean0);
  const double tilt1 = Tilt(atoms, mean1);
  double ratio = 0;
  for (const Atom& atom : atoms) {
    ratio += atom.blocks *
             (std::log1p(tilt0 * (atom.score - mean0)) - std::log1p(tilt1 * (atom.score - mean1)));
  }
  return ratio;
}

void Sprt::Add(int half_points) {
  if (accepted_ != Hypothesis::kNone) return;
  counts_.Add(half_points);
  ratio_ = LogLikelihoodRatio(counts_, terms_.elo0, terms_.elo1);
  if (ratio_ >= terms_.upper_bound()) accepted_ = Hypothesis::kH1;
  if (ratio_ <= terms_.lower_bound()) accepted_ = Hypothesis::kH0;
}

}  // namespace referee::rating
