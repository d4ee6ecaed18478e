#include "referee/ctl/terminal/print.h"

#include <google/protobuf/util/json_util.h>

#include <cmath>
#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "referee/base/duration_text.h"
#include "referee/ctl/terminal/table.h"

namespace referee::ctl {
namespace {

// The shortest text that parses to the same number.
std::string Number(double value) {
  for (const int digits : {6, 9, 15, 16}) {
    std::string text = absl::StrFormat("%.*g", digits, value);
    if (std::strtod(text.c_str(), nullptr) == value) return text;
  }
  return absl::StrFormat("%.17g", value);
}

// A value as a CSV field.
std::string FieldText(const Json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return CsvField(value.get_ref<const std::string&>());
  return value.is_number_float() ? Number(value.get<double>()) : value.dump();
}

}  // namespace

Cell::Cell(Json data) : value(std::move(data)) {
  if (value.is_number_float() && !std::isfinite(value.get<double>())) value = nullptr;
  if (value.is_structured()) return;
  text = value.is_null()     ? "-"
         : value.is_string() ? Shown(value.get_ref<const std::string&>())
                             : value.dump();
}

Cell Moment(absl::Time time) {
  return {UtcText(time), absl::FormatTime(time, absl::UTCTimeZone())};
}

Cell Fixed(double value, int decimals) {
  Cell cell(value);
  if (!cell.value.is_null()) cell.text = absl::StrFormat("%.*f", decimals, value);
  return cell;
}

std::string CsvField(absl::string_view text) {
  const bool plain = text.find_first_of(",\"\r\n") == absl::string_view::npos;
  const bool bare =
      text.empty() ||
      (plain && absl::string_view("=+-@ ").find(text.front()) == absl::string_view::npos &&
       text.back() != ' ');
  if (bare) return std::string(text);
  return absl::StrCat("\"", absl::StrReplaceAll(text, {{"\"", "\"\""}}), "\"");
}

std::string JsonLine(const google::protobuf::Message& message) {
  google::protobuf::util::JsonPrintOptions options;
  options.preserve_proto_field_names = true;
  options.always_print_primitive_fields = true;
  std::string json;
  // Fails only for fields of type Any, which no message has.
  (void)google::protobuf::util::MessageToJsonString(message, &json, options);
  return json + "\n";
}

std::string JsonLine(const Json& json) {
  return json.dump(-1, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace) + "\n";
}

bool ColumnHead::In(Form form) const {
  const unsigned wanted = form == Form::kTable ? kLeft | kRight : form == Form::kCsv ? kCsv : kJson;
  return (forms & wanted) != 0;
}

std::string PrintedCells(const std::vector<const ColumnHead*>& columns,
                         const std::vector<std::vector<Cell>>& rows, Form form, bool heading) {
  const bool table = form == Form::kTable;
  std::string align;
  std::vector<TableRow> lines;
  if (heading) lines.emplace_back();
  for (const ColumnHead* const column : columns) {
    align += (column->forms & kRight) != 0 ? 'r' : 'l';
    if (heading) lines.front().push_back(table ? column->head : column->key);
  }
  for (const std::vector<Cell>& row : rows) {
    lines.emplace_back();
    for (const Cell& cell : row) {
      lines.back().push_back(table ? cell.text : FieldText(cell.value));
    }
  }
  if (table) return TableText(align, lines);
  std::string text;
  for (const TableRow& line : lines) absl::StrAppend(&text, absl::StrJoin(line, ","), "\r\n");
  return text;
}

}  // namespace referee::ctl
