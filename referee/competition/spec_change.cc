#include "referee/competition/spec_change.h"

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"

namespace referee::competition {
namespace {

using schedule::Spec;

struct Field {
  absl::string_view name;
  bool when_finished;  // it may change then, too: nothing that is counted depends on it
  std::string (*text)(const Spec& spec);
};

constexpr Field kFields[] = {
    {"name", true, [](const Spec& spec) { return Quoted(spec.name); }},
    {"description", true, [](const Spec& spec) { return Quoted(spec.description); }},
    {"watch_delay", true, [](const Spec& spec) { return absl::FormatDuration(spec.watch_delay); }},
    {"keep_replays", true,
     [](const Spec& spec) { return std::string(spec.keep_replays ? "always" : "default"); }},
    {"time_control", false, [](const Spec& spec) { return spec.time_control; }},
    {"max_running", false, [](const Spec& spec) { return absl::StrCat(spec.max_running); }},
    {"absence_limit", false,
     [](const Spec& spec) { return absl::FormatDuration(spec.absence_limit); }},
    {"silence_limit", false, [](const Spec& spec) { return absl::StrCat(spec.silence_limit); }},
    {"provisional_width", false,
     [](const Spec& spec) { return absl::StrCat(spec.provisional_width); }},
    {"pace", false, [](const Spec& spec) { return absl::StrCat(spec.pace); }},
    {"goal_width", false, [](const Spec& spec) { return absl::StrCat(spec.goal_width); }},
    {"priority", false, [](const Spec& spec) { return absl::StrCat(spec.priority); }},
    {"homes", false, [](const Spec& spec) { return absl::StrCat(spec.homes); }},
};

}  // namespace

absl::Status CheckMayChange(absl::string_view field) {
  std::string known;
  for (const Field& one : kFields) {
    if (one.name == field) return absl::OkStatus();
    absl::StrAppend(&known, known.empty() ? "" : ", ", one.name);
  }
  return BadValue("update_mask", field,
                  absl::StrCat("one of ", known, "; all else stays as the competition was made"));
}

absl::StatusOr<std::string> ChangeText(const store::Competition& from, const Spec& to) {
  std::string text;
  for (const Field& field : kFields) {
    const std::string was = field.text(from.spec);
    const std::string is = field.text(to);
    if (is == was) continue;
    if (!field.when_finished && from.state == store::CompetitionState::kFinished) {
      return absl::FailedPreconditionError(absl::StrCat("competition ", Quoted(from.spec.name),
                                                        ": is FINISHED; its ", field.name,
                                                        " changes no more"));
    }
    absl::StrAppend(&text, text.empty() ? "" : "; ", field.name, " ", is, ", was ", was);
  }
  return text;
}

}  // namespace referee::competition
