#include "referee/games/hypnosia/board_file.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/optional.h"
#include "nlohmann/json.hpp"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/games/errors.h"

namespace referee::games::hypnosia {
namespace {

using Json = nlohmann::json;

// A field of an object: its name, and the reader of its value, which receives the path of the
// value.
struct Field {
  std::string name;
  std::function<absl::Status(const std::string&, const Json&)> read;
};

// The error at `offset`, from 0, of a text that is not JSON.
absl::Status BadSyntax(absl::string_view text, size_t offset, absl::string_view why) {
  const absl::string_view before = text.substr(0, std::min(offset, text.size()));
  const size_t line_end = before.rfind('\n');
  const size_t line_start = line_end == before.npos ? 0 : line_end + 1;
  return absl::InvalidArgumentError(
      absl::StrCat("board: line ", 1 + std::count(before.begin(), before.end(), '\n'), ", column ",
                   1 + before.size() - line_start, ": ", why));
}

absl::Status BadType(const std::string& path, const Json& value, absl::string_view expected) {
  const bool nested = value.is_structured();  // may be deep, and writing it is recursive
  return BadBoard(
      path, absl::StrCat(nested ? value.type_name() : Quoted(value.dump()), " is not ", expected));
}

absl::Status ReadNumber(const std::string& path, const Json& value, uint32_t* out) {
  const int64_t number = value.is_number_integer() ? value.get<int64_t>() : -1;
  if (number < 0 || number > UINT32_MAX) {
    return BadType(path, value, absl::StrCat("a whole number from 0 to ", UINT32_MAX));
  }
  *out = static_cast<uint32_t>(number);
  return absl::OkStatus();
}

absl::Status ReadText(const std::string& path, const Json& value, std::string* out) {
  if (!value.is_string()) return BadType(path, value, "a string");
  *out = value.get<std::string>();
  return absl::OkStatus();
}

template <typename Element>
absl::Status ReadList(const std::string& path, const Json& value,
                      absl::Status (*read)(const std::string&, const Json&, Element*),
                      std::vector<Element>* out) {
  if (!value.is_array()) return BadType(path, value, "a list");
  for (const Json& element : value) {
    const std::string at = absl::StrCat(path, "[", out->size(), "]");
    const absl::Status status = read(at, element, &out->emplace_back());
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

// `path` is empty for the whole file.
absl::Status ReadObject(const std::string& path, const Json& value,
                        const std::vector<Field>& fields) {
  const std::string names = absl::StrJoin(
      fields, ", ", [](std::string* out, const Field& field) { out->append(field.name); });
  const std::string where = path.empty() ? "the file" : path;
  if (!value.is_object()) return BadType(where, value, absl::StrCat("an object with ", names));
  for (const auto& [name, member] : value.items()) {
    const auto field = std::find_if(fields.begin(), fields.end(),
                                    [&name = name](const Field& one) { return one.name == name; });
    if (field == fields.end()) {
      return BadBoard(where, absl::StrCat("there is no field ", Quoted(name), "; it has ", names));
    }
    const absl::Status status =
        field->read(absl::StrCat(path, path.empty() ? "" : ".", name), member);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status ReadBridge(const std::string& path, const Json& value, BoardSpec::Bridge* out) {
  return ReadObject(
      path, value,
      {{"from", [&](const auto& at, const Json& from) { return ReadNumber(at, from, &out->from); }},
       {"to",
        [&](const auto& at, const Json& to) { return ReadNumber(at, to, &out->to.emplace()); }}});
}

absl::Status ReadRing(const std::string& path, const Json& value, BoardSpec::Ring* out) {
  return ReadObject(
      path, value,
      {{"size", [&](const auto& at, const Json& size) { return ReadNumber(at, size, &out->size); }},
       {"bridges", [&](const auto& at, const Json& bridges) {
          return ReadList(at, bridges, &ReadBridge, &out->bridges);
        }}});
}

absl::Status ReadBoard(const Json& value, BoardSpec* out) {
  return ReadObject(
      "", value,
      {{"name", [&](const auto& at, const Json& name) { return ReadText(at, name, &out->name); }},
       {"rings", [&](const auto& at,
                     const Json& rings) { return ReadList(at, rings, &ReadRing, &out->rings); }},
       {"lane_entries",
        [&](const auto& at, const Json& entries) {
          return ReadList(at, entries, &ReadNumber, &out->lane_entries);
        }},
       {"centre_places", [&](const auto& at, const Json& places) {
          return ReadNumber(at, places, &out->centre_places);
        }}});
}

// Refuses objects with two fields of one name: JSON parsers differ in which one they use.
absl::StatusOr<Json> ParseJson(absl::string_view text) {
  std::vector<std::set<std::string>> open;  // by open object: the names so far
  absl::optional<std::string> repeated;
  const auto see = [&](int, Json::parse_event_t event, Json& value) {
    if (event == Json::parse_event_t::object_start) open.emplace_back();
    if (event == Json::parse_event_t::object_end) open.pop_back();
    if (event == Json::parse_event_t::key) {
      const std::string& name = value.get_ref<const std::string&>();
      if (!open.back().insert(name).second) repeated = name;
    }
    return true;
  };
  try {
    Json json = Json::parse(text.begin(), text.end(), see);
    if (repeated.has_value()) {
      return BadBoard("the file",
                      absl::StrCat("field ", Quoted(*repeated), " is given twice in one object"));
    }
    return json;
  } catch (const Json::exception& error) {
    const auto* const syntax = dynamic_cast<const Json::parse_error*>(&error);
    const size_t read = syntax != nullptr ? syntax->byte : 0;  // includes the bad byte
    return BadSyntax(text, read > 0 ? read - 1 : 0,
                     "the file is not JSON; expected an object such as {\"name\": \"mine\", ...}");
  }
}

}  // namespace

absl::StatusOr<BoardSpec> ParseBoardFile(absl::string_view text) {
  if (text.size() > limits::kMaxOptionBytes) return OptionTooLarge("board", text.size());
  const auto* const other = std::find_if_not(text.begin(), text.end(), [](char c) {
    return absl::ascii_isprint(c) || absl::ascii_isspace(c);
  });
  if (other != text.end()) {
    return BadSyntax(text, static_cast<size_t>(other - text.begin()),
                     "a board file is plain ASCII, without a byte order mark");
  }
  const absl::StatusOr<Json> json = ParseJson(text);
  if (!json.ok()) return json.status();
  BoardSpec board;
  const absl::Status status = ReadBoard(*json, &board);
  if (!status.ok()) return status;
  return board;
}

}  // namespace referee::games::hypnosia
