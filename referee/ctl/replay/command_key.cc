// refctl key: prints the public key that a referee signs its replays with.

#include <memory>
#include <string>

#include "nlohmann/json.hpp"
#include "referee/ctl/command.h"
#include "referee/dice/dice.h"
#include "referee/replay/signer.h"

namespace referee::ctl {
namespace {

struct Flags {
  std::string data_dir;
  bool json = false;
};

absl::StatusOr<Exit> PrintKey(const Flags& flags, const Output& output) {
  const std::string path = flags.data_dir + "/key.pub";
  const absl::StatusOr<replay::PublicKey> key = replay::ReadPublicKey(path);
  if (!key.ok()) return key.status();
  if (flags.json) {
    const nlohmann::ordered_json json = {{"public_key", dice::Hex(*key)},
                                         {"fingerprint", replay::Fingerprint(*key)}};
    output.out() << json.dump() << '\n';
    return Exit::kOk;
  }
  output.out() << "public key   " << dice::Hex(*key) << '\n'
               << "fingerprint  " << replay::Fingerprint(*key) << '\n';
  return Exit::kOk;
}

}  // namespace

void AddKeyCommand(CLI::App* app, Chosen* chosen) {
  auto flags = std::make_shared<Flags>();
  CLI::App* key = app->add_subcommand(
      "key",
      "Prints the public key that a referee signs its replays with\n\n"
      "The file DIR/key.pub holds the same key: give it to whoever is to check replays with\n"
      "'refctl replay verify --key key.pub'. A referee makes its key at its first start.");
  key->add_option("--data-dir", flags->data_dir, "Data directory of the referee")
      ->required()
      ->type_name("DIR");
  key->add_flag("--json", flags->json, "Print JSON");
  OnChosen(key, chosen, [flags](const Output& output) { return PrintKey(*flags, output); });
}

}  // namespace referee::ctl
