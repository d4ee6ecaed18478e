#include "referee/conformance/check.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace referee::conformance {

Finding Pass(absl::string_view seen) { return {Finding::Kind::kPass, std::string(seen), ""}; }
Finding Fail(absl::string_view seen, absl::string_view remedy) {
  return {Finding::Kind::kFail, std::string(seen), std::string(remedy)};
}
Finding Note(absl::string_view seen, absl::string_view remedy) {
  return {Finding::Kind::kNote, std::string(seen), std::string(remedy)};
}
Finding Skipped(absl::string_view why) { return {Finding::Kind::kSkipped, std::string(why), ""}; }
Finding NoBot(const absl::Status& why) {
  return Fail(why.message(),
              "it connects, says Hello first, and stays until it is told that all is over");
}

absl::optional<Heard> HearReply(BotStream* stream, const AskedTurn& turn, absl::Duration patience) {
  return HearThe(stream, turn.limit + patience, [&turn](const v1::BotItem& item) {
    return item.has_move() && item.move().match_id() == turn.match_id;
  });
}

TurnAnswer AskTurn(const Visit& visit, const AskedTurn& turn, BotStream* stream) {
  return AskTurns(absl::MakeConstSpan(&turn, 1), TermsFor(visit), stream).front();
}

AskTerms TermsFor(const Visit& visit) {
  AskTerms terms;
  terms.list = service::MoveListOf(visit.bot->hello());
  terms.patience = kAtOnce;
  return terms;
}

Finding NotHeard(const Visit& visit, const BotStream& stream, absl::string_view due,
                 absl::string_view remedy) {
  return Fail(absl::StrCat(stream.open() ? "it did not " : "it closed the stream and did not ", due,
                           visit.bot->LogEnd()),
              remedy);
}

std::string Millis(absl::Duration duration) {
  return absl::StrFormat("%.1f ms", absl::ToDoubleMilliseconds(duration));
}

}  // namespace referee::conformance
