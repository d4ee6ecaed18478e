// refctl key: shows a referee's signing keys, and makes a new one.

#include <sys/stat.h>

#include <cerrno>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "referee/base/clock.h"
#include "referee/base/duration_text.h"
#include "referee/base/errors.h"
#include "referee/ctl/command.h"
#include "referee/ctl/data_dir.h"
#include "referee/ctl/terminal/print.h"
#include "referee/dice/dice.h"
#include "referee/replay/data_dir.h"
#include "referee/replay/key_files.h"
#include "referee/service/access/access.h"
#include "referee/store/place.h"

namespace referee::ctl {
namespace {

using replay::RingKey;

struct KeyFlags {
  std::string data_dir;
  std::string store;
  bool lost = false;
  bool json = false;
};

bool InUse(const RingKey& key) { return key.until == absl::InfiniteFuture(); }

std::string KeyText(const RingKey& key) {
  std::string text = absl::StrCat("public key   ", dice::Hex(key.key), "\nfingerprint  ",
                                  replay::Fingerprint(key.key), "\n");
  if (key.from != absl::InfinitePast())
    absl::StrAppend(&text, "from         ", UtcText(key.from), "\n");
  if (!InUse(key)) absl::StrAppend(&text, "until        ", UtcText(key.until), "\n");
  return text;
}

Json KeyJson(const RingKey& key) {
  Json json = {{"public_key", dice::Hex(key.key)}, {"fingerprint", replay::Fingerprint(key.key)}};
  if (key.from != absl::InfinitePast()) json["from"] = UtcText(key.from);
  if (!InUse(key)) json["until"] = UtcText(key.until);
  return json;
}

// Prints the current key first, then earlier ones, newest first.
void Print(const replay::KeyRing& ring, bool as_json, const Output& output) {
  const RingKey* const current = ring.current();
  Json json = current == nullptr ? Json::object() : KeyJson(*current);
  Json former = Json::array();
  std::string text = current == nullptr ? "no key is in use\n" : KeyText(*current);
  for (auto key = ring.keys().rbegin(); key != ring.keys().rend(); ++key) {
    if (InUse(*key)) continue;
    former.push_back(KeyJson(*key));
    absl::StrAppend(&text, "\nformer key\n", KeyText(*key));
  }
  json["former_keys"] = std::move(former);
  output.out() << (as_json ? JsonLine(json) : text);
}

absl::StatusOr<Exit> ShowKey(const KeyFlags& flags, const Output& output) {
  if (absl::Status folder = CheckFolder(flags.data_dir); !folder.ok()) return folder;
  const absl::StatusOr<replay::KeyRing> ring = replay::ReadKeysOf(flags.data_dir);
  if (!ring.ok()) return ring.status();
  Print(*ring, flags.json, output);
  return Exit::kOk;
}

store::AuditEntry RotationOf(const replay::KeyRing& ring, absl::Time time) {
  store::AuditEntry entry;
  entry.time = time;
  entry.who = service::kLocalCaller;
  entry.action = "key.rotate";
  entry.subject = replay::Fingerprint(ring.current()->key);
  const RingKey* former = nullptr;
  for (const RingKey& key : ring.keys()) {
    if (!InUse(key) && (former == nullptr || former->until <= key.until)) former = &key;
  }
  if (former != nullptr) {
    entry.detail = absl::StrCat("in place of ", replay::Fingerprint(former->key));
  }
  return entry;
}

absl::StatusOr<Exit> Rotate(const KeyFlags& flags, const Output& output) {
  // Without the directory, there is no referee whose key could be replaced.
  if (absl::Status folder = CheckFolder(flags.data_dir); !folder.ok()) return folder;
  if (absl::Status own = CheckOwner(flags.data_dir); !own.ok()) return own;
  const absl::StatusOr<replay::File> lock = replay::LockDataDir(flags.data_dir);
  if (!lock.ok()) return lock.status();
  // Opens the store before any change, because the audit log must record the change.
  const store::Place place = {flags.data_dir, flags.store};
  const absl::StatusOr<std::unique_ptr<store::Store>> store = store::OpenStore(place, {});
  if (!store.ok()) return AtStoreFlag(place, store.status());
  const absl::Time now = SystemClock().WallNow();
  const absl::StatusOr<replay::KeyRing> ring = replay::RotateKey(
      flags.data_dir, now, flags.lost ? replay::SecretKey::kLost : replay::SecretKey::kThere);
  if (!ring.ok()) return ring.status();
  Print(*ring, flags.json, output);
  const absl::Status audited = (*store)->AppendAudit(RotationOf(*ring, now));
  if (!audited.ok()) return At("the key was replaced, and the audit log does not say so", audited);
  return Exit::kOk;
}

void AddKeyFlags(CLI::App* command, KeyFlags* flags) {
  AddDataDirFlag(command, &flags->data_dir, "Data directory of the referee");
  command->add_flag("--json", flags->json, "Print JSON");
}

}  // namespace

void AddKeyCommand(CLI::App* app, Chosen* chosen) {
  CLI::App* key = app->add_subcommand(
      "key",
      "Shows the keys that a referee signs its replays with, and makes a new one\n\n"
      "The file DIR/key.ring holds the public keys: give it to whoever is to check replays with\n"
      "'refctl replay verify --key key.ring'. A referee makes its key at its first start. The\n"
      "secret key is DIR/key: keep a copy of it in a safe place.");
  key->require_subcommand(1);

  const auto [show, shown] = AddSubcommand(
      key, chosen, "show", "Prints the public key that is in use, and the former ones", ShowKey);
  AddKeyFlags(show, shown.get());

  const auto [rotate, rotated] = AddSubcommand(
      key, chosen, "rotate",
      "Makes a new key, which is used from the next start on; the referee must not be running\n\n"
      "The former public key stays in DIR/key.ring, with the dates between which it was used: what "
      "it signed goes on to verify, but for matches that ended after this. Its secret key is "
      "forgotten. Give the new key.ring to whoever checks replays.",
      Rotate);
  AddKeyFlags(rotate, rotated.get());
  AddStoreFlag(
      rotate, &rotated->store,
      "The database that the referee's store is in (refereed --store), whose audit log tells "
      "of this");
  rotate->add_flag("--lost", rotated->lost,
                   "The secret key is missing, and there is no copy of it");
}

}  // namespace referee::ctl
