#include "referee/ctl/competition/rounds.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace referee::ctl {
namespace {

using ::testing::HasSubstr;

using Pairings = google::protobuf::RepeatedPtrField<v1::RoundPairing>;

v1::RoundPairing* Add(Pairings* pairings, uint32_t round, uint32_t place,
                      const std::vector<std::string>& bots, v1::RoundPairingState state) {
  v1::RoundPairing* const pairing = pairings->Add();
  pairing->set_round(round);
  pairing->set_place(place);
  for (const std::string& bot : bots) {
    pairing->add_bots(bot);
    pairing->add_points(0);
  }
  pairing->set_state(state);
  return pairing;
}

void Won(v1::RoundPairing* pairing, const std::string& winner, double points, double others,
         v1::TieDecision decision = v1::TIE_DECISION_BLOCKS) {
  pairing->set_winner(winner);
  const bool first = pairing->bots(0) == winner;
  pairing->set_points(0, first ? points : others);
  pairing->set_points(1, first ? others : points);
  pairing->add_blocks(0);
  pairing->set_decision(decision);
}

TEST(RoundsText, IsALineAPairingWithByesAndWalkoversMarked) {
  Pairings pairings;
  v1::RoundPairing* played = Add(&pairings, 1, 0, {"ann", "bob"}, v1::ROUND_PAIRING_STATE_PLAYED);
  Won(played, "ann", 1.5, 0.5, v1::TIE_DECISION_UNSPECIFIED);
  played->add_scores(23);
  played->add_scores(17);
  played->add_forfeits(0);
  played->add_forfeits(1);
  v1::RoundPairing* bye = Add(&pairings, 1, 1, {"cyd"}, v1::ROUND_PAIRING_STATE_BYE);
  bye->set_points(0, 2);
  bye->set_winner("cyd");
  v1::RoundPairing* walkover =
      Add(&pairings, 2, 0, {"ann", "cyd"}, v1::ROUND_PAIRING_STATE_WALKOVER);
  walkover->set_points(1, 2);
  walkover->set_winner("cyd");
  walkover->set_reason("'ann' has left");
  EXPECT_EQ(Printed(RoundsTable(), pairings, Form::kTable),
            "round  bots      points   scores  blocks  result\n"
            "1      ann, bob  1.5 0.5  23 17   0       ann wins; bob forfeited 1 match\n"
            "1      cyd       2.0      -       -       bye, counts as won\n"
            "2      ann, cyd  0.0 2.0  -       -       walkover for cyd; 'ann' has left\n");
}

TEST(RoundsText, SaysByWhatATieWasDecided) {
  const std::pair<v1::TieDecision, std::string> expected[] = {
      {v1::TIE_DECISION_BLOCKS, "ann wins\n"},
      {v1::TIE_DECISION_EXTRA_BLOCKS, "ann wins in extra blocks\n"},
      {v1::TIE_DECISION_POINTS, "ann wins by points\n"},
      {v1::TIE_DECISION_SCORES, "ann wins by scores\n"},
      {v1::TIE_DECISION_LOT, "ann wins by lot\n"}};
  for (const auto& [decision, text] : expected) {
    Pairings ties;
    Won(Add(&ties, 1, 0, {"ann", "bob"}, v1::ROUND_PAIRING_STATE_PLAYED), "ann", 1, 1, decision);
    EXPECT_THAT(Printed(RoundsTable(), ties, Form::kTable, false), HasSubstr(text));
  }
}

TEST(BracketText, IsATreeFromTheFirstRoundToTheWinner) {
  Pairings ties;
  v1::RoundPairing* bye = Add(&ties, 1, 0, {"ann"}, v1::ROUND_PAIRING_STATE_BYE);
  bye->set_winner("ann");
  Won(Add(&ties, 1, 1, {"dan", "eve"}, v1::ROUND_PAIRING_STATE_PLAYED), "eve", 1.5, 0.5);
  v1::RoundPairing* walkover = Add(&ties, 1, 2, {"bob", "gil"}, v1::ROUND_PAIRING_STATE_WALKOVER);
  walkover->set_winner("gil");
  Add(&ties, 1, 3, {"cyd", "fay"}, v1::ROUND_PAIRING_STATE_RUNNING);
  Won(Add(&ties, 2, 0, {"ann", "eve"}, v1::ROUND_PAIRING_STATE_PLAYED), "ann", 2, 0);
  Add(&ties, 2, 1, {"gil", ""}, v1::ROUND_PAIRING_STATE_UNKNOWN);
  Add(&ties, 3, 0, {"ann", ""}, v1::ROUND_PAIRING_STATE_UNKNOWN);
  EXPECT_EQ(BracketText(ties),
            "ann          ─┐\n"
            "              ├─ ann 2.0 ─┐\n"
            "bye          ─┘           │\n"
            "                          ├─ ann ─┐\n"
            "dan 0.5      ─┐           │       │\n"
            "              ├─ eve 0.0 ─┘       │\n"
            "eve 1.5      ─┘                   │\n"
            "                                  ├─ ?\n"
            "bob left     ─┐                   │\n"
            "              ├─ gil     ─┐       │\n"
            "gil walkover ─┘           │       │\n"
            "                          ├─ ?   ─┘\n"
            "cyd          ─┐           │\n"
            "              ├─ ?       ─┘\n"
            "fay          ─┘\n");
}

TEST(BracketText, OfTwoBotsIsOneTie) {
  Pairings ties;
  Won(Add(&ties, 1, 0, {"ann", "bob"}, v1::ROUND_PAIRING_STATE_PLAYED), "bob", 1.5, 0.5);
  EXPECT_EQ(BracketText(ties),
            "ann 0.5 ─┐\n"
            "         ├─ bob\n"
            "bob 1.5 ─┘\n");
}

}  // namespace
}  // namespace referee::ctl
