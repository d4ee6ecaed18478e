// The sequential probability ratio test (SPRT) of A. Wald, in the generalised form that fishtest
// and fastchess use: it stops as soon as it can tell which of two hypotheses about the Elo
// difference of two bots holds. After each block the likelihoods of two distributions of blocks are
// compared: of all whose mean is what elo0 says the likeliest, and of all whose mean is what elo1
// says. They are found as in M. Van den Bergh, "MLE for the multinomial distribution"
// (cantate.be/Fishtest, support_MLE_multinomial.pdf, proposition 1.1), and of normalized Elo as in
// his "Comments on normalized Elo" (normalized_elo_practical.pdf, section 4.1); a value that no
// block gave counts as a thousandth of a block, as it does in fishtest.
//
// Blocks must enter in the order in which they were scheduled: if they entered as they end, a bot
// that wins fast would look stronger than it is.
#ifndef REFEREE_RATING_SPRT_H_
#define REFEREE_RATING_SPRT_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "referee/rating/pentanomial.h"

namespace referee::rating {

// What the strengths of hypotheses are measured in.
enum class EloScale {
  kLogistic,
  // The score's distance from 1/2 in deviations of a match (EloEstimate::normalized_elo), which
  // says how many matches it takes to tell: the same bounds end after about as many matches
  // whatever the share of draws.
  kNormalized,
};

// The hypotheses, in Elo of the first bot over the second, and how often each may be rejected
// though it holds: H0 (elo0) with a probability of alpha, H1 (elo1) with one of beta.
struct SprtTerms {
  double elo0 = 0;
  double elo1 = 0;
  double alpha = 0.05;
  double beta = 0.05;
  EloScale scale = EloScale::kLogistic;

  // The logarithms of the likelihood ratio at which H0 and H1 are accepted.
  double lower_bound() const;
  double upper_bound() const;
  // The mean score of a match at a strength on the scale of the terms, from 0 to 1, if a match's
  // score deviates by so much.
  double ScoreOf(double elo, double deviation_of_match) const;

  friend bool operator==(const SprtTerms& a, const SprtTerms& b) {
    return a.elo0 == b.elo0 && a.elo1 == b.elo1 && a.alpha == b.alpha && a.beta == b.beta &&
           a.scale == b.scale;
  }
};

// Returns InvalidArgument that names the term.
absl::Status Validate(const SprtTerms& terms);

// Terms that have a name.
struct SprtPreset {
  absl::string_view name;
  SprtTerms terms;
  absl::string_view what;  // what it is for, in a few words
};
absl::Span<const SprtPreset> SprtPresets();

// Reads "elo0=0,elo1=10,alpha=0.05,beta=0.05", in any order, or nelo0 and nelo1 of the normalized
// scale, or the name of a preset, which may be followed by terms that replace its own; alpha and
// beta may be left out. Returns InvalidArgument that names the term.
absl::StatusOr<SprtTerms> ParseSprtTerms(absl::string_view text);
std::string SprtTermsText(const SprtTerms& terms);

// The logarithm of the likelihood ratio of elo1 to elo0. 0 if there are no blocks.
double LogLikelihoodRatio(const BlockCounts& counts, double elo0, double elo1,
                          EloScale scale = EloScale::kLogistic);

enum class Hypothesis { kNone, kH0, kH1 };

// Thread-compatible.
class Sprt {
 public:
  explicit Sprt(const SprtTerms& terms, int matches_per_block = 2)
      : terms_(terms), counts_(matches_per_block) {}
  // The test that these blocks were added to, and none after its decision.
  Sprt(const SprtTerms& terms, BlockCounts counts);

  // Takes in the next block, in order of scheduling. What comes after the decision is not counted.
  void Add(int half_points);

  const SprtTerms& terms() const { return terms_; }
  const BlockCounts& counts() const { return counts_; }
  double log_likelihood_ratio() const { return ratio_; }
  // What is accepted; none: it goes on.
  Hypothesis accepted() const { return accepted_; }

 private:
  // The ratio of the counts, and what it decides.
  void Reckon();

  SprtTerms terms_;
  BlockCounts counts_;
  double ratio_ = 0;
  Hypothesis accepted_ = Hypothesis::kNone;
};

}  // namespace referee::rating

#endif  // REFEREE_RATING_SPRT_H_
