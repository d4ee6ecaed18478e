#include "referee/gate/errors.h"

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"

namespace referee::gate {

absl::Status NoRoute(absl::string_view path) {
  return absl::NotFoundError(absl::StrCat("there is nothing at ", Quoted(path)));
}

absl::Status NothingNamed(absl::string_view what, absl::string_view name) {
  return absl::NotFoundError(absl::StrCat("there is no ", what, " ", Quoted(name), " here"));
}

absl::Status NothingOfBot(absl::string_view what, absl::string_view name, absl::string_view bot) {
  return absl::NotFoundError(absl::StrCat("there is no ", what, " ", Quoted(name),
                                          " here in which bot ", Quoted(bot), " plays"));
}

absl::Status NothingListed() { return absl::NotFoundError("there is no such thing here"); }

absl::Status BadTarget(absl::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat("the address cannot be read: ", why));
}

absl::Status UnknownParameter(absl::string_view name) {
  return absl::InvalidArgumentError(absl::StrCat("there is no parameter ", Quoted(name), " here"));
}

absl::Status ParameterTwice(absl::string_view name) {
  return absl::InvalidArgumentError(absl::StrCat("parameter ", Quoted(name), " is there twice"));
}

absl::Status ReplayTooLarge(absl::string_view match_id) {
  return absl::FailedPreconditionError(
      absl::StrCat("the replay of match ", match_id, " is too large to be shown here"));
}

absl::Status TooManyFeeds(size_t limit) {
  return absl::UnavailableError(absl::StrCat(
      limit, " matches and competitions are watched here already; try again in some seconds"));
}

absl::Status TooManyCalls() {
  return absl::UnavailableError("too much is asked of the referee; try again in a second");
}

absl::Status AskedTooMuch() {
  return absl::ResourceExhaustedError(
      "Too many requests from this address for things that do not exist. Try again in some "
      "seconds.");
}

absl::Status RefereeSilent() {
  return absl::UnavailableError("the referee does not answer; try again in some seconds");
}

absl::Status RefereeRefuses() {
  return absl::PermissionDeniedError("the referee does not let this gate look at that");
}

absl::Status TicketMissing() {
  return absl::PermissionDeniedError("a ticket is needed here: ask the organiser for one");
}

absl::Status TicketWrong() { return absl::PermissionDeniedError("this is no ticket of this gate"); }

absl::Status TicketOver() {
  return absl::PermissionDeniedError("the ticket is over: ask the organiser for another");
}

absl::Status KeyTooShort(absl::string_view path, size_t least) {
  return absl::InvalidArgumentError(
      absl::StrCat(Quoted(path), " holds no key: expected at least ", least,
                   " bytes that nobody can guess, as from 'head -c 32 /dev/urandom'"));
}

absl::Status PublicOrTickets() {
  return absl::InvalidArgumentError(
      "with a token, of --token-file or REFEREE_TOKEN, this gate sees what not everybody may see: "
      "give --ticket-key-file FILE, so that watchers need tickets, or --public; or start it "
      "without a token");
}

absl::Status ListenAddress(absl::string_view address) {
  return BadValue("--listen", address, "an IP address and a port, such as 127.0.0.1:8080");
}

absl::Status CannotListen(absl::string_view address, absl::string_view why) {
  return absl::UnavailableError(absl::StrCat("cannot listen on ", Quoted(address), ": ", why));
}

}  // namespace referee::gate
