#include "referee/ctl/competition/rounds.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "referee/ctl/terminal/table.h"

namespace referee::ctl {
namespace {

using RoundPairings = google::protobuf::RepeatedPtrField<v1::RoundPairing>;

constexpr char kNothing[] = "-";
constexpr char kNotKnown[] = "?";

std::string NameText(const std::string& bot) { return bot.empty() ? kNotKnown : Shown(bot); }

std::string PairedText(const v1::RoundPairing& pairing) {
  std::vector<std::string> bots;
  for (const std::string& bot : pairing.bots()) bots.push_back(NameText(bot));
  return bots.empty() ? kNothing : absl::StrJoin(bots, ", ");
}

// How a tie was decided if not by its blocks, such as " by scores".
std::string HowText(const v1::RoundPairing& pairing) {
  switch (pairing.decision()) {
    case v1::TIE_DECISION_EXTRA_BLOCKS:
      return " in extra blocks";
    case v1::TIE_DECISION_POINTS:
      return " by points";
    case v1::TIE_DECISION_SCORES:
      return " by scores";
    case v1::TIE_DECISION_LOT:
      return " by lot";
    default:
      return "";
  }
}

// Returns "ann wins by scores", "walkover for ann" or "bye, counts as won".
std::string OutcomeOf(const v1::RoundPairing& pairing) {
  switch (pairing.state()) {
    case v1::ROUND_PAIRING_STATE_UNKNOWN:
      return "not known yet";
    case v1::ROUND_PAIRING_STATE_WAITING:
      return "to come";
    case v1::ROUND_PAIRING_STATE_RUNNING:
      return "running";
    case v1::ROUND_PAIRING_STATE_BYE:
      return pairing.decision() == v1::TIE_DECISION_UNSPECIFIED ? "bye, counts as won" : "bye";
    case v1::ROUND_PAIRING_STATE_WALKOVER:
      return absl::StrCat("walkover for ", NameText(pairing.winner()));
    case v1::ROUND_PAIRING_STATE_VOID:
      return "void";
    case v1::ROUND_PAIRING_STATE_DROPPED:
      return "not played";
    default:
      break;
  }
  if (pairing.winner().empty()) return "level";
  return absl::StrCat(NameText(pairing.winner()), " wins", HowText(pairing));
}

std::string ResultText(const v1::RoundPairing& pairing) {
  std::string text = OutcomeOf(pairing);
  for (int i = 0; i < pairing.forfeits_size() && i < pairing.bots_size(); ++i) {
    if (pairing.forfeits(i) == 0) continue;
    absl::StrAppend(&text, "; ", NameText(pairing.bots(i)), " forfeited ", pairing.forfeits(i),
                    pairing.forfeits(i) == 1 ? " match" : " matches");
  }
  if (!pairing.reason().empty()) absl::StrAppend(&text, "; ", Shown(pairing.reason()));
  return text;
}

bool HasPoints(const v1::RoundPairing& pairing) {
  return !pairing.blocks().empty() || std::any_of(pairing.points().begin(), pairing.points().end(),
                                                  [](double points) { return points > 0; });
}

std::string PointsText(double points) { return absl::StrFormat("%.1f", points); }

std::string PointsOfPairing(const v1::RoundPairing& pairing) {
  if (!HasPoints(pairing)) return kNothing;
  return absl::StrJoin(pairing.points(), " ", [](std::string* out, double points) {
    absl::StrAppend(out, PointsText(points));
  });
}

template <typename Values>
std::string Numbers(const Values& numbers) {
  return numbers.empty() ? kNothing : absl::StrJoin(numbers, " ");
}

// --- The tree ---

// One side of a tie: the bot's text and its line.
struct Leaf {
  std::string text;
  size_t line = 0;
};

std::string LeafText(const v1::RoundPairing& tie, int side) {
  if (tie.state() == v1::ROUND_PAIRING_STATE_BYE) return side == 0 ? NameText(tie.bots(0)) : "bye";
  if (side >= tie.bots_size()) return kNotKnown;
  const std::string& bot = tie.bots(side);
  if (bot.empty()) return kNotKnown;
  if (tie.state() == v1::ROUND_PAIRING_STATE_WALKOVER) {
    return absl::StrCat(NameText(bot), bot == tie.winner() ? " walkover" : " left");
  }
  if (tie.blocks().empty() || side >= tie.points_size()) return NameText(bot);
  return absl::StrCat(NameText(bot), " ", PointsText(tie.points(side)));
}

// A column of the tree: texts, and the lines that join the two sides of each tie.
class TreeColumn {
 public:
  explicit TreeColumn(size_t lines) : texts_(lines), joints_(lines) {}

  void Put(const Leaf& leaf) { texts_[leaf.line] = leaf.text; }
  void Join(size_t upper, size_t lower) {
    joints_[upper] = " ─┐ ";
    for (size_t line = upper + 1; line < lower; ++line) joints_[line] = "  │ ";
    joints_[(upper + lower) / 2] = "  ├─";
    joints_[lower] = " ─┘ ";
  }

  void AppendTo(std::vector<std::string>* lines) const {
    size_t width = 0;
    for (const std::string& text : texts_) width = std::max(width, TextWidth(text));
    for (size_t line = 0; line < texts_.size(); ++line) {
      const bool joined = !joints_[line].empty();
      absl::StrAppend(&(*lines)[line], texts_[line],
                      std::string(width - TextWidth(texts_[line]), ' '),
                      joined ? joints_[line] : "    ", " ");
    }
  }

 private:
  std::vector<std::string> texts_;
  std::vector<std::string> joints_;
};

std::string WinnerText(const v1::RoundPairing& last) {
  if (!last.winner().empty()) return NameText(last.winner());
  return last.state() == v1::ROUND_PAIRING_STATE_DROPPED ? "nobody" : kNotKnown;
}

}  // namespace

const Columns<v1::RoundPairing>& RoundsTable() {
  using Pairing = v1::RoundPairing;
  static const auto* const columns = new Columns<Pairing>{
      {"round", kLeft, &Pairing::round},
      {"bots", kLeft, PairedText},
      {"points", kLeft, PointsOfPairing},
      {"scores", kLeft, [](const Pairing& pairing) { return Numbers(pairing.scores()); }},
      {"blocks", kLeft, [](const Pairing& pairing) { return Numbers(pairing.blocks()); }},
      {"result", kLeft, ResultText}};
  return *columns;
}

std::string BracketText(const RoundPairings& ties) {
  if (ties.empty()) return "";
  const auto first = static_cast<size_t>(std::count_if(
      ties.begin(), ties.end(), [](const v1::RoundPairing& tie) { return tie.round() == 1; }));
  const size_t lines = 4 * first - 1;
  std::vector<std::string> text(lines);
  size_t gap = 2;  // lines between the two sides of a tie
  size_t top = 0;  // the line of the first side
  for (int at = 0; at < ties.size();) {
    TreeColumn column(lines);
    const uint32_t round = ties[at].round();
    for (size_t upper = top; at < ties.size() && ties[at].round() == round; ++at) {
      column.Put({LeafText(ties[at], 0), upper});
      column.Put({LeafText(ties[at], 1), upper + gap});
      column.Join(upper, upper + gap);
      upper += 2 * gap;
    }
    column.AppendTo(&text);
    top += gap / 2;
    gap *= 2;
  }
  TreeColumn last(lines);
  last.Put({WinnerText(ties[ties.size() - 1]), top});
  last.AppendTo(&text);
  std::string out;
  for (std::string& line : text) {
    absl::StrAppend(&out, absl::StripTrailingAsciiWhitespace(line), "\n");
  }
  return out;
}

}  // namespace referee::ctl
