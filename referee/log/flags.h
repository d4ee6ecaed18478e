// Command-line flags for the log of a server program.
#ifndef REFEREE_LOG_FLAGS_H_
#define REFEREE_LOG_FLAGS_H_

#include "CLI/App.hpp"
#include "referee/log/log_writer.h"

namespace referee::log {

// Adds --log-format and --log-level, which set `options`. `options` must outlive the parsing.
void AddLogFlags(CLI::App* app, LogWriter::Options* options);

}  // namespace referee::log

#endif  // REFEREE_LOG_FLAGS_H_
