// A log event of a program: the room that emits it fills it in, and LogWriter (log_writer.h) prints
// it.
//
//   log(Event(Level::kWarning, "match_void", ended.reason).With(kMatch, id.text()));
//
// LOG.md lists all events. A message may quote bots and clients: the writer cuts and escapes it. No
// event contains a token.
#ifndef REFEREE_LOG_EVENT_H_
#define REFEREE_LOG_EVENT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"

namespace referee::log {

enum class Level { kDebug, kInfo, kWarning, kError };

// The subjects of an event, where they are known.
enum Field : size_t { kMatch, kBot, kCompetition, kBlock, kAddress, kAccount };
inline constexpr std::array<absl::string_view, 6> kFieldNames = {"match", "bot",     "competition",
                                                                 "block", "address", "account"};

struct Event {
  Event(Level its_level, absl::string_view its_name, absl::string_view its_message)
      : level(its_level), name(its_name), message(its_message) {}
  Event&& With(Field field, absl::string_view value) && {
    fields[field] = std::string(value);
    return std::move(*this);
  }

  Level level;
  absl::string_view name;  // in words_with_underscores; outlives the event
  std::string message;     // for people, one line; need not say what is in the fields
  std::array<std::string, kFieldNames.size()> fields;  // empty: not set
  int64_t left_out = 0;  // events of the same kind dropped before this one
};

// Receives events. Thread-safe; returns at once. May be null.
using Log = std::function<void(const Event&)>;

inline void Tell(const Log& log, const Event& event) {
  if (log) log(event);
}

}  // namespace referee::log

#endif  // REFEREE_LOG_EVENT_H_
