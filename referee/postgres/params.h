// The parameters $1, $2, ... of a PostgreSQL statement.
//
// They are sent separately, so they are never parsed as SQL. The server derives the type of each
// from its place in the statement:
//
//   int, int64_t, Time       any integer type; a time as microseconds since 1970
//   double                   double precision
//   text                     text; UTF-8 without zero bytes, else the server refuses it
//   Span<const uint8_t>      bytea
//   optional                 as its value, or NULL
//   vector                   an array: bigint[], double precision[] or text[]
#ifndef REFEREE_POSTGRES_PARAMS_H_
#define REFEREE_POSTGRES_PARAMS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"

namespace referee::postgres {

// Copies the values.
class Params {
 public:
  Params() = default;
  template <typename... Values>
  static Params Of(const Values&... values) {
    Params params;
    (params.Add(values), ...);
    return params;
  }

  void Add(int64_t value);
  void Add(int value) { Add(int64_t{value}); }
  void Add(double value);
  void Add(absl::string_view text);
  void Add(const std::string& text) { Add(absl::string_view(text)); }
  void Add(const char* text) { Add(absl::string_view(text)); }
  void Add(absl::Time time);
  void Add(absl::Span<const uint8_t> bytes);
  void Add(const std::vector<int64_t>& array);
  void Add(const std::vector<absl::optional<int64_t>>& array);
  void Add(const std::vector<double>& array);
  void Add(const std::vector<absl::string_view>& array);
  void Add(const std::vector<std::string>& array);
  template <typename T>
  void Add(const absl::optional<T>& value) {
    if (value.has_value()) return Add(*value);
    AddNull();
  }
  void AddNull();

  int size() const { return static_cast<int>(values_.size()); }

  // In the form that libpq takes; valid until the next Add.
  std::vector<const char*> pointers() const;
  std::vector<int> lengths() const;
  std::vector<int> formats() const;

 private:
  struct Value {
    std::string bytes;
    bool binary = false;
    bool null = false;
  };
  template <typename Element>
  void AddArray(uint32_t type, const std::vector<Element>& array);

  std::vector<Value> values_;
};

// Rows for one statement, as arrays of unnest: one array per column.
//
//   Rows<int64_t, absl::string_view> rows;
//   rows.Add(1, "one");
//   db->Query("INSERT INTO t SELECT * FROM unnest($1::bigint[], $2::text[])", rows.params());
template <typename... Columns>
class Rows {
 public:
  void Add(Columns... values) {
    AddTo(std::index_sequence_for<Columns...>(), std::move(values)...);
  }
  bool empty() const { return std::get<0>(columns_).empty(); }
  Params params() const {
    return std::apply([](const auto&... columns) { return Params::Of(columns...); }, columns_);
  }

 private:
  template <size_t... kColumns>
  void AddTo(std::index_sequence<kColumns...>, Columns&&... values) {
    (std::get<kColumns>(columns_).push_back(std::move(values)), ...);
  }

  std::tuple<std::vector<Columns>...> columns_;
};

}  // namespace referee::postgres

#endif  // REFEREE_POSTGRES_PARAMS_H_
