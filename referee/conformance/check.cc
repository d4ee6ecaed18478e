#include "referee/conformance/check.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace referee::conformance {

Finding Pass(std::string seen) { return {Finding::Kind::kPass, std::move(seen), ""}; }
Finding Fail(std::string seen, std::string remedy) {
  return {Finding::Kind::kFail, std::move(seen), std::move(remedy)};
}
Finding Note(std::string seen, std::string remedy) {
  return {Finding::Kind::kNote, std::move(seen), std::move(remedy)};
}
Finding Skipped(std::string why) { return {Finding::Kind::kSkipped, std::move(why), ""}; }
Finding NoBot(const absl::Status& why) {
  return Fail(std::string(why.message()),
              "it connects, says Hello first, and stays until it is told "
              "that all is over");
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
              std::string(remedy));
}

std::string Millis(absl::Duration duration) {
  return absl::StrFormat("%.1f ms", absl::ToDoubleMilliseconds(duration));
}

}  // namespace referee::conformance
