// The sequential probability ratio test (SPRT) of A. Wald, in the generalised form of fishtest.
//
// fastchess uses this form, too. The test decides between two hypotheses about the Elo difference
// of two bots, and stops as soon as it can. After each block it compares the likelihoods of two
// distributions of blocks: the likeliest with the mean of elo0, and the likeliest with the mean of
// elo1. Both are found as in M. Van den Bergh, "MLE for the multinomial distribution"
// (cantate.be/Fishtest, support_MLE_multinomial.pdf, proposition 1.1). For normalized Elo they
// follow his "Comments on normalized Elo" (normalized_elo_practical.pdf, section 4.1). As in
// fishtest, a value that no block gave counts as a thousandth of a block.
//
// Add blocks in the order in which they were scheduled. In the order of their ends, a bot that wins
// fast would look stronger than it is.
#ifndef REFEREE_RATING_SPRT_H_
#define REFEREE_RATING_SPRT_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "referee/rating/pentanomial.h"

namespace referee::rating {

// The scale of the hypotheses.
enum class EloScale {
  kLogistic,
  // The distance of the score from 1/2 in standard deviations of a match
  // (EloEstimate::normalized_elo). Whatever the share of draws, the same bounds take about the same
  // number of matches to decide.
  kNormalized,
};

// The hypotheses, in Elo of the first bot over the second, and their error rates. A true H0 (elo0)
// is rejected with probability alpha, a true H1 (elo1) with probability beta.
struct SprtTerms {
  double elo0 = 0;
  double elo1 = 0;
  double alpha = 0.05;
  double beta = 0.05;
  EloScale scale = EloScale::kLogistic;

  // The log-likelihood ratios at which H0 and H1 are accepted.
  double lower_bound() const;
  double upper_bound() const;
  // Returns the mean score of a match, from 0 to 1, at a strength on the scale of the terms.
  // `deviation_of_match`: the standard deviation of the score of a match.
  double ScoreOf(double elo, double deviation_of_match) const;

  friend bool operator==(const SprtTerms& a, const SprtTerms& b) {
    return a.elo0 == b.elo0 && a.elo1 == b.elo1 && a.alpha == b.alpha && a.beta == b.beta &&
           a.scale == b.scale;
  }
};

// Returns InvalidArgument that names the term.
absl::Status Validate(const SprtTerms& terms);

// Named terms.
struct SprtPreset {
  absl::string_view name;
  SprtTerms terms;
  absl::string_view what;  // the purpose, in a few words
};
absl::Span<const SprtPreset> SprtPresets();

// Parses "elo0=0,elo1=10,alpha=0.05,beta=0.05" in any order; alpha and beta are optional. Instead
// of elo0 and elo1 it accepts nelo0 and nelo1 of the normalized scale. A preset may come first; the
// terms after it replace those of the preset. Returns InvalidArgument that names the term.
absl::StatusOr<SprtTerms> ParseSprtTerms(absl::string_view text);
std::string SprtTermsText(const SprtTerms& terms);

// Returns the log-likelihood ratio of elo1 to elo0; 0 without blocks.
double LogLikelihoodRatio(const BlockCounts& counts, double elo0, double elo1,
                          EloScale scale = EloScale::kLogistic);

enum class Hypothesis { kNone, kH0, kH1 };

// Thread-compatible.
class Sprt {
 public:
  explicit Sprt(const SprtTerms& terms, int matches_per_block = 2)
      : terms_(terms), counts_(matches_per_block) {}
  // Continues a test to which exactly these blocks were added. REQUIRES: none came after its
  // decision.
  Sprt(const SprtTerms& terms, BlockCounts counts);

  // Adds the next block, in order of scheduling. Ignores blocks after the decision.
  void Add(int half_points);

  const SprtTerms& terms() const { return terms_; }
  const BlockCounts& counts() const { return counts_; }
  double log_likelihood_ratio() const { return ratio_; }
  // The accepted hypothesis; kNone while the test goes on.
  Hypothesis accepted() const { return accepted_; }

 private:
  // Computes the ratio from the counts, and what it decides.
  void Reckon();

  SprtTerms terms_;
  BlockCounts counts_;
  double ratio_ = 0;
  Hypothesis accepted_ = Hypothesis::kNone;
};

}  // namespace referee::rating

#endif  // REFEREE_RATING_SPRT_H_
