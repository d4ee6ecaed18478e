// The part of AccountAdmin that concerns bans. See account_admin.h.
#include <algorithm>
#include <cstddef>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "referee/base/endpoint.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/service/access/access.h"
#include "referee/service/access/account_admin.h"
#include "referee/service/convert/convert.h"
#include "referee/service/errors.h"

namespace referee::service {
namespace {

struct Subject {
  store::Ban::Kind kind;
  std::string name;
};

// The subject of a request, in the store's form.
template <typename Request>
absl::StatusOr<Subject> SubjectOf(const Request& request) {
  switch (request.subject_case()) {
    case Request::kAccount:
      if (!IsPlainName(request.account())) return BadName("account", request.account());
      return Subject{store::Ban::Kind::kAccount, request.account()};
    case Request::kAddress: {
      const absl::StatusOr<IpRange> range = IpRange::Parse(request.address());
      if (!range.ok()) {
        return absl::InvalidArgumentError(absl::StrCat("address: ", range.status().message()));
      }
      return Subject{store::Ban::Kind::kAddress, range->Counted().text()};
    }
    default:
      return absl::InvalidArgumentError("ban: of whom? give an account or an address");
  }
}

void BanToWire(const store::Ban& ban, v1::Ban* out) {
  if (ban.kind == store::Ban::Kind::kAccount) {
    out->set_account(ban.subject);
  } else {
    out->set_address(ban.subject);
  }
  out->set_reason(ban.reason);
  ToWire(ban.create_time, out->mutable_create_time());
  if (ban.until) ToWire(*ban.until, out->mutable_until());
}

}  // namespace

absl::StatusOr<v1::AddBanResponse> AccountAdmin::AddBan(const v1::AddBanRequest& request) const {
  const absl::StatusOr<Subject> subject = SubjectOf(request);
  if (!subject.ok()) return subject.status();
  if (request.reason().size() > limits::kMaxReasonBytes || !IsPlainText(request.reason())) {
    return BadValue("reason", request.reason(), "at most 256 bytes without control characters");
  }
  if (subject->kind == store::Ban::Kind::kAccount) {
    const absl::Status known = store_.GetAccount(subject->name).status();
    if (!known.ok()) return known;
  }
  store::Ban ban;
  ban.kind = subject->kind;
  ban.subject = subject->name;
  ban.reason = request.reason();
  ban.create_time = clock_.WallNow();
  std::string detail = ban.reason;
  if (request.has_duration()) {
    const absl::Duration duration =
        absl::Seconds(request.duration().seconds()) + absl::Nanoseconds(request.duration().nanos());
    if (duration <= absl::ZeroDuration() || duration > limits::kMaxBanTime) {
      return BadValue("duration", absl::FormatDuration(duration), "more than 0s, at most 87600h");
    }
    ban.until = ban.create_time + duration;
    detail =
        absl::StrCat("for ", absl::FormatDuration(duration), detail.empty() ? "" : ": ", detail);
  }
  if (request.now()) {
    ban.cancelled_by = who_;
    detail = absl::StrCat("now", detail.empty() ? "" : ", ", detail);
  }
  const absl::Status banned = store_.SetBan(ban, Entry("ban.add", ban.subject, detail));
  if (!banned.ok()) return banned;
  v1::AddBanResponse response;
  BanToWire(ban, response.mutable_ban());
  return response;
}

absl::StatusOr<v1::RemoveBanResponse> AccountAdmin::RemoveBan(
    const v1::RemoveBanRequest& request) const {
  const absl::StatusOr<Subject> subject = SubjectOf(request);
  if (!subject.ok()) return subject.status();
  const absl::Status removed =
      store_.RemoveBan(subject->kind, subject->name, Entry("ban.remove", subject->name));
  if (!removed.ok()) return removed;
  return v1::RemoveBanResponse();
}

absl::StatusOr<v1::ListBansResponse> AccountAdmin::ListBans(
    const v1::ListBansRequest& request) const {
  size_t from = 0;
  if (!request.page_token().empty() && !absl::SimpleAtoi(request.page_token(), &from)) {
    return BadValue("page_token", request.page_token(), "next_page_token of the answer before");
  }
  absl::StatusOr<std::vector<store::Ban>> bans = store_.ListBans();
  if (!bans.ok()) return bans.status();
  const absl::Time now = clock_.WallNow();
  const auto is_over = [now](const store::Ban& ban) { return ban.until && *ban.until <= now; };
  bans->erase(std::remove_if(bans->begin(), bans->end(), is_over), bans->end());
  const auto page = static_cast<size_t>(PageSize(request.page_size()));
  v1::ListBansResponse response;
  for (size_t i = from; i < bans->size(); ++i) {
    if (i - from == page) {
      response.set_next_page_token(absl::StrCat(i));
      break;
    }
    BanToWire((*bans)[i], response.add_bans());
  }
  return response;
}

}  // namespace referee::service
