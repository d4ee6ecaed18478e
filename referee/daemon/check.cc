#include "referee/daemon/check.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "nlohmann/json.hpp"
#include "referee/node/start_check.h"

namespace referee::daemon {
namespace {

using Json = nlohmann::ordered_json;
using node::StartCheck;

std::string JsonText(const StartCheck& check) {
  Json parts = Json::array();
  for (const StartCheck::Part& part : check.parts) {
    Json json = {{"part", part.name},
                 {"where", part.where},
                 {"would", node::WouldText(part.would)},
                 {"files", part.files}};
    if (part.found > 0) json["found_version"] = part.found;
    if (part.known > 0) json["known_version"] = part.known;
    if (!part.detail.empty()) json["detail"] = part.detail;
    parts.push_back(std::move(json));
  }
  const Json json = {{"ready", check.ready()},
                     {"in_use", check.in_use},
                     {"software", REFEREE_VERSION},
                     {"parts", std::move(parts)},
                     {"open_matches", check.open_matches},
                     {"open_blocks", check.open_blocks},
                     {"over_matches", check.over_matches},
                     {"damaged_matches", check.damaged_matches},
                     {"blocks_of_others", check.blocks_of_others},
                     {"archive_problems", check.archive_problems}};
  return absl::StrCat(json.dump(-1, ' ', false, Json::error_handler_t::replace), "\n");
}

std::string VersionText(const StartCheck::Part& part) {
  if (part.found == 0 && part.known == 0) return "";
  if (part.found == 0) return absl::StrCat("none, version ", part.known);
  if (part.found == part.known) return absl::StrCat("version ", part.found);
  return absl::StrCat("version ", part.found, ", known here ", part.known);
}

std::string PartLine(const StartCheck::Part& part) {
  std::string line = absl::StrFormat("%-10s %-10s %-18s %s", part.name, node::WouldText(part.would),
                                     VersionText(part), part.where);
  if (!part.detail.empty()) absl::StrAppend(&line, "\n           ", part.detail);
  return line + "\n";
}

std::string Text(const StartCheck& check) {
  std::string text;
  for (const StartCheck::Part& part : check.parts) text += PartLine(part);
  absl::StrAppend(&text, "goes on    matches: ", check.open_matches,
                  ", blocks of competitions: ", check.open_blocks, "\n");
  if (check.over_matches > 0) {
    absl::StrAppend(&text, "archived   matches that are over: ", check.over_matches, "\n");
  }
  if (check.damaged_matches > 0) {
    absl::StrAppend(&text, "set aside  matches that cannot be read: ", check.damaged_matches, "\n");
  }
  if (check.blocks_of_others > 0) {
    absl::StrAppend(
        &text, "of others  blocks that other referees have begun: ", check.blocks_of_others, "\n");
  }
  for (const std::string& problem : check.archive_problems) {
    absl::StrAppend(&text, "archive    ", problem, "\n");
  }
  if (check.in_use) text += "in use     by a referee that runs now: stop it before\n";
  absl::StrAppend(&text, "refereed " REFEREE_VERSION " would ",
                  check.ready() ? "start" : "not start", " on this",
                  check.ready() && check.in_use ? " once that one has stopped" : "",
                  "; nothing was changed\n");
  return text;
}

}  // namespace

int RunCheck(const Flags& flags, std::ostream* out) {
  const StartCheck check = node::CheckStart({flags.data_dir, flags.store}, flags.set_aside_unknown);
  *out << (flags.json ? JsonText(check) : Text(check)) << std::flush;
  return check.ready() ? 0 : 1;
}

}  // namespace referee::daemon
