#include "referee/service/errors.h"

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"

namespace referee::service {
absl::Status TooOften(absl::string_view problem, absl::Duration wait) {
  const absl::Duration rounded = absl::Ceil(wait, absl::Milliseconds(1));
  absl::Status status = absl::ResourceExhaustedError(absl::StrCat(
      problem, ": ",
      rounded == absl::InfiniteDuration()
          ? "this one is never allowed"
          : absl::StrCat("call again in ", absl::FormatDuration(rounded), ", and less often")));
  status.SetPayload(kRetryAfter, absl::Cord(absl::StrCat(absl::ToInt64Milliseconds(rounded))));
  return status;
}

absl::Status OnlyForItself(absl::string_view caller, absl::string_view bot) {
  return absl::PermissionDeniedError(
      absl::StrCat("bot ", Quoted(caller), " may not speak for ", Quoted(bot),
                   "; it takes an organiser's token, or that of the bot itself"));
}

absl::Status TooManyCalls(int limit) {
  return absl::ResourceExhaustedError(
      absl::StrCat(limit, " calls are waiting for an answer, the most that may; call again later"));
}

absl::Status UnknownToken() {
  return absl::UnauthenticatedError(
      "the token is not known: it was mistyped, or renewed, or its account removed; ask an "
      "organiser for a new one ('refctl bot rotate NAME')");
}

absl::Status TokenRenewed(absl::string_view name) {
  return absl::UnauthenticatedError(absl::StrCat("the token of ", Quoted(name),
                                                 " was renewed, and the old one is worth nothing: "
                                                 "connect with the new one"));
}

absl::Status TokenExpired(absl::string_view name, absl::Time when) {
  return absl::UnauthenticatedError(absl::StrCat(
      "the token of ", Quoted(name),
      absl::FormatTime(" has ended at %Y-%m-%d %H:%M:%S UTC", when, absl::UTCTimeZone()),
      ": ask the organiser for another, which 'refctl bot rotate ", name, "' makes"));
}

absl::Status AccountDisabled(absl::string_view name, absl::string_view reason) {
  return absl::UnauthenticatedError(absl::StrCat(
      "the account of ", Quoted(name), " is disabled (", reason,
      "); its token is good again when an organiser enables it: 'refctl bot enable NAME'"));
}

absl::Status AccountRemoved(absl::string_view name) {
  return absl::UnauthenticatedError(
      absl::StrCat("the account of ", Quoted(name), " was removed; ask an organiser for another"));
}

namespace {

std::string BanTerms(absl::string_view reason, absl::optional<absl::Time> until) {
  return absl::StrCat(
      until
          ? absl::FormatTime(" is banned until %Y-%m-%d %H:%M:%S UTC", *until, absl::UTCTimeZone())
          : " is banned",
      reason.empty() ? "" : absl::StrCat(" (", reason, ")"), "; an organiser may lift that");
}

}  // namespace

absl::Status AccountBanned(absl::string_view name, absl::string_view reason,
                           absl::optional<absl::Time> until) {
  return absl::PermissionDeniedError(
      absl::StrCat("the account of ", Quoted(name), BanTerms(reason, until)));
}

absl::Status AddressBanned(absl::string_view network, absl::string_view reason,
                           absl::optional<absl::Time> until) {
  return absl::PermissionDeniedError(
      absl::StrCat("whoever comes from ", network, BanTerms(reason, until)));
}

absl::Status WrongRole(absl::string_view needed, absl::string_view name, absl::string_view role) {
  return absl::PermissionDeniedError(absl::StrCat("only ", needed,
                                                  " may do this, and the token is "
                                                  "that of ",
                                                  Quoted(name), ", whose role is ", role,
                                                  ": send another"));
}

absl::Status NoHello() {
  return absl::InvalidArgumentError("the first item of a stream must be hello");
}

absl::Status BadAddress(absl::string_view address) {
  return absl::InvalidArgumentError(absl::StrCat(
      "address ", Quoted(address), ": expected host:port, such as 127.0.0.1:7450, or unix:path"));
}

absl::Status AddressTaken(absl::string_view address) {
  return absl::UnavailableError(absl::StrCat(
      "address ", Quoted(address),
      ": cannot listen there; is another referee running, or is it not one of this machine's?"));
}

absl::Status SendsWaste(absl::string_view address) {
  return absl::ResourceExhaustedError(
      absl::StrCat("address ", address,
                   " sends what is neither a call nor a message, such as calls that are reset at "
                   "once; it is refused for a minute"));
}

std::string WhoIsThere(absl::string_view account, absl::string_view address) {
  return account.empty() ? absl::StrCat("address ", address)
                         : absl::StrCat("account ", account, ", from ", address, ",");
}

}  // namespace referee::service
