#include "referee/log/flags.h"

#include <string>

#include "referee/base/command_line.h"

namespace referee::log {

void AddLogFlags(CLI::App* app, LogWriter::Options* options) {
  app->add_option_function<std::string>(
         "--log-format",
         [options](const std::string& text) { ParseFormat(text, &options->format); },
         "How lines of the log are written, to stderr")
      ->check(OneOf({"text", "json"}))
      ->type_name("text|json")
      ->default_str("text");
  app->add_option_function<std::string>(
         "--log-level", [options](const std::string& text) { ParseLevel(text, &options->least); },
         "What the log leaves out: whatever is less than this")
      ->check(OneOf({"debug", "info", "warning", "error"}))
      ->type_name("debug|info|warning|error")
      ->default_str("info");
}

}  // namespace referee::log
