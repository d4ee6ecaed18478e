// Prints rows as a table for people, or as CSV (RFC 4180) or JSON, from one list of columns. Pure.
//
//   const Columns<Replay> columns = {
//       {"match", "match_id", kLeft | kData, [](const Replay& r) { return r.id.text(); }},
//       {"created", "create_time", kLeft | kData, [](const Replay& r) { return Moment(r.time); }},
//       {"bytes", kRight | kData, &Replay::size}};
//   output.out() << Printed(columns, replays, flags.json ? Form::kJson : Form::kTable);
#ifndef REFEREE_CTL_TERMINAL_PRINT_H_
#define REFEREE_CTL_TERMINAL_PRINT_H_

#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "google/protobuf/message.h"
#include "google/protobuf/repeated_field.h"
#include "nlohmann/json.hpp"

namespace referee::ctl {

using Json = nlohmann::ordered_json;

// CSV and JSON have all digits. CSV lines end with \r\n; each JSON object is one line.
enum class Form { kTable, kCsv, kJson };

// Flags for the forms that include a column. kLeft and kRight include it in the table, aligned.
inline constexpr unsigned kLeft = 1;
inline constexpr unsigned kRight = 2;
inline constexpr unsigned kCsv = 4;
inline constexpr unsigned kJson = 8;
inline constexpr unsigned kData = kCsv | kJson;

// One value. An unknown value is "-" in a table, empty in CSV, and null in JSON.
struct Cell {
  Cell() : text("-") {}
  Cell(std::string table_text, Json data) : text(std::move(table_text)), value(std::move(data)) {}
  // Accepts numbers, booleans and strings; untrusted strings are safe in all forms. A double that
  // is not finite is unknown. Arrays and objects are for JSON only.
  template <typename Value, typename = std::enable_if_t<std::is_constructible_v<Json, Value>>>
  Cell(const Value& data) : Cell(Json(data)) {}  // NOLINT(google-explicit-constructor)
  explicit Cell(Json data);

  std::string text;  // for the table
  Json value;        // for CSV and JSON
};

// Shows "2026-11-21T16:05:00Z" in the table; the data have fractions of a second.
Cell Moment(absl::Time time);
// Shows `decimals` decimals in the table.
Cell Fixed(double value, int decimals = 1);

// The heading in the table, and the key in CSV and JSON.
struct ColumnHead {
  bool In(Form form) const;

  std::string head;
  std::string key;
  unsigned forms;
};

// `cell` reads a value from a row: a function, or a pointer to a member.
template <typename Row>
struct Column : ColumnHead {
  using Read = std::function<Cell(const Row&)>;
  Column(std::string name, unsigned forms, Read read)
      : Column(name, name, forms, std::move(read)) {}
  Column(std::string head, std::string key, unsigned forms, Read read)
      : ColumnHead{std::move(head), std::move(key), forms}, cell(std::move(read)) {}

  Read cell;
};

template <typename Row>
using Columns = std::vector<Column<Row>>;

// Reads element `n` of a repeated field; unknown if there are fewer.
template <typename Row, typename Value>
auto Nth(const google::protobuf::RepeatedField<Value>& (Row::*field)() const, int n) {
  return
      [=](const Row& row) { return n < (row.*field)().size() ? Cell((row.*field)()[n]) : Cell(); };
}

// A field of a CSV file. Quotes the field, and doubles its quotes, if it has a comma, a quote or a
// line end, or begins or ends with a space. Also quotes fields that spreadsheets would take for a
// formula, which begin with = + - @. Adds and removes nothing else.
std::string CsvField(absl::string_view text);

// One line of JSON: protobuf's own JSON of a message, or a JSON value. Unset fields have their
// defaults.
std::string JsonLine(const google::protobuf::Message& message);
std::string JsonLine(const Json& json);

// The JSON object of a row.
template <typename Row>
Json JsonOf(const std::vector<Column<Row>>& columns, const Row& row) {
  Json object = Json::object();
  for (const Column<Row>& column : columns) {
    if (column.In(Form::kJson)) object[column.key] = column.cell(row).value;
  }
  return object;
}

// Formats cells as a table or as CSV.
std::string PrintedCells(const std::vector<const ColumnHead*>& columns,
                         const std::vector<std::vector<Cell>>& rows, Form form, bool heading);

// Formats rows, optionally with a heading. In JSON, a message has protobuf's own JSON unless a
// column is in kJson.
template <typename Row, typename Rows>
std::string Printed(const std::vector<Column<Row>>& columns, const Rows& rows, Form form,
                    bool heading = true) {
  std::vector<const ColumnHead*> heads;
  for (const Column<Row>& column : columns) {
    if (column.In(form)) heads.push_back(&column);
  }
  std::string lines;
  std::vector<std::vector<Cell>> cells;
  for (const Row& row : rows) {
    if (form != Form::kJson) {
      cells.emplace_back();
      for (const Column<Row>& column : columns) {
        if (column.In(form)) cells.back().push_back(column.cell(row));
      }
    } else if constexpr (std::is_base_of_v<google::protobuf::Message, Row>) {
      lines += heads.empty() ? JsonLine(row) : JsonLine(JsonOf(columns, row));
    } else {
      lines += JsonLine(JsonOf(columns, row));
    }
  }
  return form == Form::kJson ? lines : PrintedCells(heads, cells, form, heading);
}

}  // namespace referee::ctl

#endif  // REFEREE_CTL_TERMINAL_PRINT_H_
