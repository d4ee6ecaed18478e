// The command line flags of refgate.
#ifndef REFEREE_GATE_FLAGS_H_
#define REFEREE_GATE_FLAGS_H_

#include <string>
#include <vector>

#include "referee/client/flags.h"
#include "referee/gate/bounds.h"
#include "referee/gate/export.h"
#include "referee/log/log_writer.h"

namespace referee::gate {

struct Flags {
  client::ClientFlags client;
  ExportFlags site;
  std::string listen = "127.0.0.1:8080";
  std::string port_file;
  std::string ticket_key_file;
  bool is_public = false;
  std::vector<std::string> trusted_proxies;
  Bounds bounds;
  log::LogWriter::Options log;
};

// Reads the command line. Returns true to continue. Returns false if the program must end with
// `exit_status`: after the help, the version or an error was printed, or for --parse-only.
bool ReadFlags(int argc, char** argv, Flags* flags, int* exit_status);

}  // namespace referee::gate

#endif  // REFEREE_GATE_FLAGS_H_
