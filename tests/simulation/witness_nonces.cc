// What the witness knows of nonces: that all hashes are told before any nonce is asked for, and
// that what is written is what the bots have told and revealed, in that order.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "tests/simulation/witness.h"

namespace referee::simulation {
namespace {

template <typename T>
bool Contains(const std::vector<T>& all, const T& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

}  // namespace

bool Witness::AsksNonces(const match::Setup& setup) {
  return !setup.dice_source.pinned() && (!setup.block || setup.block->rotation == 0);
}

void Witness::ForgetReadiness(Account* account) {
  account->hashes.clear();
  for (Account::SeatAccount& seat : account->seats) {
    seat.ready = seat.resigned = seat.resignation_taken = false;
    seat.hashes.clear();
    seat.nonces.clear();
  }
}

void Witness::OnReady(Account* account, Seat seat, const absl::optional<dice::NonceHash>& hash) {
  Account::SeatAccount& of_seat = account->seats[seat.index()];
  if (!account->asks_nonces) {
    of_seat.ready = true;
  } else if (hash) {
    of_seat.hashes.push_back(*hash);
  }
}

void Witness::OnResignationTaken(Account* account, Seat seat, const host::MatchRunner& runner) {
  account->seats[seat.index()].resignation_taken = true;
  const match::Match* const match = runner.match();
  // One that has ended, or was left for the next process, is no more to be judged.
  if (match == nullptr || runner.ended() != nullptr ||
      absl::IsFailedPrecondition(runner.Records().status())) {
    return;
  }
  const auto& seats = account->seats;
  const auto stays =
      std::count_if(seats.begin(), seats.begin() + match->seats(),
                    [](const Account::SeatAccount& one) { return !one.resignation_taken; });
  if (stays > 1 || match->setup().block || match->stage() == match::Match::Stage::kPlaying) return;
  Fail(*account, "it waits for its start although at most one seat has not resigned");
}

void Witness::OnToldHashes(Account* account, Seat seat,
                           const std::vector<absl::optional<dice::NonceHash>>& hashes) {
  chronicle_->Note("told hashes", {account->match, seat.index()});
  if (account->started) Fail(*account, "a nonce was asked for after the start was written");
  if (hashes.size() != account->bots.size()) return Fail(*account, "a seat has no hash");
  for (size_t i = 0; i < hashes.size(); ++i) {
    if (hashes[i] && !Contains(account->seats[i].hashes, *hashes[i])) {
      Fail(*account, "the hash of a nonce was told that its bot has not told");
    }
  }
  if (!hashes[static_cast<size_t>(seat.index())]) {
    Fail(*account, "a nonce was asked of a seat that has told no hash");
  }
  if (account->hashes.empty()) account->hashes = hashes;
  if (account->hashes != hashes) Fail(*account, "the hashes changed once they had been told");
}

void Witness::OnNonce(Account* account, Seat seat, const std::string& nonce) {
  const bool asked = !account->hashes.empty();
  chronicle_->Note("nonce", {account->match, seat.index(), asked});
  if (!asked) return;
  Account::SeatAccount& of_seat = account->seats[seat.index()];
  of_seat.nonces.push_back(nonce);
  const auto& hash = account->hashes[static_cast<size_t>(seat.index())];
  if (hash == dice::HashNonce(nonce)) of_seat.ready = true;
}

void Witness::CheckNonces(const Account& account, const match::Setup& setup,
                          const match::Started& started) {
  if (setup.dice_source.pinned()) {
    if (!started.nonces.empty()) Fail(account, "pinned dice have nonces");
    return;
  }
  if (!AsksNonces(setup)) return;  // they are those of rotation 0
  if (!account.hashes.empty() && started.nonce_hashes != account.hashes) {
    Fail(account, "the hashes that were written are not those that were told");
  }
  // A resignation may decide a match before any link takes the hashes. Then no nonce is revealed.
  for (size_t i = 0; account.hashes.empty() && i < started.nonce_hashes.size(); ++i) {
    const absl::optional<dice::NonceHash>& hash = started.nonce_hashes[i];
    if (hash && !Contains(account.seats[i].hashes, *hash)) {
      Fail(account, "a hash was written that its bot has not told");
    }
  }
  for (size_t i = 0; i < started.nonces.size(); ++i) {
    const std::string& nonce = started.nonces[i];
    if (nonce.empty() || Contains(account.seats[i].nonces, nonce)) continue;
    Fail(account, "a nonce was written that its bot had not revealed once all hashes were told");
  }
}

}  // namespace referee::simulation
